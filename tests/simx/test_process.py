import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from simx.assets import Assets, FrontEndMissingError

from tests.simx.clients import TIMEOUT_S, started

KEYS = [
    "https_port",
    "control_port",
    "control_url",
    "spki_sha256_base64",
    "certificate_pem_path",
    "host_rules",
    "chromium_flags",
    "hosts",
]


def test_it_prints_one_line_and_ends_when_its_parent_goes() -> None:
    """Nothing is orphaned: the end of standard input is the end of the server."""
    with started() as (process, x):
        assert process.stdin is not None
        process.stdin.close()

        code = process.wait(TIMEOUT_S)

        assert (code, list(x.facts)) == (0, KEYS)
        assert not Path(x.facts["certificate_pem_path"]).exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly_on_a_signal_even_with_open_connections(number: signal.Signals) -> None:
    """Exit code 0, and the port is free again."""
    with started() as (process, x):
        connection = x.connect("x.com")
        process.send_signal(number)

        code = process.wait(TIMEOUT_S)
        connection.close()

    assert code == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", x.facts["https_port"]), TIMEOUT_S)


def test_the_flags_point_a_browser_at_it_and_at_nothing_else() -> None:
    """Every host of X goes to the one port, every other host nowhere."""
    with started() as (_, x):
        flags = x.facts["chromium_flags"]

    target = f"127.0.0.1:{x.facts['https_port']}"
    assert flags[0].startswith(f"--host-resolver-rules=MAP x.com:443 {target},")
    assert "MAP * ~NOTFOUND" in flags[0]
    assert flags[1].endswith(x.facts["spki_sha256_base64"])
    assert "--disable-quic" in flags
    assert set(x.facts["hosts"].values()) == {target}


def test_a_taken_port_is_said_in_one_sentence() -> None:
    """And the exit code is not 0."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "simx", "--https-port", port]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)

    assert ended.returncode == 1
    assert "address already in use" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_it_ends_at_once_when_there_is_no_standard_input() -> None:
    """As under a service manager that was told --until-stdin-closes by mistake."""
    command = [sys.executable, "-m", "simx", "--until-stdin-closes"]

    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, "")


WRONG_OPTIONS = {
    "not a number": ["--https-port", "x"],
    "negative": ["--latency-ms", "-1"],
    "unknown": ["--fast"],
    "unknown editor": ["--editor", "vi"],
}


@pytest.mark.parametrize("options", WRONG_OPTIONS.values(), ids=WRONG_OPTIONS.keys())
def test_wrong_options_are_refused(options: list[str]) -> None:
    """With the usage on standard error and nothing on standard output."""
    command = [sys.executable, "-m", "simx", *options]

    ended = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert "usage:" in ended.stderr


def test_help_explains_without_starting() -> None:
    """The first thing a stranger types."""
    command = [sys.executable, "-m", "simx", "--help"]

    ended = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)

    assert ended.returncode == 0
    for words in ("--until-stdin-closes", "--control-port", "A simulated X on loopback"):
        assert words in ended.stdout


def test_a_package_without_its_front_end_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The name of the missing file, and what to do."""
    monkeypatch.setattr("simx.assets.resources.files", lambda _package: tmp_path)

    with pytest.raises(FrontEndMissingError, match=r"simx/static/shell.html is missing"):
        Assets()


def test_the_same_seed_gives_the_same_short_links() -> None:
    """Runs can be repeated."""
    texts = []
    for _ in range(2):
        with started("--seed", "3") as (_, x):
            x.person("bo").post("See https://blog.example.org/1")
            body = x.person("al").read("HomeTimeline", count=3).body
            texts.append(
                [part[:10] for part in json.dumps(body.decode()).split("https://t.co/")[1:]]
            )

    assert texts[0] == texts[1]

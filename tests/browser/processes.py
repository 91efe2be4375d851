"""The processes below one of ours, by what they are, so that a test can kill just one of them."""

from __future__ import annotations

from pathlib import Path

from tests.browser.waiting import until


def below(root: int) -> dict[int, str]:
    """Every process below one, with its command line."""
    parents: dict[int, int] = {}
    lines: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            stat = (folder / "stat").read_text()
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue  # it has just ended
        parents[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
        lines[int(folder.name)] = line
    found = {root}
    for _ in range(len(parents)):
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            break
        found |= more
    return {pid: lines[pid] for pid in found if pid in lines and pid != root}


def which(root: int, kind: str) -> int:
    """The process of a kind below one: `driver`, `browser`, `renderer` or `network`."""
    lines = below(root)
    marks = {
        "driver": lambda line: "run-driver" in line,
        "browser": lambda line: "--remote-debugging-pipe" in line and "--type=" not in line,
        "renderer": lambda line: "--type=renderer" in line and "--extension-process" not in line,
        "network": lambda line: "network.mojom.NetworkService" in line,
    }
    return max(pid for pid, line in lines.items() if marks[kind](line))


async def are_gone(pids: list[int]) -> None:
    """Waits until none of these processes runs any more."""
    await until(lambda: not any(_runs(pid) for pid in pids))


def _runs(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"

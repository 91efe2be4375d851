"""The gate's states, seen from its two sides: plain sockets, no browser."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest

from browser.errors import GateRefused
from browser.gate import Gate, GateState
from tests.browser.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

WITHIN_S = 5.0


class Site:
    """A server that keeps every byte it gets and can end its connections."""

    def __init__(self) -> None:
        self.received = b""
        self.connections: list[asyncio.StreamWriter] = []
        self._changed = asyncio.Condition()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Keeps what arrives until the connection ends."""
        self.connections.append(writer)
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                async with self._changed:
                    self.received += data
                    self._changed.notify_all()
        writer.close()

    async def has_received(self, data: bytes) -> None:
        """Waits until exactly these bytes have come."""
        async with asyncio.timeout(WITHIN_S), self._changed:
            await self._changed.wait_for(lambda: self.received == data)


class Client:
    """One connection through the gate, as a browser makes it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def sends(self, data: bytes) -> None:
        """Hands bytes to the gate."""
        self.writer.write(data)
        await self.writer.drain()

    async def sees_end(self) -> bytes:
        """Everything that still comes until the gate closes the connection."""
        async with asyncio.timeout(WITHIN_S):
            with contextlib.suppress(ConnectionError):
                return await self.reader.read()
        return b""


class Rig:
    """A gate with a site behind it; `dial` makes connections through the gate."""

    def __init__(self, gate: Gate, site: Site, proxy_port: int) -> None:
        self.gate, self.site, self._proxy_port = gate, site, proxy_port
        self._clients: list[asyncio.StreamWriter] = []

    async def raw(self, head: bytes) -> tuple[str, Client]:
        """Sends a head to the gate; returns its status line."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._proxy_port)
        self._clients.append(writer)
        writer.write(head)
        async with asyncio.timeout(WITHIN_S):
            answer = (await reader.readuntil(b"\r\n\r\n")).decode()
        return answer.splitlines()[0], Client(reader, writer)

    async def close(self) -> None:
        """Ends the gate and every connection."""
        await self.gate.close()
        for writer in (*self._clients, *self.site.connections):
            writer.transport.abort()
        await asyncio.sleep(0)  # lets the transports tell their ends

    async def dial(self, host: str = "x.com") -> Client:
        """Opens a tunnel that is expected to be accepted."""
        status, client = await self.raw(f"CONNECT {host}:443 HTTP/1.1\r\n\r\n".encode())
        assert status == "HTTP/1.1 200 Connection Established"
        return client

    async def is_held(self, size_bytes: int) -> None:
        """Waits until the gate holds this many bytes."""
        await until(lambda: self.gate.facts.held_bytes >= size_bytes)


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    """A gate that maps x.com and pbs.twimg.com to a site of ours and refuses all else."""
    site = Site()
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    where = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    gate = Gate(hosts={"x.com": where, "*.twimg.com": where, "*": "refuse"})
    proxy = await gate.start()
    made = Rig(gate, site, int(proxy.rpartition(":")[2]))
    yield made
    server.close()
    await made.close()


async def test_an_open_gate_lets_everything_through(rig: Rig) -> None:
    """What a browser sends while reading reaches the site."""
    client = await rig.dial()

    await client.sends(b"hello")

    await rig.site.has_received(b"hello")


async def test_an_armed_gate_holds_what_goes_out_and_lets_answers_in(rig: Rig) -> None:
    """Not a byte leaves between arming and release; what waits is counted."""
    client = await rig.dial()
    await client.sends(b"before")
    await rig.site.has_received(b"before")

    rig.gate.arm()
    await client.sends(b"post")
    await rig.is_held(4)
    rig.site.connections[0].write(b"news")
    async with asyncio.timeout(WITHIN_S):
        news = await client.reader.readexactly(4)

    assert (news, rig.site.received) == (b"news", b"before")
    assert rig.gate.facts.held_hosts == ("x.com",)


async def test_a_connection_made_while_armed_is_held_too(rig: Rig) -> None:
    """A new tunnel opens, and its first byte waits."""
    rig.gate.arm()
    client = await rig.dial()

    await client.sends(b"post")
    await rig.is_held(4)

    assert rig.site.received == b""


async def test_static_hosts_flow_while_armed(rig: Rig) -> None:
    """Images and scripts do not wait: those hosts take no posts."""
    client = await rig.dial("pbs.twimg.com")
    rig.gate.arm()

    await client.sends(b"image")

    await rig.site.has_received(b"image")


async def test_the_release_lets_out_what_waited_once(rig: Rig) -> None:
    """What was held arrives after the release, in order and once."""
    client = await rig.dial()
    rig.gate.arm()
    await client.sends(b"post")
    await rig.is_held(4)

    rig.gate.release()

    await rig.site.has_received(b"post")
    assert rig.gate.facts.released_bytes == 4


async def test_a_killed_gate_never_sends_what_waited(rig: Rig) -> None:
    """Both sides are cut; the site never sees the held bytes."""
    client = await rig.dial()
    rig.gate.arm()
    await client.sends(b"post")
    await rig.is_held(4)

    rig.gate.kill("the request was another one")

    assert await client.sees_end() == b""
    assert (rig.site.received, rig.gate.facts.death) == (b"", "the request was another one")


async def _site_ends(rig: Rig, _client: Client) -> None:
    rig.site.connections[0].close()


async def _site_resets(rig: Rig, _client: Client) -> None:
    rig.site.connections[0].transport.abort()


async def _browser_ends(_rig: Rig, client: Client) -> None:
    client.writer.close()


@pytest.mark.parametrize("end", [_site_ends, _site_resets, _browser_ends], ids=lambda e: e.__name__)
async def test_the_fuse_cuts_every_tunnel_when_the_posting_one_ends(
    rig: Rig, end: Callable[[Rig, Client], object]
) -> None:
    """After the connection that carried the post ends, no other can carry it again."""
    client, other = await rig.dial(), await rig.dial()
    rig.gate.arm()
    await client.sends(b"post")
    await rig.is_held(4)
    rig.gate.release()
    await rig.site.has_received(b"post")

    await end(rig, client)  # type: ignore[misc]  # each is a coroutine function
    await other.sees_end()

    assert (rig.gate.state, rig.gate.facts.is_fuse_blown) == (GateState.DEAD, True)
    status, _ = await rig.raw(b"CONNECT x.com:443 HTTP/1.1\r\n\r\n")
    assert status == "HTTP/1.1 403 Forbidden"


async def test_the_answer_is_delivered_even_when_its_connection_ends_with_it(rig: Rig) -> None:
    """A server that answers and closes blows the fuse, but the browser gets the answer."""
    client = await rig.dial()
    rig.gate.arm()
    await client.sends(b"post")
    await rig.is_held(4)
    rig.gate.release()
    await rig.site.has_received(b"post")

    rig.site.connections[0].write(b"answer" * 1000)
    rig.site.connections[0].close()

    assert await client.sees_end() == b"answer" * 1000


async def test_a_tunnel_that_did_not_wait_for_the_release_waits_behind_it(rig: Rig) -> None:
    """Bytes on another tunnel are a resend or can wait; they flow once the answer was seen."""
    posting, other = await rig.dial(), await rig.dial()
    rig.gate.arm()
    await posting.sends(b"post")
    await until(lambda: rig.gate.facts.held_bytes == 4)
    rig.gate.release()
    await rig.site.has_received(b"post")

    await other.sends(b"post again")
    await until(lambda: rig.gate.facts.held_bytes == 14)

    await rig.site.has_received(b"post")
    rig.gate.reopen()
    await rig.site.has_received(b"postpost again")


async def test_a_tunnel_that_carried_nothing_may_end(rig: Rig) -> None:
    """An idle connection that ends after the release does not blow the fuse."""
    client, idle = await rig.dial(), await rig.dial()
    rig.gate.arm()
    await client.sends(b"post")
    await rig.is_held(4)
    rig.gate.release()
    await rig.site.has_received(b"post")

    idle.writer.close()
    rig.site.connections[0].write(b"answer")
    async with asyncio.timeout(WITHIN_S):
        assert await client.reader.readexactly(6) == b"answer"

    rig.gate.reopen()
    assert rig.gate.state is GateState.OPEN


async def test_a_reopened_gate_has_no_fuse(rig: Rig) -> None:
    """After the answer connections may come and go."""
    client = await rig.dial()
    rig.gate.arm()
    rig.gate.release()
    await client.sends(b"post")
    await rig.site.has_received(b"post")

    rig.gate.reopen()
    rig.site.connections[0].close()
    await client.sees_end()

    assert rig.gate.state is GateState.OPEN


LEGAL = {
    (GateState.OPEN, "arm"): GateState.ARMED,
    (GateState.ARMED, "release"): GateState.RELEASED,
    (GateState.RELEASED, "reopen"): GateState.OPEN,
}


async def _bring(gate: Gate, state: GateState) -> None:
    steps = {
        GateState.OPEN: (),
        GateState.ARMED: (gate.arm,),
        GateState.RELEASED: (gate.arm, gate.release),
        GateState.DEAD: (lambda: gate.kill("test"),),
    }
    for step in steps[state]:
        step()


@pytest.mark.parametrize("verb", ["arm", "release", "reopen"])
@pytest.mark.parametrize("state", list(GateState))
async def test_only_the_named_changes_are_legal(state: GateState, verb: str) -> None:
    """Every other change is refused and changes nothing."""
    gate = Gate(hosts={})
    await _bring(gate, state)

    if (state, verb) in LEGAL:
        getattr(gate, verb)()
    else:
        with pytest.raises(GateRefused):
            getattr(gate, verb)()

    assert gate.state is LEGAL.get((state, verb), state)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET http://x.com/ HTTP/1.1\r\n\r\n", "HTTP/1.1 405 Method Not Allowed"),
        (b"POST http://x.com/post HTTP/1.1\r\n\r\n", "HTTP/1.1 405 Method Not Allowed"),
        (b"CONNECT x.com HTTP/1.1\r\n\r\n", "HTTP/1.1 405 Method Not Allowed"),
        (b"CONNECT elsewhere.example:443 HTTP/1.1\r\n\r\n", "HTTP/1.1 403 Forbidden"),
    ],
    ids=["plain-get", "plain-post", "no-port", "host-not-mapped"],
)
async def test_the_gate_refuses_all_but_tunnels_to_known_hosts(
    rig: Rig, head: bytes, status: str
) -> None:
    """Plain HTTP and unknown hosts get a refusal and reach nothing."""
    answered, _client = await rig.raw(head)

    assert (answered, rig.site.connections) == (status, [])


async def test_a_site_that_cannot_be_reached_is_a_bad_gateway() -> None:
    """A refused connection is told to the browser at once."""
    gate = Gate(hosts={"x.com": "127.0.0.1:1"})
    rig = Rig(gate, Site(), int((await gate.start()).rpartition(":")[2]))

    status, _client = await rig.raw(b"CONNECT x.com:443 HTTP/1.1\r\n\r\n")

    await rig.close()
    assert status == "HTTP/1.1 502 Bad Gateway"


@pytest.mark.parametrize("where", ["", "somewhere", "127.0.0.1:", "host:port"])
def test_a_host_map_that_makes_no_sense_is_refused(where: str) -> None:
    """A value that is neither an address nor `refuse` is named at once."""
    with pytest.raises(ValueError, match="neither `address:port` nor `refuse`"):
        Gate(hosts={"x.com": where})

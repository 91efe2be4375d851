"""The gate: the browser's only way out, and a valve in it.

A small CONNECT proxy inside the agent's own process, one per open profile. It forwards TLS bytes
and cannot read them. What it promises does not depend on the browser's good will, on the name of
an operation or on the way a request leaves, since every byte passes through this file:

    open      everything flows
    armed     nothing flows outwards to a host that takes posts; answers still flow inwards
    released  what waited flows, and only on the tunnels on which it waited, with a fuse: as soon
              as one of them ends, every other tunnel is cut and no new one is accepted. So the
              browser cannot send the request again (Chromium does, on its own): neither when the
              connection ends, nor on another one while the first still stands (HTTP/2 GOAWAY)
    dead      nothing flows, ever again

When the agent dies its sockets die with it, and what waited was never forwarded. Legal changes:
open -> armed -> released -> open, and anything -> dead. Nothing here awaits between looking at
the state and handing bytes to a socket.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from browser.errors import GateRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

STATIC_HOSTS = ("abs.twimg.com", "abs-?.twimg.com", "pbs.twimg.com", "video.twimg.com")
"""Hosts that serve files and take nothing. Source: x-web-facts §1, §2.6, seen 2026-09-25."""

REFUSE = "refuse"
CHUNK_BYTES = 64 * 1024
HEAD_TIMEOUT_S = 10.0  # a browser sends CONNECT at once
DIAL_TIMEOUT_S = 15.0  # as long as a person waits before reloading
CLOSE_TIMEOUT_S = 2.0  # aborted sockets close at once; a bound against the unforeseen


class GateState(StrEnum):
    """What may flow; see the head of this module."""

    OPEN = "open"
    ARMED = "armed"
    RELEASED = "released"
    DEAD = "dead"


@dataclass(frozen=True, kw_only=True)
class GateFacts:
    """What the gate has seen, for the evidence of an attempt."""

    state: GateState
    held_bytes: int
    held_hosts: tuple[str, ...]
    released_bytes: int
    is_fuse_blown: bool
    death: str | None


@dataclass(eq=False)
class _Tunnel:
    """One CONNECT: the browser's side, and the site's side once it is dialled."""

    host: str
    takes_posts: bool
    reader: asyncio.StreamReader  # the browser's side
    browser: asyncio.StreamWriter
    site: asyncio.StreamWriter
    is_holding: bool = False
    was_let_go: bool = False  # it waited when the gate was released
    has_carried: bool = False  # outwards, since the release

    def holds_for_the_living(self) -> bool:
        """Whether it waits, and the browser has not gone away behind what waits."""
        has_ended = self.reader._eof  # type: ignore[attr-defined]  # noqa: SLF001 - `at_eof` comes late
        return self.is_holding and not has_ended and self.reader.exception() is None

    def cut(self) -> None:
        """Drops both sides at once, with whatever is still in their buffers."""
        self.site.transport.abort()
        self.browser.transport.abort()


class Gate:
    """One valve; see the head of this module.

    Args:
        hosts: Host, `*.suffix` or `*` to `address:port`, or to `refuse`; the first that fits
            wins. Empty: every host is reached by its own name.
            A value that is neither raises ValueError.
        static_hosts: Patterns of hosts that flow even while armed.
    """

    def __init__(
        self, *, hosts: Mapping[str, str], static_hosts: tuple[str, ...] = STATIC_HOSTS
    ) -> None:
        self._hosts = {pattern: _target(pattern, where) for pattern, where in hosts.items()}
        self._static_hosts = static_hosts
        self._state = GateState.OPEN
        self._tunnels: set[_Tunnel] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._held: dict[str, int] = {}
        self._is_any_given_up = False  # a connection that ended while it waited
        self._released_bytes = 0
        self._is_fuse_blown = False
        self._death: str | None = None

    @property
    def state(self) -> GateState:
        """The state now."""
        return self._state

    @property
    def facts(self) -> GateFacts:
        """What was held and released since the gate was armed, and why it died if it did."""
        return GateFacts(
            state=self._state,
            held_bytes=sum(self._held.values()),
            held_hosts=tuple(sorted(self._held)),
            released_bytes=self._released_bytes,
            is_fuse_blown=self._is_fuse_blown,
            death=self._death,
        )

    async def holds_a_living_request(self, *, within_s: float) -> bool:
        """Waits until something waits here, and tells whether all of it still has its browser.

        The page tells of its request a moment before or after its bytes arrive. Which of several
        connections holds the request cannot be seen: so one that was given up means no.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while not any(tunnel.holds_for_the_living() for tunnel in self._tunnels):
                    await self._changed.wait()
        waiting = [tunnel for tunnel in self._tunnels if tunnel.is_holding]
        is_whole = bool(waiting) and not self._is_any_given_up
        return is_whole and all(tunnel.holds_for_the_living() for tunnel in waiting)

    async def start(self) -> str:
        """Begins to listen on loopback; returns the proxy's address for the browser."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def arm(self) -> None:
        """Holds everything outwards to hosts that take posts. Only an open gate can be armed."""
        self._held.clear()
        self._is_any_given_up = False
        self._released_bytes = 0
        self._move(GateState.OPEN, GateState.ARMED)

    def release(self) -> None:
        """Lets out what waits, fused. Only an armed gate can be released."""
        for tunnel in self._tunnels:
            tunnel.has_carried, tunnel.was_let_go = False, tunnel.is_holding
        self._move(GateState.ARMED, GateState.RELEASED)

    def reopen(self) -> None:
        """Ends the fuse after the answer. Only a released gate can be reopened."""
        self._move(GateState.RELEASED, GateState.OPEN)

    def kill(self, why: str) -> None:
        """Cuts everything for good; the first reason stays. Legal in every state."""
        if self._state is GateState.DEAD:
            return
        self._death = why
        self._state = GateState.DEAD
        self._wake()
        for tunnel in self._tunnels:
            tunnel.cut()

    async def close(self) -> None:
        """Kills the gate, stops listening, waits until its sockets are gone."""
        self.kill("closed")
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSE_TIMEOUT_S)

    def _move(self, before: GateState, after: GateState) -> None:
        if self._state is not before:
            raise GateRefused(f"a gate that is {self._state} cannot become {after}")
        self._state = after
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:  # pragma: no cover - asyncio always runs this in a task
            return
        self._tasks.add(task)
        try:
            with contextlib.suppress(*_ENDS_OF_A_CONNECTION):
                await self._serve(reader, writer)
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(HEAD_TIMEOUT_S):
            head = await reader.readuntil(b"\r\n\r\n")
        method, _, rest = head.decode("latin-1").partition(" ")
        host, _, port = rest.split(" ", 1)[0].rpartition(":")
        if method != "CONNECT" or not port.isdecimal():
            await self._answer(writer, "405 Method Not Allowed")
            return
        address = self._address(host.lower(), int(port))
        if address is None or self._is_dead():
            await self._answer(writer, "403 Forbidden")
            return
        try:
            async with asyncio.timeout(DIAL_TIMEOUT_S):
                site_reader, site = await asyncio.open_connection(*address)
        except (OSError, TimeoutError):
            await self._answer(writer, "502 Bad Gateway")
            return
        is_static = any(fnmatchcase(host.lower(), static) for static in self._static_hosts)
        tunnel = _Tunnel(
            host=host.lower(), takes_posts=not is_static, reader=reader, browser=writer, site=site
        )
        if self._is_dead():  # it died while we dialled
            tunnel.cut()
            return
        self._tunnels.add(tunnel)
        await self._carry(tunnel, site_reader)

    async def _carry(self, tunnel: _Tunnel, site: asyncio.StreamReader) -> None:
        outwards = asyncio.create_task(self._outwards(tunnel))
        inwards = asyncio.create_task(self._inwards(tunnel, site))
        try:
            await self._answer(tunnel.browser, "200 Connection Established")
            await asyncio.wait({outwards, inwards}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            outwards.cancel()
            inwards.cancel()
            await asyncio.gather(outwards, inwards, return_exceptions=True)
            await _flush(tunnel.browser)

    async def _outwards(self, tunnel: _Tunnel) -> None:
        try:
            while data := await tunnel.reader.read(CHUNK_BYTES):
                if tunnel.takes_posts:
                    await self._wait_for_its_turn(tunnel, len(data))
                if self._is_dead():
                    return
                if tunnel.takes_posts and self._state is GateState.RELEASED:
                    tunnel.has_carried = True
                    self._released_bytes += len(data)
                tunnel.site.write(data)
                await tunnel.site.drain()
        finally:
            self._end(tunnel)

    async def _wait_for_its_turn(self, tunnel: _Tunnel, size_bytes: int) -> None:
        if not self._must_wait(tunnel):
            return
        self._held[tunnel.host] = self._held.get(tunnel.host, 0) + size_bytes
        tunnel.is_holding = True
        self._wake()
        while self._must_wait(tunnel):
            await self._changed.wait()
        tunnel.is_holding = False

    def _must_wait(self, tunnel: _Tunnel) -> bool:
        """While armed, all; once something was released, all that had not been waiting for it."""
        if self._state is GateState.RELEASED:
            return self._released_bytes > 0 and not (tunnel.was_let_go or tunnel.has_carried)
        return self._state is GateState.ARMED

    async def _inwards(self, tunnel: _Tunnel, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(CHUNK_BYTES):
                tunnel.browser.write(data)
                await tunnel.browser.drain()
        finally:
            self._end(tunnel)  # before the browser's side closes and it can notice

    def _end(self, tunnel: _Tunnel) -> None:
        """Takes a tunnel that ended out of the set; blows the fuse if it was the one to guard."""
        self._tunnels.discard(tunnel)
        self._is_any_given_up |= tunnel.is_holding
        tunnel.site.transport.abort()
        if self._state is GateState.RELEASED and tunnel.has_carried:
            self._is_fuse_blown = True
            self.kill(f"the connection to {tunnel.host} ended before the answer was seen")

    def _address(self, host: str, port: int) -> tuple[str, int] | None:
        """Where a host is to be reached, or None when it is refused."""
        for pattern, target in self._hosts.items():
            if fnmatchcase(host, pattern):
                return target
        return host.strip("[]"), port

    def _is_dead(self) -> bool:
        return self._state is GateState.DEAD

    async def _answer(self, writer: asyncio.StreamWriter, status: str) -> None:
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()


_ENDS_OF_A_CONNECTION = (
    OSError,
    EOFError,
    TimeoutError,
    asyncio.LimitOverrunError,
    asyncio.CancelledError,  # our own `close`; asyncio 3.11 reports a cancelled server task
)


def _target(pattern: str, where: str) -> tuple[str, int] | None:
    if where == REFUSE:
        return None
    address, _, port = where.rpartition(":")
    if not address or not port.isdecimal():
        raise ValueError(f"host map: {pattern} -> {where!r} is neither `address:port` nor `refuse`")
    return address, int(port)


async def _flush(writer: asyncio.StreamWriter) -> None:
    """Lets the browser have what had already arrived for it, then closes its side."""
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await writer.wait_closed()

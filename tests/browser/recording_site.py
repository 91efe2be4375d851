"""A TLS server that plays https://x.com for the gate's tests and records every POST it sees begin.

It speaks HTTP/1.1 and HTTP/2, serves one page with a button for each way in which a page can post,
and can end the connection after it has read a post, as a failing server does.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import ssl
import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded

from tests.browser.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOST = "x.com"

PAGE = """<!doctype html><title>site</title><link rel=icon href="data:,">
<form id=form-element method=post action=/post target=sink><input name=text value=hello></form>
<iframe name=sink></iframe>
<script>
const body = JSON.stringify({text: "hello"});
const worker = new Worker("/worker.js");
const shared = new SharedWorker("/worker.js");
const ways = {
  fetch: () => fetch("/post", {method: "POST", body}).catch(() => {}),
  keepalive: () => fetch("/post", {method: "POST", body, keepalive: true}).catch(() => {}),
  xhr: () => { const x = new XMLHttpRequest(); x.open("POST", "/post"); x.send(body); },
  beacon: () => navigator.sendBeacon("/post", body),
  form: () => document.getElementById("form-element").submit(),
  redirect: () => fetch("/redirect", {method: "POST", body}).catch(() => {}),
  worker: () => worker.postMessage(body),
  shared: () => shared.port.postMessage(body),
};
for (const [name, way] of Object.entries(ways)) {
  const button = document.createElement("button");
  button.id = name;
  button.textContent = name;
  button.onclick = way;
  document.body.append(button);
}
</script>"""
WORKER = """
const post = (event) => fetch("/post", {method: "POST", body: event.data}).catch(() => {});
self.onmessage = post;
self.onconnect = (event) => { event.ports[0].onmessage = post; };
"""
WAYS = ("fetch", "keepalive", "xhr", "beacon", "form", "redirect", "worker", "shared")


@dataclass(kw_only=True)
class Received:
    """A POST whose first byte came; whole once its body has ended."""

    path: str
    is_whole: bool = False


@dataclass(kw_only=True)
class RecordingSite:
    """The server. `ending` says what it does after it has read a post whole.

    `ending` is `answer`, `close`, `reset`, or `goaway` (HTTP/2: "not processed", then
    close), or `goaway-and-stay` (the same without the close).
    """

    port: int = 0
    ending: str = "answer"
    received: list[Received] = field(default_factory=list)
    writers: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def posts(self) -> list[str]:
        """The paths of the POSTs seen, whole or not."""
        return [one.path for one in self.received]

    async def is_quiet(self) -> None:
        """Waits until every connection has ended, so that nothing is still on its way."""
        await until(lambda: not self.writers)

    async def has_post(self) -> None:
        """Waits until a post has come whole."""
        await until(lambda: any(one.is_whole for one in self.received))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, in the protocol the browser chose."""
        self.writers.add(writer)
        protocol = writer.get_extra_info("ssl_object").selected_alpn_protocol()
        speak = self._h2 if protocol == "h2" else self._h1
        with contextlib.suppress(OSError, EOFError):
            await speak(reader, writer)
        writer.transport.abort()
        self.writers.discard(writer)

    async def _h1(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while first := await reader.read(1):
            record = Received(path="?")
            if first == b"P":
                self.received.append(record)
            head = (first + await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, record.path, _ = head[0].split(" ")
            lengths = [line for line in head if line.lower().startswith("content-length:")]
            if lengths:
                await reader.readexactly(int(lengths[0].split(":")[1]))
            record.is_whole = True
            if method == "POST" and self.ending != "answer":
                return
            status, headers, body = _answer(record.path)
            lines = [f"HTTP/1.1 {status} OK", *(f"{key}: {value}" for key, value in headers)]
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            await writer.drain()

    async def _end_h2(
        self, connection: H2Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Ends a connection as `ending` says; a reset is the caller's."""
        if not self.ending.startswith("goaway"):
            return
        connection.close_connection(last_stream_id=0)
        writer.write(connection.data_to_send())
        await writer.drain()
        if self.ending == "goaway-and-stay":
            await reader.read()  # until the other side has had enough
        writer.close()

    async def _h2(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = H2Connection(H2Configuration(client_side=False))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        records: dict[int, Received] = {}
        while data := await reader.read(65536):
            for event in connection.receive_data(data):
                if isinstance(event, RequestReceived):
                    headers = dict(event.headers)
                    records[event.stream_id] = Received(path=headers[b":path"].decode())
                    if headers[b":method"] == b"POST":
                        self.received.append(records[event.stream_id])
                elif isinstance(event, DataReceived):
                    connection.acknowledge_received_data(
                        event.flow_controlled_length, event.stream_id
                    )
                elif isinstance(event, StreamEnded):
                    record = records[event.stream_id]
                    record.is_whole = True
                    if record in self.received and self.ending != "answer":
                        await self._end_h2(connection, reader, writer)
                        return
                    status, extra, body = _answer(record.path)
                    connection.send_headers(event.stream_id, [(":status", str(status)), *extra])
                    connection.send_data(event.stream_id, body, end_stream=True)
            writer.write(connection.data_to_send())
            await writer.drain()


@asynccontextmanager
async def recording_site(*, protocols: tuple[str, ...]) -> AsyncIterator[RecordingSite]:
    """Starts the server on loopback; `protocols` is what it offers (ALPN)."""
    site = RecordingSite()
    TLS.set_alpn_protocols(list(protocols))
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=TLS)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        for writer in tuple(site.writers):
            writer.transport.abort()
        await site.is_quiet()


def _answer(path: str) -> tuple[int, list[tuple[str, str]], bytes]:
    pages = {"/": ("text/html", PAGE), "/worker.js": ("text/javascript", WORKER)}
    if path == "/redirect":
        return 307, [("location", "/post"), ("content-length", "0")], b""
    kind, text = pages.get(path, ("text/plain", "ok"))
    body = text.encode()
    return 200, [("content-type", kind), ("content-length", str(len(body)))], body


def _tls() -> tuple[ssl.SSLContext, str]:
    """A certificate of our own, and the pin that makes a browser accept it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "both.pem"
        file.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context.load_cert_chain(file)
    return context, base64.b64encode(hashlib.sha256(public).digest()).decode()


TLS, SPKI = _tls()
PIN_FLAG = f"--ignore-certificate-errors-spki-list={SPKI}"

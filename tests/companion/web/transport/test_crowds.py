"""Test that no crowd of connections takes the descriptors which the game needs, encrypted or not."""

from __future__ import annotations

import os
import socket
import ssl
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPSConnection
from threading import Event
from typing import TYPE_CHECKING

import pytest

from companion.web.certificates import TableCertificates, server_context
from companion.web.transport import server as serving
from companion.web.transport.protocol import SHARE, Connection, Connections
from companion.web.transport.server import Server, listen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.types import Receive, Scope, Send

PATIENCE_S = 60.0
"""Far longer than any of the waits here."""
_GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Served:
    """A server whose event loop a request to /wait holds up until `goes_on` is set."""

    def __init__(self, folder: Path) -> None:
        self.waits, self.goes_on = Event(), Event()
        self.certificates = TableCertificates(folder, lambda: {"127.0.0.1"})
        context = server_context()
        self.certificates.renew(context)
        listener, secure = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
        self.port, self.secure_port = listener.getsockname()[1], secure.getsockname()[1]
        self.server = Server(self._app, listener, lambda _: False, (secure, context))

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        if scope["path"] == "/wait":
            self.waits.set()
            assert self.goes_on.wait(PATIENCE_S)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
        await send({"type": "http.response.body", "body": scope["scheme"].encode()})

    @contextmanager
    def held_up(self) -> Iterator[None]:
        """Hold up the event loop."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as client:
            client.request("GET", "/wait")
            assert self.waits.wait(PATIENCE_S)
            try:
                yield
            finally:
                self.goes_on.set()

    def context(self) -> ssl.SSLContext:
        """Return the context of a client that trusts the table."""
        return ssl.create_default_context(cadata=self.certificates.authority)

    def answer(self) -> bytes:
        """Return the answer over an encrypted connection."""
        client = HTTPSConnection("127.0.0.1", self.secure_port, timeout=PATIENCE_S, context=self.context())
        with closing(client):
            client.request("GET", "/")
            return client.getresponse().read()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    served.server.start()
    try:
        yield served
    finally:
        served.server.stop()


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "encrypted"])
def test_a_crowd_that_comes_at_once_is_accepted_in_small_parts(
    served: Served, secure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd, used = SHARE + 250, list[int]()
    admitted, admit = Event(), Connections.admit

    def counted(connections: Connections, fresh: Connection) -> None:
        used.append(len(os.listdir("/proc/self/fd")))  # noqa: PTH208  # A list of names is enough.
        admit(connections, fresh)
        if len(used) == crowd:
            admitted.set()

    with ExitStack() as stack:
        with served.held_up():
            monkeypatch.setattr(Connections, "admit", counted)
            address = ("127.0.0.1", served.secure_port if secure else served.port)
            for _ in range(crowd):
                stack.enter_context(socket.create_connection(address, PATIENCE_S))
            before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
        assert admitted.wait(PATIENCE_S)
    assert max(used) - before < SHARE + 4 * serving._ACCEPTED


def test_connections_that_begin_no_handshake_count_as_connections(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_HANDSHAKE_S", 2 * PATIENCE_S)
    with ExitStack() as stack:
        address = ("127.0.0.1", served.secure_port)
        held = [stack.enter_context(socket.create_connection(address, PATIENCE_S)) for _ in range(SHARE)]
        assert served.answer() == b"https"
        assert _is_closed(held[0])


@pytest.mark.parametrize("says", [b"", b"\x16\x03\x01", _GET], ids=["nothing", "half a handshake", "no handshake"])
def test_a_handshake_that_does_not_end_is_closed(served: Served, says: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_HANDSHAKE_S", 0.05)
    with socket.create_connection(("127.0.0.1", served.secure_port), PATIENCE_S) as connection:
        connection.sendall(says)
        while not _is_closed(connection):
            pass


def test_a_request_that_comes_with_the_end_of_the_handshake_is_answered(served: Served) -> None:
    into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = served.context().wrap_bio(into, out, server_hostname="127.0.0.1")
    with socket.create_connection(("127.0.0.1", served.secure_port), PATIENCE_S) as connection:
        while True:
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                connection.sendall(out.read())
                into.write(connection.recv(1 << 16))
        client.write(_GET)
        # The last message of the handshake, and the request.
        connection.sendall(out.read())
        answer = b""
        while not answer.endswith(b"https"):
            try:
                answer += client.read()
            except ssl.SSLWantReadError:
                into.write(connection.recv(1 << 16))
    assert answer.startswith(b"HTTP/1.1 200")

"""Test idle connections to a real server, and answers to clients that are still sending."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from companion.web.transport import protocol
from companion.web.transport.server import Server, listen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Receive, Scope, Send

PATIENCE_S = 60.0
"""Far longer than any of the waits here."""
_GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a GET at once, hold one to /stream open, and refuse every POST."""
    posted = scope["method"] == "POST"
    headers = [(b"connection", b"close")] if posted else [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 413 if posted else 200, "headers": headers})
    if scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b"o", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        return
    await send({"type": "http.response.body", "body": b"ok"})


def _has_key(scope: Scope) -> bool:
    return (b"cookie", b"key") in scope["headers"]


@contextmanager
def _served() -> Iterator[int]:
    listener = listen("127.0.0.1", 0)
    server = Server(_app, listener, _has_key)
    server.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        server.stop()


def _connected(port: int, says: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
    connection.sendall(says)
    return connection


def _answers(port: int) -> bool:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as client:
        client.request("GET", "/")
        return client.getresponse().read() == b"ok"


def _ends(connection: socket.socket) -> bool:
    """Return whether the server closes the connection, with or without a last message."""
    with connection:
        try:
            while connection.recv(1 << 16):
                pass
        except ConnectionResetError:
            pass
        except TimeoutError:
            return False
    return True


@pytest.mark.parametrize(
    "says",
    [b"", b"GET / HTTP/1.1\r\nX-Slow: ", _GET, _GET + b"GET /", b"GET / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc"],
    ids=["nothing", "half a head", "a request", "a request and a half", "half a body"],
)
def test_a_connection_held_open_without_use_is_closed(says: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_IN_S", "BODY_IN_S", "IDLE_S"):
        monkeypatch.setattr(protocol, name, 0.05)
    with _served() as port:
        assert _ends(_connected(port, says))
        assert _answers(port)


def test_a_head_that_comes_byte_by_byte_wins_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_IN_S", 0.2)
    with _served() as port, _connected(port) as connection:
        connection.settimeout(0.01)
        for _ in range(1000):
            try:
                connection.send(b"a")
                if not connection.recv(1):
                    break
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
        else:
            pytest.fail("it is open after ten seconds")


def test_a_stream_is_no_idle_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_IN_S", "BODY_IN_S", "IDLE_S"):
        monkeypatch.setattr(protocol, name, 0.05)
    with _served() as port, _connected(port, b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n") as stream:
        while b"\r\n\r\no" not in (got := stream.recv(1 << 16)) and got != b"o":
            pass
        assert _ends(_connected(port))
        stream.setblocking(False)
        with pytest.raises(BlockingIOError):
            stream.recv(1)


def test_a_crowd_of_held_connections_shuts_nobody_out() -> None:
    number = protocol.SHARE + 20
    with _served() as port, ExitStack() as stack:
        keyed = stack.enter_context(_connected(port, _GET.replace(b"\r\n\r\n", b"\r\nCookie: key\r\n\r\n")))
        assert keyed.recv(1 << 16)
        held = [stack.enter_context(_connected(port, b"GET /")) for _ in range(number)]
        assert _answers(port)
        assert _ends(held[0])
        keyed.sendall(_GET)
        assert keyed.recv(1 << 16)


def test_a_client_that_sends_far_too_much_is_told_why_it_is_refused() -> None:
    body = bytes(50_000_000)
    with _served() as port, closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as client:
        client.request("POST", "/", body)
        assert client.getresponse().status == 413


def test_a_client_that_never_stops_sending_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.transport.protocol.MOST_BYTES", 1 << 20)
    with (
        _served() as port,
        _connected(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n") as one,
    ):
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            one.sendall(bytes(600 << 20))
        assert _answers(port)


def test_a_request_that_is_none_is_answered() -> None:
    with _served() as port, _connected(port, b"\0" * 70_000) as connection:
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 400 ")

"""The page's HTTP server, in a separate thread."""

import asyncio
import errno
import logging
import socket
import ssl
import sys
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from threading import Thread
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp, Scope

from companion.errors import CompanionError
from companion.languages import system_says
from companion.web.requests import address_of
from companion.web.transport.protocol import IDLE_S, BoundedProtocol, Connections

NEXT_PORTS: Final = 10
"""The number of ports tried after the configured one."""
# Enough for any browser's cookies of this host.
_LARGEST_HEAD_BYTES: Final = 16384
# The time after which the kernel closes a connection with unacknowledged data (TCP_USER_TIMEOUT).
_STUCK_MS: Final = 30_000
_STOPS_IN_S: Final = 3.0
# The time-out for the first exchange of an encrypted connection, as for a request's head.
_HANDSHAKE_S: Final = 10.0
# The number of connections accepted at a time. Only afterwards those above the largest number are closed, so that more
# would need all descriptors of the process, and the game's files could not be opened.
_ACCEPTED: Final = 32
# The number of connections that may wait to be accepted.
_WAITING: Final = 2048
# The time for which a thread keeps Python from another that waits for it, a tenth of the usual one: a press passes
# through two threads many times while a third computes for a spectator.
_TURN_S: Final = 0.0005


class PageError(CompanionError):
    """Raised if the page cannot be served."""


def listen(host: str | None, port: int, *, lan: bool = False) -> socket.socket:
    """Return a socket listening at the port, or at the next free one.

    Args:
        host: the address; None for all addresses of this machine, or for its own alone.
        port: the port.
        lan: whether other machines may reach it.

    Raises:
        PageError: the address cannot be listened at, or all these ports are taken.
    """
    host = host or ("0.0.0.0" if lan else "127.0.0.1")  # noqa: S104  # the user has opened it to the network
    last = min(port + NEXT_PORTS, 65535)
    for candidate in range(port, last + 1):
        try:
            return _listening(host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise PageError.said(
                    "the page cannot listen at {host} port {port}: {fault}",
                    host=host,
                    port=str(candidate),
                    fault=system_says(error),
                ) from error
    raise PageError.said(
        "the ports {first} to {last} are in use: choose another one with {option}, or play with {other}",
        first=str(port),
        last=str(last),
        option="--port",
        other="--no-page",
    )


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ip_address(host).version == 6 else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        # After a restart, connections of the previous program may still occupy the port for a minute.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _STUCK_MS)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


# Addresses reserved for documentation (RFC 5737, RFC 3849), for finding the outgoing interface.
_NOBODY: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def reached_at(host: str | None) -> str | None:
    """Return the address by which other machines reach a server, or None if they cannot. Nothing is sent.

    Args:
        host: the address that it listens at; "0.0.0.0" or None for all of IPv4, "::" for those of IPv6, too.
    """
    if host is not None and not ip_address(host).is_unspecified:
        return None if ip_address(host).is_loopback else host
    return _own_address(socket.AF_INET) or (_own_address(socket.AF_INET6) if host == "::" else None)


def reached_here(host: str | None) -> str:
    """Return the name by which a browser on this machine reaches a server; `host` is as for `reached_at`."""
    if host is None or ip_address(host).is_unspecified or ip_address(host).is_loopback:
        return "localhost"
    return authority(host)


def authority(host: str) -> str:
    """Return an IP address as a part of a web address, in which an IPv6 address has brackets."""
    return f"[{host}]" if ":" in host else host


def own_addresses() -> set[str]:
    """Return the addresses by which other machines may reach this one."""
    found = (_own_address(family) for family in _NOBODY)
    return {address for address in found if address is not None}


def _own_address(family: socket.AddressFamily) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            # For datagrams this only chooses the interface.
            probe.connect((_NOBODY[family], 9))
            address = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if ip_address(address).is_loopback else address


class _Received(asyncio.Protocol):
    """The bytes that a client sends right after its handshake."""

    def __init__(self) -> None:
        self.data = bytearray()

    def data_received(self, data: bytes) -> None:
        """Store received bytes."""
        self.data += data


class _Handshake(asyncio.Protocol):
    """A connection until it is encrypted, which counts as one without the key.

    asyncio's own servers say nothing of connections whose handshake is not over.

    Args:
        connections: all connections of the server.
        context: the context of encrypted connections.
        made: returns the protocol of the encrypted connection.
    """

    def __init__(self, connections: Connections, context: ssl.SSLContext, made: Callable[[], asyncio.Protocol]) -> None:
        self._connections, self._context, self._made = connections, context, made
        self._transport: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None
        self.address, self.keyed, self.busy = "", False, False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # of a stream socket
        """Register the connection, and begin the handshake."""
        self._transport = transport
        self.address = address_of({"client": transport.get_extra_info("peername")})
        self._connections.admit(self)
        self._task = asyncio.get_running_loop().create_task(self._encrypt(transport))

    def drop(self) -> None:
        """Close it at once."""
        if self._transport is not None:
            self._transport.abort()

    async def _encrypt(self, transport: asyncio.Transport) -> None:
        received, loop = _Received(), asyncio.get_running_loop()
        encrypted: asyncio.Transport | None = None
        try:
            encrypted = await loop.start_tls(
                transport, received, self._context, server_side=True, ssl_handshake_timeout=_HANDSHAKE_S
            )
        except OSError as error:
            # The client's fault. The frames hold a quarter of a megabyte until garbage is collected.
            error.__traceback__ = None
        self._connections.discard(self)
        if encrypted is None or encrypted.is_closing():
            return
        protocol = self._made()
        encrypted.set_protocol(protocol)
        protocol.connection_made(encrypted)
        if received.data:
            protocol.data_received(bytes(received.data))


class _DoubleServer(uvicorn.Server):
    """uvicorn's server that also listens for encrypted connections, in the same event loop.

    Args:
        config: uvicorn's configuration.
        connections: all connections.
        secure: the listening socket and the context of encrypted connections, or None for none.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        connections: Connections,
        secure: tuple[socket.socket, ssl.SSLContext] | None,
    ) -> None:
        super().__init__(config)
        self._connections, self._secure = connections, secure

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.should_exit:
            return

        def protocol() -> asyncio.Protocol:
            made: Any = self.config.http_protocol_class
            connection: asyncio.Protocol = made(
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            )
            return connection

        listeners = list(sockets or ())
        if self._secure is not None:
            listener, context = self._secure
            handshake = partial(_Handshake, self._connections, context, protocol)
            opened = await asyncio.get_running_loop().create_server(handshake, sock=listener, backlog=_ACCEPTED)
            self.servers.append(opened)
            listeners.append(listener)
        for listener in listeners:
            # asyncio lets as many wait as it accepts at a time.
            listener.listen(_WAITING)


class Server:
    """The web server, until it is stopped.

    Args:
        app: the application.
        listener: the listening socket; it is closed with the server.
        has_key: returns whether a request has the table's key; connections with it are closed last.
        secure: the listening socket and the context of encrypted connections, or None for none.
    """

    def __init__(
        self,
        app: ASGIApp,
        listener: socket.socket,
        has_key: Callable[[Scope], bool],
        secure: tuple[socket.socket, ssl.SSLContext] | None = None,
    ) -> None:
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # The guard logs faults, in one place.
        self._listeners = [listener, *([] if secure is None else [secure[0]])]
        connections = Connections()
        # uvicorn calls it with keywords of its own.
        protocol: Any = partial(BoundedProtocol, connections, has_key)
        self._server = _DoubleServer(
            uvicorn.Config(
                app,
                interface="asgi3",
                http=protocol,
                ws="none",
                lifespan="off",
                loop="asyncio",
                log_config=None,
                access_log=False,
                # What a client says about its address is not believed, as limits and permissions go by it.
                proxy_headers=False,
                server_header=False,
                h11_max_incomplete_event_size=_LARGEST_HEAD_BYTES,
                timeout_keep_alive=IDLE_S,
                timeout_graceful_shutdown=1,
                backlog=_ACCEPTED,
            ),
            connections,
            secure,
        )
        self._thread = Thread(target=self._run, name="page", daemon=True)

    def start(self) -> None:
        """Begin to serve; connections made earlier wait."""
        sys.setswitchinterval(_TURN_S)
        self._thread.start()

    def stop(self) -> None:
        """End serving; may be called more than once."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(_STOPS_IN_S)
        # A server that was never started, or did not end in time, has not closed it.
        for listener in self._listeners:
            listener.close()

    def _run(self) -> None:
        self._server.run(sockets=self._listeners[:1])

"""The address of a stream in the network, and what its server says of it, in words.

FFmpeg does not say why a stream cannot be opened; so the server is asked. Messages name a camera by its host alone,
because addresses contain passwords in several places, such as the path.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from companion.languages import said, system_says
from hardware.ports import CameraError

if TYPE_CHECKING:
    from email.message import Message

KEY: Final = "[camera] url"
_PORTS: Final = {"rtsp": 554, "rtsps": 322, "http": 80, "https": 443}
# The longest wait for an answer.
_ASKED_S: Final = 2.0
# Content types that a browser shows, but that are no stream.
_NO_STREAMS: Final = ("text/html", "image/jpeg", "image/png")
_UNAUTHORIZED: Final = (401, 403)
_NOT_FOUND: Final = 404
_FAILED: Final = 400


@dataclass(frozen=True, slots=True, repr=False)
class StreamUrl:
    """The address of a stream; `str` is the whole address with its password, `repr` hides it.

    Attributes:
        text: the address.
    """

    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"StreamUrl({self.scheme}://{self.host}/…)"

    @property
    def scheme(self) -> str:
        """The protocol."""
        return urlsplit(self.text).scheme

    @property
    def host(self) -> str:
        """The server's name or address."""
        return urlsplit(self.text).hostname or ""

    @property
    def port(self) -> int:
        """The server's port."""
        port = urlsplit(self.text).port
        return _PORTS[self.scheme] if port is None else port

    @property
    def user(self) -> str:
        """The user name; empty if there is none."""
        return unquote(urlsplit(self.text).username or "")

    @property
    def password(self) -> str:
        """The password; empty if there is none."""
        return unquote(urlsplit(self.text).password or "")

    @property
    def is_rtsp(self) -> bool:
        """True for RTSP, False for HTTP."""
        return self.scheme.startswith("rtsp")

    @property
    def target(self) -> str:
        """The target of a request: the path with its query, for RTSP the address without the user."""
        parts = urlsplit(self.text)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{path}" if self.is_rtsp else path

    def with_password(self, password: str) -> StreamUrl:
        """Return the address with another password."""
        parts = urlsplit(self.text)
        user = f"{quote(self.user, safe='')}:{quote(password, safe='')}"
        return StreamUrl(parts._replace(netloc=f"{user}@{parts.netloc.rpartition('@')[2]}").geturl())


def stream_url(value: object) -> StreamUrl:
    """Return the address of a stream."""
    try:
        if isinstance(value, str) and value.isprintable() and len(value.split()) == 1:
            made = StreamUrl(value)
            if made.scheme in _PORTS and made.host and 0 < made.port < 65536:
                return made
    except ValueError:
        pass  # A port or an IPv6 address that is none.
    example = '"rtsp://user:password@192.168.1.20/stream", "http://192.168.1.30:8080/video"'
    # The address itself is not repeated: it may contain a password.
    raise ValueError(said("this is not valid; allowed: the address of a stream, such as {example}", example=example))


def reach(address: StreamUrl) -> None:
    """Connect to a server and hang up, because FFmpeg waits longer for one that is switched off.

    Raises:
        CameraError: it cannot be reached.
    """
    try:
        _connected(address).close()
    except OSError as error:
        raise CameraError.said(
            "the camera at {host} cannot be reached: {fault}; is it switched on and in this network, and is {key} "
            "right?",
            host=address.host,
            fault=system_says(error),
            key=KEY,
        ) from error


class _Reply(NamedTuple):
    """A server's answer.

    Attributes:
        status: its status code.
        reason: the words after it.
        headers: its headers.
    """

    status: int
    reason: str
    headers: Message


def trouble_of(address: StreamUrl) -> CameraError | None:
    """Ask a server why a stream cannot be opened, and return the reason, or None if it names none."""
    words = {"host": address.host, "key": KEY}
    try:
        reply = _asked(address)
        if reply.status == _UNAUTHORIZED[0] and address.user:
            reply = _asked(address, authorization(reply.headers.get("WWW-Authenticate", ""), address))
    except (OSError, ValueError) as error:
        says = said("the camera at {host} does not answer: {fault}; check {key}", fault=system_says(error), **words)
        return CameraError(says)
    if reply.status in _UNAUTHORIZED:
        refused = said("the camera at {host} refuses the user name or the password; correct them in {key}", **words)
        asks = said("the camera at {host} asks for a user name and a password; add them to {key}", **words)
        return CameraError(refused if address.user else asks)
    if reply.status == _NOT_FOUND:
        return CameraError.said("the camera at {host} has no such stream; check the path in {key}", **words)
    if reply.status >= _FAILED:
        status = f"{reply.status} {reply.reason}"
        return CameraError.said("the camera at {host} answers “{status}”; check {key}", status=status, **words)
    kind = reply.headers.get_content_type()
    if not address.is_rtsp and kind in _NO_STREAMS:
        return CameraError.said(
            "the camera at {host} sends “{kind}” there, which is no stream; check the path in {key}",
            kind=kind,
            **words,
        )
    return None


def _asked(address: StreamUrl, authorization: str = "") -> _Reply:
    """Ask for the description of a stream (RTSP), or for the stream itself (HTTP), of which only the head is read.

    Raises:
        OSError: the server does not answer.
        ValueError: it speaks another protocol.
    """
    import http.client  # noqa: PLC0415  # Every command reads the configuration, and few ask a camera.

    verb, protocol = ("DESCRIBE", "RTSP/1.0") if address.is_rtsp else ("GET", "HTTP/1.0")
    lines = [f"{verb} {address.target} {protocol}", f"Host: {address.host}:{address.port}", "CSeq: 1"]
    lines += [f"Authorization: {authorization}"] if authorization else []
    with _connected(address) as connection, connection.makefile("rb") as answer:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        protocol, status, reason = [*answer.readline(1000).decode("latin-1").split(maxsplit=2), "", "", ""][:3]
        if not status.isdecimal() or not protocol.startswith(("RTSP/", "HTTP/")):
            raise ValueError(said("it speaks another protocol"))
        try:
            return _Reply(int(status), reason.strip(), http.client.parse_headers(answer))
        except http.client.HTTPException as error:
            raise ValueError(said("it speaks another protocol")) from error


def _connected(address: StreamUrl) -> socket.socket:
    made = socket.create_connection((address.host, address.port), _ASKED_S)
    if address.scheme not in ("rtsps", "https"):
        return made
    import ssl  # noqa: PLC0415

    # Cameras have certificates that nobody has signed, and FFmpeg does not check them either.
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        return context.wrap_socket(made, server_hostname=address.host)
    except OSError:
        made.close()
        raise


def authorization(challenge: str, address: StreamUrl) -> str:
    """Return the answer to a server's challenge: Digest (RFC 2617) if it offers it, else Basic."""
    from base64 import b64encode  # noqa: PLC0415
    from urllib.request import parse_http_list, parse_keqv_list  # noqa: PLC0415

    kind, _, rest = challenge.partition(" ")
    if kind.lower() != "digest":
        return "Basic " + b64encode(f"{address.user}:{address.password}".encode()).decode()
    given = parse_keqv_list(parse_http_list(rest))
    realm, nonce = given.get("realm", ""), given.get("nonce", "")
    verb = "DESCRIBE" if address.is_rtsp else "GET"
    secret, asked = _md5(f"{address.user}:{realm}:{address.password}"), _md5(f"{verb}:{address.target}")
    fields = {"username": address.user, "realm": realm, "nonce": nonce, "uri": address.target}
    if "qop" in given:
        count, own = "00000001", "0a4f113b"
        response = _md5(f"{secret}:{nonce}:{count}:{own}:auth:{asked}")
        more = f", qop=auth, nc={count}"
        fields["cnonce"] = own
    else:
        response, more = _md5(f"{secret}:{nonce}:{asked}"), ""
    fields["response"] = response
    return "Digest " + ", ".join(f'{key}="{value}"' for key, value in fields.items()) + more


def _md5(text: str) -> str:
    import hashlib  # noqa: PLC0415

    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

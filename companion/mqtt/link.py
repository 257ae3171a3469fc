"""A single connection to a broker, by paho-mqtt; a lost connection is not restored."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from companion.errors import CompanionError
from companion.languages import Sentence, said, system_says

if TYPE_CHECKING:
    import paho.mqtt.client as paho


@dataclass(frozen=True, slots=True)
class Address:
    """A broker's address, with the credentials to connect.

    Attributes:
        host: the host name or IP address.
        port: the TCP port; usually 1883, or 8883 with TLS.
        tls: whether the connection is encrypted.
        ca: the file of trusted certificates, or None for those of the system.
        username: the user name, or None to connect without one.
        password: the password, or None.
    """

    host: str
    port: int = 1883
    tls: bool = False
    ca: Path | None = None
    username: str | None = None
    password: str | None = None


_NOT_YET_VALID: Final = 9
_EXPIRED: Final = 10
_OTHER_NAME: Final = frozenset({62, 64})
# OpenSSL's verification errors (x509_vfy.h): host name or address mismatch; unknown issuer, or an invalid signature.
_UNTRUSTED: Final = frozenset({2, 7, 18, 19, 20, 21})
# MQTT 3.1.1's two answers to unauthorized clients; Mosquitto gives the second for a wrong password, too.
_REFUSED: Final = frozenset({"Bad user name or password", "Not authorized"})
# paho's reason for a connection that ends before the broker has answered.
_CUT: Final = "Unspecified error"
SECTION: Final = "[mqtt]"


def certificates_fault(address: Address) -> str | None:
    """Return why the configured certificates cannot be read, or None if they can."""
    if address.ca is None:
        return None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(address.ca)
    except ssl.SSLError:
        fault = str(said("no certificates (PEM)"))
    except OSError as error:
        fault = system_says(error)
    else:
        return None
    return said("{path}: cannot be read: {fault}", path=str(address.ca), fault=fault)


def connection_fault(error: OSError | ValueError, address: Address) -> str:
    """Return a sentence on why connecting failed."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return _certificate_fault(error, address)
    if isinstance(error, ssl.SSLError | ConnectionResetError) and address.tls:
        fault = getattr(error, "reason", None) or system_says(error)
        return said("it does not use TLS there: {fault}; the usual port is {port}", fault=fault, port="8883")
    # A time-out has no number, and its text is in the error itself.
    return system_says(error) if isinstance(error, OSError) and error.errno is not None else str(error)


def answer_fault(answer: str, address: Address) -> str:
    """Return a sentence on why the broker refused the client."""
    if answer in _REFUSED:
        user = address.username or "-"
        return said("it does not accept the user {user} with this password", user=user)
    if answer == _CUT and not address.tls:
        return said(
            "it closes the connection at once; does it require TLS, {example}?", example=f"mqtts://{address.host}"
        )
    return answer


def _certificate_fault(error: ssl.SSLCertVerificationError, address: Address) -> Sentence:
    code = error.verify_code
    if code == _EXPIRED:
        return said("its certificate has expired; a new one is needed, if this machine’s clock is right")
    if code == _NOT_YET_VALID:
        return said("its certificate is not valid yet; is this machine’s clock right?")
    if code in _OTHER_NAME:
        return said(
            "its certificate is not for {host}; set {section} {key} to the name in the certificate",
            host=address.host,
            section=SECTION,
            key="broker",
        )
    if code in _UNTRUSTED and address.ca is not None:
        return said("its certificate does not come from any of those trusted in {path}", path=str(address.ca))
    if code in _UNTRUSTED:
        return said(
            "its certificate does not come from anyone that this system trusts; {section} {key} can name your own "
            "certificates",
            section=SECTION,
            key="ca",
        )
    return said("its certificate is refused: {fault}", fault=error.verify_message)


_LOG: Final = logging.getLogger(__name__)
CONNECT_S: Final = 5.0
"""The time-out for a broker's answer to a connection."""
KEEPALIVE_S: Final = 15
"""The keep-alive interval; the connection counts as lost after 1.5 times this without an answer."""


class LinkError(CompanionError):
    """Raised if the broker cannot be reached, or refuses this client."""


@dataclass(frozen=True, slots=True)
class Published:
    """An acknowledgement by the broker of the message for which `publish` returned `number`."""

    number: int


@dataclass(frozen=True, slots=True)
class Arrived:
    """A received message."""

    topic: str
    payload: bytes
    retained: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """The loss of the connection."""

    reason: str


News: TypeAlias = Published | Arrived | Lost
"""The news of a connection, which come from a separate thread."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The parameters of a client's connection.

    Attributes:
        client: the client's identifier, unique at a broker.
        will_topic: the topic of the last will, or None for no last will.
        will: the payload of the last will.
    """

    client: str
    will_topic: str | None = None
    will: bytes = b""


class Link(Protocol):
    """A connection to a broker. Its methods never wait for the network."""

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> int:
        """Publish a message and return its number, which `Published` refers to."""

    def subscribe(self, topic: str) -> None:
        """Subscribe to a topic."""

    def close(self) -> None:
        """Close the connection, without the last will; may be called more than once."""


Connect: TypeAlias = "Callable[[Hello, Callable[[News], None]], Link]"
"""A function that opens a connection, or raises LinkError."""


def is_installed() -> bool:
    """Return whether the MQTT library, paho-mqtt, is installed."""
    return find_spec("paho") is not None and find_spec("paho.mqtt") is not None


class PahoLink:
    """A connection by paho-mqtt, with MQTT 3.1.1, which every broker supports.

    Args:
        address: the broker's address and credentials.
        hello: the parameters of the connection.
        notify: called with all news of the connection.

    Raises:
        LinkError: the broker cannot be reached, or refuses the client.
    """

    def __init__(self, address: Address, hello: Hello, notify: Callable[[News], None]) -> None:
        # Imported here, as tables without a broker need not load it.
        import paho.mqtt.client as paho  # noqa: PLC0415
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415

        self._address, self._notify = address, notify
        self._answers: SimpleQueue[str] = SimpleQueue()
        self._entered = False
        self._client = client = paho.Client(
            CallbackAPIVersion.VERSION2, hello.client, protocol=paho.MQTTv311, reconnect_on_failure=False
        )
        client.connect_timeout = CONNECT_S
        # The courier keeps a window of its own; paho would queue whatever exceeds another one.
        client.max_inflight_messages_set(0)
        if hello.will_topic is not None:
            client.will_set(hello.will_topic, hello.will, qos=1, retain=True)
        if address.username is not None:
            client.username_pw_set(address.username, address.password)
        # paho calls these in its own thread.
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_message = self._arrived
        client.on_publish = lambda _, __, number, *___: notify(Published(number))
        self._open(client)

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1) -> int:
        """See `Link.publish`."""
        return self._client.publish(topic, payload, qos=qos, retain=retain).mid

    def subscribe(self, topic: str) -> None:
        """See `Link.subscribe`."""
        self._client.subscribe(topic, qos=1)

    def close(self) -> None:
        """See `Link.close`."""
        # In this order, so that the loop still sends the farewell and what is queued before it.
        self._client.disconnect()
        self._client.loop_stop()

    def _open(self, client: paho.Client) -> None:
        fault = self._connected_fault(client)
        if fault is not None:
            raise self._fault(fault)
        client.loop_start()
        try:
            answer = self._answers.get(timeout=CONNECT_S)
        except Empty:
            self.close()
            raise self._fault(said("it does not answer")) from None
        if answer:
            self.close()
            raise self._fault(answer_fault(answer, self._address))
        self._entered = True

    def _connected_fault(self, client: paho.Client) -> str | None:
        """Connect, and return the reason of a failure as text, because a stored error would keep the socket open."""
        address = self._address
        unreadable = certificates_fault(address) if address.tls else None
        if unreadable is not None:
            return unreadable
        try:
            if address.tls:
                client.tls_set(None if address.ca is None else str(address.ca))
            client.connect(address.host, address.port, KEEPALIVE_S)
        except (OSError, ValueError) as error:
            return connection_fault(error, address)
        return None

    def _connected(self, _: object, __: object, ___: object, code: Any, ____: object) -> None:
        self._answers.put(str(code) if code.is_failure else "")

    def _arrived(self, _: object, __: object, message: paho.MQTTMessage) -> None:
        # An error here would end paho's thread without a word.
        with suppress(UnicodeDecodeError):
            self._notify(Arrived(message.topic, bytes(message.payload), message.retain))

    def _disconnected(self, _: object, __: object, ___: object, code: Any, ____: object) -> None:
        if self._entered:
            self._notify(Lost(said("the connection was cut")))
        else:
            self._answers.put(str(code))

    def _fault(self, says: str) -> LinkError:
        return LinkError.said(
            "the broker {host} port {port} cannot be used: {fault}",
            host=self._address.host,
            port=str(self._address.port),
            fault=says,
        )

"""A strip on a WLED controller in the network.

Pixels are sent by DDP (UDP), which WLED shows as "live" light until none has come for 2.5 seconds, also while it is
switched off (WLED 0.13 and newer). Everything else uses its JSON interface (HTTP). Its brightness belongs to its owner
and is never changed, so that nothing has to be restored after a power cut.
http://www.3waylabs.com/ddp/ and https://kno.wled.ge/interfaces/json-api/ describe both.
"""

import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from companion.languages import said, system_says
from companion.settings import accepting, setting
from hardware.diagnosis import Finding, Machine, note, ok
from hardware.driver import ABOUT_STRIP, OpenContext, StripDriver
from hardware.ports import RGB, HardwareError
from hardware.strips import CountedStrip

DDP_PORT: Final = 4048
HTTP_PORT: Final = 80
# How long the turn loop waits when a lost strip is tried again.
_TIMEOUT_S: Final = 1.5
PIXELS_PER_PACKET: Final = 480
"""1440 bytes, which fit into one Ethernet frame, as the DDP page requires."""

# A name or an address, an IPv6 address in brackets, with a port after a colon.
_HOST: Final = re.compile(r"(?:\[(?P<bracketed>[^\[\]]+)\]|(?P<name>[^:\[\]]+))(?::(?P<port>[0-9]{1,5}))?")
_VERSION_1: Final = 0x40
_PUSH: Final = 0x01
_RGB_8_BITS: Final = 0x0B
_DEFAULT_OUTPUT: Final = 1
# Live light that was switched on by JSON has no time-out: earlier versions left it locked after a power cut.
_RELEASE: Final = {"live": False}
# Switched off, WLED keeps its brightness for the next time.
_OFF: Final = {"live": False, "on": False}
# The interval at which WLED is asked for its brightness, which its owner or a restart may have changed.
_CHECK_S: Final = 10.0
_FULL: Final = 255


@dataclass(frozen=True, slots=True)
class WledDriver(StripDriver):
    """A strip on a WLED controller in the network."""

    driver = "wled"
    summary = said("a WLED controller in the network")
    is_linear = True
    # WLED returns to its own light 2.5 seconds after our last pixels.
    refresh_s = 1.0

    wled_host: str | None = setting(
        None,
        accepting(
            lambda value: isinstance(value, str) and _HOST.fullmatch(_bare(value)) is not None,
            said("a name or an address, such as {example}", example='"wled.local", "192.168.1.20:8080"'),
            str,
        ),
        said("The controller’s name or address."),
        '"wled.local"',
    )

    def check(self) -> None:
        """Check that there is a host."""
        StripDriver.check(self)
        if self.wled_host is None:
            raise ValueError(
                said(
                    "{key}: is missing; the driver {driver} needs its name or address", key="wled_host", driver='"wled"'
                )
            )

    def open(self, context: OpenContext) -> "WledStrip":
        """Open the strip."""
        return WledStrip(self.pixels, self.wled_host or "", timeout_s=_TIMEOUT_S, clock=context.clock.now)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the finding on whether WLED answers; its lights are not changed."""
        del machine
        host = self.wled_host or ""
        try:
            # Opening the strip instead would darken it.
            _answer(host, "GET", "/json/info", None, _TIMEOUT_S)
            own = _FULL if _forces_full(host, _TIMEOUT_S) else _own_brightness(host, _TIMEOUT_S)
        except OSError as error:
            yield self.undrivable(
                said(
                    "WLED at {name} does not answer: {fault}; switch it on, and check {key}",
                    name=host,
                    fault=system_says(error),
                    key="[strip] wled_host",
                )
            )
            return
        yield ok(ABOUT_STRIP, said("WLED answers at {name}.", name=host))
        if own < self.brightness * _FULL:
            yield note(
                ABOUT_STRIP,
                said("WLED’s own brightness is {percent} %.", percent=round(100 * own / _FULL)),
                said("The strip becomes no brighter than that, whatever {key} says.", key="[strip] brightness"),
                said(
                    "Raise it on WLED’s page, or switch on “{option}” there, under {section}.",
                    option="Force max brightness",
                    section="Sync Interfaces",
                ),
            )


class WledStrip(CountedStrip):
    """A strip on WLED; opening it switches all pixels off, closing it switches it off and returns control to WLED.

    WLED drops live light after some seconds without data: show the pixels again every second. It dims them to its own
    brightness, which is compensated for: pixels are as bright as asked for, but never brighter than WLED's brightness.

    Args:
        pixel_count: number of pixels.
        host: the controller's name or address, with :PORT if its page is not at port 80; an IPv6 address in brackets.
        timeout_s: the longest wait for an answer.
        ddp_port: the controller's port for pixels.
        clock: monotonic, in seconds; times the checks of WLED's brightness.

    Raises:
        HardwareError: the controller does not answer, is not WLED, or has fewer pixels.
        ValueError: fewer than one pixel, or no host.
    """

    def __init__(
        self,
        pixel_count: int,
        host: str,
        *,
        timeout_s: float = 3.0,
        ddp_port: int = DDP_PORT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(pixel_count)
        self._timeout_s = timeout_s
        self._host, self._name = host, _split(host)[0]
        self._socket: socket.socket | None = None
        self._sequence = 0
        self._clock, self._checked_s = clock, clock()
        self._closed = False
        info = self._ask("GET", "/json/info")
        # First, so that a device that is not ours to use is not changed.
        self._check(info)
        self._is_full, self._brightness = _forces_full(host, timeout_s), _FULL
        self._update_brightness()
        if info.get("live"):
            self._ask("POST", "/json/state", _RELEASE)
        try:
            self._socket = self._connected(ddp_port)
            self.show([(0, 0, 0)] * pixel_count)
        except HardwareError:
            self.close()
            raise

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels."""
        self.check(pixels)
        if self._socket is None:
            raise HardwareError.said("WLED at {name}: the strip was closed", name=self._name)
        # DDP reserves 0 for senders that do not count.
        self._sequence = self._sequence % 15 + 1
        self._follow_brightness()
        try:
            for packet in packets(brightened(pixels, self._brightness), self._sequence):
                self._socket.send(packet)
        except BlockingIOError:
            return  # The network is congested; these pixels are shown again soon.
        except OSError as error:
            raise self._unreached(error) from error

    def close(self) -> None:
        """Switch all pixels off and return control to WLED; may be called more than once. Never raises."""
        if self._closed:
            return
        self._closed = True
        if self._socket is not None:
            with suppress(HardwareError):
                self.show([(0, 0, 0)] * self.pixel_count)
            self._socket.close()
            self._socket = None
        with suppress(HardwareError):
            self._ask("POST", "/json/state", _OFF)

    def _follow_brightness(self) -> None:
        """Ask WLED for its brightness from time to time, in the background: the turn loop does not wait for it."""
        if self._clock() - self._checked_s >= _CHECK_S:
            self._checked_s = self._clock()
            threading.Thread(target=self._update_brightness, name="wled", daemon=True).start()

    def _update_brightness(self) -> None:
        # A controller that does not answer may be restarting; a lost one is noticed when pixels are sent.
        with suppress(OSError):
            if not self._is_full:
                self._brightness = _own_brightness(self._host, self._timeout_s)

    def _check(self, info: Any) -> None:
        """Reject a host that is not WLED with enough pixels."""
        try:
            has = int(info["leds"]["count"])
        except (KeyError, TypeError, ValueError) as error:
            raise self._not_wled() from error
        if has < self.pixel_count:
            raise HardwareError.said(
                "WLED at {name} has {found} pixels, not {count}; correct its LED preferences, or {key} under {section}",
                name=self._name,
                found=has,
                count=self.pixel_count,
                key="pixels",
                section="[strip]",
            )

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        try:
            return json.loads(_answer(self._host, method, path, body, self._timeout_s))
        except OSError as error:
            raise self._unreached(error) from error
        except ValueError as error:
            raise self._not_wled() from error

    def _not_wled(self) -> HardwareError:
        says = said(
            "the device that answers at {name} is not WLED; check {key} under {section}",
            name=self._name,
            key="wled_host",
            section="[strip]",
        )
        return HardwareError(says)

    def _unreached(self, error: Exception) -> HardwareError:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        says = said(
            "WLED at {name} cannot be reached: {reason}; is it switched on, and is wled_host under [strip] correct?",
            name=self._name,
            reason=reason,
        )
        return HardwareError(says)

    def _connected(self, port: int) -> socket.socket:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(self._name, port, type=socket.SOCK_DGRAM)[0]
            made = socket.socket(family, kind, protocol)
            # Connected, so that a port without a listener is reported as an error.
            made.connect(address)
            made.setblocking(False)
        except OSError as error:
            raise self._unreached(error) from error
        return made


def brightened(pixels: Sequence[RGB], brightness: int) -> list[RGB]:
    """Return pixels that look as given after WLED has dimmed them to its brightness, 1 to 255; hues are kept.

    Where that is not possible, all of them are as bright as it is.
    """
    brightest = max((max(pixel) for pixel in pixels), default=0)
    factor = min(_FULL / brightness, _FULL / max(1, brightest))
    return [(round(red * factor), round(green * factor), round(blue * factor)) for red, green, blue in pixels]


def packets(pixels: Sequence[RGB], sequence: int) -> Iterator[bytes]:
    """Yield the DDP packets that show all pixels of a strip; the last one makes them visible.

    `sequence` is 1 to 15, different for consecutive pictures.
    """
    data = bytes(value for pixel in pixels for value in pixel)
    step = 3 * PIXELS_PER_PACKET
    for offset in range(0, len(data), step):
        part = data[offset : offset + step]
        flags = _VERSION_1 | (_PUSH if offset + step >= len(data) else 0)
        yield struct.pack(">BBBBIH", flags, sequence, _RGB_8_BITS, _DEFAULT_OUTPUT, offset, len(part)) + part


def _answer(host: str, method: str, path: str, body: object, timeout_s: float) -> bytes:
    """Return a controller's answer to a request with a JSON body, or without one (None).

    Raises:
        OSError: it does not answer, or not by HTTP.
    """
    import http.client  # noqa: PLC0415  # Every command reads the configuration, and hardly one talks to WLED.

    connection = http.client.HTTPConnection(*_split(host), timeout=timeout_s)
    try:
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Content-Type": "application/json"})
        return connection.getresponse().read()
    except http.client.HTTPException as error:
        raise OSError(str(error) or type(error).__name__) from error
    finally:
        connection.close()


def _forces_full(host: str, timeout_s: float) -> bool:
    """Return whether WLED shows live light at full brightness, whatever its own is: its "Force max brightness"."""
    settings: dict[str, Any] = {}
    # Settings that are locked by a PIN are not told.
    with suppress(OSError):
        settings = _values(_answer(host, "GET", "/json/cfg", None, timeout_s))
    return _values(_values(settings.get("if")).get("live")).get("maxbri") is True


def _own_brightness(host: str, timeout_s: float) -> int:
    """Return the brightness that WLED dims live light to, 1 to 255.

    Raises:
        OSError: it does not answer.
    """
    own = _values(_answer(host, "GET", "/json/state", None, timeout_s)).get("bri")
    # While it is switched off, too: live light then has the brightness of before.
    return own if isinstance(own, int) and 0 < own <= _FULL else _FULL


def _values(found: Any) -> dict[str, Any]:
    """Return an answer or a part of one as an object; an empty one if it is none."""
    if isinstance(found, bytes):
        with suppress(ValueError, RecursionError):
            return _values(json.loads(found))
    return found if isinstance(found, dict) else {}


def _bare(host: str) -> str:
    return host.strip().removeprefix("http://").rstrip("/")


def _split(host: str) -> tuple[str, int]:
    found = _HOST.fullmatch(_bare(host))
    if found is None:
        raise ValueError(f"{host!r} is no host; write a name or an address, such as wled.local or 192.168.1.20:8080")
    return found["bracketed"] or found["name"], int(found["port"] or HTTP_PORT)

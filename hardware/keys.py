"""Keys of input devices: their names, their bindings to buttons, and Linux' own interface to the devices.

The interface is described in Documentation/input/event-codes.rst and linux/input.h of the kernel.

They are listed from sysfs, which needs no permission, and read from /dev/input, without a library.
"""

import fcntl
import os
import re
import struct
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from companion.languages import said
from hardware.ports import Button
from hardware.pushbuttons import ButtonPlace, button_word

MOST: Final = 0x2FF
"""The greatest code (KEY_MAX)."""

# Runs of consecutive codes, each with its first code and the names.
_RUNS: Final = (
    (
        0x1,
        "KEY_ESC KEY_1 KEY_2 KEY_3 KEY_4 KEY_5 KEY_6 KEY_7 KEY_8 KEY_9 KEY_0 KEY_MINUS KEY_EQUAL KEY_BACKSPACE "
        "KEY_TAB KEY_Q KEY_W KEY_E KEY_R KEY_T KEY_Y KEY_U KEY_I KEY_O KEY_P KEY_LEFTBRACE KEY_RIGHTBRACE "
        "KEY_ENTER KEY_LEFTCTRL KEY_A KEY_S KEY_D KEY_F KEY_G KEY_H KEY_J KEY_K KEY_L KEY_SEMICOLON "
        "KEY_APOSTROPHE KEY_GRAVE KEY_LEFTSHIFT KEY_BACKSLASH KEY_Z KEY_X KEY_C KEY_V KEY_B KEY_N KEY_M KEY_COMMA "
        "KEY_DOT KEY_SLASH KEY_RIGHTSHIFT KEY_KPASTERISK KEY_LEFTALT KEY_SPACE KEY_CAPSLOCK KEY_F1 KEY_F2 KEY_F3 "
        "KEY_F4 KEY_F5 KEY_F6 KEY_F7 KEY_F8 KEY_F9 KEY_F10 KEY_NUMLOCK KEY_SCROLLLOCK KEY_KP7 KEY_KP8 KEY_KP9 "
        "KEY_KPMINUS KEY_KP4 KEY_KP5 KEY_KP6 KEY_KPPLUS KEY_KP1 KEY_KP2 KEY_KP3 KEY_KP0 KEY_KPDOT",
    ),
    (
        0x55,
        "KEY_ZENKAKUHANKAKU KEY_102ND KEY_F11 KEY_F12 KEY_RO KEY_KATAKANA KEY_HIRAGANA KEY_HENKAN "
        "KEY_KATAKANAHIRAGANA KEY_MUHENKAN KEY_KPJPCOMMA KEY_KPENTER KEY_RIGHTCTRL KEY_KPSLASH KEY_SYSRQ "
        "KEY_RIGHTALT KEY_LINEFEED KEY_HOME KEY_UP KEY_PAGEUP KEY_LEFT KEY_RIGHT KEY_END KEY_DOWN KEY_PAGEDOWN "
        "KEY_INSERT KEY_DELETE KEY_MACRO KEY_MUTE KEY_VOLUMEDOWN KEY_VOLUMEUP KEY_POWER KEY_KPEQUAL "
        "KEY_KPPLUSMINUS KEY_PAUSE KEY_SCALE KEY_KPCOMMA KEY_HANGEUL KEY_HANJA KEY_YEN KEY_LEFTMETA KEY_RIGHTMETA "
        "KEY_COMPOSE",
    ),
    (0x8B, "KEY_MENU KEY_CALC"),
    (0x8E, "KEY_SLEEP"),
    (0x96, "KEY_WWW"),
    (0x98, "KEY_COFFEE"),
    (0x9E, "KEY_BACK KEY_FORWARD"),
    (0xA1, "KEY_EJECTCD"),
    (0xA3, "KEY_NEXTSONG KEY_PLAYPAUSE KEY_PREVIOUSSONG KEY_STOPCD"),
    (0xA8, "KEY_REWIND"),
    (0xAB, "KEY_CONFIG KEY_HOMEPAGE KEY_REFRESH KEY_EXIT"),
    (0xB1, "KEY_SCROLLUP KEY_SCROLLDOWN"),
    (0xC8, "KEY_PLAYCD KEY_PAUSECD"),
    (0xCF, "KEY_PLAY KEY_FASTFORWARD KEY_BASSBOOST KEY_PRINT"),
    (0xD4, "KEY_CAMERA"),
    (0xD8, "KEY_CHAT KEY_SEARCH"),
    (0xE2, "KEY_MEDIA"),
    (0x110, "BTN_MOUSE BTN_RIGHT BTN_MIDDLE BTN_SIDE BTN_EXTRA BTN_FORWARD BTN_BACK BTN_TASK"),
    (
        0x130,
        "BTN_GAMEPAD BTN_EAST BTN_C BTN_NORTH BTN_WEST BTN_Z BTN_TL BTN_TR BTN_TL2 BTN_TR2 BTN_SELECT BTN_START "
        "BTN_MODE BTN_THUMBL BTN_THUMBR",
    ),
    (0x160, "KEY_OK KEY_SELECT KEY_GOTO"),
    (0x16C, "KEY_FAVORITES"),
    (0x189, "KEY_VIDEO KEY_DIRECTORY KEY_LIST KEY_MEMO KEY_CALENDAR KEY_RED"),
    (0x192, "KEY_CHANNELUP KEY_CHANNELDOWN"),
    (0x197, "KEY_NEXT"),
    (0x19C, "KEY_PREVIOUS"),
)
_NAMES: Final = {first + place: name for first, names in _RUNS for place, name in enumerate(names.split())}
_CODES: Final = {name: code for code, name in _NAMES.items()}


def key_name(code: int) -> str:
    """Return the name of a key, or "CODE_" and its number if it is not listed here."""
    return _NAMES.get(code, f"CODE_{code}")


def key_code(name: str) -> int:
    """Return the code of a key by its name, or by "CODE_" and its number.

    Raises:
        ValueError: there is no such key.
    """
    if name in _CODES:
        return _CODES[name]
    numbered = re.fullmatch(r"CODE_([0-9]{1,3})", name)
    if numbered is None or int(numbered[1]) > MOST:
        raise ValueError(name)
    return int(numbered[1])


SEATS: Final = 8
_LINE: Final = re.compile(
    rf"(?P<button>{'|'.join(Button)})(@(?P<seat>[1-{SEATS}]))? (?P<key>\w+)"
    r" (?P<vendor>[0-9a-f]{4}):(?P<product>[0-9a-f]{4})( (?P<place>[\x21-\x7e]{1,100}))?"
)


@dataclass(frozen=True, slots=True)
class Model:
    """The device of a key, by model and, if necessary, by connection.

    Attributes:
        vendor: the vendor's ID.
        product: the product's ID.
        place: identifies one of several equal devices: a Bluetooth device's address, or the socket that it is plugged
            into; empty if there is only one.
    """

    vendor: int
    product: int
    place: str = ""

    def __str__(self) -> str:
        return f"{self.vendor:04x}:{self.product:04x}{' ' if self.place else ''}{self.place}"


@dataclass(frozen=True, slots=True)
class Binding(ButtonPlace):
    """The binding of a key to a button.

    Attributes:
        key: code of the key.
        model: device of the key.
    """

    key: int
    model: Model

    @property
    def name(self) -> str:
        """The key's display name."""
        button, key = button_word(self.button), key_name(self.key)
        if self.seat is None:
            return said("{button} key ({key})", button=button, key=key)
        return said("{button} key of seat {seat} ({key})", button=button, seat=self.seat, key=key)


def binding_of(line: str) -> Binding:
    """Return the binding of a configuration line, such as "confirm@1 KEY_KPENTER 1a2c:0e24".

    Raises:
        ValueError: the line is malformed.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError(line)
    model = Model(int(found["vendor"], 16), int(found["product"], 16), found["place"] or "")
    seat = None if found["seat"] is None else int(found["seat"])
    return Binding(Button(found["button"]), key_code(found["key"]), model, seat=seat)


def line_of(binding: Binding) -> str:
    """Return the configuration line of a binding; the inverse of `binding_of`."""
    seat = "" if binding.seat is None else f"@{binding.seat}"
    return f"{binding.button}{seat} {key_name(binding.key)} {binding.model}"


BLUETOOTH = 5
"""Bus type of Bluetooth (BUS_BLUETOOTH)."""


class KeyEvent(NamedTuple):
    """A press or release of a key.

    Attributes:
        code: code of the key.
        down: whether it was pressed, as opposed to released.
        ago_s: age of the event in seconds.
    """

    code: int
    down: bool
    ago_s: float


@dataclass(frozen=True, slots=True)
class Found:
    """A connected input device.

    Attributes:
        path: device file.
        name: the vendor's name for it.
        bus: type of connection.
        vendor: the vendor's ID.
        product: the product's ID.
        place: its address or its socket; the parts of one device share it.
        keys: the codes of its keys.
    """

    path: str
    name: str
    bus: int
    vendor: int
    product: int
    place: str
    keys: frozenset[int]

    def is_a(self, model: Model) -> bool:
        """Return whether it is the given model."""
        same = (self.vendor, self.product) == (model.vendor, model.product)
        return same and model.place in ("", self.place)


class InputDevice(Protocol):
    """An open input device."""

    def events(self) -> Sequence[KeyEvent]:
        """Return the key events since the last call, in order, without waiting.

        Raises:
            OSError: it is no longer connected.
        """

    def grab(self) -> None:
        """Take its keys exclusively, so that they have no effect in other programs.

        Raises:
            OSError: another program has taken them.
        """

    def close(self) -> None:
        """Release it; may be called more than once."""


class InputBus(Protocol):
    """All input devices of a machine."""

    def found(self) -> Iterable[Found]:
        """Return the connected devices that have keys."""

    def open(self, path: str) -> InputDevice:
        """Open a device.

        Raises:
            OSError: it cannot be opened.
        """


# struct input_event: seconds, microseconds, type, code, value; shorter in a 32-bit program.
_EVENT: Final = struct.Struct("@llHHi")
_SYNC, _KEY = 0, 1
# Code of type _SYNC for lost events, which were not read in time.
_DROPPED: Final = 3
_EVIOCGRAB: Final = 0x40044590
# _IOW('E', 0x90, int) and _IOW('E', 0xA0, int) of linux/input.h.
_EVIOCSCLOCKID: Final = 0x400445A0
_BATCH: Final = 64
# The suffix in which the parts of one USB device differ.
_PART: Final = re.compile(r"/input\d+$")
_WORD_BITS: Final = struct.calcsize("@L") * 8


class LinuxInputBus:
    """The machine's input devices, below the root of its file system."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def found(self) -> Iterator[Found]:
        """Yield the connected devices that have keys."""
        events = (self._root / "sys" / "class" / "input").glob("event*")
        for event in sorted(events, key=lambda path: int(re.sub(r"\D", "", path.name) or 0)):
            # A device that is disconnected meanwhile has no files any more.
            with suppress(OSError, ValueError):
                yield self._described(event)

    def open(self, path: str) -> "LinuxInputDevice":
        """Open a device.

        Raises:
            OSError: it cannot be opened.
        """
        return LinuxInputDevice(os.open(self._root / path.lstrip("/"), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))

    def _described(self, event: Path) -> Found:
        device = event / "device"
        keys = keys_of(_text(device / "capabilities" / "key"))
        if not keys:
            raise ValueError(event.name)
        vendor, product, bus = (int(_text(device / "id" / name), 16) for name in ("vendor", "product", "bustype"))
        with suppress(OSError):
            if unique := _text(device / "uniq"):
                return Found(_file_of(event), _text(device / "name"), bus, vendor, product, unique, keys)
        # The place is one word of a configuration line.
        place = _PART.sub("", _text(device / "phys")).replace(" ", "_")
        return Found(_file_of(event), _text(device / "name"), bus, vendor, product, place, keys)


class LinuxInputDevice:
    """An open input device, by a descriptor in non-blocking mode."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor
        self._down: set[int] = set()
        # Files that stand in for a device may not have a clock.
        with suppress(OSError):
            fcntl.ioctl(descriptor, _EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))

    def events(self) -> Sequence[KeyEvent]:
        """Return the key events since the last call, in order, without waiting.

        Raises:
            OSError: it is no longer connected.
        """
        found: list[KeyEvent] = []
        while self._descriptor is not None:
            try:
                content = os.read(self._descriptor, _EVENT.size * _BATCH)
            except BlockingIOError:
                break
            if not content:
                break
            for event in _EVENT.iter_unpack(content[: len(content) // _EVENT.size * _EVENT.size]):
                found += self._taken(*event)
        return found

    def grab(self) -> None:
        """Take its keys exclusively, so that they have no effect in other programs.

        Raises:
            OSError: another program has taken them.
        """
        if self._descriptor is not None:
            fcntl.ioctl(self._descriptor, _EVIOCGRAB, 1)

    def close(self) -> None:
        """Release it; may be called more than once."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _taken(self, seconds: int, microseconds: int, kind: int, code: int, value: int) -> list[KeyEvent]:
        if (kind, code) == (_SYNC, _DROPPED):
            # It is unknown which keys were released; none may stay down for ever.
            lost = [KeyEvent(each, down=False, ago_s=0.0) for each in sorted(self._down)]
            self._down.clear()
            return lost
        # The value 2 is a key that repeats because it is held.
        if kind != _KEY or value not in (0, 1):
            return []
        (self._down.add if value else self._down.discard)(code)
        ago_s = time.monotonic() - (seconds + microseconds / 1e6)
        # Stamps of another clock must not move a press into the future, or far into the past.
        return [KeyEvent(code, bool(value), min(max(0.0, ago_s), 1.0))]


def keys_of(bits: str) -> frozenset[int]:
    """Return the codes in the kernel's bitmap of a device's keys: words in hexadecimal, most significant first."""
    words = [int(word, 16) for word in bits.split()]
    return frozenset(
        place * _WORD_BITS + bit
        for place, word in enumerate(reversed(words))
        for bit in range(_WORD_BITS)
        if word >> bit & 1
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()


def _file_of(event: Path) -> str:
    return f"/dev/input/{event.name}"

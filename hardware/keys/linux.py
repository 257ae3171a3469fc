"""Linux input devices, by the kernel's own interface (Documentation/input/event-codes.rst, linux/input.h).

They are listed from sysfs, which needs no permission, and read from /dev/input, without a library.
"""

from __future__ import annotations

import fcntl
import os
import re
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardware.keys.bus import Found, KeyEvent

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
    """The machine's input devices.

    Args:
        root: the root of its file system.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def found(self) -> Iterator[Found]:
        """Yield the connected devices that have keys."""
        events = (self._root / "sys" / "class" / "input").glob("event*")
        for event in sorted(events, key=lambda path: int(re.sub(r"\D", "", path.name) or 0)):
            # A device that is disconnected meanwhile has no files any more.
            with suppress(OSError, ValueError):
                yield self._described(event)

    def open(self, path: str) -> LinuxInputDevice:
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
    """An open input device.

    Args:
        descriptor: of its file, opened in non-blocking mode.
    """

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

"""Simulated input devices: number pads and remotes that can be pressed, connected, disconnected and made to fail."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from hardware.keys import Found, KeyEvent


@dataclass(slots=True)
class _Plugged:
    found: Found
    is_connected: bool = True
    opened: list[SimulatedInputDevice] = field(default_factory=list)


class SimulatedInputBus:
    """The input devices of a simulated machine.

    Attributes:
        refuses: error raised by opening a device, by its file; empty by default.
        held: files of devices that another program has grabbed.
        looks: number of searches for devices.
    """

    def __init__(self) -> None:
        self._devices: dict[str, _Plugged] = {}
        self.refuses: dict[str, OSError] = {}
        self.held: set[str] = set()
        self.looks = 0

    def plug_in(self, found: Found) -> None:
        """Connect a device, or connect it again."""
        self._devices[found.path] = _Plugged(found)

    def unplug(self, path: str) -> None:
        """Disconnect a device; open handles raise an error at the next read."""
        self._devices[path].is_connected = False

    def press(self, path: str, *codes: int) -> None:
        """Press and release keys of a device one after the other."""
        for code in codes:
            self.push(path, code)
            self.let_go(path, code)

    def push(self, path: str, code: int) -> None:
        """Press a key without releasing it."""
        self._happens(path, KeyEvent(code, down=True, ago_s=0.0))

    def let_go(self, path: str, code: int) -> None:
        """Release a key."""
        self._happens(path, KeyEvent(code, down=False, ago_s=0.0))

    def is_grabbed(self, path: str) -> bool:
        """Return whether a device's keys are grabbed."""
        return any(each.is_grabbed for each in self._devices[path].opened)

    def found(self) -> Sequence[Found]:
        """Return the connected devices."""
        self.looks += 1
        return tuple(each.found for each in self._devices.values() if each.is_connected)

    def open(self, path: str) -> SimulatedInputDevice:
        """Open a device.

        Raises:
            OSError: it is not connected, or an injected error.
        """
        if path in self.refuses:
            raise self.refuses[path]
        if not self._devices[path].is_connected:
            raise _gone(path)
        device = SimulatedInputDevice(self, path)
        self._devices[path].opened.append(device)
        return device

    def is_connected(self, path: str) -> bool:
        """Return whether a device is connected."""
        return self._devices[path].is_connected

    def _happens(self, path: str, event: KeyEvent) -> None:
        plugged = self._devices[path]
        for device in plugged.opened if plugged.is_connected else ():
            device.waiting.append(event)


class SimulatedInputDevice:
    """An open simulated device.

    Attributes:
        waiting: key events not yet read.
        is_grabbed: whether its keys are taken exclusively.
    """

    def __init__(self, bus: SimulatedInputBus, path: str) -> None:
        self._bus, self._path = bus, path
        self._is_closed = False
        self.waiting: list[KeyEvent] = []
        self.is_grabbed = False

    def events(self) -> Sequence[KeyEvent]:
        """Return the key events since the last call.

        Raises:
            OSError: it is no longer connected.
        """
        if not self._bus.is_connected(self._path):
            raise _gone(self._path)
        happened, self.waiting = self.waiting, []
        return () if self._is_closed else happened

    def grab(self) -> None:
        """Take its keys exclusively.

        Raises:
            OSError: another program has taken them.
        """
        if self._path in self._bus.held:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), self._path)
        self.is_grabbed = True

    def close(self) -> None:
        """Release it; may be called more than once."""
        self._is_closed, self.is_grabbed = True, False


def _gone(path: str) -> OSError:
    return OSError(errno.ENODEV, os.strerror(errno.ENODEV), path)

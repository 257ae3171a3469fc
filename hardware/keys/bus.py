"""The port of input devices, which come and go: Linux' own, or a twin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from hardware.keys.binding import Model

BLUETOOTH = 5
"""The number of that kind of connection (BUS_BLUETOOTH)."""


class KeyEvent(NamedTuple):
    """A key was pressed or let go.

    Attributes:
        code: the key's.
        down: whether it was pressed.
        ago_s: so long ago.
    """

    code: int
    down: bool
    ago_s: float


@dataclass(frozen=True, slots=True)
class Found:
    """An input device that is connected.

    Attributes:
        path: its file.
        name: as its maker calls it.
        bus: how it is connected.
        vendor: the number of its maker.
        product: its number with that maker.
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
        """Return whether it is the device that a configuration names."""
        same = (self.vendor, self.product) == (model.vendor, model.product)
        return same and model.place in ("", self.place)


class InputDevice(Protocol):
    """An open input device."""

    def events(self) -> Sequence[KeyEvent]:
        """Return what its keys have done since the last call, in order; never waits.

        Raises:
            OSError: it is not connected any more.
        """

    def grab(self) -> None:
        """Have its keys to oneself: they type nowhere else.

        Raises:
            OSError: another program has them already.
        """

    def close(self) -> None:
        """Release it; may be called more than once."""


class InputBus(Protocol):
    """All input devices of a machine."""

    def found(self) -> Iterable[Found]:
        """Return the devices with keys that are connected now."""

    def open(self, path: str) -> InputDevice:
        """Open a device.

        Raises:
            OSError: it cannot be opened.
        """

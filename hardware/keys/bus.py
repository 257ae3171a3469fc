"""The port of input devices, which may be connected and disconnected: Linux' own, or a twin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from hardware.keys.binding import Model

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

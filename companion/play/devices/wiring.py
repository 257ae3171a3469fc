"""The push-buttons and keys of a configuration: their meanings and connections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hardware.keys.binding import Binding, binding_of
from hardware.ports import Button
from hardware.pushbuttons import Wiring

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.config import ControlsConfig

_HELD: Final = {"none": None, "advance": Button.ADVANCE, "undo": Button.UNDO}


def wirings_of(config: ControlsConfig) -> tuple[Wiring, ...]:
    """Return the wiring of each push-button."""
    buttons = {
        Button.CONFIRM: config.confirm_pins, Button.ADVANCE: config.advance_pins, Button.UNDO: config.undo_pins,
    }  # fmt: skip
    held = _HELD[config.hold_confirm]
    return tuple(
        Wiring(button, pin, seat, held if button is Button.CONFIRM else None)
        for button, pins in buttons.items()
        for seat, pin in by_seat(pins)
    )


def bindings_of(config: ControlsConfig) -> tuple[Binding, ...]:
    """Return the meaning of each key."""
    held = _HELD[config.hold_confirm]
    bindings = map(binding_of, config.keys)
    return tuple(replace(each, when_held=held) if each.button is Button.CONFIRM else each for each in bindings)


def by_seat(pins: tuple[int, ...]) -> Iterator[tuple[int | None, int]]:
    """Yield each pin with its seat; a single pin has the seat None, as it is for both."""
    for place, pin in enumerate(pins, start=1):
        yield None if len(pins) == 1 else place, pin

"""The meaning of a key, and the line of the configuration that says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from companion.languages import said
from hardware.keys.codes import key_code, key_name
from hardware.ports import Button
from hardware.pushbuttons import button_word

SEATS: Final = 8
_LINE: Final = re.compile(
    rf"(?P<button>{'|'.join(Button)})(@(?P<seat>[1-{SEATS}]))? (?P<key>\w+)"
    r" (?P<vendor>[0-9a-f]{4}):(?P<product>[0-9a-f]{4})( (?P<place>[\x21-\x7e]{1,100}))?"
)


@dataclass(frozen=True, slots=True)
class Model:
    """The kind of device that a key is on.

    Attributes:
        vendor: the number of its maker.
        product: its number with that maker.
        place: which of several alike: a Bluetooth device's address, or the socket that it is plugged into; empty if
            there is but one.
    """

    vendor: int
    product: int
    place: str = ""

    def __str__(self) -> str:
        return f"{self.vendor:04x}:{self.product:04x}{' ' if self.place else ''}{self.place}"


@dataclass(frozen=True, slots=True)
class Binding:
    """The meaning of a key.

    Attributes:
        button: what.
        key: its code.
        model: the device that it is on.
        seat: whose it is, None for all.
        when_held: what holding it down stands for; None: nothing of its own.
    """

    button: Button
    key: int
    model: Model
    seat: int | None = None
    when_held: Button | None = None

    @property
    def name(self) -> str:
        """The key's name, for people."""
        button, key = button_word(self.button), key_name(self.key)
        if self.seat is None:
            return said("{button} key ({key})", button=button, key=key)
        return said("{button} key of seat {seat} ({key})", button=button, seat=self.seat, key=key)


def binding_of(line: str) -> Binding:
    """Return what a line says, such as "confirm@1 KEY_KPENTER 1a2c:0e24".

    Raises:
        ValueError: it says nothing of the kind.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError(line)
    model = Model(int(found["vendor"], 16), int(found["product"], 16), found["place"] or "")
    seat = None if found["seat"] is None else int(found["seat"])
    return Binding(Button(found["button"]), key_code(found["key"]), model, seat)


def line_of(binding: Binding) -> str:
    """Return the line that says what a key stands for; `binding_of` reads it."""
    seat = "" if binding.seat is None else f"@{binding.seat}"
    return f"{binding.button}{seat} {key_name(binding.key)} {binding.model}"

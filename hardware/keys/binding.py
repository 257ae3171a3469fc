"""Bindings of keys to buttons, and their lines in the configuration."""

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
class Binding:
    """The binding of a key to a button.

    Attributes:
        button: the button that the key stands for.
        key: code of the key.
        model: device of the key.
        seat: seat that the key belongs to, None for all.
        when_held: button that a long press stands for; None for no special meaning.
    """

    button: Button
    key: int
    model: Model
    seat: int | None = None
    when_held: Button | None = None

    @property
    def name(self) -> str:
        """The key's name for display."""
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
    return Binding(Button(found["button"]), key_code(found["key"]), model, seat)


def line_of(binding: Binding) -> str:
    """Return the configuration line of a binding; the inverse of `binding_of`."""
    seat = "" if binding.seat is None else f"@{binding.seat}"
    return f"{binding.button}{seat} {key_name(binding.key)} {binding.model}"

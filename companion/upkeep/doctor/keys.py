"""The check that the input devices whose keys serve as push-buttons are connected and may be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import said
from companion.upkeep.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.upkeep.doctor.machine import Machine
    from hardware.keys.binding import Binding, Model
    from hardware.keys.bus import Found

_KEYS: Final = said("keys")


def check_keys(bindings: Iterable[Binding], found: Iterable[Found], machine: Machine) -> Iterator[Finding]:
    """Yield the findings on the input devices whose keys serve as push-buttons.

    Args:
        bindings: the function of each key.
        found: the devices that are connected.
        machine: tells which of them this user may use.
    """
    there = list(found)
    keys: dict[Model, set[int]] = {}
    for binding in bindings:
        keys.setdefault(binding.model, set()).add(binding.key)
    for model, codes in keys.items():
        yield from _of_model(model, [each for each in there if each.is_a(model) and each.keys & codes], machine)


def _of_model(model: Model, devices: list[Found], machine: Machine) -> Iterator[Finding]:
    if not devices:
        says = said("The companion waits for it. A remote may be asleep until it is pressed.")
        do = said("plug it in, or {command}", command="companion controls learn")
        yield note(_KEYS, said("No device {model} is connected.", model=str(model)), says, do)
    for found in devices:
        device = f"{found.name} ({found.path})"
        if machine.reaches(machine.path(found.path)):
            yield ok(_KEYS, said("{device} can be used.", device=device))
        else:
            do = said("{command}, then log in again", command="sudo usermod -aG input $USER")
            what = said("{device} cannot be used by this user.", device=device)
            yield fault(_KEYS, what, said("Its keys cannot be read."), do)

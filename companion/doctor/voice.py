"""The voice: whether the program that speaks is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.doctor.finding import Finding, note, ok
from companion.languages import said
from hardware.espeak import PROGRAM

if TYPE_CHECKING:
    from companion.doctor.machine import Machine

_ABOUT: Final = said("voice")


def check_voice(machine: Machine) -> Finding:
    """Return the finding on whether news can be spoken."""
    version = machine.run([PROGRAM, "--version"])
    if version is None:
        says = said("The companion keeps silent; all else is as ever.")
        found = said("There is no program {program}.", program=PROGRAM)
        return note(_ABOUT, found, says, f"sudo apt install {PROGRAM}")
    return ok(_ABOUT, said("{program} is there.", program=PROGRAM))

"""Which Raspberry Pi this is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MODEL_PATH: Final = Path("/proc/device-tree/model")

_GENERATION: Final = re.compile(r"Raspberry Pi (?:Compute Module )?(\d)")
_ZERO: Final = re.compile(r"Raspberry Pi Zero( 2)?")


@dataclass(frozen=True, slots=True)
class PiBoard:
    """A Raspberry Pi.

    Attributes:
        model: as the device tree has it, such as "Raspberry Pi 4 Model B Rev 1.4".
        generation: 1 to 5 or later; it decides what drives a strip. A Zero counts as 1, a Zero 2 as 3, for their chips.
    """

    model: str
    generation: int


def read_board(path: Path = MODEL_PATH) -> PiBoard | None:
    """The board that this program runs on; None where it is no Raspberry Pi."""
    try:
        return board_of(path.read_bytes().rstrip(b"\0").decode("utf-8", "replace").strip())
    except OSError:
        return None


def board_of(model: str) -> PiBoard | None:
    """The board of a model's name; None where that is no Raspberry Pi."""
    if not model.startswith("Raspberry Pi"):
        return None
    zero = _ZERO.match(model)
    if zero is not None:
        return PiBoard(model, 3 if zero[1] else 1)
    numbered = _GENERATION.match(model)
    # The first ones bear no number: "Raspberry Pi Model B Rev 2", "Raspberry Pi Compute Module Rev 1.0".
    return PiBoard(model, int(numbered[1]) if numbered is not None else 1)

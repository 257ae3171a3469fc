"""The Raspberry Pi that the program runs on."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MODEL_PATH: Final = Path("/proc/device-tree/model")

# One digit: a Pi 400 and a Pi 500 have the chips of a Pi 4 and a Pi 5.
_GENERATION: Final = re.compile(r"Raspberry Pi (?:Compute Module )?(\d)")
_ZERO: Final = re.compile(r"Raspberry Pi Zero( 2)?")


@dataclass(frozen=True, slots=True)
class PiBoard:
    """A Raspberry Pi.

    Attributes:
        model: model name in the device tree, such as "Raspberry Pi 4 Model B Rev 1.4".
        generation: 1 to 5 or later; determines the library for a strip. A Zero counts as 1, a Zero 2 as 3, by their
            chips.
    """

    model: str
    generation: int

    @property
    def is_zero(self) -> bool:
        """True for a Zero of any generation."""
        return _ZERO.match(self.model) is not None

    @property
    def filters(self) -> tuple[str, ...]:
        """The sections of `config.txt` that apply to it, besides `[all]`."""
        if self.is_zero:
            return ("pi02",) if self.generation == 3 else ("pi0", "pi0w")
        names = {3: ("pi3", "pi3+", "cm3"), 4: ("pi4", "pi400", "cm4"), 5: ("pi5", "pi500", "cm5")}
        return names.get(self.generation, (f"pi{self.generation}",))

    @property
    def core_clock(self) -> tuple[str, int] | None:
        """The setting that keeps the SPI's clock constant, and its value in MHz, or None if that clock never changes.

        rpi_ws281x's README describes it for a Pi 3 and a Pi 4; a Zero's core, like a Pi 3's, idles at another clock.
        """
        if self.generation == 4:
            return "core_freq_min", 500
        return ("core_freq", 250) if self.generation == 3 or self.is_zero else None


def read_board(path: Path = MODEL_PATH) -> PiBoard | None:
    """Return the board that this program runs on, or None if it is no Raspberry Pi."""
    try:
        return board_of(path.read_bytes().rstrip(b"\0").decode("utf-8", "replace").strip())
    except OSError:
        return None


def board_of(model: str) -> PiBoard | None:
    """Return the board of a model name, or None if it is not a Raspberry Pi."""
    if not model.startswith("Raspberry Pi"):
        return None
    zero = _ZERO.match(model)
    if zero is not None:
        return PiBoard(model, 3 if zero[1] else 1)
    numbered = _GENERATION.match(model)
    # The first models have no number: "Raspberry Pi Model B Rev 2", "Raspberry Pi Compute Module Rev 1.0".
    return PiBoard(model, int(numbered[1]) if numbered is not None else 1)

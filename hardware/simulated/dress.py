"""The prints of one evening's boards and patches."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dress:
    """The prints of one evening.

    Attributes:
        printing: one of `conditions.PRINTINGS`.
        seed: of cloths and boards.
        camouflage: share of the patches in the boards' own colours.
        grounds: by seat index, the boards of our own printing.
    """

    printing: str
    seed: int
    camouflage: float
    grounds: tuple[int, int]

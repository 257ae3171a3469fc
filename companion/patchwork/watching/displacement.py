"""Notices about boards that have moved."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from calibration.mat import load_mat
from companion.languages import Sentence, said
from vision.geometry.rectify import CELL_PX

if TYPE_CHECKING:
    from companion.games.patchwork import State

_WORTH_A_WORD_MM: Final = 1.0
"""The shortest displacement worth a notice: boards are brushed by less all the time."""


@dataclass(frozen=True, slots=True)
class Displacement:
    """A board that has moved.

    Attributes:
        seat: the board's seat.
        by_mm: the distance, or None if the board cannot be followed.
    """

    seat: int
    by_mm: float | None


class Displacements:
    """A collector of movements of the boards; a board that stays lost is reported once.

    Attributes:
        unannounced: the movements not announced yet, the first on the left; who announces one removes it.
        known: the seats whose board was ever aligned with its expected look, or lay here on an earlier occasion.
    """

    def __init__(self) -> None:
        self.unannounced: deque[Displacement] = deque()
        self.known: set[int] = set()
        self._lost: set[int] = set()

    def followed(self, seat: int, shift_px: float) -> None:
        """Record a board that was found again `shift_px` view pixels from its place."""
        by_mm = shift_px / CELL_PX * _cell_mm()
        self._lost.discard(seat)
        if by_mm >= _WORTH_A_WORD_MM:
            self.unannounced.append(Displacement(seat, by_mm))

    def seen(self, seat: int, *, aligned: bool) -> None:
        """Record a comparison of a board with its memory; a known board that is no longer aligned is lost."""
        if aligned:
            self.known.add(seat)
            self._lost.discard(seat)
        elif seat in self.known - self._lost:
            self._lost.add(seat)
            self.unannounced.append(Displacement(seat, None))


def sentence(displacement: Displacement, state: State) -> Sentence:
    """Return a displacement in the players' words."""
    name = state.setup.players[displacement.seat - 1]
    if displacement.by_mm is None:
        return said(
            "{name}’s quilt board is covered, or was moved too far to follow: clear the view, or put it back where "
            "it was.",
            name=name,
        )
    return said(
        "{name}’s quilt board was moved by {mm} mm; the companion has adjusted.",
        name=name,
        mm=round(displacement.by_mm),
    )


@cache
def _cell_mm() -> float:
    """Edge of a cell of the printed grid."""
    return load_mat().cell_mm

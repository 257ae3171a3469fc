"""Temperaments of the players who colour simulated sheets, by the names of Patchwork's."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class SheetTemper:
    """A player's manner of colouring, and of following the companion's requests.

    Attributes:
        styles: names of possible styles of colouring; see `conditions.STYLES`.
        wrong_sheet: probability of laying another player's sheet under the camera first, 0..1.
        too_early: probability of pressing the button before the sheet is there.
        leaves_pencil: probability of leaving a pencil on the sheet at first.
        unearned: probability of colouring a cell's background without a reason.
    """

    styles: tuple[str, ...]
    wrong_sheet: float = 0.0
    too_early: float = 0.0
    leaves_pencil: float = 0.0
    unearned: float = 0.0


TEMPERS: Final[Mapping[str, SheetTemper]] = MappingProxyType(
    {
        "tidy": SheetTemper(("even", "firm")),
        "hasty": SheetTemper(("hatched", "careless"), too_early=0.05, unearned=0.04),
        "forgetful": SheetTemper(("even", "faint"), wrong_sheet=0.1, too_early=0.05, leaves_pencil=0.06),
    }
)

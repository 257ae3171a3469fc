"""The kinds of people who colour the simulated sheets, by the names of Patchwork's tempers."""

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
        styles: the names of the strokes that they may have; see `sheetconditions.STYLES`.
        wrong_sheet: how often another's sheet is laid under the camera first, 0..1.
        too_early: how often the button is pressed before the sheet lies there.
        leaves_pencil: how often a pencil is left lying on the sheet at first.
        unearned: how often the background of a cell is coloured that nothing gives.
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

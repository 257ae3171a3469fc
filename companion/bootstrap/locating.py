"""Chooses how the quilts are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.boards import FoundLocator, Seating, Side
from calibration.locator import MatLocator
from calibration.mat import load_mats
from companion.reader.lookout import Lookout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calibration.locator import QuiltLocator
    from companion.config import TableConfig
    from companion.events import Listener
    from companion.games.patchwork import History
    from companion.reader.watch import TableWatch


def seating_of(table: TableConfig) -> Seating | None:
    """Who sits where, as the configuration has it; None where mats tell."""
    if table.boards == "mats":
        return None
    sides = None if table.sides is None else (Side(table.sides[0]), Side(table.sides[1]))
    return Seating(sides, table.swap)


def locator_by(seating: Seating | None) -> QuiltLocator:
    """Finds the quilts by the mats, or by themselves where somebody's seating is given."""
    return MatLocator(*load_mats()) if seating is None else FoundLocator(seating)


def lookouts(
    watch: TableWatch, locator: QuiltLocator, history: History, listeners: Sequence[Listener]
) -> tuple[Callable[[float], None], ...]:
    """What tells the players of boards that are not seen, once a frame; nothing where mats lie under them."""
    return (Lookout(watch, locator, history, listeners).tick,) if isinstance(locator, FoundLocator) else ()

"""The worth of the patches over many games."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from companion.games.patchwork import PATCHES
from companion.patchwork.statistics.course import Purchase, worth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.patchwork.statistics.course import FinishedGame


@dataclass(frozen=True, slots=True)
class PatchFigures:
    """One patch over many games.

    Attributes:
        patch: the patch's id.
        bought: how often it was bought.
        won: how often its buyer won that game.
        space: the mean space on which the buyer's token stopped.
        worth: its mean worth in points (see `worth`).
        worth_a_space: this mean divided by the spaces of time that the patch takes.
    """

    patch: str
    bought: int
    won: int
    space: float
    worth: float
    worth_a_space: float


def patch_figures(games: Iterable[FinishedGame]) -> list[PatchFigures]:
    """Return the figures of all patches that were bought, the most valuable first."""
    found: dict[str, list[tuple[Purchase, bool]]] = defaultdict(list)
    for game in games:
        for purchase in game.purchases:
            found[purchase.patch].append((purchase, purchase.seat == game.winner))
    figures = [_figures(patch, bought) for patch, bought in found.items()]
    return sorted(figures, key=lambda each: (-each.worth, each.patch))


def _figures(patch: str, bought: list[tuple[Purchase, bool]]) -> PatchFigures:
    mean = fmean([worth(purchase) for purchase, _ in bought])
    return PatchFigures(
        patch,
        len(bought),
        sum(won for _, won in bought),
        fmean([purchase.space for purchase, _ in bought]),
        mean,
        mean / PATCHES[patch].time,
    )

"""The likely colours of each region: by its look alone, and for doubtful ones by the rules as well.

A region that is certain by itself stays as it is, however odd: a cell in another colour than its row is a mistake to
report, not one to smooth away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from companion.games.kvilt import cell_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from companion.games.kvilt import Sheet

Weights: TypeAlias = "dict[str, NDArray[np.float64]]"
"""By region, the log-probabilities: not coloured, then each of the sheet's colours; shape (7,)."""

SURE: Final = 0.99
"""Probability below which a region is doubtful."""
_KEEPS_RULES: Final = 0.97
"""Probability that people follow the rules."""
_TEMPER: Final = 0.5
"""Weight of neighbours' evidence, because their errors are correlated."""


def settled(weights: NDArray[np.float64]) -> bool:
    """Return whether a region is certain."""
    return bool(np.exp(weights.max()) >= SURE)


def weigh_by_rules(sheet: Sheet, alone: Mapping[str, NDArray[np.float64]]) -> Weights:
    """Return the weights of all regions, with the doubtful ones weighed by the rules.

    Args:
        sheet: the sheet.
        alone: the weights of each region by itself.
    """
    weighed = dict(alone)
    for run in _runs(sheet):
        _weigh_run(run, alone, weighed)
    for number, row in enumerate(sheet.rows, start=1):
        cells = [cell_name((number, cell)) for cell in range(1, len(row) + 1)]
        _weigh_row([f"{cell}.picture" for cell in cells], _others(sheet, number, alone), alone, weighed)
        for cell in cells:
            _weigh_background(f"{cell}.background", weighed[f"{cell}.picture"], alone, weighed)
    return weighed


def _runs(sheet: Sheet) -> list[list[str]]:
    """Return the runs of regions that are coloured one after the other from the left."""
    rows = [
        [f"{cell_name((number, cell))}.picture" for cell in range(1, len(row) + 1)]
        for number, row in enumerate(sheet.rows, start=1)
    ]
    numbers = range(1, len(sheet.spools.points) + 1)
    bodies = [f"spool{number}.body" for number in numbers if number > sheet.spools.open]
    return [*rows, bodies, [f"spool{number}.thread" for number in numbers]]


def _weigh_run(run: list[str], alone: Mapping[str, NDArray[np.float64]], weighed: Weights) -> None:
    """Weigh a run: after a certain white region a coloured one is unlikely, before a coloured one a white one."""
    states = [_state(alone[name]) for name in run]
    for place, name in enumerate(run):
        if states[place] is not None:
            continue
        prior = np.full(2, 0.5)
        if False in states[:place]:
            prior *= (_KEEPS_RULES, 1 - _KEEPS_RULES)
        if True in states[place + 1 :]:
            prior *= (1 - _KEEPS_RULES, _KEEPS_RULES)
        weighed[name] = _normal(alone[name] + np.log(np.append(prior[0], np.full(len(alone[name]) - 1, prior[1]))))


def _state(weights: NDArray[np.float64]) -> bool | None:
    """Return whether a region is coloured, or None if that is not certain."""
    white = float(np.exp(weights[0]))
    return None if 1 - SURE < white < SURE else white < SURE


def _others(sheet: Sheet, row: int, alone: Mapping[str, NDArray[np.float64]]) -> set[int]:
    """Return the colours that other rows certainly have."""
    cells = [cell for cell in sheet.cells() if cell[0] != row]
    found = [alone[f"{cell_name(cell)}.picture"] for cell in cells]
    return {int(weights.argmax()) - 1 for weights in found if settled(weights) and weights.argmax() > 0}


def _weigh_row(
    pictures: list[str], taken: set[int], alone: Mapping[str, NDArray[np.float64]], weighed: Weights
) -> None:
    for name in pictures:
        if settled(weighed[name]):
            continue
        # Their own evidence, not the weighed one, which contains that of this cell.
        mates = [alone[mate][1:] for mate in pictures if mate != name and _state(alone[mate])]
        colours = len(alone[name]) - 1
        word = _TEMPER * np.sum(mates, axis=0) if mates else np.zeros(colours)
        word = np.asarray(word) + np.log([1 - _KEEPS_RULES if colour in taken else 1.0 for colour in range(colours)])
        weighed[name] = _leaning(weighed[name], np.exp(_normal(word)))


def _weigh_background(
    name: str, picture: NDArray[np.float64], alone: Mapping[str, NDArray[np.float64]], weighed: Weights
) -> None:
    """Weigh a background, which has its picture's colour."""
    if settled(alone[name]) or picture.argmax() == 0:
        return
    weighed[name] = _leaning(alone[name], np.exp(_normal(picture[1:])))


def _leaning(weights: NDArray[np.float64], colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights with a prior on the colour, given as the share of each colour, shape (6,)."""
    prior = _KEEPS_RULES * colours + (1 - _KEEPS_RULES) / len(colours)
    tinted = weights[1:] + np.log(prior)
    # The probability of white is independent of the colour, and stays as it was.
    coloured = np.logaddexp.reduce(weights[1:])
    return np.append(weights[0], tinted - np.logaddexp.reduce(tinted) + coloured)


def _normal(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(weights - np.logaddexp.reduce(weights))

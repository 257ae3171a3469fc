"""The worth of marks during a game: the points so far, and what they promise for the rounds that are left."""

from typing import Final

from companion.games.kvilt.sheet import BonusKind, Marks, Sheet, score
from companion.games.kvilt.state import SeatState, State

# What players who choose by rules of thumb colour in a round of the three rows that end a game.
_CELLS_A_ROUND: Final = 1.9
_ROWS_THAT_END: Final = 3
# Promises of marks in points: the rules of thumb of `choice` for what a cell brings, where a search does not see it.
_BUTTON: Final = 4.0
_OPEN_SPOOL: Final = 2.5
_THREAD_COLOUR: Final = 1.5
_PART: Final = 3.0
# A patch of a column that lacks cells has cost its points, and most columns are completed.
_PATCH: Final = 6.0
# Rows that lag behind cost as the square of their lag: the smallest row counts once more for every button.
_LAG: Final = 1.0
# In the last rounds promises count less and less.
_FADING_ROUNDS: Final = 3.0


def lead(state: State, seat: int) -> float:
    """Return by how many points a seat is ahead of the best of the others, promises included."""
    left = min(_lacking(state.setup.sheet, side.marks) for side in state.seats) / _CELLS_A_ROUND
    points = [_worth(state, side, left) for side in state.seats]
    own = points.pop(seat - 1)
    return own - max(points)


def _lacking(sheet: Sheet, marks: Marks) -> int:
    """Return the cells that the rows lack which would end the game."""
    lacking = sorted(len(row) - marked.cells for row, marked in zip(sheet.rows, marks.rows, strict=True))
    return sum(lacking[:_ROWS_THAT_END])


def _worth(state: State, side: SeatState, rounds: float) -> float:
    """Return what a seat's marks are worth with so many rounds to come."""
    sheet, counts = state.setup.sheet, state.setup.settings.empty_row_counts
    points = score(sheet, side.marks, empty_row_counts=counts, negative=side.negative).total
    return points + min(1.0, rounds / _FADING_ROUNDS) * _promise(sheet, side.marks)


def _promise(sheet: Sheet, marks: Marks) -> float:
    cells = [row.cells for row in marks.rows]
    mean = sum(cells) / len(cells)
    pending = [
        patch
        for patch, colour in zip(sheet.patches, marks.patches, strict=True)
        if colour and not all(map(marks.is_coloured, sheet.columns[patch.column]))
    ]
    return (
        _BUTTON * marks.count_bonuses(sheet, BonusKind.BUTTON)
        + _OPEN_SPOOL * (marks.open_spools(sheet) - len(marks.threads))
        + _THREAD_COLOUR * len(set(marks.threads))
        + _PART * sum(colour is not None for colours in marks.parts for colour in colours)
        + _PATCH * len(pending)
        - _LAG * sum((count - mean) ** 2 for count in cells)
    )

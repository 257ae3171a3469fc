"""The score of marks, the end of the game, and the winners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.games.kvilt.marks import Marks
from companion.games.kvilt.sheet.sheet import BonusKind, Sheet

_ROWS_THAT_END: Final = 3
_ROWS_THAT_END_WITH_THREADS: Final = 2


@dataclass(frozen=True, slots=True)
class Score:
    """A player's result, by the rulebook's steps.

    Attributes:
        patches: the points of the coloured patches, positive if the column is complete, negative otherwise.
        rows: for each row the points of its last coloured cell plus one for each full cell.
        spools: the points of the last thread's spool, plus the sheet's bonus for threads of all colours.
        buttons: the number of buttons on coloured cells times the smallest row.
        negative: the rows, from 1, that count negative in the variant "all counted".
    """

    patches: int
    rows: tuple[int, ...]
    spools: int
    buttons: int
    negative: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """The sum of all parts."""
        turned = sum(self.rows[row - 1] for row in self.negative)
        # Twice, because the sum of the rows includes them once with the wrong sign.
        return self.patches + sum(self.rows) - 2 * turned + self.spools + self.buttons

    @property
    def best_row(self) -> int:
        """The points of the best row before any negation, which breaks ties of the total."""
        return max(self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return the score as in the companion's files, with `negative` only if any rows count negative."""
        fields: dict[str, Any] = {
            "patches": self.patches,
            "rows": list(self.rows),
            "spools": self.spools,
            "buttons": self.buttons,
        }
        if self.negative:
            fields["negative"] = list(self.negative)
        return {**fields, "total": self.total}


def score(sheet: Sheet, marks: Marks, *, empty_row_counts: bool = True, negative: tuple[int, ...] = ()) -> Score:
    """Return the score of a player's marks.

    Args:
        sheet: the sheet.
        marks: the marks on it.
        empty_row_counts: whether an empty row counts as 0 for the smallest row; otherwise it is skipped.
        negative: rows, from 1, that count negative.
    """
    rows = tuple(
        (row.points[mine.cells - 1] if mine.cells else 0) + mine.full.bit_count()
        for row, mine in zip(sheet.rows, marks.rows, strict=True)
    )
    counted = [points for points, mine in zip(rows, marks.rows, strict=True) if mine.cells or empty_row_counts]
    buttons = marks.count_bonuses(sheet, BonusKind.BUTTON) * min(counted, default=0)
    return Score(_patches(sheet, marks), rows, _spools(sheet, marks), buttons, negative)


def _patches(sheet: Sheet, marks: Marks) -> int:
    points = 0
    for patch, colour in zip(sheet.patches, marks.patches, strict=True):
        if colour:
            complete = all(marks.is_coloured(cell) for cell in sheet.columns[patch.column])
            points += patch.points if complete else -patch.points
    return points


def _spools(sheet: Sheet, marks: Marks) -> int:
    last = sheet.spools.points[len(marks.threads) - 1] if marks.threads else 0
    return last + (sheet.spools.all_colours_bonus if set(marks.threads) == set(sheet.colours) else 0)


def lowest_rows(points: Sequence[int]) -> tuple[int, int]:
    """Return the two rows, from 1, that are best counted negative: those with the fewest points, upper rows first."""
    first, second = sorted(range(1, len(points) + 1), key=lambda row: (points[row - 1], row))[:2]
    return min(first, second), max(first, second)


def ends_game(sheet: Sheet, marks: Marks) -> bool:
    """Return whether these marks end the game: three complete rows, or two and all threads."""
    complete = marks.complete_rows(sheet)
    threads = len(marks.threads) == len(sheet.spools.points)
    return complete >= _ROWS_THAT_END or (complete >= _ROWS_THAT_END_WITH_THREADS and threads)


def winners(scores: Sequence[Score]) -> tuple[int, ...]:
    """Return the seats, from 1, with the highest total; ties are broken by the best row, and may remain."""
    ranks = [(score.total, score.best_row) for score in scores]
    return tuple(seat for seat, rank in enumerate(ranks, start=1) if rank == max(ranks))

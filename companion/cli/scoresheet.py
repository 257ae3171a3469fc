"""The score sheet that `replay` and `play` print for people: both quilts side by side and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.cells import cell_len

_LEAST_COLUMN: Final = 34
_GAP: Final = 6
_COVERED, _EMPTY = "██", "· "


def score_sheet(game: Mapping[str, Any]) -> str:
    """The sheet of one game, given as its JSON summary; ends with an empty line. Empty where there are no seats."""
    seats = game["seats"]
    if not seats:
        return ""
    left, right = (_block(seat) for seat in seats)
    column = max(_LEAST_COLUMN, *(cell_len(line) + _GAP for line in left))
    # Names may hold characters that take two columns, or none.
    rows = [(one + " " * (column - cell_len(one)) + other).rstrip() for one, other in zip(left, right, strict=True)]
    return "\n".join([*rows, "", _closing(game), "", ""])


def _block(seat: Mapping[str, Any]) -> list[str]:
    empty = seat["empty"]
    return [
        f"{seat['name']} (seat {seat['seat']})",
        "",
        "   " + " ".join("ABCDEFGHI"),
        *(f"{number}  {_row(row)}" for number, row in enumerate(seat["quilt"], start=1)),
        "",
        _sum("buttons in hand", seat["buttons"]),
        _sum("7x7 tile", 7 if seat["bonus"] else 0),
        _sum(f"{empty} empty cell{'' if empty == 1 else 's'}", -2 * empty),
        "─" * 21,
        _sum("score", seat["score"]),
        "",
        f"income {seat['income']}, at space {seat['time']}",
    ]


def _sum(what: str, points: int) -> str:
    return f"{what:<15}  {points:>4}"


def _row(cells: str) -> str:
    return "".join(_COVERED if cell == "X" else _EMPTY for cell in cells).rstrip()


def _closing(game: Mapping[str, Any]) -> str:
    names: Sequence[str] = [seat["name"] for seat in game["seats"]]
    decided = f"after {game['moves']} decision{'' if game['moves'] == 1 else 's'}"
    if game["winner"] is not None:
        return f"{names[game['winner'] - 1]} wins {decided}."
    return f"It is {names[game['turn'] - 1]}'s turn {decided}." if game["turn"] else f"The game ended {decided}."

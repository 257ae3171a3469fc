"""The score sheet that `replay` prints for people: both quilts side by side and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

_COLUMN: Final = 34
_COVERED, _EMPTY = "██", "· "


def score_sheet(game: Mapping[str, Any]) -> str:
    """The sheet of one game, given as its JSON summary; ends with a line's end."""
    seats = game["seats"]
    if not seats:
        return ""
    blocks = [_block(seat) for seat in seats]
    rows = ["".join(cell.ljust(_COLUMN) for cell in row).rstrip() for row in zip(*blocks, strict=True)]
    return "\n".join([*rows, "", _closing(game), "", ""])


def _block(seat: Mapping[str, Any]) -> list[str]:
    tile = 7 if seat["bonus"] else 0
    return [
        f"{seat['name']} (seat {seat['seat']})",
        "",
        "   " + " ".join("ABCDEFGHI"),
        *(f"{number}  {_row(row)}" for number, row in enumerate(seat["quilt"], start=1)),
        "",
        f"buttons in hand  {seat['buttons']:>4}   (income {seat['income']})",
        f"7x7 tile         {tile:>4}",
        f"{seat['empty']:>2} empty cells   {-2 * seat['empty']:>4}",
        f"score            {seat['score']:>4}   (at space {seat['time']})",
    ]


def _row(cells: str) -> str:
    return "".join(_COVERED if cell == "X" else _EMPTY for cell in cells).rstrip()


def _closing(game: Mapping[str, Any]) -> str:
    names: Sequence[str] = [seat["name"] for seat in game["seats"]]
    decided = f"after {game['moves']} decisions"
    if game["winner"] is not None:
        return f"{names[game['winner'] - 1]} wins {decided}."
    return f"It is {names[game['turn'] - 1]}'s turn {decided}." if game["turn"] else f"The game ended {decided}."

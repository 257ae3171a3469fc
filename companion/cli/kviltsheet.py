"""The score sheet that `replay` prints for people: what everybody's sheet of Kvilt shows and is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.cells import cell_len

_LABEL: Final = 14
_GAP: Final = 3
_LEAST_COLUMN: Final = 12


def kvilt_sheet(game: Mapping[str, Any]) -> str:
    """The sheet of one game, given as its JSON summary: a column a seat; ends with an empty line.

    Empty where there are no seats.
    """
    seats = game["seats"]
    if not seats:
        return ""
    turned = any(seat["score"].get("negative") for seat in seats)
    columns = [_column(seat, turned=turned) for seat in seats]
    widths = [max(_LEAST_COLUMN, *map(cell_len, column)) + _GAP for column in columns]
    lines = [
        label.ljust(_LABEL) + "".join(_right(text, width) for text, width in zip(texts, widths, strict=True))
        for label, *texts in zip(_labels(seats[0], turned=turned), *columns, strict=True)
    ]
    return "\n".join([*(line.rstrip() for line in lines), "", _closing(game), "", ""])


def _right(text: str, width: int) -> str:
    """The text at the right of a column; names may hold characters that take two columns, or none."""
    return " " * (width - cell_len(text)) + text


def _labels(seat: Mapping[str, Any], *, turned: bool) -> list[str]:
    rows = [f"row {number}" for number in range(1, len(seat["rows"]) + 1)]
    return ["", "", "patches", *rows, "spools", "buttons", *["negative rows"] * turned, "total", "", "best row"]


def _column(seat: Mapping[str, Any], *, turned: bool) -> list[str]:
    """A seat's column; rows that count negative are taken off twice, for they stand above."""
    score = seat["score"]
    rows = [_row(row, points) for row, points in zip(seat["rows"], score["rows"], strict=True)]
    taken = -2 * sum(score["rows"][row - 1] for row in score.get("negative", ()))
    return [
        f"{seat['name']} ({seat['seat']})",
        "",
        str(score["patches"]),
        *rows,
        str(score["spools"]),
        str(score["buttons"]),
        *[str(taken)] * turned,
        str(score["total"]),
        "",
        str(max(score["rows"])),
    ]


def _row(row: Mapping[str, Any], points: int) -> str:
    cells = f"{row['colour']} {row['cells']}" if row["colour"] else ""
    return f"{cells}{points:>5}"


def _closing(game: Mapping[str, Any]) -> str:
    names: Sequence[str] = [seat["name"] for seat in game["seats"]]
    decided = f"after {game['round']} round{'' if game['round'] == 1 else 's'}"
    won = [names[seat - 1] for seat in game["winners"]]
    if len(won) > 1:
        return f"{' and '.join(won)} share the victory {decided}."
    if won:
        return f"{won[0]} wins {decided}."
    return f"Round {game['round']}, {game['phase']}: it is {names[game['turn'] - 1]}'s turn."

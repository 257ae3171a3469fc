"""The view of a table that a page draws without knowledge of the game: seats with points, a grid, and actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from companion.languages import render

if TYPE_CHECKING:
    from companion.languages import Language
    from companion.play.page.json_type import Json
    from hardware.ports import Button


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of a grid.

    Attributes:
        text: a letter or a number in it; may be empty.
        colour: the kind of cell: 0 for an empty one, a seat's number for its own, other numbers as the game chooses.
    """

    text: str = ""
    colour: int = 0


Grid: TypeAlias = tuple[tuple[CellView, ...], ...]
"""The rows of cells."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat.

    Attributes:
        seat: its number, from 1.
        name: the player's name.
        score: the points so far.
        turn: whether it is this seat's turn.
        colour: the seat's colour in the page's notation.
        grid: the seat's own grid, or None if seats have none.
    """

    seat: int
    name: str
    score: int
    turn: bool
    colour: str
    grid: Grid | None = None


@dataclass(frozen=True, slots=True)
class ActionView:
    """A button that has an effect now.

    Attributes:
        says: its effect, in a word or two.
        press: the button.
    """

    says: str
    press: Button


@dataclass(frozen=True, slots=True)
class TableView:
    """The table.

    Attributes:
        seats: all seats, in order.
        grid: the grid shared by all seats, or None if there is none.
        actions: the buttons that may be pressed.
    """

    seats: tuple[SeatView, ...]
    grid: Grid | None = None
    actions: tuple[ActionView, ...] = ()


def view_json(view: TableView, language: Language) -> Json:
    """Return the table as JSON, in a language."""
    return {
        "seats": [_seat(seat) for seat in view.seats],
        "grid": _grid(view.grid),
        "actions": [{"says": render(each.says, language), "press": each.press.value} for each in view.actions],
    }


def _seat(seat: SeatView) -> Json:
    return {
        "seat": seat.seat,
        "name": seat.name,
        "score": seat.score,
        "turn": seat.turn,
        "colour": seat.colour,
        "grid": _grid(seat.grid),
    }


def _grid(grid: Grid | None) -> Json | None:
    if grid is None:
        return None
    return {"rows": [[{"text": cell.text, "colour": cell.colour} for cell in row] for row in grid]}

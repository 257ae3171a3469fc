"""Fixtures that build positions of a game by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.kvilt.rules import new_game
from companion.games.kvilt.sheet import Marks, RowMarks, blank
from companion.games.kvilt.state import Cushion, OwnPencil, Phase, SeatState, Settings, State
from companion.kvilt.sheets.files import own_sheet
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

INITIALS = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "v": "violet", "n": "brown"}
COLOURS = tuple(INITIALS.values())


def made_marks(
    rows: Mapping[int, tuple[str, int]] | None = None,
    full: Mapping[int, Sequence[int]] | None = None,
    patches: Sequence[str] = (),
    threads: str = "",
    opened: int | None = None,
    parts: Mapping[str, int] | None = None,
) -> Marks:
    """Return marks on the companion's own sheet; rows as {row: (colour, cells)}; the threads' spools are open."""
    sheet, plain = own_sheet(), blank(own_sheet())
    made = [RowMarks()] * 5
    for number, (colour, cells) in (rows or {}).items():
        bits = sum(1 << cell - 1 for cell in (full or {}).get(number, ()))
        made[number - 1] = RowMarks(colour, cells, bits)
    bodies = max(0, len(threads) - 2) if opened is None else opened
    return Marks(
        tuple(made),
        tuple("red" if patch.id in patches else None for patch in sheet.patches),
        ("brown",) * bodies,
        tuple(INITIALS[letter] for letter in threads),
        tuple(
            tuple("red" if index < (parts or {}).get(figure.id, 0) else None for index in range(figure.parts))
            for figure, _ in zip(sheet.embroideries, plain.parts, strict=True)
        ),
    )


def colouring_state(
    marks: Marks | None = None,
    hand: Sequence[str] = (),
    *,
    bonus: str = "green",
    neutral: Sequence[str] = ("yellow", "yellow", "red"),
    settings: Settings | None = None,
    bag: Mapping[str, int] | None = None,
    **more: Any,
) -> State:
    """Return a state in which seat 1 of two colours next, the other has no pencils, and two of each are in the bag."""
    state = new_game(own_setup(settings=settings or Settings()))
    one = replace(SeatState(blank(own_sheet())), bonus=bonus, cushion=1, **more)
    one = replace(one, marks=marks or one.marks, hand=tuple(map(OwnPencil, hand)))
    two = replace(SeatState(blank(own_sheet())), bonus="brown" if bonus != "brown" else "red", cushion=2)
    cushions = (Cushion((), 1), Cushion((), 2), Cushion(tuple(neutral)))
    held = dict.fromkeys(COLOURS, 2) if bag is None else bag
    counts = tuple(held.get(colour, 0) for colour in COLOURS)
    return replace(state, phase=Phase.COLOURING, seats=(one, two), cushions=cushions, bag=counts, first_taken=True)


@pytest.fixture
def marks() -> Callable[..., Marks]:
    return made_marks


@pytest.fixture
def colouring() -> Callable[..., State]:
    return colouring_state

"""Test marks that players let stand although they do not count: in this round, in later ones, and after an undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.kvilt.decisions import ColourCell, Done
from companion.kvilt.table.turn_loop import KviltTable
from hardware.ports import Button
from tests.companion.kvilt.table.conftest import Room

C, A, U = Button.CONFIRM, Button.ADVANCE, Button.UNDO

NEXT_ROUND: list[dict[str, Any]] = [
    {"seat": 1, "move": "done"},
    {"seat": 2, "move": "token", "colour": "red"}, {"seat": 1, "move": "token", "colour": "blue"},
    {"seat": 2, "move": "place", "drawn": "violet", "cushion": 1}, {"seat": 2, "move": "take", "cushion": 1},
    {"seat": 1, "move": "place", "drawn": "green", "cushion": 2},
    {"seat": 1, "move": "place", "drawn": "brown", "cushion": 2}, {"seat": 1, "move": "take", "cushion": 2},
    {"seat": 2, "move": "fill", "drawn": ["blue", "blue", "red"]},
]  # fmt: skip
"""After Boris’s first colouring: Anna colours nothing, and in the second round Boris has violet."""


def options(room: Room) -> list[str]:
    """Return the ways to go on with what does not count."""
    return [str(option.says) for option in room.asked.options if option.kind == "let-go"]


def let_go(room: Room) -> Room:
    """Press until the first way to go on is shown, and take it."""
    while room.asked.options[room.table.pending.choice].kind != "let-go":
        room.press(A)
    return room.press(C)


def test_only_the_mark_goes_that_must_and_the_earned_stitch_stays(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r1c1.picture": "yellow", "e5.1": "yellow", "e5.2": "yellow"}).press(C)
    assert options(room) == [
        "continue; this does not count: part 2 of embroidery 1; "
        "embroidery 1 is then finished only with one more yellow stitch"
    ]
    let_go(room)
    assert room.marks(2) == {"r1c1.picture": "yellow", "e5.1": "yellow"}
    assert room.table.history.decisions[-1] == Done(2)


def test_players_choose_which_mark_goes(colouring: Callable[..., Room]) -> None:
    for shown, kept in [(0, "e5.1"), (1, "e3a.1")]:
        room = colouring()
        room.lay({"r1c1.picture": "yellow", "e5.1": "yellow", "e3a.1": "yellow"}).press(C)
        assert len(options(room)) == 2
        room.press(A, A, *[A] * shown, C)
        assert set(room.marks(2)) == {"r1c1.picture", kept}


def test_a_row_that_waits_and_a_row_that_ends_are_announced_before_they_do(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "violet"}).press(C)
    assert options(room) == [
        "continue; this does not count: cell 1 of row 2; "
        "row 2 then goes on only once a violet pencil has been used on its cell 1 as well"
    ]
    room.lay({"r1c1.picture": "yellow", "r2c1.picture": "yellow"}).press(C)
    assert options(room) == [
        f"continue; this does not count: cell 1 of row {row}; "
        f"row {row} then stays empty to the end: it is worth 0, and so is every button"
        for row in (2, 1)
    ]


def test_a_declined_mark_is_no_fault_later_and_is_never_called_white(colouring: Callable[..., Room]) -> None:
    room = colouring()
    violet = {"r2c1.picture": "violet"}
    let_go(room.lay(violet).press(C))
    room = room.play(*[{**it, **({"drawn": "green"} if it.get("drawn") == "violet" else {})} for it in NEXT_ROUND])
    room.lay({**violet, "r2c2.picture": "violet"}).press(C)
    assert "cell 1 has not counted since round 1" in room.complaints[-1].says
    assert "white" not in room.complaints[-1].says
    room.lay({**violet, "p5": "green"}).press(C)
    assert room.marks(2) == {"p5": "green"}
    assert len(room.complaints) == 1


def test_a_legal_pencil_claims_what_was_let_go(colouring: Callable[..., Room]) -> None:
    room = colouring()
    violet = {"r2c1.picture": "violet"}
    let_go(room.lay(violet).press(C))
    room = room.play(*NEXT_ROUND)
    room.lay({**violet, "r2c2.picture": "violet"}).press(C)
    assert room.complaints[-1].regions == ("r2c2.picture",)
    let_go(room)
    assert room.table.history.decisions[-2:] == (ColourCell(2, "violet", 2), Done(2))
    assert room.marks(2) == violet


def test_a_mark_that_does_not_count_is_shown_until_it_counts_or_is_rubbed_out(
    colouring: Callable[..., Room],
) -> None:
    room = colouring()
    violet = {"r2c1.picture": "violet", "r3c1.picture": "brown"}
    let_go(room.lay(violet).press(C))
    assert room.uncounted == ({}, violet)
    room = room.play(*NEXT_ROUND)
    assert room.uncounted == ({}, violet)
    let_go(room.lay(violet).press(C))
    assert (room.marks(2), room.uncounted) == ({"r2c1.picture": "violet"}, ({}, {"r3c1.picture": "brown"}))
    room.press(U)
    assert room.uncounted == ({}, violet)
    room.lay({"r2c1.picture": "violet", "p5": "violet"}).press(C)
    assert room.uncounted == ({}, {"r2c1.picture": "violet"})


@pytest.mark.parametrize(
    ("lies", "marks", "uncounted"),
    [
        pytest.param({"r1c1.picture": "yellow"}, {"r1c1.picture": "yellow"}, {}, id="rubbed-out"),
        pytest.param(
            {"r1c1.picture": "yellow", "r3c1.picture": "brown"},
            {"r1c1.picture": "yellow"},
            {"r3c1.picture": "brown"},
            id="as-before",
        ),
    ],
)
def test_a_sheet_that_a_hand_was_over_is_looked_at_again_before_anything_is_taken(
    colouring: Callable[..., Room], lies: dict[str, str], marks: dict[str, str], uncounted: dict[str, str]
) -> None:
    room = colouring()
    room.lay({"r1c1.picture": "yellow", "r3c1.picture": "brown"}).press(C)
    room.lay(lies).sheets.disturbed = True
    let_go(room)
    assert (room.sheets.looked, len(room.complaints)) == (2, 1)
    assert room.table.history.decisions[-1] == Done(2)
    assert (room.marks(2), room.uncounted) == (marks, ({}, uncounted))


def test_marks_made_while_players_answered_are_judged_with_the_rest(colouring: Callable[..., Room]) -> None:
    room = colouring()
    wrong = {"r1c1.picture": "yellow", "r3c1.picture": "brown"}
    room.lay(wrong).press(C)
    room.lay({**wrong, "p3": "violet"}).sheets.disturbed = True
    let_go(room)
    assert room.complaints[-1].regions == ("p3",)
    assert room.table.state.turn == 2


def test_an_undo_opens_again_what_was_let_go(colouring: Callable[..., Room]) -> None:
    room = colouring()
    wrong = {"r2c1.picture": "yellow", "r2c1.background": "yellow"}
    let_go(room.lay(wrong).press(C)).press(U)
    assert room.table.state.turn == 2
    room.lay(wrong).press(C)
    assert [it.codes for it in room.complaints] == [("E_BACKGROUND",)] * 2


def test_an_undo_of_a_later_turn_leaves_alone_what_was_let_go(colouring: Callable[..., Room]) -> None:
    room = colouring()
    wrong = {"r2c1.picture": "yellow", "r2c1.background": "yellow"}
    let_go(room.lay(wrong).press(C))
    room.lay({"p3": "green"}).press(C, U)
    assert (room.table.state.turn, room.table._notes.declined(2)) == (1, {"r2c1.background": 1})


def test_a_mark_of_an_earlier_version_s_journal_has_no_round(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.book.note(room.number, "let go 2", "r2c1.picture p3")
    table: KviltTable = room.play().table
    assert table._notes.declined(2) == {"r2c1.picture": 0, "p3": 0}


def test_an_erased_mark_counts_as_before_and_the_option_says_so(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"p3": "yellow"}).press(C)
    room = room.play(*NEXT_ROUND)
    room.lay({"p3": None, "p5": "violet"}).press(C)
    assert options(room) == ["continue; what is white now counts as before"]
    let_go(room)
    assert room.marks(2) == {"p3": "yellow", "p5": "violet"}


@pytest.mark.parametrize("count", [30])
def test_a_sheet_that_is_wholly_wrong_gets_few_sentences(colouring: Callable[..., Room], count: int) -> None:
    room = colouring()
    regions = [it for it in room.table.state.setup.sheet.regions() if it not in ("spool1.body", "spool2.body")]
    room.lay(dict.fromkeys(regions[:count], "violet")).press(C)
    says = str(room.complaints[-1].says)
    assert says.count(".") < 8
    assert "further fault" in says
    assert "Boris has had yellow in this round" in says
    assert options(room)[0].startswith(f"continue; {count} marks do not count")

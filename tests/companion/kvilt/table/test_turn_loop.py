"""Test the turn loop: choosing with three buttons, looking at sheets, doubts, complaints, undo and resuming."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion.games.kvilt.decisions import (
    ColourCell,
    ColourPatch,
    Decision,
    Decline,
    Done,
    FillNeutral,
    PlacePencil,
    Stitch,
    Swap,
    TakeToken,
)
from companion.games.kvilt.state import Phase, TaskKind, Variant
from companion.kvilt.codec import KVILT
from companion.kvilt.sheets.layout_files import load_layout
from companion.kvilt.table.offering import RealBag, VirtualBag, choice_of
from companion.patchwork.commands import NamePatch
from companion.play.events import (
    Asked,
    DecisionTaken,
    DecisionUndone,
    LookCalledOff,
    LookStarted,
    NothingToUndo,
    TableNoticed,
)
from companion.play.inbox import Answer, CommandRefusedError
from hardware.ports import Button, Frame
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from companion.games.kvilt.sheet import Colour

Room = Any
C, A, U = Button.CONFIRM, Button.ADVANCE, Button.UNDO


def result(future: Future[Any]) -> Any:
    return future.result(timeout=0)


def test_a_scrap_is_shown_and_taken(room: Room) -> None:
    assert (room.asks, room.asked.seat, len(room.asked.options)) == ("token", 1, 6)
    room.press(A, A, C)
    assert room.table.history.decisions == (TakeToken(1, "green"),)
    assert room.book.decisions(room.number, KVILT) == (TakeToken(1, "green"),)
    assert (room.asked.seat, [it.colours for it in room.asked.options][:2]) == (2, [("red",), ("yellow",)])


def test_the_options_go_round(room: Room) -> None:
    room.press(*[A] * 6)
    shown = [event.choice for event in room.events if isinstance(event, Asked)]
    assert shown == [0, 1, 2, 3, 4, 5, 0]


def test_a_pencil_is_drawn_before_it_is_known_where_it_goes(room: Room) -> None:
    room.press(C, C)
    # Every pincushion is empty, so that a pencil is drawn without a press.
    (drawn,) = VirtualBag(5).draw(room.table.state)
    assert room.asks == "place"
    assert drawn in room.asked.says
    room.press(A, C)
    assert room.table.history.decisions[-1] == PlacePencil(1, drawn, 2)
    assert [it.kind for it in room.asked.options] == ["draw", "take"]


def test_a_drawn_pencil_outlasts_a_power_cut_and_comes_again_after_it_was_put_back(room: Room) -> None:
    room.press(C, C, C, C)
    drawn = room.asked.says
    again = type(room)(bag=room.bag, book=room.book, game_id=room.number)
    assert (again.asks, again.asked.says) == ("place", drawn)
    again.press(U, A, C)
    assert again.asks == "share"
    assert again.table.history.decisions == room.table.history.decisions
    again.press(C)
    assert again.asked.says == drawn


def test_a_draw_that_was_seen_is_taken_back_only_if_the_others_agree(room: Room) -> None:
    room.press(C, C, C, C)
    drawn = room.asked.says
    room.press(U)
    assert (room.asks, room.asked.seat) == ("take-back", 1)
    assert room.asked.says.startswith("What came out of the bag has been seen. Do the other players let Anna")
    room.press(C)
    assert (room.asks, room.asked.says) == ("place", drawn)
    room.press(U, U)
    assert (room.asks, room.asked.says) == ("place", drawn)
    room.press(U, A, C)
    assert room.asks == "share"


def test_an_undo_of_placing_leaves_the_pencil_in_the_hand(room: Room) -> None:
    room.press(C, C, A, C)
    placed = room.table.history.decisions[-1]
    room.press(U)
    assert room.asks == "place"
    room.press(C)
    assert room.table.history.decisions[-1] == PlacePencil(1, placed.drawn, 1)


def test_an_undo_of_a_draw_without_a_choice_leads_to_the_decision_before(room: Room) -> None:
    room.press(C, C)
    assert room.asks == "place"
    room.press(U, A, C)
    assert (room.asks, len(room.table.history.decisions)) == ("token", 1)


def test_the_companions_bag_fills_the_neutral_pincushion_by_itself(room: Room) -> None:
    room.press(C, C, C, C, A, C)
    assert room.phase == Phase.PENCILS
    while room.phase == Phase.PENCILS:
        kinds = [it.kind for it in room.asked.options]
        room.press(*[A] * (kinds.index("take") if "take" in kinds else 0), C)
    assert isinstance(room.table.history.decisions[-1], FillNeutral)
    assert room.phase == Phase.COLOURING
    made = len(room.table.history.decisions)
    room.press(U, A, C)
    assert len(room.table.history.decisions) == made - 2
    assert room.phase == Phase.PENCILS


def test_the_colouring_is_read_off_the_sheet(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "yellow"}).press(C)
    assert room.table.history.decisions[-2:] == (ColourCell(2, "yellow", 2), Done(2))
    assert room.table.state.turn == 1
    assert room.marks(2) == {"r2c1.picture": "yellow"}
    assert room.table.marks[2] == {"r2c1.picture": "yellow"}
    kinds = [type(event) for event in room.events[-5:]]
    assert kinds == [Asked, LookStarted, DecisionTaken, DecisionTaken, Asked]
    assert room.sheets.reading is not None


def test_the_marks_of_a_game_that_was_cut_off_are_those_of_its_history(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "yellow"}).press(C)
    again = type(room)(bag=room.bag, book=room.book, game_id=room.number)
    assert again.table.marks == {1: {}, 2: {"r2c1.picture": "yellow"}}


def test_a_note_of_the_reading_is_announced_before_its_decisions(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "yellow"}).sheets.lies.notes = ("The light is coloured.",)
    room.press(C)
    assert [type(event) for event in room.events[-5:-2]] == [LookStarted, TableNoticed, DecisionTaken]
    assert room.events[-4].says == "The light is coloured."


def test_the_theme_of_a_sheet_that_was_read_is_known_after_a_power_cut(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "yellow"}).sheets.lies.layout = load_layout().in_theme("animals")
    room.press(C)
    assert room.themes == [("", ""), ("", "animals")]

    again = type(room)(bag=room.bag, book=room.book, game_id=room.number)
    assert again.themes == [("", "animals")]


def test_several_marks_are_one_step_and_are_taken_back_together(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "yellow"}).press(C)
    before = room.table.history.decisions
    room.lay({"r1c1.picture": "red", "r1c1.background": "red", "e2a.1": "red", "p5": "green"}).press(C)
    taken = room.table.history.decisions[len(before) :]
    assert {*map(type, taken)} == {ColourCell, Stitch, ColourPatch, Done}
    room.press(U)
    assert room.table.history.decisions == before
    undone = room.events[-2]
    assert isinstance(undone, DecisionUndone)
    assert undone.count == len(taken)
    room.press(U)
    assert (room.table.state.turn, room.table.state.phase) == (2, Phase.COLOURING)


def test_a_sheet_that_is_not_seen_is_complained_of_after_a_while(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.sheets.settled, room.sheets.trouble = False, "the top left marker is not seen"
    room.press(C)
    room.wait(13)
    (complaint,) = room.complaints
    assert complaint.codes == ("unseen",)
    assert complaint.says == "The sheet cannot be read: the top left marker is not seen."
    assert room.asks == "sheet"
    assert room.sheets.looked == 0


def test_the_patience_with_a_sheet_that_is_not_seen_begins_with_the_press(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.wait(30)
    room.sheets.settled, room.sheets.trouble = False, "the top left marker is not seen"
    room.press(C)
    room.wait(5)
    assert room.complaints == []
    room.wait(8)
    assert len(room.complaints) == 1


def test_a_pincushion_is_offered_with_its_own_pencils(room: Room) -> None:
    room.press(C, C, C)
    takes = [option for option in room.asked.options if option.kind == "take"]
    cushions = room.table.state.cushions
    assert takes
    assert [option.colours for option in takes] == [
        cushions[option.action.decision.cushion - 1].pencils for option in takes
    ]
    assert len({option.colours for option in takes}) == len(takes), "they differ, so that a mistake is seen"


def test_a_player_is_asked_for_a_sheet_that_is_absent(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.sheets.settled, room.sheets.trouble, room.sheets.absent = False, "no marker is seen", True
    room.press(C)
    room.wait(13)
    assert [complaint.says for complaint in room.complaints] == [
        "No sheet is seen. Place Boris’s sheet under the camera, whole and flat."
    ]


def test_a_sheet_that_cannot_be_read_is_complained_of_at_once(colouring: Callable[..., Room]) -> None:
    room = colouring().press(C)
    (complaint,) = room.complaints
    assert complaint.says == "The sheet cannot be read: no marker is seen."
    assert room.sheets.looked == 1


def test_the_watch_sees_every_frame_and_looks_for_the_sheet_while_it_is_wanted(
    colouring: Callable[..., Room],
) -> None:
    room = colouring()
    room.sheets.settled = False
    room.press(A, C)
    room.wait(1)
    room.press(U)
    assert [looking for _, looking in room.sheets.seen] == [False, False, False, True, True, True, True, False]
    assert len({name for name, _ in room.sheets.seen}) == 8


def test_undo_calls_a_look_off(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.sheets.settled = False
    room.press(C)
    assert room.chooses == ""
    assert room.sheets.restarted == 1, "only frames after the press count as still"
    room.press(A, U)
    assert [type(event) for event in room.events[-2:]] == [LookCalledOff, Asked]
    assert room.chooses == "sheet"


def test_the_options_of_sharing_are_announced(room: Room) -> None:
    said = set()
    while room.phase != "colouring":
        if room.asks == "share":
            kinds = {option.kind for option in room.asked.options}
            said.add((room.asked.says.split(" ", 1)[1], "draw" in kinds))
        room.press(C)
    assert said == {("draws a pencil, or takes a pincushion.", True), ("takes a pincushion.", False)}


def test_a_pencil_is_fetched_from_the_bag_or_the_neutral_pincushion() -> None:
    """Both are offered, each colour once, and to fetch none."""
    offered = set()
    for seed in range(20):
        history = play_game(own_setup(("Anna", "Boris")), random.Random(seed))
        for made in range(len(history.decisions)):
            state = history.state_after(made)
            for seat in state.active:
                task = state.seat(seat).task
                if state.phase is Phase.COLOURING and task is not None and task.kind is TaskKind.FETCH:
                    choice = choice_of(state, (), VirtualBag(5), reporting=False)
                    if choice is not None and choice.seat == seat:
                        kinds = [option.kind for option in choice.options]
                        assert ("bag" in kinds) == any(state.bag)
                        assert kinds.count("neutral") == len(set(state.neutral_pencils))
                        assert kinds[-1] == "none"
                        offered.update(kinds)
        if offered == {"bag", "neutral", "none"}:
            return
    raise AssertionError(offered)


def test_nothing_new_is_asked_about_and_may_be_right(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({}).press(C)
    (complaint,) = room.complaints
    assert complaint.codes == ("nothing",)
    assert [it.kind for it in room.asked.options] == ["again", "let-go"]
    room.press(A, C)
    assert room.table.history.decisions[-1] == Done(2)


def test_a_mark_that_the_rules_do_not_explain_is_named_and_may_be_let_go(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "yellow", "r2c1.background": "yellow"}).press(C)
    (complaint,) = room.complaints
    assert complaint.codes == ("E_BACKGROUND",)
    assert complaint.regions == ("r2c1.background",)
    assert complaint.says.startswith("E_BACKGROUND: the background of cell 1 of row 2")
    assert [it.kind for it in room.asked.options] == ["again", "bag", "let-go"]
    room.press(A, A, C)
    assert room.marks(2) == {"r2c1.picture": "yellow"}
    assert room.table.marks[2] == {"r2c1.picture": "yellow", "r2c1.background": "yellow"}


def test_another_players_sheet_is_recognised_at_the_table(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "yellow"}).press(C)
    room.lay({}, seat=2).press(C)
    assert room.complaints[-1].codes == ("owner",)
    assert room.complaints[-1].says == "This looks like Boris’s sheet. Place Anna’s under the camera."
    room.lay({"p3": "green"}).press(C)
    assert room.table.history.decisions[-2:] == (ColourPatch(1, "green", "p3"), Done(1))


def test_a_doubt_that_the_rules_settle_is_no_question(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({}, r2c1_picture={"yellow": 0.7, "brown": 0.299, None: 0.001}).press(C)
    assert room.marks(2) == {"r2c1.picture": "yellow"}


def test_a_doubt_that_they_do_not_settle_is_asked_about(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"p5": "yellow"}).press(C)
    odds = {"green": 0.6, "violet": 0.39, None: 0.01}
    room.lay({}, p5=odds).press(C)
    assert (room.asks, room.asked.regions) == ("doubt", ("p5",))
    assert [it.colours for it in room.asked.options] == [("green",), ("violet",), ()]
    room.press(A, C)
    assert room.table.history.decisions[-2:] == (ColourPatch(1, "violet", "p5"), Done(1))


def test_an_unanswered_doubt_ends_the_look(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"p5": "yellow"}).press(C)
    room.lay({}, p5={"green": 0.5, "violet": 0.5}).press(C, U)
    assert room.asks == "sheet"
    assert room.table.state.turn == 1


def test_an_object_on_the_sheet_must_be_removed(colouring: Callable[..., Room]) -> None:
    room = colouring()
    odds: dict[str, dict[str | None, float]] = {
        name: {"yellow": 0.6, None: 0.4} for name in ("r2c1_picture", "p3", "p5", "p7")
    }
    room.lay({}, **odds).hide("r2c1.picture", "p3", "p5", "p7").press(C)
    complaint = room.complaints[-1]
    assert (complaint.codes, complaint.regions) == (("covered",), ("r2c1.picture", "p3", "p5", "p7"))
    assert complaint.says == "Something is on Boris’s sheet, or a lamp is reflected in it: remove it."
    assert [it.kind for it in room.asked.options] == ["again", "bare"]
    room.lay({"r2c1.picture": "yellow"}).press(C)
    assert room.marks(2) == {"r2c1.picture": "yellow"}


def test_the_request_for_the_bag_survives_the_removal_of_an_object(
    colouring: Callable[..., Room], exchanging: list[dict[str, Any]]
) -> None:
    room = colouring().play(*exchanging)
    odds: dict[str, dict[str | None, float]] = {name: {None: 0.6, "green": 0.4} for name in ("p3", "p5", "p7")}
    room.lay({"r4c2.picture": "green"}, **odds).hide(*odds).press(A, C)
    assert room.complaints[-1].codes == ("covered",)
    room.lay({"r4c2.picture": "green"}).press(C)
    assert room.asks == "swap"


def test_regions_under_a_fixed_object_are_asked_about(colouring: Callable[..., Room]) -> None:
    room = colouring()
    odds: dict[str, dict[str | None, float]] = {name: {None: 0.6, "yellow": 0.4} for name in ("p3", "p5", "p7")}
    room.lay({"r2c1.picture": "yellow"}, **odds).hide(*odds).press(C, A, C)
    for _ in odds:
        assert room.asks == "doubt"
        room.press(*[C] if room.asked.options[0].colours == () else [A, C])
    assert room.marks(2) == {"r2c1.picture": "yellow"}
    assert len(room.complaints) == 1


def test_a_draw_is_requested_and_used(colouring: Callable[..., Room], exchanging: list[dict[str, Any]]) -> None:
    room = colouring().play(*exchanging)
    room.lay({"r4c2.picture": "green"}).press(A, C)
    assert room.asks == "swap"
    assert [(it.kind, it.colours) for it in room.asked.options] == [("swap", ("brown",)), ("none", ())]
    room.press(C)
    swap = room.table.history.decisions[-1]
    assert isinstance(swap, Swap)
    assert swap.given == ("brown",)
    assert room.asks == "sheet"
    room.lay({"p7": swap.drawn[0]}).press(C)
    assert room.table.history.decisions[-2:] == (ColourPatch(1, swap.drawn[0], "p7"), Done(1))
    # Taken back: the last look, then the exchange, then the first look.
    room.press(U)
    assert room.table.history.decisions[-1] == swap
    room.press(U)
    assert room.asks == "take-back"
    room.press(C)
    assert (room.asks, room.table.history.decisions[-1]) == ("sheet", swap)
    room.press(U, A, C)
    assert room.asks == "swap"
    room.press(A, C)
    assert room.table.history.decisions[-1] == Decline(1)


def test_a_request_for_the_bag_when_nothing_is_due_is_refused(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.lay({"r2c1.picture": "yellow"}).press(A, C)
    assert room.complaints[-1].codes == ("no-bag",)
    assert [it.says for it in room.asked.options] == [
        "the colouring is finished: look at the sheet", "a pencil has to come from the bag: look at the sheet first",
    ]  # fmt: skip
    room.press(C)
    assert room.table.state.turn == 1


def test_marks_made_too_early_may_be_ignored_for_a_draw(
    colouring: Callable[..., Room], exchanging: list[dict[str, Any]]
) -> None:
    room = colouring().play(*exchanging)
    room.lay({"r4c2.picture": "green", "p7": "brown"}).press(A, C)
    complaint = room.complaints[-1]
    assert (complaint.codes, complaint.regions) == (("early",), ("p7",))
    assert complaint.says == "If Anna needs the bag now, this was coloured too early: the patch of column 5."
    assert [it.kind for it in room.asked.options] == ["again", "bag", "let-go"]
    room.press(A, A, C)
    assert room.asks == "swap"
    assert room.marks(1) == {"r4c1.picture": "green", "r4c2.picture": "green"}
    # The colouring was done: nothing is exchanged.
    room.press(U)
    room.lay({"p7": "brown"}).press(C)
    assert room.table.history.decisions[-1] == Done(1)
    assert room.marks(1)["p7"] == "brown"


def test_a_later_look_replaces_the_decisions_of_an_earlier_one(
    colouring: Callable[..., Room], exchanging: list[dict[str, Any]]
) -> None:
    room = colouring().play(*exchanging)
    before = room.table.history.decisions
    room.lay({"r4c2.picture": "green"}).press(A, C)
    room.press(A, C)
    assert room.table.history.decisions == (*before, ColourCell(1, "green", 4), Decline(1))
    room.lay({"r4c2.picture": None, "p7": "green"}).press(C)
    assert room.table.history.decisions == (*before, ColourPatch(1, "green", "p7"), Done(1))
    announced: list[Decision] = []
    for event in room.events:
        if isinstance(event, DecisionTaken):
            announced.append(event.decision)
        elif isinstance(event, DecisionUndone):
            del announced[-event.count :]
    assert tuple(announced) == room.table.history.decisions[-len(announced) :]
    assert room.book.decisions(room.number, KVILT) == room.table.history.decisions
    assert room.marks(1) == {"r4c1.picture": "green", "p7": "green"}


def test_a_real_bag_is_drawn_from_by_hand(new_room: Callable[..., Room]) -> None:
    room = new_room(bag=RealBag())
    room.press(C, C)
    assert (room.asks, len(room.asked.options)) == ("drawn", 6)
    assert "draws a pencil from the bag. Which one is it?" in room.asked.says
    room.press(A, C, C)
    assert room.table.history.decisions[-1] == PlacePencil(1, "yellow", 1)
    room.press(C, A, C, A, A, C)
    assert room.table.history.decisions[-1] == PlacePencil(1, "yellow", 3)
    room.press(C)
    assert [it.colours for it in room.asked.options] == [("red",), ("green",), ("blue",), ("violet",), ("brown",)]
    # A wrong report is corrected without a question; what was drawn stays drawn.
    room.press(C, U)
    assert room.asks == "drawn"
    room.press(U)
    assert room.asks == "share"


def test_a_real_bag_fills_the_neutral_pincushion_pencil_by_pencil(
    new_room: Callable[..., Room], shared_lines: list[dict[str, Any]]
) -> None:
    room = new_room(bag=RealBag()).play(*shared_lines[:-1])
    assert room.phase == Phase.NEUTRAL
    assert "fills the neutral pincushion. Which pencil is drawn?" in room.asked.says
    room.press(C, C, C)
    assert isinstance(room.table.history.decisions[-1], FillNeutral)
    assert len(room.table.history.decisions[-1].drawn) == 3
    assert [it.kind for it in room.asked.options] == ["done"]


@pytest.mark.parametrize("bag", [VirtualBag(5), RealBag()])
def test_pencils_that_stay_on_the_neutral_pincushion_are_not_drawn_again(
    new_room: Callable[..., Room], bag: Any
) -> None:
    placed = {1: ("green", 3), 2: ("red", 1)}
    room = new_room(bag=bag).play(
        {"seat": 1, "move": "token", "colour": "red"},
        {"seat": 2, "move": "token", "colour": "blue"},
        *({"seat": 1, "move": "place", "drawn": colour, "cushion": cushion} for colour, cushion in placed.values()),
        {"seat": 2, "move": "place", "drawn": "yellow", "cushion": 2},
        {"seat": 2, "move": "take", "cushion": 2},
        {"seat": 1, "move": "place", "drawn": "violet", "cushion": 1},
    )
    takes = [(it.kind, it.numbers) for it in room.asked.options]
    room.press(*[A] * takes.index(("take", (1,))), C, *([C, C] if isinstance(bag, RealBag) else []))
    filled = room.table.history.decisions[-1]
    assert isinstance(filled, FillNeutral)
    assert len(filled.drawn) == 2
    assert room.table.state.neutral_pencils == ("green", *filled.drawn)


@pytest.mark.parametrize("made", [1, 2])
def test_decisions_that_a_later_look_confirms_stay(
    new_room: Callable[..., Room], shared_lines: list[dict[str, Any]], made: int
) -> None:
    """With a real bag a colouring is read from its start; the program ended after `made` of its decisions."""
    marks = {"r1c1.picture": "red", "r1c1.background": "red", "e2a.1": "red", "p5": "green"}
    whole = new_room(bag=RealBag()).play(*shared_lines, {"seat": 2, "move": "done"})
    start = len(whole.table.history.decisions)
    whole.lay(marks).press(C)
    assert whole.complaints == []
    decisions = whole.table.history.decisions[start:]
    lines = [KVILT.decision_to_json(decision) for decision in decisions[:made]]
    room = new_room(bag=RealBag()).play(*shared_lines, {"seat": 2, "move": "done"}, *lines)
    room.lay(marks).press(C)
    taken = tuple(event.decision for event in room.events if isinstance(event, DecisionTaken))
    assert taken == decisions[made:]
    assert room.book.decisions(room.number, KVILT)[start:] == decisions


def test_a_real_bag_leaves_no_pencil_that_it_cannot_hold(
    new_room: Callable[..., Room], shared_lines: list[dict[str, Any]]
) -> None:
    room = new_room(bag=RealBag()).play(*shared_lines)
    room.lay({"r4c1.picture": "yellow"}).press(C)
    room.lay({"r4c1.picture": "violet", "r4c2.picture": "violet"}).press(C)
    assert room.complaints[-1].codes == ("E_NO_PENCIL",)


def test_rows_are_picked_at_the_end(new_room: Callable[..., Room]) -> None:
    setup = own_setup(("Anna", "Boris"), variants=frozenset([Variant.ALL_COUNTED]))
    room = new_room(setup)
    state = room.table.state
    room.table._history._states[-1] = replace(state, phase=Phase.COUNTING)
    room.table._ask()
    assert (room.asks, room.asked.options[0].numbers, len(room.asked.options)) == ("rows", (1, 2), 10)
    assert room.asked.options[0].says == "rows 1 and 2: 0 points"


def test_a_game_that_was_cut_off_within_a_colouring_goes_on(colouring: Callable[..., Room]) -> None:
    """After a power cut between two decisions of one look the sheet is laid again, and nothing is counted twice."""
    room = colouring().play(
        {"seat": 2, "move": "done"},
        {"seat": 1, "move": "cell", "colour": "red", "row": 1},
    )
    before = room.table.history.decisions
    marks = {"r1c1.picture": "red", "r1c1.background": "red", "e2a.1": "red", "p5": "green"}
    room.lay(marks).press(C)
    assert room.marks(1) == marks
    assert room.complaints == []
    taken = tuple(event.decision for event in room.events if isinstance(event, DecisionTaken))
    assert room.table.history.decisions == (*before, *taken), "what was there already is neither undone nor done twice"


def test_a_look_replaces_the_decisions_of_an_earlier_one(colouring: Callable[..., Room]) -> None:
    """A later look shows two more marks, so that the colouring is explained again from all of them."""
    room = colouring().play(
        {"seat": 2, "move": "done"},
        {"seat": 1, "move": "cell", "colour": "violet", "row": 2},
    )
    room.lay({"r2c1.picture": "violet", "p3": "green", "r1c1.picture": "red", "r1c1.background": "red"}).press(C)
    assert room.complaints == []
    assert set(room.marks(1)) == {"r2c1.picture", "p3", "r1c1.picture", "r1c1.background"}


def test_undo_at_the_start_says_that_there_is_nothing(room: Room) -> None:
    room.press(U)
    assert any(isinstance(event, NothingToUndo) for event in room.events)


@pytest.mark.parametrize(("option", "colour"), [(0, "red"), (3, "blue")])
def test_people_elsewhere_choose_as_those_at_the_buttons_do(room: Room, option: int, colour: Colour) -> None:
    taken = room.inbox.put(Answer(option))
    room.table.step()
    assert room.table.history.decisions == (TakeToken(1, colour),)
    assert isinstance(result(taken)[0], DecisionTaken)


def test_a_double_press_answers_one_question(room: Room) -> None:
    room.table.step()
    first = next(event.pending.number for event in reversed(room.events) if isinstance(event, Asked))
    taken, late = room.inbox.put(Answer(3, first)), room.inbox.put(Answer(0, first))
    room.table.step()
    result(taken)
    with pytest.raises(CommandRefusedError, match="question has changed"):
        result(late)
    assert room.table.history.decisions == (TakeToken(1, "blue"),)


def test_two_presses_in_one_frame_do_not_answer_the_question_that_the_first_led_to(room: Room) -> None:
    room.press_at_once(C, C)
    assert len(room.table.history.decisions) == 1


@pytest.mark.parametrize(
    ("command", "says"),
    [(Answer(6), "The question has only 6 answers."), (NamePatch("bar3"), "This is a game of Kvilt")],
)
def test_orders_that_come_to_nothing_are_refused(room: Room, command: Any, says: str) -> None:
    refused = room.inbox.put(command)
    room.table.step()
    with pytest.raises(CommandRefusedError, match=says):
        result(refused)
    assert room.table.history.decisions == ()


def test_nothing_can_be_chosen_while_the_camera_looks(colouring: Callable[..., Room]) -> None:
    room = colouring()
    room.sheets.settled = False
    room.press(C)
    refused = room.inbox.put(Answer(0))
    room.table.step()
    with pytest.raises(CommandRefusedError, match="nothing to choose now"):
        result(refused)


def test_the_largest_picture_of_the_camera_is_read(
    new_room: Callable[..., Room], shared_lines: list[dict[str, Any]]
) -> None:
    first = new_room().play(*shared_lines)
    large = Frame(np.zeros((8, 8, 3), np.uint8), 1.0, "still.jpg")
    room = new_room(bag=first.bag, book=first.book, game_id=first.number, still=lambda: large)
    room.lay({}).press(C)
    assert room.sheets.pictures == [(8, 8, 3)]
    assert room.complaints[-1].frame == "still.jpg"

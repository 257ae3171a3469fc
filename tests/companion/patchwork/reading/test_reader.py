"""Test verdicts on pictures of a table whose truth is known."""

from __future__ import annotations

from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.cells import cell_index, mask_of, names_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.circle.watch import CircleWatch
from companion.patchwork.reading.observer import UnreadableQuiltError
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reading, Reason, Verdict
from hardware.simulated.conditions import TABLES
from hardware.simulated.drawing import Pose
from hardware.simulated.scene.table import SimulatedTable
from vision.table.plane import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.companion.patchwork.conftest import Scene

TEE = ("D4", "E4", "F4", "E5")
CELL_MM = 181 / 9


@contextmanager
def _laid(scene: Scene, seat: int, name: str, cells: Sequence[str] | Sequence[tuple[int, int]]) -> Iterator[None]:
    """Lay a piece for the duration of the context."""
    piece = scene.lay(seat, name, cells)
    try:
        yield
    finally:
        scene.table.lift(seat, piece)


def _complaint(verdict: Verdict, reason: Reason) -> Complaint:
    assert isinstance(verdict, Complaint), verdict
    assert verdict.reason is reason, verdict
    return verdict


def test_nothing_new_is_said_to_be_nothing(opening: Scene) -> None:
    complaint = _complaint(opening.read(), Reason.NOTHING_PLACED)
    assert (complaint.seat, complaint.cells, complaint.frame) == (1, (), opening.frame)
    assert "Anna" in complaint.says


@pytest.mark.parametrize("aside", [(0.33, 0.0), (0.0, -0.33), (-0.23, 0.23)])
def test_a_patch_laid_a_third_of_a_cell_aside_is_read_without_a_question(
    opening: Scene, aside: tuple[float, float]
) -> None:
    """The circle is unknown, so that most shapes could be there."""
    laid = opening.lay(1, "tee", ["D4", "E4", "F4", "E5"])
    straight = laid.straight().pose
    moved = opening.table.move(1, laid, straight.moved(aside[0] * CELL_MM, aside[1] * CELL_MM))
    try:
        verdict = opening.read()
    finally:
        opening.table.lift(1, moved)
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == TakePatch(1, "tee", mask_of(["D4", "E4", "F4", "E5"]))


@pytest.mark.parametrize(
    ("patch", "cells"),
    [
        ("domino", ["A1", "B1"]),
        ("bar3", ["I7", "I8", "I9"]),
        ("tee", ["D4", "E4", "F4", "E5"]),
        ("thorn", ["C7", "B8", "C8", "D8", "E8"]),
        ("bar4", ["F9", "G9", "H9", "I9"]),
    ],
)
def test_a_patch_is_read_where_it_lies(opening: Scene, patch: str, cells: list[str]) -> None:
    with _laid(opening, 1, patch, cells):
        verdict = opening.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == TakePatch(1, patch, mask_of(cells))
    assert verdict.frame == opening.frame
    assert 0.9 <= verdict.confidence <= 1.0


@pytest.mark.parametrize("patch", ["corner-b1", "corner-b3", "hook-t2", "hook-t6"])
def test_a_twin_is_never_taken_for_the_other(opening: Scene, patch: str) -> None:
    cells = [(row + 3, column + 4) for row, column in PATCHES[patch].cells]
    with _laid(opening, 1, patch, cells):
        verdict = opening.read()
    wanted = TakePatch(1, patch, sum(1 << row * 9 + column for row, column in cells))
    if isinstance(verdict, Reading):
        assert verdict.decision == wanted
    else:
        assert isinstance(verdict, Question), verdict
        assert verdict.asks is QuestionTopic.CELLS or wanted in verdict.options


@contextmanager
def _watching_the_circle(scene: Scene) -> Iterator[None]:
    """Watch the circle, whose true order is known, for the duration of the context."""
    scene.show(1)
    assert scene.watch.frame is not None
    pieces = [piece for piece in scene.table.circle_pieces() if piece.whole]
    placed = PlacedPicture(scene.watch.frame.image, scene.watch.places)
    chances = [{piece.name: 1.0} for piece in pieces]
    scene.reader.use_circle(CircleWatch(placed, [piece.outline_px for piece in pieces], chances, begins=False))
    try:
        yield
    finally:
        scene.reader.use_circle(None)


PLUS = [(row + 3, column + 4) for row, column in PATCHES["plus"].cells]


def test_a_piece_missing_from_the_circle_confirms_the_reading(opening: Scene) -> None:
    with _watching_the_circle(opening), _laid(opening, 1, "plus", PLUS):
        verdict = opening.read()
    assert isinstance(verdict, Reading), verdict
    assert isinstance(verdict.decision, TakePatch)
    assert verdict.decision.patch == "plus"


def test_a_patch_that_plainly_lies_in_the_circle_still_is_asked_about(opening: Scene) -> None:
    circle = opening.table.circle
    with _watching_the_circle(opening), _laid(opening, 1, "plus", PLUS):
        circle.add("plus")
        circle.discard("boot")
        try:
            verdict = opening.read()
        finally:
            circle.add("boot")
    assert isinstance(verdict, Question), verdict
    assert verdict.asks is QuestionTopic.WHICH_PATCH
    assert [option.patch for option in verdict.options if isinstance(option, TakePatch)] == ["plus"]
    assert "boot" in verdict.says


def test_a_patch_over_the_edge_is_complained_of(opening: Scene) -> None:
    with _laid(opening, 1, "square", [(8, 3), (8, 4), (9, 3), (9, 4)]):
        complaint = _complaint(opening.read(), Reason.OVER_THE_EDGE)
    assert complaint.cells == ("D9", "E9")


@pytest.mark.parametrize("cells", [[(4, 7), (4, 8), (4, 9)], [(-1, 2), (0, 2), (1, 2)]])
def test_a_patch_over_the_edge_is_never_taken(opening: Scene, cells: list[tuple[int, int]]) -> None:
    with _laid(opening, 1, "bar3", cells):
        assert not isinstance(opening.read(), Reading)


def test_a_patch_on_the_other_s_quilt_is_complained_of(opening: Scene) -> None:
    with _laid(opening, 2, "bar3", ["B2", "C2", "D2"]):
        complaint = _complaint(opening.read(), Reason.WRONG_SEAT)
    assert (complaint.seat, complaint.cells) == (1, ("B2", "C2", "D2"))
    assert "Boris’s quilt" in complaint.says


def test_a_patch_too_dear_is_complained_of(opening: Scene) -> None:
    assert PATCHES["stairs"].buttons > opening.state.seat(1).buttons
    with _laid(opening, 1, "stairs", ["C3", "D3", "D4", "E4", "E5"]):
        complaint = _complaint(opening.read(), Reason.NOT_AFFORDABLE)
    assert f"The price of the stairs is {PATCHES['stairs'].buttons} buttons, Anna has 5" in complaint.says


def test_a_token_left_on_the_quilt_is_complained_of(opening: Scene, scene: Callable[[int, Setup], Scene]) -> None:
    # A board that is not of the token's colour.
    seen = scene(4, opening.history.setup)
    seen.show(6)
    seen.table.strays.append((1, Pose(0.0, 0.0)))
    assert _complaint(seen.read(), Reason.OBJECT).cells == ("E5",)


@pytest.mark.parametrize(
    ("patch", "cells", "beside", "larger"),
    [
        ("domino", ("E5", "F5"), "G5", "bar3"),
        ("hook-t6", ("C3", "D3", "E3", "E4"), "C4", "cup"),
    ],
)
def test_a_patch_with_a_token_beside_it_is_not_taken_for_a_larger_one_unasked(
    opening: Scene, patch: str, cells: tuple[str, ...], beside: str, larger: str
) -> None:
    row, column = divmod(cell_index(beside), 9)
    table = opening.table
    with _laid(opening, 1, patch, cells):
        table.strays.append((1, Pose((column - 4) * CELL_MM, (row - 4) * CELL_MM)))
        try:
            verdict = opening.read()
        finally:
            table.strays.clear()
    assert isinstance(verdict, Question), verdict
    assert {TakePatch(1, patch, mask_of(cells)), TakePatch(1, larger, mask_of((*cells, beside)))} <= {*verdict.options}
    assert (verdict.cells, verdict.none_first) == ((beside,), True)


def test_buttons_printed_on_a_patch_are_not_taken_for_tokens(opening: Scene) -> None:
    cells = ("E4", "D5", "E5", "F5", "E6")
    assert PATCHES["plus"].income == 2
    with _laid(opening, 1, "plus", cells):
        verdict = opening.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == TakePatch(1, "plus", mask_of(cells))


def test_an_object_that_was_removed_leaves_no_trace(opening: Scene) -> None:
    _complaint(opening.read(), Reason.NOTHING_PLACED)


def test_an_undone_misreading_leaves_no_trace(opening: Scene) -> None:
    """A patch half beside its squares was read as two other ones; that was undone, and the patch lifted."""
    table = deepcopy(opening)
    laid = table.lay(1, "corner-b1", ["B2", "C2", "B3"])
    moved = table.table.move(1, laid, laid.straight().pose.moved(0.49 * CELL_MM, -0.49 * CELL_MM))
    assert isinstance(table.read(), Question)
    table.take(TakePatch(1, "corner-b1", mask_of(["C2", "C3", "D3"])))
    table.history.undo()
    table.observer.take_back(table.state)
    table.table.lift(1, moved)
    _complaint(table.read(), Reason.NOTHING_PLACED)


def test_looking_takes_nothing_down(opening: Scene) -> None:
    assert opening.history.decisions == ()


def test_a_patch_that_is_not_offered_is_complained_of(scene_after_start: Scene) -> None:
    with _laid(scene_after_start, 1, "bar4", ["A9", "B9", "C9", "D9"]):
        complaint = _complaint(scene_after_start.read(), Reason.NOT_OFFERED)
    assert complaint.cells == ("A9", "B9", "C9", "D9")
    assert "take one of" in complaint.says


def test_a_patch_on_another_is_complained_of(scene_after_start: Scene) -> None:
    with _laid(scene_after_start, 1, "thorn", ["E5", "D6", "E6", "F6", "G6"]):
        complaint = _complaint(scene_after_start.read(), Reason.OVERLAP)
    assert complaint.cells == ("E5",)


def test_a_patch_half_on_another_is_never_taken(scene_after_start: Scene) -> None:
    with _laid(scene_after_start, 1, "domino", ["E5", "E6"]):
        assert not isinstance(scene_after_start.read(), Reading)


def test_an_earlier_patch_that_was_moved_is_complained_of(scene_after_start: Scene) -> None:
    (piece,) = scene_after_start.table.pieces(1)
    moved = scene_after_start.table.move(1, piece, piece.pose.moved(0.0, 4 * CELL_MM))
    try:
        verdict = scene_after_start.read()
    finally:
        scene_after_start.table.move(1, moved, piece.pose)
    assert isinstance(verdict, Complaint), verdict
    assert verdict.reason in (Reason.MOVED, Reason.OBJECT, Reason.OVERLAP)


def test_a_rejected_complaint_is_not_repeated(opening: Scene) -> None:
    table = deepcopy(opening)
    tee = table.lay(1, "tee", TEE)
    verdict = table.read()
    assert isinstance(verdict, Reading), verdict
    table.take(verdict.decision)
    table.observer.observe_all(table.state)
    table.take(Advance(2))
    table.table.move(1, tee, tee.pose.moved(0.0, 0.5 * CELL_MM))
    table.lay(1, "bar3", ["A1", "B1", "C1"])
    complaint = _complaint(table.read(), Reason.MOVED)
    assert complaint.otherwise[0] == TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
    table.history.apply(complaint.otherwise[0])
    table.observer.remember(table.state, complaint.otherwise[0], denied=complaint)
    table.observer.observe_all(table.state)
    table.take(Advance(2))
    table.lay(1, "cup", ["F9", "G9", "H9", "F8", "H8"])
    verdict = table.read()
    assert isinstance(verdict, Reading), verdict


def test_an_earlier_patch_that_is_gone_is_complained_of(scene_after_start: Scene) -> None:
    (piece,) = scene_after_start.table.pieces(1)
    scene_after_start.table.lift(1, piece)
    try:
        verdict = scene_after_start.read()
    finally:
        scene_after_start.table.put(1, piece)
    assert isinstance(verdict, Complaint), verdict
    assert verdict.reason in (Reason.MOVED, Reason.OVERLAP)
    assert set(verdict.cells) == set(TEE)


def test_the_next_patch_beside_the_first_is_read(scene_after_start: Scene) -> None:
    cells = ["D5", "D6", "D7"]
    with _laid(scene_after_start, 1, "bar3", cells):
        verdict = scene_after_start.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == TakePatch(1, "bar3", mask_of(cells))


def test_a_leather_patch_is_read_after_a_start_in_the_middle_of_a_game(
    scene: Callable[[int, Setup], Scene], leather_game: tuple[Decision, ...]
) -> None:
    # A table of its own: the pictures of the shared one depend on the tests before.
    resumed = scene(3, Setup(players=("Anna", "Boris")))
    resumed.show(6)
    resumed.begin_with(leather_game)
    seat = resumed.state.turn or 0
    assert resumed.state.leather_due
    _complaint(resumed.read(), Reason.NOTHING_PLACED)
    free = next(cell for cell in names_of(~resumed.state.seat(seat).quilt & (1 << 81) - 1) if cell[0] not in "AI")
    resumed.lay(seat, "leather", [free])
    verdict = resumed.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == PlaceLeather(seat, mask_of([free]))


@pytest.mark.parametrize("table", ["evening", "dim"])
def test_leather_amid_patches_on_a_board_of_its_colour_is_asked_about(
    table: str, scene: Callable[[int, Setup], Scene]
) -> None:
    resumed, rng, played = scene(1, Setup(players=("Anna", "Boris"))), Random(19), History(Setup())
    while not played.state.leather_due:
        played.apply(legal_decisions(played.state).pick(rng))
    conditions = TABLES[table].but(ground_seed=7, people=0)
    resumed.table = SimulatedTable(1, conditions, market=resumed.table.market, mats=False)
    resumed.look_anew()
    resumed.show(6)
    resumed.begin_with(played.decisions)
    _complaint(resumed.read(), Reason.NOTHING_PLACED)
    resumed.lay(1, "leather", ["F8"])
    verdict = resumed.read()
    assert isinstance(verdict, Question), verdict
    assert (verdict.options, verdict.none_first) == ((PlaceLeather(1, mask_of(["F8"])),), True)
    assert verdict.else_wrong is not None
    assert verdict.else_wrong.reason is Reason.NOTHING_PLACED


def test_a_game_that_has_ended_is_not_read(
    scene: Callable[[int, Setup], Scene], whole_game: Sequence[Decision]
) -> None:
    ended = scene(6, Setup(players=("Anna", "Boris")))
    for decision in whole_game:
        ended.history.apply(decision)
    with pytest.raises(ValueError, match="the game has ended"):
        ended.reader.read(ended.history)


def test_a_quilt_that_was_never_seen_is_not_read(scene: Callable[[int, Setup], Scene]) -> None:
    unseen = scene(6, Setup())
    with pytest.raises(UnreadableQuiltError):
        unseen.reader.read(unseen.history)


def test_a_board_moved_too_far_to_follow_is_said_to_be_and_nothing_is_offered_there(opening: Scene) -> None:
    far = deepcopy(opening)
    layout = far.table.layout
    moved = layout.boards[0].moved(80.0, 80.0)
    far.table.layout = replace(layout, boards=(moved, layout.boards[1]))
    far.lay(1, "tee", TEE)
    complaint = _complaint(far.read(), Reason.UNCLEAR)
    assert "its board was moved far" in complaint.says
    assert complaint.otherwise == (), len(complaint.cells)
    far.table.layout = layout
    verdict = far.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == TakePatch(1, "tee", mask_of(TEE))

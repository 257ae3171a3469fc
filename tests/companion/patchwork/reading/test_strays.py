"""Test changed cells that nothing explains, near the thresholds of a complaint."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest

from companion.games.patchwork.cells import cell_index, mask_of
from companion.games.patchwork.decisions import Advance, PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, State
from companion.patchwork.reading.explain import LEATHER, Explanation, ExplanationKind
from companion.patchwork.reading.observer import Observation, QuiltObserver
from companion.patchwork.reading.reader import Reader, complaint_of_strays
from companion.patchwork.reading.verdict import Complaint, Question, Reason
from companion.patchwork.watching.watch import lattice_of
from tests.vision.tokens.conftest import BOARD, Drawn
from vision.geometry import VIEW_PX, cell_window
from vision.quilt.changes import SHIFTS
from vision.quilt.look import RING, WINDOWS, look_at
from vision.table.plane import PlacedPicture

PICTURE = PlacedPicture(np.zeros((1, 1, 3), np.uint8), {1: BOARD, 2: BOARD})
PLAIN = look_at(np.full((VIEW_PX, VIEW_PX, 3), 120, np.uint8))
NOTHING = Explanation(ExplanationKind.NOTHING, (), 0, 1.0, 0)
TEE = ("D4", "E4", "F4", "E5")


def _observation(cells: tuple[str, ...], ratio: float, core: float, picture: PlacedPicture = PICTURE) -> Observation:
    """Return the observation of a quilt on which only these cells are not as expected."""
    where = lattice_of(mask_of(cells))
    ratios = np.repeat(np.where(where, ratio, -9.0)[None], len(SHIFTS), axis=0)
    crept = np.zeros((RING, RING), np.bool_)
    return Observation(
        ratios, np.where(where, core, -4.0), np.zeros((WINDOWS, WINDOWS)), crept, PLAIN, PLAIN, 0.0, "f", picture
    )


@pytest.mark.parametrize(("core", "complains"), [(2.5, False), (3.1, True)])
def test_a_single_bare_cell_must_have_changed_in_its_middle(core: float, complains: bool) -> None:
    history = History(Setup(players=("Anna", "Boris")))
    complaint = complaint_of_strays(history, _observation(("C3",), 7.0, core), NOTHING)
    assert (complaint is not None) is complains
    assert complaint is None or (complaint.reason, complaint.cells) == (Reason.OBJECT, ("C3",))


@pytest.mark.parametrize(("cells", "complains"), [(TEE[:1], False), (TEE[:2], True)])
def test_a_patch_has_moved_if_two_of_its_cells_have_changed(cells: tuple[str, ...], complains: bool) -> None:
    history = History(Setup(players=("Anna", "Boris")))
    for decision in (TakePatch(1, "tee", mask_of(TEE)), Advance(2)):
        history.apply(decision)
    complaint = complaint_of_strays(history, _observation(cells, 5.0, 4.0), NOTHING)
    assert (complaint is not None) is complains
    assert complaint is None or complaint.reason is Reason.MOVED


def test_no_patch_of_the_other_quilt_has_moved() -> None:
    history = History(Setup(players=("Anna", "Boris")))
    history.apply(TakePatch(1, "tee", mask_of(TEE)))
    assert history.state.turn == 2
    complaint = complaint_of_strays(history, _observation(TEE[:2], 5.0, 4.0), NOTHING)
    assert complaint is not None
    assert complaint.reason is Reason.OBJECT


@pytest.mark.parametrize(("found", "asks"), [(("D4", "E5"), True), (("D4",), False), ((), False)])
def test_a_patch_whose_prints_lie_where_they_were_has_hardly_moved(found: tuple[str, ...], asks: bool) -> None:
    history = History(Setup(players=("Anna", "Boris")))
    for decision in (TakePatch(1, "tee", mask_of(TEE)), Advance(2)):
        history.apply(decision)
    printed = np.random.default_rng(1).integers(60, 200, (VIEW_PX, VIEW_PX, 3), np.uint8)
    # What is not found lies a sixth of a cell beside its place.
    view = np.roll(printed, 5, axis=1)
    for name in found:
        window = cell_window(*divmod(cell_index(name), 9), 0)
        view[window] = printed[window]
    seen = _observation(("E4", "F4"), 6.0, 4.0)
    seen.ratios[:, 1, 1:4], seen.core[1, 1:4] = 9.0, 4.0
    seen = replace(seen, expected=look_at(printed), look=look_at(view))
    verdict = Reader(cast("QuiltObserver", _Seen(seen))).read(history)
    complaint = verdict.else_wrong if isinstance(verdict, Question) else verdict
    assert isinstance(verdict, Question) is asks, verdict
    assert isinstance(complaint, Complaint)
    assert (complaint.reason, set(complaint.cells)) == (Reason.MOVED, set(TEE))
    laid = TakePatch(1, "bar3", mask_of(["A1", "B1", "C1"]))
    assert (verdict.options if isinstance(verdict, Question) else complaint.otherwise)[0] == laid


@pytest.mark.parametrize("is_round", [True, False], ids=["token", "leather"])
def test_a_token_on_a_cell_is_not_the_leather_that_is_due(is_round: bool) -> None:
    history = History(Setup(players=("Anna", "Boris")))
    while not history.state.leather_due:
        history.apply(Advance(history.state.turn or 0))
    seat, drawn = history.state.mover, Drawn()
    if is_round:
        drawn.lay(1, 2.5, 1.5)
    else:
        low, high = BOARD([[2.03, 1.03], [2.97, 1.97]]).astype(int).tolist()
        cv2.rectangle(drawn.picture, low, high, (34, 52, 88), -1)
        cv2.rectangle(drawn.picture, (low[0] + 3, low[1] + 3), (high[0] - 3, high[1] - 3), (90, 110, 140), 1)
    seen = _observation(("C2",), 9.0, 9.0, PlacedPicture(drawn.picture, {seat: BOARD}))
    leather = Explanation(ExplanationKind.LEGAL, (LEATHER,), mask_of(["C2"]), 1.0, 0)
    complaint = complaint_of_strays(history, seen, leather)
    assert (complaint is not None) is is_round
    assert complaint is None or (complaint.reason, complaint.seat, complaint.cells) == (Reason.OBJECT, seat, ("C2",))


class _Seen:
    """An observer whose looks all show the same."""

    def __init__(self, observation: Observation) -> None:
        self._observation = observation

    def look(self, _seat: int, _state: State) -> Observation:
        return self._observation

    def observe(self, _seat: int, _state: State) -> None:
        """Return that the other quilt cannot be seen."""


def test_of_two_cells_that_may_be_the_leather_neither_is_taken_unasked() -> None:
    history = History(Setup(players=("Anna", "Boris")))
    while not history.state.leather_due:
        history.apply(Advance(history.state.turn or 0))
    # Patches that reach over G3 from two sides show more than the leather on B1.
    seen = _observation(("B1", "G3"), 7.0, 3.9)
    seen.ratios[:, 3, 7] = 10.0
    verdict = Reader(cast("QuiltObserver", _Seen(seen))).read(history)
    assert isinstance(verdict, Question)
    seat = history.state.mover
    assert verdict.options == tuple(PlaceLeather(seat, mask_of([cell])) for cell in ("G3", "B1"))
    assert set(verdict.cells) == {"B1", "G3"}
    assert verdict.none_first, "pressing confirm alone takes neither"


@pytest.mark.parametrize(("ratio", "options"), [(-1.0, None), (1.0, ("G3", "B1")), (5.0, ("G3", "B1"))])
def test_a_cell_that_has_rather_changed_than_not_may_be_the_leather_as_well(
    ratio: float, options: tuple[str, ...] | None
) -> None:
    history = History(Setup(players=("Anna", "Boris")))
    while not history.state.leather_due:
        history.apply(Advance(history.state.turn or 0))
    # A strongly compressed picture: the leather lies on B1, and G3 is bare.
    seen = _observation(("B1", "G3"), ratio, 1.3)
    seen.ratios[:, 3, 7] = 9.0
    verdict = Reader(cast("QuiltObserver", _Seen(seen))).read(history)
    leather = [PlaceLeather(history.state.mover, mask_of([cell])) for cell in options or ("G3",)]
    read = list(verdict.options) if isinstance(verdict, Question) else [getattr(verdict, "decision", None)]
    assert (isinstance(verdict, Question), read) == (options is not None, leather)


@pytest.mark.parametrize(("core", "asks"), [(1.9, True), (-0.1, False)])
def test_a_bare_cell_whose_middle_alone_has_changed_may_be_the_leather(core: float, asks: bool) -> None:
    history = History(Setup(players=("Anna", "Boris")))
    while not history.state.leather_due:
        history.apply(Advance(history.state.turn or 0))
    verdict = Reader(cast("QuiltObserver", _Seen(_observation(("D6",), -9.0, core)))).read(history)
    assert isinstance(verdict, Question) is asks, verdict
    if isinstance(verdict, Question):
        assert verdict.options == (PlaceLeather(history.state.mover, mask_of(["D6"])),)
        assert verdict.none_first, "pressing confirm alone takes nothing"


@pytest.mark.parametrize(("ratio", "complains"), [(7.0, False), (9.0, True)])
def test_a_leather_patch_must_have_changed_for_certain(ratio: float, complains: bool) -> None:
    history = History(Setup(players=("Anna", "Boris")))
    while not history.state.leather_due:
        history.apply(Advance(history.state.turn or 0))
    seat = history.state.turn or 0
    history.apply(PlaceLeather(seat, mask_of(["C3"])))
    while history.state.turn != seat:
        history.apply(Advance(3 - seat))
    complaint = complaint_of_strays(history, _observation(("C3",), ratio, 4.0), NOTHING)
    assert (complaint is not None) is complains
    assert complaint is None or complaint.reason is Reason.MOVED

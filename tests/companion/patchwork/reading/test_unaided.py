"""Test the second look, at the picture by itself, before players who pressed confirm are complained to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import TakePatch
from companion.patchwork.reading.explain import Explanation, ExplanationKind
from companion.patchwork.reading.verdict import Complaint, Question, Reading, Reason, Verdict
from hardware.simulated.drawing import Pose
from vision.networks import NoNumbersError
from vision.quilt.changes import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.games.patchwork.state import Setup, State
    from companion.patchwork.reading.observer import Observation
    from tests.companion.patchwork.conftest import Scene


def _pressed(scene: Scene, *laid: tuple[str, Sequence[str]]) -> Verdict:
    """Return the verdict on pieces laid on seat 1's quilt, after confirm was pressed."""
    pieces = [scene.lay(1, patch, cells) for patch, cells in laid]
    try:
        scene.watch.restart_rest()
        scene.show(3)
        return scene.reader.read(scene.history, is_pressed=True)
    finally:
        for piece in pieces:
            scene.table.lift(1, piece)


def _fail(output: object) -> None:
    """Fail as on a processor for which this build of OpenCV computes no numbers."""
    raise NoNumbersError(str(output))


@pytest.fixture
def washed_out(opening: Scene, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A game at its beginning, in a light in which nothing looks otherwise than before."""
    look = opening.observer.look

    def unchanged(seat: int, state: State) -> Observation:
        seen = look(seat, state)
        bare = np.full_like(seen.core, -LIMIT)
        return replace(seen, ratios=np.full_like(seen.ratios, -LIMIT), core=bare, look=seen.expected)

    monkeypatch.setattr(opening.observer, "look", unchanged)
    return opening


@pytest.mark.parametrize(("patch", "cells"), [("hook-t6", ["I8", "G9", "H9", "I9"]), ("domino", ["A1", "B1"])])
def test_a_patch_that_only_the_picture_itself_shows_is_asked_about(
    washed_out: Scene, patch: str, cells: list[str]
) -> None:
    verdict = _pressed(washed_out, (patch, cells))
    assert isinstance(verdict, Question), verdict
    assert TakePatch(1, patch, mask_of(cells)) in verdict.options
    assert verdict.none_first
    assert isinstance(verdict.else_wrong, Complaint)
    assert verdict.else_wrong.reason is Reason.NOTHING_PLACED


def test_a_machine_that_works_out_no_numbers_leaves_the_complaint_and_goes_on(
    washed_out: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.quilt.network.finite", _fail)
    assert isinstance(_pressed(washed_out, ("domino", ["A1", "B1"])), Complaint)


def test_a_machine_that_works_out_no_numbers_reads_patches_without_their_labels(
    opening: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.pieces.tag.finite", _fail)
    verdict = _pressed(opening, ("domino", ["A1", "B1"]))
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == TakePatch(1, "domino", mask_of(["A1", "B1"]))


def test_without_a_press_nobody_is_asked(washed_out: Scene) -> None:
    piece = washed_out.lay(1, "domino", ["A1", "B1"])
    try:
        verdict = washed_out.read()
    finally:
        washed_out.table.lift(1, piece)
    assert isinstance(verdict, Complaint)


@pytest.mark.parametrize("laid", [[], [("stairs", ["C3", "D3", "D4", "E4", "E5"])]])
def test_nothing_that_may_be_taken_leaves_the_complaint(
    washed_out: Scene, laid: list[tuple[str, Sequence[str]]]
) -> None:
    """The stairs are too dear."""
    verdict = _pressed(washed_out, *laid)
    assert isinstance(verdict, Complaint)
    assert verdict.reason is Reason.NOTHING_PLACED


def test_a_token_on_the_quilt_is_still_complained_of(opening: Scene, scene: Callable[[int, Setup], Scene]) -> None:
    # A board that is not of the token's colour.
    seen = scene(4, opening.history.setup)
    seen.show(6)
    seen.table.strays.append((1, Pose(0.0, 0.0)))
    verdict = _pressed(seen)
    assert isinstance(verdict, Complaint)
    assert verdict.reason is Reason.OBJECT


def test_a_patch_that_overlaps_is_complained_of_whatever_the_rest_of_it_looks_like(
    scene_after_start: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = Explanation(ExplanationKind.LEGAL, ("bar3",), mask_of(["D6", "E6", "F6"]), 0.99, 0)
    monkeypatch.setattr("companion.patchwork.reading.reader.seen_alone", lambda *_: [rest])
    verdict = _pressed(scene_after_start, ("thorn", ["E5", "D6", "E6", "F6", "G6"]))
    assert isinstance(verdict, Complaint), verdict
    assert verdict.reason is Reason.OVERLAP


def test_two_patches_at_once_are_still_complained_of(opening: Scene) -> None:
    verdict = _pressed(opening, ("domino", ["A1", "B1"]), ("bar3", ["E5", "F5", "G5"]))
    assert isinstance(verdict, Complaint)

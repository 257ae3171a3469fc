from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import replace
from functools import reduce
from itertools import count
from operator import or_
from typing import TYPE_CHECKING

import pytest

from calibration.locator import CornerLocator
from calibration.mat import load_mat
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES, Edition, fits
from companion.games.patchwork.decisions import Advance, cells_covered
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import Setup
from companion.games.patchwork.strategy.choice import choose
from companion.patchwork.reading.verdict import Question, Reading
from companion.patchwork.watching.tracking import Displacement, Displacements, sentence, without
from companion.patchwork.watching.watch import TableWatch, lattice_of
from hardware.ports import Frame
from hardware.simulated.conditions import LEATHER, Conditions, normal
from hardware.simulated.scene.table import SimulatedTable, cells_of
from tests.hostile.evening import setup_of
from vision.geometry import CELL_PX, GRID_CORNERS, rectify, translation
from vision.quilt.alignment import carried, likeness
from vision.quilt.look import look_at

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable

    from tests.companion.patchwork.conftest import Scene

STATE = new_game(Setup(players=("Anna", "Boris")))


def announced(unannounced: deque[Displacement]) -> list[Displacement]:
    """Return the movements not announced yet, as if they were announced now."""
    announced = list(unannounced)
    unannounced.clear()
    return announced


def test_a_nudge_is_told_once_in_whole_millimetres() -> None:
    boards = Displacements()
    boards.followed(2, 5.0)
    (told,) = announced(boards.unannounced)
    assert told.seat == 2
    assert told.by_mm is not None
    assert (
        sentence(replace(told, by_mm=3.2), STATE)
        == "Boris’s quilt board was moved by 3 mm; the companion has adjusted."
    )
    assert not boards.unannounced


@pytest.mark.parametrize(("by_mm", "is_announced"), [(0.5, False), (0.9, False), (1.1, True), (1.9, True)])
def test_a_breath_is_not_worth_a_word(by_mm: float, *, is_announced: bool) -> None:
    boards = Displacements()
    boards.followed(1, by_mm / load_mat().cell_mm * CELL_PX)
    assert [each.by_mm for each in boards.unannounced] == ([pytest.approx(by_mm)] if is_announced else [])


def test_a_board_that_is_lost_is_told_of_once_until_it_is_back() -> None:
    boards = Displacements()
    for aligned in (True, False, False, False):
        boards.seen(1, aligned=aligned)
    assert announced(boards.unannounced) == [Displacement(1, None)]
    boards.seen(1, aligned=True)
    boards.seen(1, aligned=False)
    assert announced(boards.unannounced) == [Displacement(1, None)]
    assert "clear the view, or put it back where it was" in sentence(Displacement(1, None), STATE)


def test_a_board_too_plain_to_be_followed_is_not_called_lost() -> None:
    boards = Displacements()
    boards.seen(1, aligned=False)
    assert not boards.unannounced


# On pictures.


def _push(scene: Scene, by_mm: float) -> None:
    """Slide Anna's board on the table."""
    layout = scene.table.layout
    scene.table.layout = replace(layout, mats=(layout.mats[0].moved(by_mm, 0.0), layout.mats[1]))
    scene.show(3)


def test_a_nudged_board_is_followed_and_told_of_and_a_board_pushed_away_is_told_of(opening: Scene) -> None:
    table = deepcopy(opening)
    table.comparer.compare(1, 0)
    assert not table.watch.displacements
    _push(table, 3.0)
    table.comparer.compare(1, 0)
    (told,) = announced(table.watch.displacements)
    assert told.seat == 1
    assert told.by_mm == pytest.approx(3.0, abs=0.5)
    table.comparer.compare(1, 0)
    assert not table.watch.displacements, "it has been followed"
    _push(table, 15.0)
    observation = table.comparer.compare(1, 0)
    (told,) = announced(table.watch.displacements)
    assert told.by_mm == pytest.approx(15.0, abs=0.5), "beyond what is found at once"
    assert observation.ratios[0, 1:-1, 1:-1].max() < 0, "and the quilt is read as before"
    _push(table, -90.0)
    observation = table.comparer.compare(1, 0)
    (told,) = announced(table.watch.displacements)
    assert told.by_mm == pytest.approx(90.0, abs=1.0), "found in the whole picture"
    assert observation.ratios[0, 1:-1, 1:-1].max() < 0


@pytest.mark.parametrize(("seed", "by_mm"), [(2, 15.0), (4, 8.0), (6, 3.0)])
def test_a_plain_board_that_is_pushed_after_its_first_patch_is_followed(
    scene: Callable[[int, Setup], Scene], seed: int, by_mm: float
) -> None:
    table = scene(seed, STATE.setup)
    table.show(6)
    table.lay(1, "tee", ["D4", "E4", "F4", "E5"])
    verdict = table.read()
    assert isinstance(verdict, Reading)
    table.take(verdict.decision)
    table.table.knock_board(1, by_mm)
    table.show(3)
    table.observer.observe_all(table.state)
    table.take(Advance(2))
    table.lay(1, "corner-b1", ["B7", "B8", "C8"])
    verdict = table.read()
    assert isinstance(verdict, Reading | Question), verdict
    decisions = verdict.options if isinstance(verdict, Question) else [verdict.decision]
    assert cells_covered(decisions[0]) == mask_of(["B7", "B8", "C8"])
    (told,) = announced(table.watch.displacements)
    assert told.by_mm == pytest.approx(by_mm, abs=0.6)


def _nearly_won(scene: Callable[[int, Setup], Scene], seed: int, setup: Setup) -> Scene:
    """Return a table that is switched on again three decisions before the end, not seen yet."""
    played, rng = History(setup), random.Random(1)
    while not played.state.finished:
        played.apply(choose(played.state, rng.gauss).decision)
    table = scene(seed, setup)
    table.show(6)
    table.begin_with(played.decisions[:-3])
    return table


@pytest.mark.parametrize(("seed", "setup"), [(8, STATE.setup), (14, setup_of(14, Edition.ORIGINAL))])
def test_boards_full_of_patches_are_found_again_if_the_camera_was_moved_while_the_program_was_off(
    scene: Callable[[int, Setup], Scene], seed: int, setup: Setup
) -> None:
    table = _nearly_won(scene, seed, setup)
    table.table.knock_camera(10.0)
    table.show(6)
    for seat, corners in enumerate(table.table.grid_corners_px(), start=1):
        assert table.watch.places[seat].residuals(GRID_CORNERS, corners).max() < 2
        observation = table.comparer.compare(seat, table.state.seat(seat).quilt)
        assert observation.ratios[0, 1:-1, 1:-1].max() < 0
    assert {told.seat for told in announced(table.watch.displacements)} == {1, 2}


def test_a_full_board_not_found_after_the_program_was_off_is_waited_for_and_read_where_it_is_put_back(
    scene: Callable[[int, Setup], Scene],
) -> None:
    table = _nearly_won(scene, 1, STATE.setup)
    layout = table.table.layout
    table.table.knock_board(1, 10.0)
    table.show(6)
    assert (table.watch.ready, set(table.watch.lost)) == (False, {1}), "its place would be wrong"
    assert announced(table.watch.displacements) == [Displacement(1, None)]
    table.table.layout = layout
    table.show(4)
    assert (table.watch.ready, set(table.watch.lost)) == (True, set())
    observation = table.comparer.compare(1, table.state.seat(1).quilt)
    assert observation.ratios[0, 1:-1, 1:-1].max() < 0
    assert not table.watch.displacements


def test_a_board_that_is_taken_away_is_told_of_once_and_welcomed_back(opening: Scene) -> None:
    table = deepcopy(opening)
    for seat in (1, 2):
        table.comparer.compare(seat, 0)
    _push(table, -600.0)
    for _ in range(2):
        table.comparer.compare(1, 0)
        table.comparer.compare(2, 0)
    assert announced(table.watch.displacements) == [Displacement(1, None)], "and the other's board is not taken for it"
    _push(table, 600.0)
    observation = table.comparer.compare(1, 0)
    assert not table.watch.displacements
    assert observation.ratios[0, 1:-1, 1:-1].max() < 0


@pytest.mark.parametrize("seed", [2, 5, 9])
def test_a_plain_board_is_known_by_its_bare_cells_between_many_patches(seed: int) -> None:
    table = SimulatedTable(seed, normal(), market=tuple(PATCHES), mats=False)
    place = CornerLocator(table.grid_corners_px()).locate(table.frame(0.0))[1]
    empty = look_at(rectify(table.frame(0.0), place))
    laid = [mask_of(["C2"])]
    for patch in (names := ("square", "bar4", "plus", "aitch", "cup")):
        free = fits(patch, reduce(or_, laid))
        laid.append(free[len(free) // 3])
    for name, mask in zip((LEATHER, *names), laid, strict=True):
        table.lay(1, name, cells_of(mask))
    now, expected = look_at(rectify(table.frame(1.0), place)), without(empty, lattice_of(reduce(or_, laid)))
    assert likeness(now.structure, expected.structure) > 0.6
    beside = carried(now.structure, translation(0.0, 3 / load_mat().cell_mm * CELL_PX))
    assert likeness(beside, expected.structure) < 0.5


# A dark brown board in dim light, and under a noisy camera.
@pytest.mark.parametrize(
    "conditions", [normal().but(ground_seed=2, exposure=0.42, noise=6.5), normal().but(ground_seed=2, noise=5.0)]
)
def test_a_plain_board_with_faint_lines_is_known_after_a_restart(conditions: Conditions) -> None:
    table = SimulatedTable(1, conditions, market=tuple(PATCHES), mats=False)
    watch, frames = TableWatch(CornerLocator(table.grid_corners_px())), count()

    def see(number: int) -> None:
        for _ in range(number):
            t_s = next(frames) / 5
            watch.see(Frame(table.frame(t_s), t_s, "frame"))

    see(6)
    profile, laid = watch.profile(), [mask_of(["C2"])]
    for patch in (names := ("square", "bar4", "plus", "aitch", "cup", "tee", "hat", "thorn", "bar3")):
        free = fits(patch, reduce(or_, laid))
        laid.append(free[len(free) // 3])
    for name, mask in zip((LEATHER, *names), laid, strict=True):
        table.lay(2, name, cells_of(mask))
    watch = TableWatch(CornerLocator(table.grid_corners_px()))
    watch.restore(profile, {1: 0, 2: reduce(or_, laid)})
    see(4)
    assert (watch.ready, set(watch.lost)) == (True, set())

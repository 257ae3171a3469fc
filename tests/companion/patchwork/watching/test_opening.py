"""Test boards that are not empty when a game begins, at a calibrated table."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import cv2
import pytest

from calibration.locator import CornerLocator
from calibration.stored import Profile, load_profile
from companion.calibrating.configured import empty_of, locator_by
from companion.calibrating.result import save_calibrated
from companion.calibrating.running import calibrate_table
from companion.compose.workbench import photographs
from companion.config import Config, TableConfig
from companion.errors import CompanionError
from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.lights import NEUTRAL, all_scaled
from companion.patchwork.reading.observer import QuiltComparer, QuiltObserver, UnreadableQuiltError
from companion.patchwork.reading.reader import Reader
from companion.patchwork.reading.verdict import Reading
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.watching.opening import EmptyCheck, LeftoverCheck, _occupied_sentence, occupied_cells
from companion.patchwork.watching.unready import BoardsNotice, why_unready
from companion.patchwork.watching.watch import TableWatch
from companion.play import events
from companion.play.session import AtOnce, DeviceFactory
from companion.registry import codecs
from hardware.ports import RGB, Button, EndOfFramesError, Frame
from hardware.simulated.calibrating import SettingUp
from hardware.simulated.conditions import Conditions, normal
from hardware.simulated.devices import SimulatedClock, SimulatedControls, SimulatedLightStrip
from hardware.simulated.scene.table import SimulatedTable, cells_of
from hardware.strips import ResilientStrip
from tests.companion.sessions import play_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

SEED = 3
CIRCLE = (*(name for name in PATCHES if name != "domino"), "domino")
FIRST = next(each for each in legal_decisions(new_game(Setup(market=CIRCLE))) if isinstance(each, TakePatch))


@pytest.fixture(scope="module")
def calibration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "calibration.toml"
    photograph = path.with_name("table.jpg")
    cv2.imwrite(str(photograph), SettingUp(SEED).table.frame(0.0))
    save_calibrated(calibrate_table(Config(), photographs([photograph], ()), lambda _: None), path)
    return path


@pytest.fixture(scope="module")
def kept(calibration: Path) -> Profile:
    profile = empty_of(TableConfig(calibration=calibration))
    assert profile is not None
    return profile


def views(table: SimulatedTable) -> dict[int, NDArray[np.uint8]]:
    """Return the views of both boards in the first pictures."""
    watch = TableWatch(locator_by(None))
    for index in range(4):
        watch.see(Frame(table.frame(0.2 * index), 0.2 * index, "frame"))
    return dict(watch.profile().empty)


@pytest.mark.parametrize("conditions", [Conditions(exposure=0.45), Conditions(hard_shadow=0.45, glare=0.45)])
def test_an_object_on_a_board_is_distinguished_from_other_light(conditions: Conditions, kept: Profile) -> None:
    table = SimulatedTable(SEED, conditions, market=CIRCLE)
    table.lay(FIRST.seat, FIRST.patch, cells_of(FIRST.cells))
    now = views(table)
    assert occupied_cells(kept.empty[2], now[2]) == []
    assert occupied_cells(kept.empty[1], now[1]) == [
        f"{'ABCDEFGHI'[column]}{row + 1}" for row, column in cells_of(FIRST.cells)
    ]


class Stop(BaseException):
    """Ends the evening."""


@cache
def _drawn() -> SimulatedTable:
    """Return a table that was drawn once, for copies of it."""
    table = SimulatedTable(SEED, normal(), market=CIRCLE)
    table.frame(0.0)
    return table


class Evening:
    """A table without players at which confirm is pressed after a number of pictures."""

    def __init__(self, pictures: int) -> None:
        self.clock = SimulatedClock()
        self.controls = SimulatedControls(self.clock)
        self.table = deepcopy(_drawn())
        self.told: list[events.Event] = []
        self.strip = SimulatedLightStrip(60)
        self.lit: list[tuple[RGB, ...]] = []
        self._left = pictures

    def capture(self) -> Frame:
        self._left -= 1
        self.lit.append(self.strip.pixels)
        if self._left == 0:
            self.controls.press(Button.CONFIRM)
        if self._left < -20:
            raise EndOfFramesError("enough")
        self.clock.sleep(0.2)
        return Frame(self.table.frame(self.clock.now()), self.clock.now(), f"{-self._left:06d}.jpg")

    def close(self) -> None:
        """Do nothing; there is nothing to release."""

    def play(self, table: TableConfig, folder: Path) -> Sequence[events.Event]:
        def strip(say: Callable[[str], None]) -> ResilientStrip:
            return ResilientStrip(lambda: self.strip, 60, self.clock, say)

        def on_event(event: events.Event) -> None:
            self.told.append(event)
            if isinstance(event, events.DecisionTaken | events.Complained):
                raise Stop

        openers = DeviceFactory(self.clock, lambda *_: self, lambda: self.controls, strip)
        config = Config(table=table).with_game(PatchworkSettings(market=CIRCLE))
        with suppress(Stop):
            play_table(config, MemoryJournal(codecs()), folder, listeners=(on_event,), openers=openers)
        return self.told


def test_a_patch_that_was_laid_before_the_game_began_is_read_at_a_calibrated_table(
    calibration: Path, tmp_path: Path
) -> None:
    told = []
    for table in (TableConfig(calibration=calibration), TableConfig()):
        evening = Evening(8)
        evening.table.lay(FIRST.seat, FIRST.patch, cells_of(FIRST.cells))
        told.append(evening.play(table, tmp_path))
    taken = told[0][-1]
    assert isinstance(taken, events.DecisionTaken)
    assert taken.decision == FIRST
    said = [event.says for event in told[0] if isinstance(event, events.TableNoticed)]
    assert sum(says.startswith("There is already something on seat 1’s board, at ") for says in said) == 1
    assert not [event for event in told[1] if isinstance(event, events.DecisionTaken)]
    said = [event.says for event in told[1] if isinstance(event, events.TableNoticed)]
    assert [says.partition(", at ")[0] for says in said if "Take it off" in says] == [
        "There is something on seat 1’s board"
    ], "nobody knows how the board looks without it"


def test_empty_boards_are_taken_as_they_are_seen(calibration: Path, tmp_path: Path) -> None:
    evening = Evening(8)
    told = evening.play(TableConfig(calibration=calibration), tmp_path)
    assert isinstance(told[-1], events.Complained), "confirm was pressed, and nothing was laid"
    assert not [event for event in told if isinstance(event, events.TableNoticed) and "lies on" in event.says]
    strip = Config().strip
    (neutral,) = all_scaled([NEUTRAL], strip.brightness)
    assert {frozenset(pixels) for pixels in evening.lit[:2]} == {frozenset([neutral])}, "in the light of every look"
    assert set(evening.lit[5]) != {neutral}, "and then the show begins"


class _Watch:
    """A fake watch over boards of one grey, which are ready."""

    ready = True

    def __init__(self, kept: Profile) -> None:
        self._kept = kept
        self.restored: list[Profile] = []

    def profile(self) -> Profile:
        return self._kept

    def restore(self, profile: Profile, quilts: dict[int, int]) -> None:
        assert quilts == {1: 0, 2: 0}
        self.restored.append(profile)


class _Later(Executor):
    """An executor whose single future is set by the test."""

    def __init__(self) -> None:
        self.future: Future[Any] = Future()

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        return self.future


def test_a_look_after_the_first_decision_is_dropped(kept: Profile) -> None:
    history, later, said = History(Setup(market=CIRCLE)), _Later(), list[str]()
    watch = _Watch(kept)
    check = EmptyCheck(watch, history, kept, said.append, later)  # type: ignore[arg-type]  # partial fake
    check.tick(0.0)
    history.apply(FIRST)
    later.future.set_result({1: ["A1"]})
    check.tick(0.2)
    assert (watch.restored, said) == ([], [])


def test_a_look_that_fails_leaves_the_game_going(kept: Profile, caplog: pytest.LogCaptureFixture) -> None:
    later, said, watch = _Later(), list[str](), _Watch(kept)
    check = EmptyCheck(watch, History(Setup()), kept, said.append, later)  # type: ignore[arg-type]  # partial fake
    check.tick(0.0)
    later.future.set_exception(ValueError("nothing to see"))
    check.tick(0.2)
    assert (watch.restored, said) == ([], [])
    assert "could not be compared" in caplog.text


def test_many_cells_are_not_all_named() -> None:
    assert _occupied_sentence(2, ["A1"]).startswith("There is already something on seat 2’s board, at A1: ")
    assert "at A1, A1, A1, A1, A1, A1 and 3 more: " in _occupied_sentence(1, ["A1"] * 9)


def test_the_empty_look_of_another_calibration_does_not_count(calibration: Path, tmp_path: Path) -> None:
    table = TableConfig(calibration=tmp_path / "calibration.toml")
    table.calibration.write_text(calibration.read_text())  # type: ignore[union-attr]
    beside = tmp_path / "calibration.npz"
    assert empty_of(table) is None, "it was not kept"
    beside.write_bytes(calibration.with_suffix(".npz").read_bytes())
    assert empty_of(table) is not None
    assert empty_of(replace(table, boards="found")) is None
    moved = calibration.read_text().replace("place = [[", "place = [[1", 1)
    table.calibration.write_text(moved)  # type: ignore[union-attr]
    assert empty_of(table) is None
    beside.write_bytes(b"PK damaged")
    with pytest.raises(CompanionError, match=r"\[table\] calibration: .*npz: is damaged; .*calibrate again"):
        empty_of(table)
    assert load_profile(calibration.with_suffix(".npz")).places.keys() == {1, 2}


# A table whose empty boards nobody has calibrated.


def test_quilts_of_the_last_game_are_named_and_the_boards_learnt_once_they_are_cleared() -> None:
    table = SimulatedTable(SEED, normal(), market=CIRCLE, mats=False)
    left = [(seat, table.lay(seat, "tee", [(3, 3), (3, 4), (3, 5), (4, 4)])) for seat in (1, 2)]
    watch, said = TableWatch(CornerLocator(table.grid_corners_px())), list[str]()
    history = History(Setup(market=CIRCLE))
    check = LeftoverCheck(watch, history, lambda says, _: said.append(says), AtOnce())
    notice = BoardsNotice(watch, history, lambda says, _: said.append(says))
    frames = count()

    def see(number: int) -> None:
        for _ in range(number):
            t_s = next(frames)
            watch.see(Frame(table.frame(t_s), t_s, "frame"))
            check.tick(t_s)
            notice.tick(t_s)

    see(12)
    assert [says.partition("’s board, at ")[2].partition(".")[0] for says in said] == ["D4, E4, F4 and E5"] * 2
    assert why_unready(watch, history.state) == said[0], "no other reason is given meanwhile"
    learnt = [watch.ready]
    table.lift(*left[0])
    see(6)
    assert len(said) == 2, "what is still there was named"
    assert [*learnt, watch.ready] == [False, False], "they are not learnt as part of the boards"
    table.lift(*left[1])
    see(8)
    assert said[2:] == ["Both quilt boards are seen."]
    table.lay(1, FIRST.patch, cells_of(FIRST.cells))
    see(4)
    verdict = Reader(QuiltObserver(QuiltComparer(watch))).read(history)
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == FIRST


class _Beginning:
    """A game that begins while a patch of the last one lies on the second board."""

    def __init__(self, executor: Any) -> None:
        self.table = SimulatedTable(SEED, normal(), market=CIRCLE, mats=False)
        self.left = self.table.lay(2, "tee", [(3, 3), (3, 4), (3, 5), (4, 4)])
        self.watch, self.said = TableWatch(CornerLocator(self.table.grid_corners_px())), list[str]()
        self.history = History(Setup(market=CIRCLE))
        self.check = LeftoverCheck(self.watch, self.history, self._say, executor)
        self._frames = 0

    def _say(self, says: str, _: object) -> None:
        self.said.append(says)

    def see(self, number: int) -> None:
        for _ in range(number):
            t_s = float(self._frames)
            self.watch.see(Frame(self.table.frame(t_s), t_s, "frame"))
            self.check.tick(t_s)
            self._frames += 1

    def read(self) -> object:
        return Reader(QuiltObserver(QuiltComparer(self.watch))).read(self.history)


@pytest.fixture(scope="module")
def _begun() -> _Beginning:
    game = _Beginning(AtOnce())
    game.see(6)
    return game


@pytest.fixture
def begun(_begun: _Beginning) -> _Beginning:
    """That game after its first pictures, in which the patch was named."""
    return deepcopy(_begun)


@pytest.fixture(scope="module")
def _accepted(_begun: _Beginning) -> _Beginning:
    game = deepcopy(_begun)
    game.watch.accept({1: 0, 2: 0})
    game.see(4)
    return game


@pytest.fixture
def accepted(_accepted: _Beginning) -> _Beginning:
    """That game after players have accepted the patch as a part of the board."""
    return deepcopy(_accepted)


def test_the_first_patch_is_read_although_the_other_board_was_cleared_after_it_was_laid(
    begun: _Beginning,
) -> None:
    game = begun
    game.table.lay(1, FIRST.patch, cells_of(FIRST.cells))
    game.see(6)
    game.table.lift(2, game.left)
    game.see(8)
    assert len(game.said) == 2
    assert "seat 2’s board, at D4, E4, F4 and E5" in game.said[0]
    assert game.said[1] == "Both quilt boards are seen."
    verdict = game.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == FIRST


def test_an_object_that_players_accept_on_a_board_is_a_part_of_it(begun: _Beginning) -> None:
    game = begun
    game.table.lay(1, FIRST.patch, cells_of(FIRST.cells))
    game.see(2)
    game.watch.accept({1: 0, 2: 0})
    game.see(4)
    verdict = game.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == FIRST
    assert game.said[1:] == ["Both quilt boards are seen."], "it is not named again"


@pytest.mark.parametrize("is_cleared", [True, False])
@pytest.mark.parametrize("cells", [["A1", "A2", "B2"], ["E4", "E5", "F5"]], ids=["beside it", "on it"])
def test_an_accepted_board_is_learnt_once_it_is_cleared(
    is_cleared: bool, cells: list[str], accepted: _Beginning
) -> None:
    game = accepted
    if is_cleared:
        game.table.lift(2, game.left)
        game.see(4)
    game.history.apply(Advance(1))
    corner = TakePatch(2, "corner-b1", mask_of(cells))
    game.table.lay(2, corner.patch, cells_of(corner.cells))
    game.see(6)
    verdict = game.read()
    # What is laid on what was accepted may be asked about, but is never taken for something else.
    assert isinstance(verdict, Reading) or (not is_cleared and "E5" in cells), verdict
    assert not isinstance(verdict, Reading) or verdict.decision == corner
    assert game.check.tick(98.0) is is_cleared
    game.history.apply(corner)
    assert game.check.tick(99.0), "its first patch was laid"


def test_nothing_is_read_before_boards_that_were_touched_are_checked_again() -> None:
    later = _Later()
    game = _Beginning(later)
    game.see(6)
    later.future.set_result({2: ["D4", "E4", "F4", "E5"]})
    game.see(1)
    later.future = Future()
    game.table.lift(2, game.left)
    game.table.lay(1, FIRST.patch, cells_of(FIRST.cells))
    game.see(6)
    with pytest.raises(UnreadableQuiltError):
        game.read()
    later.future.set_result({1: ["A1"]})
    game.see(6)
    verdict = game.read()
    assert isinstance(verdict, Reading), verdict
    assert verdict.decision == FIRST


def test_boards_learnt_in_doubt_are_forgotten_once_players_accept_the_first_ones() -> None:
    later = _Later()
    game = _Beginning(later)
    game.see(6)
    later.future.set_result({2: ["D4", "E4", "F4", "E5"]})
    game.see(1)
    later.future = Future()
    game.table.lift(2, game.left)
    game.table.lay(1, FIRST.patch, cells_of(FIRST.cells))
    game.see(6)
    game.watch.accept({1: 0, 2: 0})
    with pytest.raises(UnreadableQuiltError):
        game.read()


def test_a_look_at_boards_that_were_then_found_occupied_is_answered_and_the_game_goes_on() -> None:
    later = _Later()
    game = _Beginning(later)
    game.see(6)
    game.table.lay(1, FIRST.patch, cells_of(FIRST.cells))
    game.see(4)
    observer = QuiltObserver(QuiltComparer(game.watch))
    verdict = Reader(observer).read(game.history)
    assert isinstance(verdict, Reading), verdict
    later.future.set_result({2: ["D4", "E4", "F4", "E5"]})
    game.see(1)
    assert not game.watch.ready, "what was left on the other board is named"
    observer.remember(game.history.apply(verdict.decision).state, verdict.decision)
    game.see(6)
    corner = TakePatch(2, "corner-b1", mask_of(["A1", "A2", "B2"]))
    game.table.lay(2, corner.patch, cells_of(corner.cells))
    game.see(4)
    following = Reader(observer).read(game.history)
    assert isinstance(following, Reading), following
    assert following.decision == corner


def test_a_decision_beside_what_was_left_on_the_boards_lets_the_game_go_on() -> None:
    table = SimulatedTable(SEED, normal(), market=CIRCLE, mats=False)
    table.lay(1, "tee", [(3, 3), (3, 4), (3, 5), (4, 4)])
    watch, history = TableWatch(CornerLocator(table.grid_corners_px())), History(Setup(market=CIRCLE))
    check, ready = LeftoverCheck(watch, history, lambda *_: None, AtOnce()), []
    for number in range(12):
        if number == 6:
            history.apply(Advance(1))
        watch.see(Frame(table.frame(float(number)), float(number), "frame"))
        check.tick(float(number))
        ready.append(watch.ready)
    assert (ready[5], ready[-1]) == (False, True)
    table.lay(1, "bar3", [(0, 0), (0, 1), (0, 2)])
    for t_s in (12.0, 13.0):
        watch.see(Frame(table.frame(t_s), t_s, "frame"))
        check.tick(t_s)
    assert watch.ready, "whatever happens on the boards now"

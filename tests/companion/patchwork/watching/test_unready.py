from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np
import pytest

from calibration.boards import FoundLocator
from calibration.locator import CornerLocator, MatLocator
from calibration.mat import load_mats
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.rules import History, apply
from companion.games.patchwork.state import Setup
from companion.patchwork.watching.tracking import Displacement
from companion.patchwork.watching.unready import BoardsNotice, LightNotice, UnrestNotice, why_unready
from companion.patchwork.watching.watch import TableWatch
from hardware.ports import Frame
from hardware.simulated.conditions import TABLES, Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.stillness import Unrest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from calibration.locator import QuiltLocator

FRAME = Frame(np.full((90, 160, 3), 200, np.uint8), 0.0, "000000.jpg")
SETUP = Setup(players=("Anna", "Boris"))
CALM = Conditions(width_px=1152, height_px=648, noise=0.0)


class Table:
    """A fake watch over boards that lie in view."""

    def __init__(self, unrest: Unrest | None = Unrest.MOTION) -> None:
        self.cause, self.ready, self.blank, self.at_rest = unrest, False, False, False
        self.frame, self.locator = FRAME, FoundLocator()
        self.places: dict[int, object] = dict.fromkeys((1, 2))
        self.displacements: deque[Displacement] = deque()
        self.lost: frozenset[int] = frozenset()
        self.withheld: tuple[str, ...] = ()

    def settled(self, seat: int) -> bool:
        del seat
        return self.at_rest

    def unrest(self, seat: int) -> Unrest | None:
        del seat
        return None if self.at_rest else self.cause


class Evening:
    """A notice with the time and text of each sentence that it said."""

    def __init__(self, table: Table, notice: type[BoardsNotice | LightNotice | UnrestNotice] = BoardsNotice) -> None:
        self.table, self.said, self.now_s = table, list[tuple[float, str]](), 100.0
        self.notice = notice(cast("TableWatch", table), History(SETUP), self._record)

    def _record(self, sentence: str, about: object = None) -> None:
        del about
        self.said.append((self.now_s, sentence))

    def last(self, seconds: int) -> list[str]:
        """Advance the time and return what was said."""
        before = len(self.said)
        for _ in range(seconds):
            self.notice.tick(self.now_s)
            self.now_s += 1.0
        return [says for _, says in self.said[before:]]


def _nowhere(table: Table) -> None:
    table.places = {}


def _covered(table: Table) -> None:
    table.blank = True


@pytest.mark.parametrize(
    ("change", "cause", "says"),
    [
        (_covered, None, "The camera sees nothing"),
        (_nowhere, None, "No empty quilt board is seen."),
        (None, Unrest.MOTION, "are not still"),
        (None, Unrest.SWAY, "The camera sways"),
        (None, Unrest.LIGHT, "The light keeps changing"),
        (None, Unrest.NOISE, "The picture is too noisy"),
    ],
)
def test_the_missing_part_is_said_after_a_while_and_seldom_repeated(
    change: Callable[[Table], None] | None, cause: Unrest | None, says: str
) -> None:
    table = Table(cause)
    if change is not None:
        change(table)
    evening = Evening(table)
    assert evening.last(8) == []
    (said,) = evening.last(50)
    assert says in said
    assert evening.last(60) == [said]


def test_a_change_is_said_at_once_and_that_all_is_well() -> None:
    evening = Evening(Table())
    evening.last(10)
    evening.table.cause = Unrest.SWAY
    (said,) = evening.last(2)
    assert said.startswith("The camera sways")
    evening.table.ready = True
    assert evening.last(20) == ["Both quilt boards are seen."]


def test_boards_that_are_seen_in_time_need_no_word() -> None:
    evening = Evening(Table())
    evening.last(5)
    evening.table.ready = True
    assert evening.last(100) == []
    assert not evening.said


def test_a_board_that_is_not_where_it_lay_when_a_game_was_cut_off_is_named() -> None:
    table = Table()
    table.at_rest, table.displacements = True, deque([Displacement(2, None)])
    (said,) = Evening(table).last(100)
    assert said.startswith("Boris’s quilt board is covered, or was moved too far")
    table.lost = frozenset({2})
    assert why_unready(cast("TableWatch", table), History(SETUP).state) == said, "a press is answered likewise"


def _in_light(grey: int) -> Frame:
    return Frame(np.full((90, 160, 3), grey, np.uint8), 0.0, f"{grey}.jpg")


@pytest.mark.parametrize(("grey", "says"), [(254, "It is too bright"), (60, "It is too dark")])
def test_light_that_changes_for_the_worse_is_named_in_mid_game_once(grey: int, says: str) -> None:
    table = Table()
    table.ready = table.at_rest = True
    table.places = {}
    evening = Evening(table, LightNotice)
    assert evening.last(30) == []
    table.frame = _in_light(grey)
    assert evening.last(5) == []
    table.frame = FRAME
    assert evening.last(30) == [], "a cloud is no news"
    table.frame = _in_light(grey)
    (said,) = evening.last(100)
    assert said.startswith(says)
    table.frame = FRAME
    assert evening.last(30) == []
    table.frame = _in_light(grey)
    assert evening.last(30) == [said]


def test_the_light_in_which_a_game_begins_is_left_to_the_first_look() -> None:
    table = Table()
    table.ready = table.at_rest = True
    table.places, table.frame = {}, _in_light(254)
    evening = Evening(table, LightNotice)
    assert evening.last(100) == []
    table.frame = _in_light(60)
    (said,) = evening.last(30)
    assert said.startswith("It is too dark")


@pytest.mark.parametrize("cause", [Unrest.SWAY, Unrest.LIGHT, Unrest.NOISE])
def test_a_camera_that_never_comes_to_rest_is_named_in_mid_game_within_ten_seconds(cause: Unrest) -> None:
    table = Table(cause)
    table.ready = True
    evening = Evening(table, UnrestNotice)
    assert len(evening.last(10)) == 1
    assert evening.last(50) == []
    table.at_rest = True
    assert evening.last(200) == []


def test_hands_may_move_for_as_long_as_people_like() -> None:
    table = Table(Unrest.MOTION)
    table.ready = True
    assert Evening(table, UnrestNotice).last(300) == []


def _watching(image: NDArray[np.uint8], locator: QuiltLocator | None = None) -> TableWatch:
    watch = TableWatch(locator or MatLocator(*load_mats()))
    watch.see(Frame(image, 0.0, "000000.jpg"))
    return watch


def _says(image: NDArray[np.uint8], locator: QuiltLocator | None = None) -> str:
    return why_unready(_watching(image, locator), History(SETUP).state)


def _table(conditions: Conditions = CALM, *, mats: bool = True) -> NDArray[np.uint8]:
    return SimulatedTable(3, conditions, mats=mats).frame(0.0)


@pytest.fixture(scope="module")
def seen() -> NDArray[np.uint8]:
    """A table with both mats."""
    return _table()


def test_a_table_without_mats_is_told_of_them() -> None:
    assert _says(_table(mats=False)).startswith("The camera sees no mat.")


def test_the_seat_whose_mat_is_missing_is_named(seen: NDArray[np.uint8]) -> None:
    place = _watching(seen).places[2]
    x, y = place(np.array([4.5, 4.5])).astype(int)
    hidden = seen.copy()
    cv2.circle(hidden, (x, y), 260, (90, 90, 90), -1)
    assert _says(hidden).startswith("The camera does not see seat 2’s mat.")


def test_a_marker_that_is_covered_is_named(seen: NDArray[np.uint8]) -> None:
    watch = _watching(seen)
    assert isinstance(watch.locator, MatLocator)
    hidden = seen.copy()
    # All but one marker of the second mat.
    for index in (0, 1, 2):
        x, y = watch.places[2](np.array([[-0.2, -1.3], [9.2, -1.3], [9.2, 10.3]])[index]).astype(int)
        cv2.circle(hidden, (x, y), 60, (90, 90, 90), -1)
    says = _says(hidden)
    assert says.startswith(("Seat 2’s mat: the camera does not see", "The camera does not see seat 2’s mat."))


def test_a_dark_table_is_said_to_be_dark(seen: NDArray[np.uint8]) -> None:
    assert _says((seen * 0.06 + np.random.default_rng(1).normal(4, 3, seen.shape)).clip(0, 255).astype(np.uint8)) == (
        "It is too dark: switch on a lamp."
    )


@pytest.mark.parametrize("locator", [MatLocator(*load_mats()), FoundLocator()], ids=["mats", "found"])
def test_a_blurred_table_is_said_to_be_blurred(seen: NDArray[np.uint8], locator: QuiltLocator) -> None:
    blurred = np.asarray(cv2.GaussianBlur(seen, (0, 0), 7), np.uint8)
    assert _says(blurred, locator).startswith("The picture is blurred")


def test_mats_that_are_too_small_are_said_to_be_small(seen: NDArray[np.uint8]) -> None:
    small = cv2.resize(seen, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    far = np.full_like(seen, 80)
    far[200 : 200 + small.shape[0], 300 : 300 + small.shape[1]] = small
    assert _says(far) == "The mats are too small in the picture: bring the camera closer."


@pytest.mark.parametrize("sway_px", [1.4, 2.8])
def test_boards_in_given_places_are_learnt_under_a_camera_that_sways(sway_px: float) -> None:
    table = SimulatedTable(3, Conditions(sway_px=sway_px), mats=False)
    watch = TableWatch(CornerLocator(table.grid_corners_px()))
    for number in range(6):
        watch.see(Frame(table.frame(0.2 * number), 0.2 * number, f"{number:06d}.jpg"))
    assert watch.ready
    assert watch.at_rest


def test_a_look_after_a_late_start_asks_for_the_boards_where_they_are() -> None:
    history = History(SETUP)
    history.follow(Advance(1), apply(history.state, Advance(1)))
    table = Table()
    table.places, table.locator = {}, FoundLocator()
    table.frame = Frame(_table(mats=False), 0.0, "000000.jpg")
    assert "Leave both in full view, where they are." in why_unready(cast("TableWatch", table), history.state)


@pytest.mark.parametrize(
    "name",
    ["phone-camera", "cheap-webcam", "swaying", "breathing", "out-of-focus", "smeared", "flicker", "compressed", "dim"],
)
def test_the_empty_boards_are_learnt_in_two_seconds_under_every_camera(name: str) -> None:
    table = SimulatedTable(5, TABLES[name], mats=True)
    watch = TableWatch(MatLocator(*load_mats()))
    for number in range(8):
        watch.see(Frame(table.frame(0.2 * number), 0.2 * number, f"{number:06d}.jpg"))
        if watch.ready and watch.at_rest:
            return
    pytest.fail("they are not learnt")

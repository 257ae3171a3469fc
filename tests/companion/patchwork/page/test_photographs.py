"""A finished game in photographs, as the page shows and corrects it."""

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

from companion.config import Config
from companion.languages import ENGLISH
from companion.patchwork.page.photographs import PHOTOGRAPHS, EnteredScore
from companion.patchwork.photograph.hands import SeenHand
from companion.patchwork.photograph.photo import SeenQuilt
from companion.patchwork.photograph.sheet import FinishedReading, photograph_hints, quilt_hints
from companion.play.photographs import NotFoundError
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, through_corners

SCORE = PHOTOGRAPHS[0]
PLACES = {1: 100.0, 2: 600.0}


def quilt(seat: int, empty: int, doubtful: tuple[tuple[int, int], ...] = ()) -> SeenQuilt:
    """Return a quilt whose last cells are empty."""
    likely = np.full((9, 9), 0.999)
    likely.flat[81 - empty :] = 0.001
    for cell in doubtful:
        likely[cell] = 0.6
    left = PLACES[seat]
    place = through_corners(GRID_CORNERS, [[left, 100], [left + 360, 100], [left + 360, 460], [left, 460]])
    return SeenQuilt(seat, place, likely)


def hand(seat: int, value: int) -> SeenHand:
    return SeenHand(seat, {1: value}, (), ((50.0, 60.0, 8.0),))


def sheet(readings: list[FinishedReading], **entered: Any) -> dict[str, Any]:
    return SCORE.sheet(readings, msgspec.convert(entered, EnteredScore), ENGLISH)


def test_both_quilts_in_one_photograph_are_scored_with_the_buttons_that_were_counted() -> None:
    both = FinishedReading((quilt(1, 5), quilt(2, 3)), {1: hand(1, 12), 2: hand(2, 20)}, 2, ("Go closer.",))
    shown = sheet([both])
    # Both have a full 7x7 square, and the tile lies by the second.
    assert [(seat["score"], seat["buttons"], seat["bonus"]) for seat in shown["seats"]] == [
        (2, 12, False),
        (21, 20, True),
    ]
    assert (shown["winner"], shown["full"]) == (2, [1, 2])
    assert shown["seats"][1]["corners"] == [[600, 100], [960, 100], [960, 460], [600, 460]]
    assert shown["seats"][0]["tokens"]["discs"] == [[50.0, 60.0, 8.0]]
    assert shown["hints"] == ["Go closer."]


@pytest.mark.parametrize(
    ("grey", "corners_px", "says"),
    [
        (200, [[100, 100], [460, 100], [460, 460], [100, 460]], []),
        (60, [[100, 100], [460, 100], [460, 460], [100, 460]], ["The picture is dark"]),
        (200, [[100, 100], [200, 100], [200, 200], [100, 200]], ["Seat 1’s quilt is small in the picture"]),
        (200, [[100, 300], [700, 300], [700, 550], [100, 550]], ["Seat 1’s quilt is seen from the side"]),
    ],
)
def test_the_cause_is_said_that_makes_a_photograph_hard_to_read(
    grey: int, corners_px: list[list[int]], says: list[str]
) -> None:
    table = np.full((700, 1200, 3), grey, np.uint8)
    table[::40] = grey // 2
    place = through_corners(GRID_CORNERS, np.array(corners_px, np.float64))
    seen = replace(quilt(1, 5), place=place)
    hints = [*photograph_hints(table, [seen]), *quilt_hints(seen)]
    assert [hint.partition(":")[0] for hint in hints] == says


def test_photographs_of_one_quilt_each_make_one_game() -> None:
    one, other = (
        FinishedReading((quilt(1, empty),), {1: hand(1, buttons)}, None) for empty, buttons in ((2, 4), (40, 9))
    )
    assert not SCORE.is_whole([one])
    assert SCORE.is_whole([one, other])
    shown = sheet([one, other])
    assert [(seat["seat"], seat["photo"], seat["score"]) for seat in shown["seats"]] == [(1, 0, 7), (2, 1, -71)]
    assert shown["hints"] == []
    # The board of either photograph is its seat 1's.
    hazy = replace(other, quilts=(replace(other.quilts[0], is_legible=False),))
    assert [hint.partition(" is too")[0] for hint in sheet([one, hazy])["hints"]] == ["Seat 2’s quilt"]


def test_corrected_cells_names_and_buttons_count() -> None:
    both = FinishedReading((quilt(1, 5, ((0, 0),)), quilt(2, 3)), {}, None)
    before = sheet([both])
    assert (before["winner"], before["seats"][0]["doubtful"], before["seats"][0]["buttons"]) == (None, ["A1"], None)
    entered: Any = {
        "seats": [{"name": " Anna ", "buttons": 7, "empty": ["A1", "B1"]}, {"buttons": 7, "covered": ["I9"]}],
        "tile": 0,
    }
    after = sheet([both], **entered)
    assert [(seat["empty"], seat["score"], seat["doubtful"]) for seat in after["seats"]] == [(7, -7, []), (2, 3, [])]
    assert after["winner"] == 2
    result = SCORE.result([both], msgspec.convert(entered, EnteredScore))
    assert result is not None
    assert (result.players, result.scores) == (("Anna", ""), (-7, 3))


def test_without_the_buttons_there_is_no_result_to_keep() -> None:
    both = FinishedReading((quilt(1, 5), quilt(2, 3)), {1: hand(1, 12)}, None)
    assert SCORE.result([both], EnteredScore()) is None


def test_squares_to_check_leave_the_winner_unsure() -> None:
    buttons = {"seats": [{"buttons": 7}, {"buttons": 7}], "tile": 0}
    shown = sheet([FinishedReading((quilt(1, 5), quilt(2, 4)), {}, None)], **buttons)
    assert (shown["winner"], shown["sure"]) == (2, True)
    shown = sheet([FinishedReading((quilt(1, 5, ((8, 8),)), quilt(2, 5)), {}, None)], **buttons)
    assert (shown["winner"], shown["sure"]) == (1, False)
    off = FinishedReading((quilt(1, 5), replace(quilt(2, 4), unclear=True)), {}, None)
    assert (sheet([off], **buttons)["winner"], sheet([off], **buttons)["sure"]) == (2, False)


def test_an_income_that_is_not_sure_is_not_called_so() -> None:
    unsure = FinishedReading((quilt(1, 5), replace(quilt(2, 4), income_confidence=0.9)), {}, None)
    assert [seat["income_sure"] for seat in sheet([unsure])["seats"]] == [True, False]


def test_quilts_on_which_no_patch_can_be_seen_are_not_said_to_be_bare() -> None:
    bare = [quilt(1, 81), quilt(2, 81)]
    assert FinishedReading(tuple(bare), {}, None).is_bare
    assert not FinishedReading((bare[0], replace(bare[1], is_legible=False)), {}, None).is_bare


def test_boards_before_a_game_are_no_finished_game_unless_people_show_them() -> None:
    table = SimulatedTable(3, Conditions())
    with pytest.raises(NotFoundError, match="No patch lies on the quilts"):
        SCORE.read(table.frame(0.0), None, Config(), lambda _: None)
    shown = SCORE.read(table.frame(0.0), table.grid_corners_px()[:1], Config(), lambda _: None)
    assert [quilt.empty for quilt in shown.quilts] == [81]

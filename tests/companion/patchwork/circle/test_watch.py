"""Test the circle during play on a drawn table: one place per patch, some of them taken."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.canvas import gone_ratio
from companion.patchwork.circle.watch import CircleWatch, SeenPurchase
from vision.geometry import Homography
from vision.table.plane import PlacedPicture
from vision.table.spots import Glance

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

ORDER = (*(patch for patch in PATCHES if patch != "domino"), "domino")
FIRST, SECOND = "corner-b1", "corner-b3"
"""Two patches of one shape; they are in places 1 and 2."""
CELL = 14.0
SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * CELL
MIDDLES = [(70.0 + 75.0 * (number % 8), 60.0 + 75.0 * (number // 8)) for number in range(len(ORDER))]
OUTLINES = [SQUARE + middle for middle in MIDDLES]
BOARDS = {
    seat: Homography(np.array([[CELL, 0.0, left], [0.0, CELL, 480.0], [0.0, 0.0, 1.0]]))
    for seat, left in ((1, 10.0), (2, 400.0))
}


@cache
def _ground() -> NDArray[np.uint8]:
    """Return the picture of an empty table."""
    rng = np.random.default_rng(3)
    return np.clip(cv2.GaussianBlur(rng.normal(128, 24, (620, 660, 3)), (0, 0), 1.5), 0, 255).astype(np.uint8)


def scene(
    gone: Collection[int] = (),
    hand: tuple[float, float] | None = None,
    pushed: Mapping[int, tuple[float, float]] | None = None,
) -> PlacedPicture:
    """Return a picture of a table with some pieces missing or pushed aside, and optionally a hand over a point."""
    table = _ground().copy()
    for number, outline in enumerate(OUTLINES):
        print_ = np.random.default_rng(number)
        if number not in gone:
            _draw(table, outline + np.array((pushed or {}).get(number, (0.0, 0.0))), print_)
    if hand is not None:
        cv2.circle(table, (int(hand[0]), int(hand[1])), 60, (110, 150, 210), -1)
    return PlacedPicture(table, BOARDS)


def _draw(table: NDArray[np.uint8], outline: NDArray[np.float64], rng: np.random.Generator) -> None:
    cv2.fillPoly(table, [np.rint(outline).astype(np.int32)], rng.integers(40, 220, 3).tolist())
    for x, y in rng.uniform(outline.min(axis=0) + 3, outline.max(axis=0) - 3, (14, 2)):
        cv2.circle(table, (int(x), int(y)), 2, rng.integers(0, 255, 3).tolist(), -1)


def watch(changed: Mapping[int, Mapping[str, float]] | None = None, *, begins: bool = True) -> CircleWatch:
    chances: list[Mapping[str, float]] = [{patch: 1.0} for patch in ORDER]
    for number, likely in (changed or {}).items():
        chances[number] = likely
    return CircleWatch(scene(), OUTLINES, chances, begins=begins)


def lead(circle: CircleWatch, patches: Sequence[str], now: PlacedPicture) -> float:
    """Return the first patch's log-likelihood minus the second's."""
    likelihoods = circle.likelihoods(patches, now)
    return float(likelihoods[0] - likelihoods[1])


PLACES = tuple(ORDER.index(twin) for twin in (FIRST, SECOND))


def test_the_twin_that_has_gone_is_the_one_that_was_taken() -> None:
    circle = watch(begins=False)
    assert lead(circle, (FIRST, SECOND), scene({PLACES[0]})) > 4
    assert lead(circle, (FIRST, SECOND), scene({PLACES[1]})) < -4


def test_while_both_lie_there_or_a_hand_is_over_them_nothing_is_told() -> None:
    circle = watch(begins=False)
    assert abs(lead(circle, (FIRST, SECOND), scene())) < 1
    middle = np.mean([MIDDLES[place] for place in PLACES], axis=0)
    assert abs(lead(circle, (FIRST, SECOND), scene({PLACES[0]}, (middle[0], middle[1])))) < 1


def test_twins_that_were_not_told_apart_in_the_circle_are_not_told_apart_by_it() -> None:
    even = {FIRST: 0.5, SECOND: 0.5}
    circle = watch(dict.fromkeys(PLACES, even), begins=False)
    assert abs(lead(circle, (FIRST, SECOND), scene({PLACES[0]}))) < 0.01


def test_a_patch_on_offer_is_likelier_even_unseen() -> None:
    circle = watch()
    hand = scene(hand=MIDDLES[1])
    assert lead(circle, (ORDER[1], ORDER[9]), hand) > 2
    assert abs(lead(circle, (ORDER[0], ORDER[2]), hand)) < 1.5


def test_a_purchase_is_seen_and_the_token_goes_with_it() -> None:
    circle = watch()
    assert circle.record_taken(ORDER[2], scene({2})) == SeenPurchase(2, seen=True)
    assert lead(circle, (ORDER[4], ORDER[0]), scene({2}, MIDDLES[4])) > 2


def test_a_purchase_from_further_round_than_is_on_offer_is_seen_as_that() -> None:
    circle = watch()
    assert circle.record_taken(ORDER[3], scene({3})) == SeenPurchase(3, seen=True, is_beyond=True)
    assert circle.record_taken(ORDER[5], scene({3, 5})) == SeenPurchase(5, seen=True), (
        "the token stands in place 3 since"
    )
    unknown = watch(begins=False)
    assert unknown.record_taken(ORDER[9], scene({9})) == SeenPurchase(9, seen=True)


def test_of_a_circle_that_is_seen_in_part_none_is_told_to_lie_further_round() -> None:
    part = CircleWatch(scene(), OUTLINES[:-2], [{patch: 1.0} for patch in ORDER[:-2]], begins=True)
    assert part.record_taken(ORDER[17], scene({17})) == SeenPurchase(17, seen=True)


def test_an_earlier_purchase_is_gone_from_the_watched_circle() -> None:
    """The circle is read while people play their first moves, and watched afresh when a game is resumed."""
    fresh, fourth, fifth = watch(), watch(), watch()
    assert fresh.record_taken(ORDER[4], scene({1, 4})).is_beyond
    for circle in (fourth, fifth):
        circle.record_taken_before(ORDER[1])
    assert fourth.record_taken(ORDER[4], scene({1, 4})) == SeenPurchase(4, seen=True)
    assert fifth.record_taken(ORDER[5], scene({1, 5})) == SeenPurchase(5, seen=True, is_beyond=True)
    for circle in (fourth, fifth):
        circle.record_undo()
        circle.record_undo()
    assert fourth.record_taken(ORDER[2], scene({2})) == SeenPurchase(2, seen=True)
    assert fifth.record_taken(ORDER[3], scene({3})).is_beyond


def test_a_patch_that_was_taken_from_nobody_knows_where_may_have_lain_between() -> None:
    even = {FIRST: 0.5, SECOND: 0.5}
    circle = watch(dict.fromkeys(PLACES, even))
    circle.record_taken_before(FIRST)
    assert circle.record_taken(ORDER[3], scene({PLACES[0], 3})) == SeenPurchase(3, seen=True)
    assert circle.record_taken(ORDER[7], scene({PLACES[0], 3, 7})) == SeenPurchase(7, seen=True)
    assert circle.record_taken(ORDER[12], scene({PLACES[0], 3, 7, 12})).is_beyond


def test_a_foreign_object_may_lie_between_pieces_on_offer() -> None:
    """For example the 7x7 tile, which is there too and was taken for a piece."""
    middle = (70.0 + 75.0 * (len(ORDER) % 8), 60.0 + 75.0 * (len(ORDER) // 8))
    outlines = [*OUTLINES[:1], SQUARE + middle, *OUTLINES[1:]]
    chances: list[Mapping[str, float]] = [{ORDER[0]: 1.0}, {}, *({patch: 1.0} for patch in ORDER[1:])]
    third, fourth = (CircleWatch(scene(), outlines, chances, begins=True) for _ in range(2))
    assert third.record_taken(ORDER[2], scene({2})) == SeenPurchase(3, seen=True)
    assert fourth.record_taken(ORDER[3], scene({3})) == SeenPurchase(4, seen=True, is_beyond=True)


def test_a_doubtful_place_is_known_by_what_was_taken_from_it() -> None:
    circle = watch({1: {ORDER[1]: 0.6, ORDER[5]: 0.4}, 5: {ORDER[5]: 0.6, ORDER[1]: 0.4}})
    assert circle.holds(1) is None
    assert circle.record_taken(ORDER[5], scene({1})) == SeenPurchase(1, seen=True)
    assert circle.holds(1) == ORDER[5]
    circle.record_undo()
    assert circle.holds(1) is None


def test_a_patch_that_lies_there_still_was_hardly_taken() -> None:
    circle = watch()
    assert circle.record_taken(ORDER[1], scene()) == SeenPurchase(None, still=1)
    circle.record_undo()
    assert circle.record_taken(ORDER[1], scene({2})) == SeenPurchase(None, still=1, instead=2)


def test_behind_a_hand_a_purchase_is_believed_and_not_seen() -> None:
    circle = watch()
    assert circle.record_taken(ORDER[1], scene({1}, MIDDLES[1])) == SeenPurchase(1, seen=False)


def test_an_undone_purchase_is_on_offer_again() -> None:
    circle = watch()
    circle.record_taken(ORDER[2], scene({2}))
    circle.record_pass()
    circle.record_undo()
    circle.record_undo()
    circle.record_undo()
    assert abs(lead(circle, (ORDER[0], ORDER[2]), scene(hand=MIDDLES[0]))) < 1.5
    assert circle.record_taken(ORDER[2], scene({2})).place == 2


def test_an_answer_counts_and_clears_the_other_place() -> None:
    circle = watch({1: {ORDER[1]: 0.6, ORDER[5]: 0.4}, 5: {ORDER[5]: 0.6, ORDER[1]: 0.4}})
    circle.set_patch(1, ORDER[5])
    assert (circle.holds(1), circle.holds(5)) == (ORDER[5], None)
    circle.set_patch(5, None)
    assert circle.record_taken(ORDER[1], scene({1})) == SeenPurchase(None)


def test_only_the_order_counts_once_the_boards_moved_separately() -> None:
    circle = watch()
    apart = {1: 9.0, 2: -7.0}
    slid = {
        seat: Homography(place.matrix + np.array([[0.0, 0.0, apart[seat]], [0.0, 0.0, apart[seat]], [0.0, 0.0, 0.0]]))
        for seat, place in BOARDS.items()
    }
    now = PlacedPicture(scene({1}).image, slid)
    assert circle.record_taken(ORDER[1], now) == SeenPurchase(1, seen=False)


@pytest.mark.parametrize(("alike", "disturbed"), [(0.1, 1.0), (0.5, 0.3), (0.65, 0.0)])
def test_no_evidence(alike: float, disturbed: float) -> None:
    assert gone_ratio(Glance(alike, disturbed)) == 0.0


def test_evidence_has_its_limits() -> None:
    assert gone_ratio(Glance(-1.0, 0.0)) == 4.0
    assert gone_ratio(Glance(1.0, 0.0)) == -4.0
    assert 0 < gone_ratio(Glance(0.5, 0.2)) < gone_ratio(Glance(0.5, 0.0))


def test_a_plainly_seen_piece_is_there_whatever_is_around_it() -> None:
    assert gone_ratio(Glance(1.0, 0.9)) == -4.0


def follow(circle: CircleWatch, now: PlacedPicture) -> tuple[dict[int, float], tuple[int, ...]]:
    """Run all steps of following the pieces in one picture; return those found elsewhere and those lost."""
    moved: dict[int, float] = {}
    for _ in ORDER:
        step = circle.follow(now)
        moved.update(step.moved)
        if step.is_done:
            return moved, circle.lost
    raise AssertionError("it never ends")


def test_an_unchanged_circle_moves_nothing() -> None:
    circle = watch()
    assert follow(circle, scene()) == ({}, ())
    assert follow(circle, scene(hand=MIDDLES[9])) == ({}, ())
    assert circle.out_of_order() == ()


def test_a_piece_that_was_pushed_aside_has_not_gone() -> None:
    circle, now = watch(begins=False), scene(pushed={PLACES[0]: (21.0, 24.0)})
    assert abs(lead(circle, (FIRST, SECOND), now)) < 1
    moved, lost = follow(watch(), now)
    assert list(moved) == [PLACES[0]]
    assert moved[PLACES[0]] == pytest.approx(np.hypot(21, 24) / CELL, abs=0.2)
    assert lost == ()


def test_one_that_was_pushed_is_watched_where_it_lies() -> None:
    circle, pushed = watch(begins=False), {PLACES[0]: (21.0, 24.0)}
    follow(circle, scene(pushed=pushed))
    assert follow(circle, scene(pushed=pushed)) == ({}, ())
    assert lead(circle, (FIRST, SECOND), scene({PLACES[0]})) > 4
    assert lead(circle, (FIRST, SECOND), scene({PLACES[1]}, pushed=pushed)) < -4


def test_a_slide_adds_up() -> None:
    circle = watch()
    for step in range(1, 5):
        follow(circle, scene(pushed={12: (4.0 * step, 0.0)}))
    assert follow(circle, scene(pushed={12: (16.0, 0.0)})) == ({}, ())
    assert follow(circle, scene({12})) == ({}, (12,))


def test_a_piece_gone_without_a_decision_is_lost_until_it_is_back() -> None:
    circle = watch()
    assert follow(circle, scene({12, 20})) == ({}, (12, 20))
    assert follow(circle, scene({20})) == ({}, (20,))
    circle.record_taken(ORDER[20], scene({20}))
    assert follow(circle, scene({20})) == ({}, ())


def test_a_piece_beyond_its_neighbour_is_out_of_order() -> None:
    circle = watch()
    follow(circle, scene(pushed={3: (14.0, 20.0)}))
    assert circle.out_of_order() == ()
    follow(circle, scene(pushed={3: (56.0, 0.0), 4: (-56.0, 0.0)}))
    assert circle.out_of_order() == (3, 4)
    follow(circle, scene())
    assert circle.out_of_order() == ()


def test_a_purchase_of_another_patch_is_contradicted() -> None:
    circle = watch()
    assert circle.instead_of(ORDER[1], scene({2})) == ORDER[2]
    assert circle.instead_of(ORDER[1], scene({1})) is None
    assert circle.instead_of(ORDER[1], scene()) is None
    assert circle.instead_of(ORDER[1], scene({1, 2})) is None
    assert circle.instead_of(ORDER[1], scene({2}, hand=MIDDLES[2])) is None


def test_an_insisted_purchase_took_the_missing_piece() -> None:
    circle = watch()
    circle.record_taken(ORDER[1], scene({2}))
    assert (circle.holds(1), circle.holds(2)) == (None, ORDER[1])
    circle.record_undo()
    assert (circle.holds(1), circle.holds(2)) == (ORDER[1], ORDER[2])


def test_a_piece_laid_back_is_found_where_it_lies() -> None:
    circle = watch()
    circle.record_taken(ORDER[1], scene({1}))
    circle.record_undo()
    back = scene(pushed={1: (21.0, 24.0)})
    assert list(follow(circle, back)[0]) == [1]
    assert circle.record_taken(ORDER[1], scene({1})) == SeenPurchase(1, seen=True)

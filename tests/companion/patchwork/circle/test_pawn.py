"""The neutral token in the gaps of a drawn circle."""

from __future__ import annotations

import cv2
import numpy as np

from companion.patchwork.circle.canvas import START, PawnFinder
from vision.table.plane import CanvasView

MIDDLES = {START: (30, 40), 0: (70, 40), 1: (110, 40), 2: (150, 40)}
GAPS = {
    number: np.asarray(cv2.rectangle(np.zeros((80, 190), np.uint8), (x - 14, 26), (x + 14, 54), (1,), -1) > 0)
    for number, (x, _) in MIDDLES.items()
}


def view(*stands: int) -> CanvasView:
    rng = np.random.default_rng(8)
    cloth = np.clip(cv2.GaussianBlur(rng.normal(130, 25, (80, 190, 3)), (0, 0), 1.0), 0, 255)
    for number in stands:
        cv2.circle(cloth, MIDDLES[number], 4, (50, 90, 160), -1)
    return CanvasView(cloth.astype(np.float32), np.ones((80, 190), np.bool_))


def test_once_it_was_moved_as_the_books_say_it_is_known() -> None:
    finder = PawnFinder()
    assert finder.look(view(START), GAPS, START) is None
    assert finder.look(view(0), GAPS, 0) == 0
    assert finder.look(view(2), GAPS, 2) == 2


def test_then_it_is_seen_where_it_does_not_belong() -> None:
    finder = PawnFinder()
    finder.look(view(START), GAPS, START)
    finder.look(view(0), GAPS, 0)
    assert finder.look(view(0), GAPS, 2) == 0
    assert finder.look(view(1), GAPS, 2) == 1


def test_a_token_moved_late_is_learnt_all_the_same() -> None:
    finder = PawnFinder()
    finder.look(view(START), GAPS, START)
    assert finder.look(view(START), GAPS, 0) is None
    assert finder.look(view(START), GAPS, 0) is None
    assert finder.look(view(0), GAPS, 0) == 0


def test_one_that_was_never_moved_is_not_known() -> None:
    finder = PawnFinder()
    finder.look(view(START), GAPS, START)
    assert finder.look(view(START), GAPS, 0) is None
    assert finder.look(view(START), GAPS, 1) is None


def test_two_alike_or_none_tell_nothing() -> None:
    finder = PawnFinder()
    finder.look(view(START), GAPS, START)
    finder.look(view(0), GAPS, 0)
    assert finder.look(view(0, 2), GAPS, 2) is None
    assert finder.look(view(), GAPS, 2) is None


def test_a_token_place_out_of_view_gives_no_result() -> None:
    finder = PawnFinder()
    finder.look(view(START), GAPS, START)
    finder.look(view(0), GAPS, 0)
    seen = {number: gap for number, gap in GAPS.items() if number != 2}
    assert finder.look(view(0), seen, 2) is None


def test_a_token_without_a_recorded_place_is_seen_all_the_same() -> None:
    finder = PawnFinder()
    assert finder.look(view(1), GAPS, None) is None
    finder.look(view(START), GAPS, START)
    finder.look(view(0), GAPS, 0)
    assert finder.look(view(1), GAPS, None) == 1
    assert finder.look(view(), GAPS, None) is None


def test_one_that_stands_alone_at_the_set_up_is_known_before_it_moves() -> None:
    finder = PawnFinder()
    finder.learn(view(START), GAPS[START], np.array(MIDDLES[START], float))
    assert finder.look(view(START), GAPS, START) == START
    assert finder.look(view(START), GAPS, 0) == START, "it was forgotten"
    assert finder.look(view(0), GAPS, 0) == 0


def test_a_token_unseen_at_the_set_up_is_learnt_when_it_moves() -> None:
    finder = PawnFinder()
    finder.learn(view(), GAPS[START], np.array(MIDDLES[START], float))
    assert finder.look(view(START), GAPS, START) is None
    assert finder.look(view(0), GAPS, 0) == 0

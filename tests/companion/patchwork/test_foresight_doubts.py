"""When a doubtful picture is announced, without a picture: quilts are thumbnails of one shade, and a patch on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.games.patchwork.decisions import PlaceLeather
from companion.patchwork.foresight import DOUBT_PAUSE_S, Doubts
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from vision.quilt.look import SQUARES

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOVED = Complaint(Reason.MOVED, 1, ("A1",), "It was moved.", "000001.jpg")
NOTHING = Complaint(Reason.NOTHING_PLACED, 1, (), "Nothing was laid.", "000001.jpg")


def seen(shade: float) -> dict[int, NDArray[np.float32]]:
    """Return both quilts, with a patch of this shade."""
    picture = np.zeros((SQUARES, SQUARES, 3), np.float32)
    picture[10:14, 10:14] = shade
    return {1: picture, 2: picture}


@pytest.fixture
def doubts() -> Doubts:
    """Doubts with a complaint about the picture of shade 0.5, first seen at 10 s."""
    doubts = Doubts()
    doubts.weigh(MOVED, seen(0.5), 10.0)
    return doubts


def test_a_doubt_is_due_once_its_picture_has_lasted(doubts: Doubts) -> None:
    doubts.weigh(MOVED, seen(0.5), 12.0)
    assert doubts.due_s == 10.0 + DOUBT_PAUSE_S
    assert not doubts.is_due(10.0 + DOUBT_PAUSE_S - 0.1)
    assert doubts.is_due(10.0 + DOUBT_PAUSE_S)


def test_another_picture_begins_anew(doubts: Doubts) -> None:
    doubts.weigh(MOVED, seen(0.9), 12.0)
    assert doubts.due_s == 12.0 + DOUBT_PAUSE_S


def test_a_motion_begins_anew_although_the_picture_is_the_same_afterwards(doubts: Doubts) -> None:
    doubts.record_motion()
    assert doubts.due_s is None
    doubts.weigh(MOVED, seen(0.5), 12.0)
    assert doubts.due_s == 12.0 + DOUBT_PAUSE_S


def test_an_announced_doubt_is_repeated_only_for_another_picture(doubts: Doubts) -> None:
    doubts.record_announced(MOVED, seen(0.5))
    assert doubts.was_announced(MOVED)
    doubts.weigh(MOVED, seen(0.5), 20.0)
    assert doubts.due_s is None
    doubts.weigh(MOVED, seen(0.9), 21.0)
    assert doubts.due_s == 21.0 + DOUBT_PAUSE_S


def test_a_quilt_that_looks_as_when_it_was_understood_causes_no_doubt() -> None:
    doubts = Doubts()
    doubts.weigh(NOTHING, seen(0.5), 10.0)
    doubts.weigh(MOVED, seen(0.5), 11.0)
    assert doubts.due_s is None
    doubts.weigh(MOVED, seen(0.9), 12.0)
    assert doubts.due_s == 12.0 + DOUBT_PAUSE_S


def test_a_quilt_never_seen_before_on_which_rather_nothing_lies_causes_no_doubt() -> None:
    hardly = Question(QuestionTopic.CELLS, 1, (PlaceLeather(1, 1),), ("A1",), "Is it?", "000001.jpg", none_first=True)
    doubts = Doubts()
    doubts.weigh(hardly, seen(0.5), 10.0)
    assert doubts.due_s is None
    doubts.weigh(hardly, seen(0.9), 12.0)
    assert doubts.due_s == 12.0 + DOUBT_PAUSE_S, "but one that has changed does"


def test_a_quilt_on_which_a_decision_was_taken_back_is_no_longer_known() -> None:
    hardly = Question(QuestionTopic.CELLS, 1, (PlaceLeather(1, 1),), ("A1",), "Is it?", "000001.jpg", none_first=True)
    doubts = Doubts()
    doubts.understand(1, seen(0.5)[1])
    doubts.forget_look(1)
    doubts.weigh(hardly, seen(0.9), 12.0)
    assert doubts.due_s is None


def test_an_announced_doubt_is_outdated_once_its_quilt_looks_different(doubts: Doubts) -> None:
    doubts.record_announced(MOVED, seen(0.5))
    assert not doubts.is_outdated(seen(0.5))
    assert doubts.is_outdated({**seen(0.5), 1: seen(0.9)[1]})
    assert not doubts.is_outdated({**seen(0.5), 2: seen(0.9)[2]}), "the other quilt has nothing to do with it"
    assert not doubts.is_outdated({2: seen(0.9)[2]}), "it is not at rest"

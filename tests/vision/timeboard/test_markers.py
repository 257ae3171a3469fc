from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.geometry import translation
from vision.timeboard.board import FollowedBoard
from vision.timeboard.markers import MarkerReader

if TYPE_CHECKING:
    from tests.vision.timeboard.conftest import Scene


def test_markers_at_the_start_stand_there(scene: Scene) -> None:
    standing = scene.read({1: 0, 2: 0})

    assert standing == {1: 0, 2: 0}


def test_markers_are_read_wherever_they_go(scene: Scene) -> None:
    for one, two in ((4, 0), (4, 6), (11, 17), (24, 25), (44, 53)):
        standing = scene.play(one, two)
        assert (standing[1], standing[2] in (two, None)) == (one, True)

    assert scene.play(30, 41) == {1: 30, 2: 41}


def test_two_on_one_space_are_both_as_booked(begun: Scene) -> None:
    assert begun.play(6, 6) == {1: 6, 2: 6}


def test_markers_that_stand_wrong_are_told(begun: Scene) -> None:
    assert begun.read({1: 7, 2: 6}) == {1: 4, 2: 6}
    begun.stand(9, 6)
    standing = begun.read({1: 8, 2: 6})
    assert standing == {1: 9, 2: 6}


def test_the_others_marker_moved_instead_is_told_of_both(begun: Scene) -> None:
    begun.stand(4, 12)
    assert begun.read({1: 10, 2: 6}) == {1: 4, 2: 12}


def test_before_its_look_is_known_a_marker_elsewhere_is_the_movers(scene: Scene) -> None:
    scene.stand(1, 0)

    assert scene.read({1: 0, 2: 0}, mover=1)[1] == 1


@pytest.mark.parametrize("first", [1, 2])
def test_a_marker_that_goes_ahead_to_the_next_space_is_seen_there_from_the_first_advance_on(
    scene: Scene, first: int
) -> None:
    booked, mover = {1: 0, 2: 0}, first
    scene.play(0, 0)
    for _ in range(4):
        gone = {**booked, mover: booked[3 - mover] + 1}
        scene.stand(gone[1], gone[2])
        assert [scene.read(booked, mover) for _ in range(2)] == [gone, gone]
        booked, mover = gone, 3 - mover
        scene.play(booked[1], booked[2], mover)


def test_leather_that_was_taken_is_no_marker_and_hides_none(scene: Scene) -> None:
    scene.play(14, 0)
    scene.play(14, 15)
    scene.table.books = replace(scene.table.books, leather_out=(26, 32, 44, 50))

    assert scene.play(20, 15) == {1: 20, 2: 15}
    assert scene.play(20, 22) == {1: 20, 2: 22}
    assert scene.read({1: 20, 2: 21}) == {1: 20, 2: 22}


def test_a_board_that_was_nudged_is_followed(begun: Scene) -> None:
    pose = begun.table.layout.time_board
    begun.table.layout = replace(begun.table.layout, time_board=pose.moved(4, -3, 1.5))
    assert begun.read({1: 4, 2: 6}) == {1: 4, 2: 6}


def test_of_a_board_that_has_gone_nothing_is_said(scene: Scene) -> None:
    blank = np.full_like(scene.frame(), 120)

    assert scene.reader.read(blank, {1: 0, 2: 0}, 1) is None


def test_of_a_board_out_of_the_picture_nothing_is_said(scene: Scene) -> None:
    scene.board.moved(translation(5000, 0))

    assert scene.reader.read(scene.frame(), {1: 0, 2: 0}, 1) is None


def test_a_game_that_is_gone_on_with_is_followed_from_where_its_markers_stand(scene: Scene) -> None:
    scene.stand(10, 14)
    board = FollowedBoard(scene.board.layout, scene.board.place, scene.frame())
    scene.reader = MarkerReader(board, {1: 10, 2: 14})
    assert scene.read({1: 10, 2: 14}) == {1: 10, 2: 14}
    assert scene.read({1: 12, 2: 14}) == {1: 10, 2: 14}, "it has not been moved yet"

    assert scene.play(16, 14) == {1: 16, 2: 14}
    assert scene.play(16, 19) == {1: 16, 2: 19}
    assert scene.read({1: 16, 2: 18}) == {1: 16, 2: 19}
    assert scene.play(20, 19) == {1: 20, 2: 19}


def test_books_that_are_ahead_of_a_marker_do_not_lose_either(scene: Scene) -> None:
    """A patch was recorded before its marker was moved; both markers are still on the start."""
    for _ in range(3):
        scene.read({1: 3, 2: 0})

    assert scene.play(3, 0) == {1: 3, 2: 0}
    assert scene.play(3, 4) == {1: 3, 2: 4}
    assert scene.read({1: 3, 2: 6}) == {1: 3, 2: 4}


def test_a_marker_that_stays_on_the_start_while_the_other_was_moved_for_it_is_found_once_it_goes(scene: Scene) -> None:
    scene.play(3, 0)
    scene.stand(7, 0)
    for _ in range(3):
        assert scene.read({1: 3, 2: 4})[1] == 7

    assert scene.play(5, 4) == {1: 5, 2: 4}
    assert scene.play(11, 4) == {1: 11, 2: 4}
    assert scene.read({1: 11, 2: 7}) == {1: 11, 2: 4}


def test_a_marker_that_joins_the_others_at_the_end_of_a_game_gone_on_with_is_seen_there(scene: Scene) -> None:
    scene.stand(47, 53)
    board = FollowedBoard(scene.board.layout, scene.board.place, scene.frame())
    scene.reader = MarkerReader(board, {1: 47, 2: 53})
    scene.read({1: 47, 2: 53})

    scene.stand(53, 53)
    for _ in range(3):
        assert scene.read({1: 47, 2: 53}, mover=1) == {1: 53, 2: 53}
    assert scene.play(53, 53) == {1: 53, 2: 53}


def test_a_marker_in_somebodys_hand_is_not_taken_to_be_where_it_was(scene: Scene) -> None:
    scene.stand(10, 14)
    board = FollowedBoard(scene.board.layout, scene.board.place, scene.frame())
    scene.reader = MarkerReader(board, {1: 10, 2: 14})
    scene.stand(14, 14)
    for _ in range(3):
        assert scene.read({1: 10, 2: 14}, mover=1)[1] is None

    assert scene.play(14, 14) == {1: 14, 2: 14}
    assert scene.play(20, 14) == {1: 20, 2: 14}


def test_markers_whose_look_is_not_known_are_told_apart_when_the_movers_has_gone_on_already(scene: Scene) -> None:
    scene.stand(8, 13)
    assert scene.read({1: 8, 2: 4}, mover=2) == {1: 8, 2: 13}
    assert scene.play(8, 13) == {1: 8, 2: 13}
    scene.stand(13, 8)
    assert scene.read({1: 8, 2: 13}, mover=1) == {1: 13, 2: 8}


def test_of_a_board_found_in_the_middle_of_a_game_nothing_is_said_of_where_a_marker_was(scene: Scene) -> None:
    """The mover's marker had already been moved for an advance; the books follow later."""
    scene.stand(7, 6)
    board = FollowedBoard(scene.board.layout, scene.board.place, scene.frame())
    scene.reader = MarkerReader(board, {1: 5, 2: 6}, verified=False)
    assert scene.read({1: 7, 2: 6}) == {1: None, 2: 6}


@pytest.mark.parametrize(("ahead", "others"), [(12, 6), (53, 53)])
def test_a_marker_put_back_on_a_board_found_in_the_middle_of_a_game_has_not_gone_ahead(
    scene: Scene, ahead: int, others: int
) -> None:
    scene.stand(ahead, others)
    board = FollowedBoard(scene.board.layout, scene.board.place, scene.frame())
    scene.reader = MarkerReader(board, {1: 4, 2: others}, verified=False)
    scene.stand(4, others)
    assert scene.read({1: 4, 2: others}, mover=1)[1] != ahead


@pytest.mark.parametrize(("ahead", "others"), [(12, 6), (53, 53)])
def test_a_marker_that_goes_ahead_on_a_board_found_in_the_middle_of_a_game_is_seen_there(
    scene: Scene, ahead: int, others: int
) -> None:
    scene.stand(4, others)
    board = FollowedBoard(scene.board.layout, scene.board.place, scene.frame())
    scene.reader = MarkerReader(board, {1: 4, 2: others}, verified=False)
    scene.stand(ahead, others)
    assert scene.read({1: 4, 2: others}, mover=1)[1] == ahead


def test_on_a_board_that_is_learnt_anew_markers_are_found_where_they_stand(begun: Scene) -> None:
    begun.play(11, 6)
    begun.stand(11, 12)
    board = FollowedBoard(begun.board.layout, begun.board.place, begun.frame())
    begun.reader = MarkerReader(board, {1: 11, 2: 6}, verified=False, before=begun.reader)
    assert begun.read({1: 11, 2: 6}, mover=2) == {1: 11, 2: 12}
    assert begun.play(11, 12) == {1: 11, 2: 12}
    assert begun.play(14, 12) == {1: 14, 2: 12}

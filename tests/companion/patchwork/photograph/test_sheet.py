"""Test the value of quilts, and what a single picture cannot show."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from companion.patchwork.photograph.hands import SeenHand
from companion.patchwork.photograph.reading import QuiltPiece
from companion.patchwork.photograph.sheet import Standing, count_score, has_bonus_square

if TYPE_CHECKING:
    from tests.companion.patchwork.photograph.conftest import SureOf

EMPTY = ["........."] * 9
FULL = ["XXXXXXXXX"] * 9
SQUARE = ["........."] * 2 + ["..XXXXXXX"] * 7
NEARLY = [*SQUARE[:-1], "..XXXXXX."]


def test_two_points_are_lost_for_each_empty_cell(seen: SureOf) -> None:
    score = count_score([seen(1, EMPTY), seen(2, NEARLY)], buttons=(14, 18))
    assert [seat.score for seat in score.seats] == [14 - 2 * 81, 18 - 2 * 33]
    assert score.notes == ()


def test_of_a_quilt_that_cannot_be_seen_another_picture_is_asked_for(seen: SureOf) -> None:
    hazy = dict.fromkeys([(row, column) for row in range(9) for column in range(3)], 0.2)
    notes = count_score([seen(1, EMPTY, hazy), seen(2, NEARLY)], buttons=(14, 18)).notes
    assert len(notes) == 1
    assert "Seat 1’s quilt is too blurred" in notes[0]


def test_unknown_buttons_count_for_nothing_and_are_asked_for(seen: SureOf) -> None:
    score = count_score([seen(1, FULL), seen(2, NEARLY)], bonus_seat=1)
    assert score.seats[0].score == 7
    assert score.seats[0].buttons is None
    assert "--buttons" in score.notes[0]


def test_no_buttons_in_hand_are_not_unknown_ones(seen: SureOf) -> None:
    score = count_score([seen(1, EMPTY), seen(2, EMPTY)], buttons=(0, 0))
    assert score.seats[0].buttons == 0
    assert score.notes == ()


@pytest.mark.parametrize(("first", "second", "owner"), [(SQUARE, NEARLY, 1), (EMPTY, FULL, 2), (NEARLY, EMPTY, None)])
def test_the_tile_is_theirs_who_alone_have_the_square(
    seen: SureOf, first: list[str], second: list[str], owner: int | None
) -> None:
    score = count_score([seen(1, first), seen(2, second)], buttons=(0, 0))
    assert [seat.quilt.seat for seat in score.seats if seat.bonus] == ([] if owner is None else [owner])
    assert score.notes == ()


def test_two_squares_leave_open_who_was_first(seen: SureOf) -> None:
    quilts = [seen(1, SQUARE), seen(2, FULL)]
    score = count_score(quilts, buttons=(0, 0))
    assert not any(seat.bonus for seat in score.seats)
    assert "--bonus" in score.notes[0]
    told = count_score(quilts, buttons=(0, 0), bonus_seat=2)
    assert [seat.bonus for seat in told.seats] == [False, True]
    assert told.notes == ()


def test_of_two_squares_the_tile_tells_who_was_first(seen: SureOf) -> None:
    score = count_score([seen(1, SQUARE), seen(2, FULL)], buttons=(0, 0), tile_seat=1)
    assert [seat.bonus for seat in score.seats] == [True, False]
    assert score.notes == ("Both quilts have a full 7x7 square; the tile lies by the board of seat 1.",)
    given = count_score([seen(1, SQUARE), seen(2, FULL)], buttons=(0, 0), bonus_seat=2, tile_seat=1)
    assert [seat.bonus for seat in given.seats] == [False, True]
    assert given.notes == ()


def test_a_tile_by_a_quilt_without_a_square_is_doubted(seen: SureOf) -> None:
    score = count_score([seen(1, SQUARE), seen(2, NEARLY)], buttons=(0, 0), tile_seat=2)
    assert [seat.bonus for seat in score.seats] == [True, False]
    assert "seems to lie by the board of seat 2" in score.notes[0]
    assert count_score([seen(1, SQUARE), seen(2, NEARLY)], buttons=(0, 0), tile_seat=1).notes == ()


def test_nobody_may_have_it(seen: SureOf) -> None:
    score = count_score([seen(1, SQUARE), seen(2, EMPTY)], buttons=(0, 0), bonus_seat=0)
    assert not any(seat.bonus for seat in score.seats)
    assert score.notes == ()


def test_a_tile_without_a_square_is_counted_and_remarked(seen: SureOf) -> None:
    score = count_score([seen(1, NEARLY), seen(2, EMPTY)], buttons=(0, 0), bonus_seat=1)
    assert score.seats[0].score == 7 - 66
    assert "no full 7x7 square" in score.notes[0]


def test_one_quilt_alone_is_scored_and_remarked(seen: SureOf) -> None:
    score = count_score([seen(2, SQUARE)], buttons=(5,))
    assert [(seat.quilt.seat, seat.score) for seat in score.seats] == [(2, 5 + 7 - 64)]
    assert "Only one quilt is seen" in score.notes[0]
    assert "--bonus 0" in score.notes[1]
    told = count_score([seen(2, SQUARE)], buttons=(5,), bonus_seat=0)
    assert told.seats[0].score == 5 - 64
    assert len(told.notes) == 1


def test_patches_and_income_are_in_the_json(seen: SureOf) -> None:
    pieces = (QuiltPiece("square", ("A1", "B1", "A2", "B2"), 0.98765), QuiltPiece("leather", ("I9",), 0.5))
    (seat,) = count_score([replace(seen(1, EMPTY), pieces=pieces, income=2)]).to_json()["seats"]
    assert seat["income"] == 2
    assert seat["patches"] == [
        {"patch": "square", "cells": ["A1", "B1", "A2", "B2"], "confidence": 0.9877},
        {"patch": "leather", "cells": ["I9"], "confidence": 0.5},
    ]


def test_the_json_has_what_the_format_says(seen: SureOf) -> None:
    score = count_score([seen(1, SQUARE, {(2, 3): 0.7, (0, 0): 0.4}), seen(2, EMPTY)], buttons=(5, 6))
    first, second = json.loads(json.dumps(score.to_json()))["seats"]
    assert first["seat"] == 1
    assert first["quilt"] == SQUARE
    assert first["empty"] == 32
    assert first["score"] == 5 + 7 - 64
    assert first["doubtful"] == ["A1", "D3"]
    assert 0.98 < first["confidence"] < second["confidence"] <= 1.0
    assert second["doubtful"] == []


@pytest.mark.parametrize("row", [0, 1, 2])
@pytest.mark.parametrize("column", [0, 2])
def test_a_square_may_lie_anywhere(row: int, column: int) -> None:
    covered = np.zeros((9, 9), np.bool_)
    covered[row : row + 7, column : column + 7] = True
    assert has_bonus_square(covered)
    covered[row + 3, column + 3] = False
    assert not has_bonus_square(covered)


def hand(seat: int, tokens: dict[int, int], *doubts: str) -> SeenHand:
    return SeenHand(seat, tokens, doubts)


def test_sure_tokens_stand_for_buttons_that_are_not_given(seen: SureOf) -> None:
    score = count_score([seen(1, EMPTY), seen(2, EMPTY)], hands={1: hand(1, {20: 1, 1: 2}), 2: hand(2, {5: 1})})
    assert [seat.buttons for seat in score.seats] == [22, 5]
    assert [seat.score for seat in score.seats] == [22 - 2 * 81, 5 - 2 * 81]
    assert "20 + 1 + 1" in score.notes[0]
    assert not any("--buttons" in note for note in score.notes)


@pytest.mark.parametrize(
    ("doubts", "says"),
    [
        (["stacked", "others"], "under others"),
        (["at-edge", "others"], "the picture ends"),
        (["which-heap", "unknown"], "the bank’s"),
        (["other-not-seen"], "the bank’s"),
        (["unknown"], "other things"),
    ],
)
def test_doubtful_tokens_count_for_nothing_and_say_why(seen: SureOf, doubts: list[str], says: str) -> None:
    hands = {1: hand(1, {20: 1, 1: 2}, *doubts), 2: hand(2, {5: 1})}
    score = count_score([seen(1, EMPTY), seen(2, EMPTY)], hands=hands)
    assert [seat.buttons for seat in score.seats] == [None, 5]
    assert "22 in sight" in score.notes[0]
    assert says in score.notes[0]
    assert "--buttons 14,18" in score.notes[-1]


def test_buttons_that_are_given_count_whatever_is_seen(seen: SureOf) -> None:
    score = count_score([seen(1, EMPTY), seen(2, EMPTY)], (14, 18), hands={1: hand(1, {5: 1})})
    assert [seat.buttons for seat in score.seats] == [14, 18]
    assert score.notes == ()


def test_the_json_has_the_tokens_and_their_doubts(seen: SureOf) -> None:
    quilts = [seen(1, EMPTY), seen(2, EMPTY)]
    first, second = count_score(quilts, hands={1: hand(1, {20: 1, 1: 2}, "stacked")}).to_json()["seats"]
    of = [{"value": 20, "count": 1}, {"value": 1, "count": 2}]
    assert first["tokens"] == {"value": 22, "sure": False, "of": of, "doubts": ["stacked"]}
    assert first["buttons"] is None
    assert second["tokens"] is None


# With the same buttons, seat 1 has nine points more: two for the cell that seat 2 lacks, and the 7x7 tile.
@pytest.mark.parametrize(
    ("doubts", "buttons", "standing"),
    [
        ({}, (0, 8), Standing(1, sure=True)),
        ({}, (0, 9), Standing(0, sure=True)),
        ({}, (0, 10), Standing(2, sure=True)),
        # A bare cell beside the square may bring its own seat two points, and takes none from it.
        ({(0, 0): 0.3}, (0, 8), Standing(1, sure=True)),
        ({(0, 0): 0.3}, (0, 9), Standing(0, sure=False)),
        ({(0, 0): 0.3}, (0, 11), Standing(2, sure=False)),
        ({(0, 0): 0.3}, (0, 12), Standing(2, sure=True)),
        # With a cell of the square the tile would be lost, too.
        ({(5, 5): 0.7}, (1, 0), Standing(1, sure=True)),
        ({(5, 5): 0.7}, (0, 0), Standing(1, sure=False)),
        ({(5, 5): 0.7}, (0, 9), Standing(0, sure=False)),
        ({(5, 5): 0.7}, (0, 10), Standing(2, sure=True)),
    ],
)
def test_nobody_surely_wins_whom_the_cells_to_check_may_change(
    seen: SureOf, doubts: dict[tuple[int, int], float], buttons: tuple[int, int], standing: Standing
) -> None:
    score = count_score([seen(1, SQUARE, doubts), seen(2, NEARLY)], buttons)
    assert score.seats[0].score - score.seats[1].score == 9 + buttons[0] - buttons[1]
    assert score.standing == standing


def test_nobody_is_ahead_as_long_as_the_unknown_owner_of_the_tile_decides(seen: SureOf) -> None:
    quilts = [seen(1, SQUARE), seen(2, FULL)]
    assert count_score(quilts, (71, 0)).standing is None
    assert count_score(quilts, (72, 0)).standing == Standing(1, sure=True)
    assert count_score(quilts, (71, 0), bonus_seat=2).standing == Standing(0, sure=True)
    assert count_score(quilts, (71, 0), bonus_seat=0).standing == Standing(1, sure=True)
    assert count_score(quilts, (71, 0), tile_seat=1).standing == Standing(1, sure=True)
    assert count_score(quilts).standing is None
    assert count_score(quilts[:1], (71,)).standing is None

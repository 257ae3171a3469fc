from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork import PATCHES, SeatState, Setup, State, mask_of, new_game
from companion.patchwork.terminal.pictures import (
    EMPTY,
    LEATHER,
    PRINTS,
    UNKNOWN,
    offer_picture,
    patch_height,
    patch_picture,
    quilt_picture,
    seat_line,
    seat_lines,
    track_legend,
    track_picture,
)
from companion.terminal.strip import strip_picture

if TYPE_CHECKING:
    from rich.text import Text


@pytest.fixture
def start() -> State:
    return new_game(Setup(players=("Anna", "Boris")))


def _style_at(picture: Text, row: int, column: int) -> str:
    """Return the style of a character by its row and column in the picture."""
    offset = sum(len(line) + 1 for line in picture.plain.split("\n")[:row]) + column
    return next((str(span.style) for span in picture.spans if span.start <= offset < span.end), "")


def test_a_quilt_shows_each_cell_where_it_lies() -> None:
    cells = {"A1": "bar3", "I1": "domino", "A9": "leather", "E5": None}
    patches = {0: "bar3", 8: "domino", 72: "leather"}
    picture = quilt_picture(mask_of(list(cells)), patches)
    lines = picture.plain.split("\n")
    assert lines[0].split() == list("ABCDEFGHI")
    assert [line[0] for line in lines[1:]] == list("123456789")
    assert all(len(line) == 20 for line in lines[1:])
    assert _style_at(picture, 1, 2) == str(PRINTS["bar3"].style)
    assert _style_at(picture, 1, 18) == str(PRINTS["domino"].style)
    assert _style_at(picture, 9, 2) == str(LEATHER.style)
    assert _style_at(picture, 5, 10) == str(UNKNOWN.style)
    assert picture.plain.count("·") == 81 - 4
    assert _style_at(picture, 1, 4) == str(EMPTY.style)


def test_a_lifted_patch_is_no_longer_drawn() -> None:
    assert quilt_picture(0, {0: "bar3"}).plain.count("·") == 81


def test_the_letter_of_a_column_stands_above_its_cells() -> None:
    lines = quilt_picture(mask_of(["C4"]), {}).plain.split("\n")
    column = lines[0].index("C")
    assert lines[4][column : column + 2] == UNKNOWN.weave


def test_a_seat_s_figures_are_told() -> None:
    seat = SeatState(buttons=14, income=9, time=30, quilt=(1 << 76) - 1, bonus=True)
    assert " ".join(seat_lines(seat).plain.split()) == "14 buttons +9 income 5 empty 7x7 tile score 11"
    assert "no tile" in seat_lines(replace(seat, bonus=False)).plain
    assert seat_line(seat).plain == "14 buttons  +9  7x7"
    assert max(map(len, seat_lines(seat).plain.split("\n"))) <= 22


def test_a_patch_is_drawn_in_its_shape() -> None:
    for patch in PATCHES:
        lines = patch_picture(patch, 4).plain.split("\n")[:-1]
        assert len(lines) == 4, patch
        drawn = patch_picture(patch, patch_height(patch))
        rows = drawn.plain.split("\n")[:-1]
        styled = sum(span.end - span.start for span in drawn.spans if str(span.style) == str(PRINTS[patch].style))
        assert len(rows) == patch_height(patch) == len({row for row, _ in PATCHES[patch].cells}), patch
        assert styled == 2 * PATCHES[patch].size, patch


def test_an_offer_tells_its_figures_and_whether_it_can_be_paid() -> None:
    words = offer_picture("square", 3, affordable=True).plain.split()
    assert words[-7:] == ["square", "cost", "6", "time", "5", "income", "2"]
    assert "too dear" in offer_picture("square", 3, affordable=False).plain


@pytest.mark.parametrize(("one", "two"), [(0, 0), (0, 53), (17, 16), (53, 53)])
def test_tokens_stand_over_and_under_their_space(start: State, one: int, two: int) -> None:
    seats = (replace(start.seat(1), time=one), replace(start.seat(2), time=two))
    upper, track, lower = track_picture(replace(start, seats=seats)).plain.split("\n")
    assert [len(line) for line in (upper, track, lower)] == [54, 54, 54]
    assert (upper.index("▼"), lower.index("▲")) == (one, two)


def test_a_marker_that_stands_wrong_is_outlined_there(start: State) -> None:
    seats = (replace(start.seat(1), time=12), start.seat(2))
    above, _, below = track_picture(replace(start, seats=seats), wrong={1: 11}).plain.splitlines()
    assert (above.index("▽"), above.index("▼")) == (11, 12)
    assert "△" not in below


def test_the_track_has_its_marks(start: State) -> None:
    track = track_picture(replace(start, leather_left=(32, 44))).plain.split("\n")[1]
    assert [space for space, mark in enumerate(track) if mark == "●"] == [5, 11, 17, 23, 29, 35, 41, 47, 53]
    assert [space for space, mark in enumerate(track) if mark == "■"] == [32, 44]
    assert [space for space, mark in enumerate(track) if mark == "□"] == [20, 26, 50]


def test_the_legend_names_the_players_and_their_spaces(start: State) -> None:
    upper, middle, lower = track_legend(start).plain.split("\n")
    assert (upper, lower) == ("▼  0 ◎ Anna", "▲  0 ✸ Boris")
    assert middle == "● income  ■ leather"


def test_the_strip_is_a_block_a_pixel_in_rows() -> None:
    picture = strip_picture([(255, 0, 0), (0, 0, 0), (0, 255, 0)], 2)
    assert picture.plain == "██\n█"
    assert [str(span.style) for span in picture.spans] == ["#ff2222", "#222222", "#22ff22"]


def test_a_faint_light_is_shown_as_the_eye_sees_it() -> None:
    (span,) = strip_picture([(64, 64, 64)], 5).spans
    assert str(span.style) == "#888888"

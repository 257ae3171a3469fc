"""Test to which board the 7x7 tile belongs."""

from __future__ import annotations

from companion.patchwork.photograph.hands import owner_of
from vision.tokens.tiles import Tile


def tile(one: float, other: float, piece: float = -3.0, track: float = 20.0) -> Tile:
    return Tile((0.0, 0.0), (2.2, 2.1), 0.8, piece, (one, other), track)


def owner(*tiles: Tile, is_square_sewn: bool = False) -> int | None:
    return owner_of(tiles, (1, 2), is_square_sewn=is_square_sewn)


def test_the_only_tile_is_theirs_by_whose_board_it_lies() -> None:
    assert owner(tile(3, 12)) == 1
    assert owner(tile(12, 3), tile(30, 9, piece=-2.0)) == 2


def test_a_tile_that_is_far_or_between_or_one_of_two_is_nobodys() -> None:
    assert owner() is None
    assert owner(tile(9, 30)) is None
    assert owner(tile(5, 5.5)) is None
    assert owner(tile(3, 12), tile(12, 3)) is None


def test_a_tile_by_the_time_board_has_not_been_won() -> None:
    assert owner(tile(5.3, 16.7, track=1.2)) is None
    assert owner(tile(5.3, 16.7, track=6.0)) == 1


def test_the_object_least_like_a_patch_is_the_tile_wherever_it_lies() -> None:
    assert owner(tile(23, 4.3, piece=1.6), tile(10.9, 11.1, piece=-0.3), is_square_sewn=True) is None
    assert owner(tile(23, 4.3, piece=1.6), is_square_sewn=True) == 2


def test_beside_what_may_be_the_tile_nothing_else_is_taken_for_it() -> None:
    assert owner(tile(27, 4.5, piece=-2.9), tile(4.8, 23, piece=-0.5)) is None
    assert owner(tile(27, 4.5, piece=-2.9), tile(4.8, 23, piece=4.0)) == 2


def test_a_possible_square_patch_is_doubted_until_it_lies_on_a_quilt() -> None:
    assert owner(tile(3, 12, piece=0.5)) is None
    assert owner(tile(3, 12, piece=0.5), is_square_sewn=True) == 1


def test_a_plain_patch_is_no_tile() -> None:
    assert owner(tile(3, 12, piece=4.4), is_square_sewn=True) is None
    assert owner(tile(3, 12, piece=4.4), tile(12, 3), is_square_sewn=True) == 2

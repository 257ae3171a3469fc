"""By whose board the 7x7 tile lies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.patchwork.photograph.bonus_tile import owner_of
from companion.patchwork.photograph.naming import QuiltPiece
from vision.tokens.tiles import Tile

if TYPE_CHECKING:
    from companion.patchwork.photograph.photo import SeenQuilt
    from tests.companion.patchwork.photograph.conftest import SureOf

ROWS = ["........."] * 9


def tile(one: float, other: float, piece: float = -3.0) -> Tile:
    return Tile((0.0, 0.0), (2.2, 2.1), 0.8, piece, (one, other))


def quilts(seen: SureOf, *, is_sewn: bool = False) -> list[SeenQuilt]:
    piece = QuiltPiece("square", ("A1", "A2", "B1", "B2"), 0.99)
    return [replace(seen(1, ROWS), pieces=(piece,) if is_sewn else ()), seen(2, ROWS)]


def test_the_only_tile_is_theirs_by_whose_board_it_lies(seen: SureOf) -> None:
    assert owner_of([tile(3, 12)], quilts(seen)) == 1
    assert owner_of([tile(12, 3), tile(30, 9)], quilts(seen)) == 2


def test_a_tile_that_is_far_or_between_or_one_of_two_is_nobodys(seen: SureOf) -> None:
    assert owner_of([], quilts(seen)) is None
    assert owner_of([tile(9, 30)], quilts(seen)) is None
    assert owner_of([tile(5, 5.5)], quilts(seen)) is None
    assert owner_of([tile(3, 12), tile(12, 3)], quilts(seen)) is None


def test_what_may_be_the_square_patch_is_doubted_until_that_lies_on_a_quilt(seen: SureOf) -> None:
    assert owner_of([tile(3, 12, piece=0.5)], quilts(seen)) is None
    assert owner_of([tile(3, 12, piece=0.5)], quilts(seen, is_sewn=True)) == 1


def test_what_is_plainly_a_patch_is_no_tile(seen: SureOf) -> None:
    assert owner_of([tile(3, 12, piece=4.4)], quilts(seen, is_sewn=True)) is None
    assert owner_of([tile(3, 12, piece=4.4), tile(12, 3)], quilts(seen, is_sewn=True)) == 2

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.games.patchwork import PATCHES
from hardware.simulated.drawing.fabrics import PX_PER_MM, print_of
from hardware.simulated.drawing.sprites import CELL_MM, disc_sprite, leather_sprite, patch_sprite, pawn_sprite, shape_of
from hardware.simulated.drawing.token_sets import TOKEN_SETS
from hardware.simulated.scene.coins import BOX

if TYPE_CHECKING:
    from hardware.simulated.drawing.images import Mask

CELL_PX = CELL_MM * PX_PER_MM


def _cells_of_mask(mask: Mask) -> set[tuple[int, int]]:
    rows, columns = round(mask.shape[0] / CELL_PX), round(mask.shape[1] / CELL_PX)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    return {(r, c) for r, c in cells if mask[int((r + 0.5) * CELL_PX), int((c + 0.5) * CELL_PX)] > 127}


@pytest.mark.parametrize("flipped", [False, True])
def test_a_patchs_sprite_has_its_shape_and_an_empty_rim(flipped: bool) -> None:
    for patch in PATCHES:
        sprite = patch_sprite(patch, flipped)
        assert _cells_of_mask(sprite.mask) == set(shape_of(patch, flipped)), patch
        assert sprite.picture.shape == (*sprite.mask.shape, 3)
        for edge in (sprite.mask[0], sprite.mask[-1], sprite.mask[:, 0], sprite.mask[:, -1]):
            assert (edge == 0).all(), patch


def test_flipping_twice_gives_the_shape_back() -> None:
    for patch in PATCHES.values():
        flipped = shape_of(patch.id, True)
        wide = max(column for _, column in flipped)
        assert sorted((row, wide - column) for row, column in flipped) == sorted(patch.cells)


def test_no_two_prints_look_alike() -> None:
    prints = {patch: cv2.resize(print_of(patch, 200), (40, 40)).astype(int) for patch in PATCHES}
    for one, other in combinations(prints, 2):
        assert np.abs(prints[one] - prints[other]).mean() > 6, (one, other)


def test_the_prints_are_the_same_in_every_box() -> None:
    first = print_of("boot", 120).copy()
    print_of.cache_clear()
    np.testing.assert_array_equal(print_of("boot", 120), first)


@pytest.mark.parametrize("patch", ["aitch", "corner-b1", "corner-b3", "dagger"])
def test_a_patch_carries_as_many_blue_buttons_as_it_earns(patch: str) -> None:
    sprite = patch_sprite(patch, False)
    blue, green, red = (sprite.picture[..., channel].astype(int) for channel in range(3))
    buttons = ((blue - red > 90) & (blue > 130) & (green > 60)).astype(np.uint8)
    buttons = cv2.morphologyEx(buttons, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(buttons)
    large = [stats[index, cv2.CC_STAT_AREA] for index in range(1, count)]
    # An icon on the label is smaller than the buttons that count.
    assert sum(area > 300 for area in large) == PATCHES[patch].income


def test_a_flipped_patch_leaves_nothing_on_the_other_ones_print() -> None:
    fresh = print_of("plus", patch_sprite("plus", True).mask.shape[0]).copy()
    patch_sprite.cache_clear()
    patch_sprite("plus", False)
    np.testing.assert_array_equal(print_of("plus", fresh.shape[0]), fresh)
    cream = np.abs(fresh.astype(int) - [196, 222, 234]).max(axis=2) < 14
    assert cream.sum() < 100


def test_labels_are_cream_and_on_every_patch() -> None:
    for patch in PATCHES:
        cream = np.abs(patch_sprite(patch, False).picture.astype(int) - [196, 222, 234]).max(axis=2) < 14
        assert cream.sum() > 300, patch


def test_leather_is_brown_and_one_cell() -> None:
    sprite = leather_sprite()
    assert _cells_of_mask(sprite.mask) == {(0, 0)}
    blue, green, red = sprite.picture[sprite.mask > 127].mean(axis=0)
    assert blue < green < red


def test_round_pieces_are_round() -> None:
    for sprite in (disc_sprite("button1"), disc_sprite("token2"), pawn_sprite()):
        inside = sprite.mask > 127
        width = inside.any(axis=0).sum()
        assert inside.sum() == pytest.approx(np.pi / 4 * width**2, rel=0.06)


@pytest.mark.parametrize("name", TOKEN_SETS)
def test_each_set_has_a_token_for_each_value_that_shows_its_number(name: str) -> None:
    assert set(TOKEN_SETS[name]) == set(BOX)
    for value, look in TOKEN_SETS[name].items():
        sprite = disc_sprite(f"{name}/{value}")
        inside = sprite.mask > 127
        assert inside.any(axis=0).sum() / sprite.px_per_mm == pytest.approx(look.diameter_mm, abs=0.5)
        colours = sprite.picture[inside].astype(int)
        assert (np.abs(colours - look.colour_bgr).max(axis=1) < 8).mean() > 0.4
        assert (np.abs(colours - look.ink_bgr).max(axis=1) < 60).mean() > 0.03


@pytest.mark.parametrize("name", ["button7", "chips/2", "shells/1"])
def test_an_unknown_token_is_refused(name: str) -> None:
    with pytest.raises(KeyError):
        disc_sprite(name)

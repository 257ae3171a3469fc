from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.conditions import PRINTINGS, Conditions, Dress
from hardware.simulated.drawing.sprites import patch_sprite
from hardware.simulated.prints.boards import GROUNDS
from hardware.simulated.prints.dress import dress_for, dressed_board, dressed_patch
from hardware.simulated.scene.table import SimulatedTable


def test_an_ordinary_evening_has_no_dress() -> None:
    assert dress_for(Conditions(), 1, (0, 1)) is None


@pytest.mark.parametrize("printing", PRINTINGS)
def test_a_patch_keeps_its_shape_in_every_printing(printing: str) -> None:
    dress = Dress(printing, 3, 0.5, (0, 1))
    for flipped in (False, True):
        own, other = patch_sprite("boot", flipped), dressed_patch("boot", flipped, dress)
        assert np.array_equal(own.mask, other.mask)
        assert own.thick_mm == other.thick_mm


def test_camouflaged_patches_are_of_a_board_s_colour() -> None:
    hidden = [dressed_patch(name, False, Dress("own", 3, 1.0, (1, 1))) for name in ("boot", "bar5", "plus", "tee")]
    board = (np.array(GROUNDS[1][0]) + np.array(GROUNDS[1][1])) / 2
    for sprite in hidden:
        seen = np.median(sprite.picture[sprite.mask > 127].astype(float), axis=0)
        assert np.abs(seen - board).max() < 60


def test_the_boards_of_another_printing_differ_from_each_other() -> None:
    dress = Dress("tagged", 3, 0.0, (0, 1))
    one, two = (dressed_board(seat, 191.0, 181.0, dress).picture for seat in (1, 2))
    assert np.abs(one.mean(axis=(0, 1)) - two.mean(axis=(0, 1))).max() > 5


def test_our_boards_stay_ours_under_camouflage() -> None:
    tables = [SimulatedTable(2, Conditions(camouflage=share)) for share in (0.0, 1.0)]
    boards = [[item for item in table._dressing.ground(table._state()) if item.kind == "board"] for table in tables]
    assert boards[0] == boards[1]

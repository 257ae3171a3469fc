from __future__ import annotations

import numpy as np
import pytest

from hardware.simulated.prints.grounds import Ground, board_picture, random_ground

BEIGE = np.array([150.0, 180.0, 200.0], np.float32)


def _columns(ground: Ground) -> np.ndarray:
    picture = board_picture(ground, 191.0, 181.0, 3.0, np.random.default_rng(2)).astype(np.float64)
    return np.asarray(picture.mean(axis=2)[30:-30].mean(axis=0))


@pytest.mark.parametrize("sewn", [False, True])
def test_dark_lines_run_where_the_cells_meet(sewn: bool) -> None:
    mean = _columns(Ground(BEIGE, thread=1.0, stains=0.0, line=0.4, line_mm=1.0, sewn=sewn))
    for index in range(1, 9):
        line, middle = round((5 + index * 181 / 9) * 3), round((5 + (index + 0.5) * 181 / 9) * 3)
        assert mean[line - 1 : line + 2].min() < mean[middle] - 20


def test_a_line_of_factor_one_is_not_there() -> None:
    mean = _columns(Ground(BEIGE, thread=0.0, stains=0.0, line=1.0, sewn=True))
    assert np.ptp(mean[20:-20]) < 1.5


def test_stains_are_soft_and_make_a_board_uneven() -> None:
    plain, stained = (
        board_picture(Ground(BEIGE, thread=0, stains=stains, line=1.0), 191.0, 181.0, 2.0, np.random.default_rng(4))
        for stains in (0.0, 0.1)
    )
    assert stained[40:-40, 40:-40].std() > 4 * plain[40:-40, 40:-40].std(axis=(0, 1)).max() + 1


def test_random_boards_differ() -> None:
    rng = np.random.default_rng(1)
    bases = np.array([random_ground(rng).base for _ in range(12)])
    assert (bases.std(axis=0) > 15).all()

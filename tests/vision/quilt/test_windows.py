from __future__ import annotations

import numpy as np

from vision.geometry.rectify import SIDE
from vision.quilt.windows import PER_CELL, RING, WINDOWS, by_cell, own_windows


def test_windows_belong_to_the_cells_that_they_lie_in() -> None:
    numbers = np.arange(WINDOWS * WINDOWS).reshape(WINDOWS, WINDOWS)
    cells = by_cell(numbers)
    assert cells.shape == (PER_CELL, PER_CELL, RING, RING)
    assert own_windows(numbers).shape == (SIDE * PER_CELL, SIDE * PER_CELL)
    assert cells[0, 0, 1, 1] == own_windows(numbers)[0, 0]
    assert cells[3, 3, 9, 9] == own_windows(numbers)[-1, -1]
    np.testing.assert_array_equal(by_cell(numbers, down=1)[0, :, 4, 4], cells[1, :, 4, 4])
    np.testing.assert_array_equal(by_cell(numbers, right=-1)[:, 0, 4, 4], cells[:, 3, 4, 3])

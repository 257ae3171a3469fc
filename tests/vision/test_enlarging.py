from __future__ import annotations

import numpy as np
import pytest

from vision.reductions import enlarged


@pytest.mark.parametrize(("width", "becomes", "times"), [(400, 1600, 4.0), (2000, 2000, 1.0)])
def test_a_small_photograph_is_enlarged_in_a_copy(width: int, becomes: int, times: float) -> None:
    photograph = np.full((300, width, 3), 90, np.uint8)
    picture, scale = enlarged(photograph)
    picture[:] = 0
    assert (picture.shape, scale) == ((round(300 * times), becomes, 3), times)
    assert (photograph == 90).all()

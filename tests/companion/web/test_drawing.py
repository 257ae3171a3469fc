from __future__ import annotations

import numpy as np

from companion.games.patchwork import mask_of
from companion.web.drawing import draw_camera, draw_crop
from tests.companion.web.conftest import exposure
from vision.rectify import cell_window

GREEN, ORANGE = (96, 190, 60), (0, 150, 255)


def test_the_frame_itself_is_never_drawn_into() -> None:
    shown = exposure(quilts={1: 1, 2: 3}, marked={1: 2})
    shown.frame.image.setflags(write=False)
    draw_camera(shown, reading=True)
    draw_crop(shown, 1)
    assert (shown.frame.image == 90).all()
    assert draw_camera(shown, reading=False) is shown.frame.image


def test_covered_cells_carry_a_dot_and_marked_ones_a_frame() -> None:
    picture = draw_camera(exposure(quilts={2: mask_of(["B1"])}, marked={2: mask_of(["I9"])}), reading=True)
    # Cells of 8 pixels; the second board begins at (110, 10).
    assert tuple(picture[14, 122]) == GREEN
    assert tuple(picture[14, 114]) == (90, 90, 90)
    assert (picture[74:82, 174:182] == ORANGE).all(axis=2).any()
    assert not (picture[:, :100] == ORANGE).all(axis=2).any()


def test_a_crop_marks_the_cells_in_question_where_they_are() -> None:
    picture = draw_crop(exposure(marked={1: mask_of(["C4"])}), 1)
    orange = (picture == ORANGE).all(axis=2)
    rows, columns = np.nonzero(orange)
    window = cell_window(3, 2, 0)
    assert orange[window].sum() == orange.sum() > 50
    assert rows.min() >= window[0].start
    assert columns.max() < window[1].stop

"""Recognises a patch's print that lies a little beside where it lay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2

from vision.rectify import cell_window

if TYPE_CHECKING:
    from vision.evidence import Look

REACH_PX: Final = 11
"""A patch nudged by less than a third of a cell, in view pixels, is still where it was."""

_INSET_PX: Final = 5
_RECOGNISED: Final = 0.75


def is_recognised_nearby(current: Look, expected: Look, row: int, column: int) -> bool:
    """Whether the expected print of a cell (row, column from 0) is seen within reach of its place."""
    rows, columns = cell_window(row, column, _INSET_PX)
    around = current.structure[
        rows.start - REACH_PX : rows.stop + REACH_PX, columns.start - REACH_PX : columns.stop + REACH_PX
    ]
    scores = cv2.matchTemplate(around, expected.structure[rows, columns], cv2.TM_CCOEFF_NORMED)
    return float(scores.max()) >= _RECOGNISED

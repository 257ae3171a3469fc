"""Places of the blue buttons printed on a table's pieces: in the middles of cells, whatever a piece looks like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.pieces.buttons import blueness, button_disc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.pieces.fit import Fit
    from vision.table.plane import OverheadView

_LIKE_A_DISC: Final = 0.65
"""Least correlation of the blueness around a place with a disc, for a button."""
_BLUER: Final = 10.0
"""Correlation of the blueness with a disc, and by how much it is bluer than around it, at least. Of 334 buttons on
simulated circles in ten lights 313 were found so, and 17 where none is printed; with 0.55 and 8 there were 214."""
_APART_CELLS: Final = 0.5
"""Peaks nearer than this are one button's: buttons are printed in the middles of cells, one apart."""
_TOO_MANY: Final = 100
"""The number of buttons that no table has: its cloth has blue checks."""
_WORTH: Final = 2.5
"""What a button in the middle of a fit's cell adds to its score, in log-odds; one far off a middle takes as much."""
_OFF_CELLS: Final = 0.3
"""From the middle of a cell: what is farther off speaks against a piece, but not if it lies beyond it."""
_BEYOND_CELLS: Final = 0.6
"""A button that is farther than this from every middle lies on another piece."""


@dataclass(frozen=True, slots=True, eq=False)
class Buttons:
    """The buttons seen on a table; their middles in table space, shape (buttons, 2)."""

    places: NDArray[np.float64]

    def worth(self, fit: Fit) -> float:
        """Return the evidence for a fit, in log-odds, or against it, below 0.

        It grows as the buttons on the fit are nearer to the middles of its cells.
        """
        apart = self.places[:, None] - fit.middles
        off = np.hypot(apart[..., 0], apart[..., 1]).min(axis=1, initial=np.inf)
        return _WORTH * float(np.clip(1 - (off[off < _BEYOND_CELLS] / _OFF_CELLS) ** 2, -1, 1).sum())


def find_buttons(view: OverheadView) -> Buttons:
    """Return all buttons that are seen on a table; none where its ground has too much that looks like one.

    Args:
        view: the table from straight above, 12 pixels a cell or more.
    """
    blue = blueness(view.picture)
    disc = button_disc(view.cell_px)
    if blue.shape[0] < len(disc) or blue.shape[1] < len(disc):
        return Buttons(np.zeros((0, 2)))
    alike = cv2.matchTemplate(blue, disc, cv2.TM_CCOEFF_NORMED)
    inside, around = (cv2.matchTemplate(blue, part / part.sum(), cv2.TM_CCORR) for part in (disc, 1 - disc))
    reach = np.ones(2 * (round(_APART_CELLS * view.cell_px),), np.uint8)
    peaks = (alike >= cv2.dilate(alike, reach)) & (alike > _LIKE_A_DISC) & (inside - around > _BLUER)
    middles = (np.argwhere(peaks)[:, ::-1] + len(disc) / 2) / view.cell_px
    return Buttons(middles if len(middles) <= _TOO_MANY else np.zeros((0, 2)))

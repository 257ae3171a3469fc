"""Detection of the blue buttons printed at the middles of cells of a table's pieces, whatever their design."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.buttons import blueness, button_disc
from vision.pieces.fit import Fit
from vision.table.plane import OverheadView

# Least correlation of the blueness around a place with a disc, for a button.
_LIKE_A_DISC: Final = 0.65
# The least difference of blueness between a button and its surroundings. With this and `_LIKE_A_DISC`, 313 of 334
# buttons on simulated circles in ten lights were found, and 17 where none is printed; with 0.55 and 8 there were 214.
_BLUER: Final = 10.0
# Peaks nearer than this are of one button: buttons are printed in the middles of cells, one cell apart.
_APART_CELLS: Final = 0.5
# Number above which detections are discarded: no table has so many; the cloth has blue checks.
_TOO_MANY: Final = 100
# Contribution of a button in the middle of a fit's cell to its score, in log-odds; one far off a middle subtracts as
# much.
_WORTH: Final = 2.5
# Distance from a cell's middle beyond which a button counts against a piece, unless it lies outside of it.
_OFF_CELLS: Final = 0.3
# Distance from every middle beyond which a button belongs to another piece.
_BEYOND_CELLS: Final = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Buttons:
    """The buttons detected on a table, by their middles in table space, shape (buttons, 2)."""

    places: NDArray[np.float64]

    def worth(self, fit: Fit) -> float:
        """Return the evidence for a fit, in log-odds; negative if it is against the fit.

        It grows as the buttons on the fit are nearer to the middles of its cells.
        """
        apart = self.places[:, None] - fit.middles
        off = np.hypot(apart[..., 0], apart[..., 1]).min(axis=1, initial=np.inf)
        return _WORTH * float(np.clip(1 - (off[off < _BEYOND_CELLS] / _OFF_CELLS) ** 2, -1, 1).sum())


def find_buttons(view: OverheadView) -> Buttons:
    """Return all buttons detected on a table; none if there are more than any table has, as on a blue-checked cloth.

    Args:
        view: the table from straight above, at 12 pixels a cell or more.
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

"""The blue buttons printed at the middles of cells: counted on one patch, and detected on a whole table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.fit import Fit
from vision.table.plane import OverheadView

# A printed button's radius.
_RADIUS_CELLS: Final = 0.32
# Edge of the square in which a button is compared: the button, and the print around it.
_WINDOW_CELLS: Final = 0.8
# Largest distance of a button from the middle of its cell, by print or because the patch was nudged.
_REACH_CELLS: Final = 0.2
# The least blueness of a button above that of paper, in CIELAB units: faded ones had 6, labels less than 2.
_BLUER_ON_PATCH: Final = 4.0
# Blueness above that of paper from which a pixel counts as blue without doubt, in CIELAB units.
_MUCH_BLUER: Final = 15.0
# The least blueness of a button above paper, relative to the likeliest button of its patch: on 625 simulated patches,
# under all lights, 99 % of the printed ones had 0.92 and more; of bare cells that look like a disc 99 % had 0.77 at
# most.
_ONE_BLUE: Final = 0.8
_BUTTON_AREA_CELLS: Final = 0.264
# Mean correlation of a cell without a button, used as the upper limit for cells that are not blue.
_PLAIN: Final = 0.48


def button_correlations(
    closeup: NDArray[np.uint8], middles: Sequence[tuple[float, float]], cell_px: int, paper: float | None = None
) -> list[float]:
    """Return the evidence, as a correlation, for a blue button printed on each cell of a patch.

    Args:
        closeup: a straight-on picture of the patch, `cell_px` a cell, shape (height, width, 3), uint8, BGR.
        middles: middles of its cells, (x, y) in pixels.
        cell_px: pixels a cell.
        paper: blueness of paper in this light; None to measure it.

    Returns:
        For each cell the best correlation of its blueness with a disc, -1..1; 0 if the cell is not entirely in the
        picture. All buttons of a patch are printed in one blue: a disc much less blue than the likeliest one counts no
        more than a cell without a button.
    """
    paper = paper_blueness(closeup) if paper is None else paper
    discs = [_likeliest_disc(closeup, middle, cell_px) for middle in middles]
    blues = [disc.blue - paper for disc in discs]
    blue_discs = [(disc.correlation, blue) for disc, blue in zip(discs, blues, strict=True) if blue > _BLUER_ON_PATCH]
    _, likeliest = max(blue_discs, default=(0.0, 0.0))
    least = max(_BLUER_ON_PATCH, _ONE_BLUE * likeliest)
    return [
        disc.correlation if blue > least else min(disc.correlation, _PLAIN)
        for disc, blue in zip(discs, blues, strict=True)
    ]


class _Disc(NamedTuple):
    """A disc's best fit in a cell: its correlation there, and its mean blueness."""

    correlation: float
    blue: float


def _likeliest_disc(closeup: NDArray[np.uint8], middle: tuple[float, float], cell_px: int) -> _Disc:
    (height, width), half = closeup.shape[:2], cell_px / 2
    if not (half <= middle[0] <= width - half and half <= middle[1] <= height - half):
        return _Disc(0.0, -np.inf)
    disc = button_disc(cell_px)
    reach = round((_WINDOW_CELLS / 2 + _REACH_CELLS) * cell_px)
    left, top = round(middle[0]) - reach, round(middle[1]) - reach
    around = blueness(closeup[max(top, 0) : top + 2 * reach, max(left, 0) : left + 2 * reach])
    _, best, _, (column, row) = cv2.minMaxLoc(cv2.matchTemplate(around, disc, cv2.TM_CCOEFF_NORMED))
    found = around[row : row + len(disc), column : column + len(disc)][disc > 0]
    return _Disc(float(best), float(found.mean()))


def buttons_by_area(
    closeup: NDArray[np.uint8], middles: Sequence[tuple[float, float]], cell_px: int, paper: float
) -> float:
    """Return the number of buttons whose area equals the blue area on some cells, whatever its shape.

    Args:
        closeup: as for `button_correlations`.
        middles: middles of the cells, (x, y) in pixels.
        cell_px: pixels a cell.
        paper: blueness of paper in this light.
    """
    blue = blueness(closeup) > paper + _MUCH_BLUER
    corners = [(round(x - cell_px / 2), round(y - cell_px / 2)) for x, y in middles]
    seen = sum(int(blue[max(y, 0) : y + cell_px, max(x, 0) : x + cell_px].sum()) for x, y in corners)
    return seen / cell_px**2 / _BUTTON_AREA_CELLS


def blueness(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the blueness of each pixel of a picture (height, width, 3), BGR, independent of brightness; 0 is grey."""
    # CIELAB's b runs from blue to yellow.
    return 128.0 - cv2.cvtColor(image, cv2.COLOR_BGR2LAB)[:, :, 2].astype(np.float32)


def paper_blueness(closeup: NDArray[np.uint8]) -> float:
    """Return the blueness of white paper in this light: the lower quartile over the brightest pixels."""
    light = cv2.cvtColor(closeup, cv2.COLOR_BGR2LAB)[:, :, 0]
    return float(np.percentile(blueness(closeup)[light >= np.percentile(light, 95)], 25))


@cache
def button_disc(cell_px: int) -> NDArray[np.float32]:
    """Return a square mask of a button: 1 inside the button, 0 around it."""
    size = round(_WINDOW_CELLS * cell_px)
    across = (np.arange(size) - (size - 1) / 2) / cell_px
    return (np.hypot(across[:, None], across[None, :]) < _RADIUS_CELLS).astype(np.float32)


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

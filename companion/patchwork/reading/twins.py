"""The distinction of patches of equal shape, by the label and the income buttons printed on them."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE, indices_of
from companion.games.patchwork.components import PATCHES
from vision.geometry import Homography, through_corners
from vision.pieces.buttons import button_correlations, buttons_by_area, paper_blueness
from vision.pieces.tag import read_tag_on

_MARGIN_CELLS: Final = 0.12
# Pixels per cell of the close-up in which buttons are counted.
_CELL_PX: Final = 64
_LABEL_LIMIT: Final = 5.0
_PRINTED, _PRINTED_SPREAD = 0.78, 0.08
_BARE, _BARE_SPREAD = 0.40, 0.12
"""Mean and spread of the button correlation on cells with and without a printed button: on 625 simulated patches under
all lights 0.76 and 0.05, and 0.40 and 0.10."""
# Probability that a printed button is half hidden, or its colour is lost.
_HIDDEN: Final = 0.05
# The same for patches that have no cells but the two under the label.
_UNDER_LABEL: Final = 0.5
# A label lies across the edge between two cells.
_LABEL_CELLS: Final = 2
# Probability that a cell of another printing has any value: pale paper on warm cloth is as blue as a button.
_STRANGE: Final = 0.3
_AREA_SPREAD, _MOST_BY_AREA = 0.6, 4.0
"""Standard deviation of the number of buttons estimated from an area of blue, and the largest usable number: more blue
is the cloth's."""


def twin_likelihoods(
    image: NDArray[np.uint8], cells_to_image: Homography, mask: int, patches: Sequence[str]
) -> NDArray[np.float64]:
    """Return each candidate's log-likelihood of being the patch on the cells of a mask; only differences matter.

    The frame is of shape (height, width, 3), uint8, BGR.
    """
    read = read_tag_on(image, cells_to_image, [divmod(index, SIDE) for index in indices_of(mask)])
    labels = np.array([read[PATCHES[patch].buttons, PATCHES[patch].time - 1] for patch in patches])
    by_label = np.maximum(labels - labels.max(), -_LABEL_LIMIT)
    return np.asarray(by_label + income_likelihoods(image, cells_to_image, mask, patches), np.float64)


def income_likelihoods(
    image: NDArray[np.uint8], cells_to_image: Homography, mask: int, patches: Sequence[str]
) -> NDArray[np.float64]:
    """Return each patch's log-likelihood by the income buttons alone; see `twin_likelihoods`."""
    closeup, left, top = _closeup(image, cells_to_image, mask)
    middles = [
        ((index % SIDE + 0.5 - left) * _CELL_PX, (index // SIDE + 0.5 - top) * _CELL_PX) for index in indices_of(mask)
    ]
    paper = paper_blueness(closeup)
    buttons = button_correlations(closeup, middles, _CELL_PX, paper)
    blue = buttons_by_area(closeup, middles, _CELL_PX, paper)
    by_income = [_income_likelihood(buttons, patch, _STRANGE) + _by_area(blue, patch) for patch in patches]
    return np.asarray(by_income, np.float64)


def _closeup(image: NDArray[np.uint8], cells_to_image: Homography, mask: int) -> tuple[NDArray[np.uint8], float, float]:
    """Return a rectified close-up of the patch, and its left and top in cell space."""
    rows = [index // SIDE for index in indices_of(mask)]
    columns = [index % SIDE for index in indices_of(mask)]
    left, right = min(columns) - _MARGIN_CELLS, max(columns) + 1 + _MARGIN_CELLS
    top, bottom = min(rows) - _MARGIN_CELLS, max(rows) + 1 + _MARGIN_CELLS
    width, height = round((right - left) * _CELL_PX), round((bottom - top) * _CELL_PX)
    to_closeup = through_corners(
        [[left, top], [right, top], [right, bottom], [left, bottom]], [[0, 0], [width, 0], [width, height], [0, height]]
    )
    matrix = to_closeup.after(cells_to_image.inverse).matrix
    closeup = cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_CUBIC)
    return np.asarray(closeup, np.uint8), left, top


def _income_likelihood(buttons: Sequence[float], patch: str, strange: float) -> float:
    """Return the log-likelihood of the cells' button correlations if the patch's income is printed on them.

    `strange` is the probability that a cell has any value.
    """
    ranked = sorted(buttons, reverse=True)
    income, free = PATCHES[patch].income, len(ranked) - _LABEL_CELLS
    hidden = [_HIDDEN if number < free else _UNDER_LABEL for number in range(income)]
    printed = [
        (1 - chance) * _density(value, _PRINTED, _PRINTED_SPREAD) + chance
        # Not strict: the cells that are left over carry no button.
        for value, chance in zip(ranked, hidden, strict=False)
    ]
    # The constant keeps a single strange cell from ruling a patch out.
    bare = [_density(value, _BARE, _BARE_SPREAD) + 0.02 for value in ranked[income:]]
    return float(np.log((1 - strange) * np.array([*printed, *bare]) + strange).sum())


def _by_area(blue: float, patch: str) -> float:
    """Return the log-likelihood of an area of blue, in buttons, for a patch."""
    if blue > _MOST_BY_AREA:
        return 0.0
    return float(np.log(_density(blue, PATCHES[patch].income, _AREA_SPREAD) + 0.05))


def _density(value: float, mean: float, spread: float) -> float:
    return float(np.exp(-0.5 * ((value - mean) / spread) ** 2) / (spread * np.sqrt(2 * np.pi)))

"""Detection of the print on a blank sheet that hides pencil or resembles it."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import channels
from vision.sheet.page import FLAT_PX_PER_MM
from vision.sheet.paper import log_light

# Sigma that removes the paper's grain and preserves lines.
_CALM_MM: Final = 0.2
# Margin around edges of print: pictures are registered to the blank one to within about a quarter of a millimetre.
_EDGE_MM: Final = 0.4
# Change of light at an edge of print, in natural logarithms; paper's grain and a camera's noise stay below.
_EDGE: Final = 0.35
# Darkness, in natural logarithms in every channel, from which print hides pencil.
_DARK: Final = 0.9
# Edge of the surroundings that print is compared with.
_AROUND_MM: Final = 12.0


def print_mask(blank: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the mask of a page's print where measurements are unreliable: along its edges, and where it is dark.

    Args:
        blank: the blank page in flat space, shape (rows, columns, 3), uint8, BGR.

    Returns:
        Shape (rows, columns).
    """
    light = np.asarray(cv2.GaussianBlur(log_light(blank), (0, 0), _CALM_MM * FLAT_PX_PER_MM), np.float32)
    side = 2 * round(_EDGE_MM * FLAT_PX_PER_MM) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    change = channels.brightest(np.asarray(cv2.morphologyEx(light, cv2.MORPH_GRADIENT, kernel), np.float32))
    around = round(_AROUND_MM * FLAT_PX_PER_MM) | 1
    paper = cv2.blur(cv2.dilate(light, np.ones((around, around), np.uint8)), (around, around))
    dark = channels.darkest(paper - light) > _DARK
    return np.asarray((change > _EDGE) | dark)

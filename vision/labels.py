"""Reads the printed label of a patch, just far enough to tell two patches of equal shape apart.

Every patch carries a light label: a button icon, the cost, an hourglass, the time. Fonts differ between printings, so
no digits are read; a label as each candidate would have it is drawn, laid over the patch in every turn, and the one
that correlates better is the likelier. A patch that lies flipped shows its label in mirror writing in some printings.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

LABEL_CELL_PX: Final = 64
"""Pixels a cell of the close-up that labels are read from."""

_LENGTH_CELLS, _WIDTH_CELLS = 1.16, 0.42
_SCALES: Final = (0.94, 1.0, 1.06)
_TILTS_DEG: Final = (-12.0, -6.0, 0.0, 6.0, 12.0)
_FONTS: Final = (cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_DUPLEX)
_PAPER: Final = (205, 228, 236)
_INK: Final = (40, 45, 60)
_BUTTON: Final = (190, 130, 40)
_OVERSAMPLING: Final = 4
_NUMBER_PARTS: Final = ((0.26, 0.52), (0.70, 0.97))
"""Where the cost and the time stand along the label."""
_PLAY_PX: Final = 3


def label_correlations(closeup: NDArray[np.uint8], labels: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """How well each label fits the one on the patch.

    Args:
        closeup: a straight-on picture of one patch, LABEL_CELL_PX a cell, shape (height, width, 3), uint8, BGR.
        labels: the cost and the time of each candidate.

    Returns:
        For each candidate the best agreement over all places, turns, sizes and fonts, -1..1: the mean of the whole
        label's correlation and of its two numbers' own.
    """
    half = cv2.resize(closeup, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    poses = _likely_poses(np.asarray(half, np.uint8), labels)
    best = np.full(len(labels), -1.0)
    for quarter, mirrored, tilt in poses:
        turned = _turn(closeup, quarter, mirrored, tilt)
        for (number, label), font, scale in product(enumerate(labels), range(len(_FONTS)), _SCALES):
            best[number] = max(best[number], _agreement(turned, _template(label, font, scale, LABEL_CELL_PX)))
    return best


def _agreement(image: NDArray[np.uint8], template: NDArray[np.uint8]) -> float:
    """The label's best correlation, averaged with that of its numbers where it fits best."""
    if image.shape[0] < template.shape[0] or image.shape[1] < template.shape[1]:
        return -1.0
    scores = cv2.matchTemplate(image, template, cv2.TM_CCOEFF_NORMED)
    _, whole, _, (left, top) = cv2.minMaxLoc(scores)
    numbers = [_number_correlation(image, template, left, top, part) for part in _NUMBER_PARTS]
    return 0.5 * whole + 0.25 * sum(numbers)


def _number_correlation(
    image: NDArray[np.uint8], template: NDArray[np.uint8], left: int, top: int, part: tuple[float, float]
) -> float:
    """How well one of the label's numbers fits near its place; `part` is where it stands along the label, 0 to 1."""
    begin, end = (round(share * template.shape[1]) for share in part)
    number = cv2.cvtColor(template[:, begin:end], cv2.COLOR_BGR2GRAY)
    rows = slice(max(top - _PLAY_PX, 0), top + template.shape[0] + _PLAY_PX)
    columns = slice(max(left + begin - _PLAY_PX, 0), left + end + _PLAY_PX)
    around = cv2.cvtColor(image[rows, columns], cv2.COLOR_BGR2GRAY)
    return float(cv2.matchTemplate(around, number, cv2.TM_CCOEFF_NORMED).max())


def _likely_poses(half: NDArray[np.uint8], labels: Sequence[tuple[int, int]]) -> list[tuple[int, bool, float]]:
    """The turns (quarters, mirrored, tilt in degrees) in which any of the labels fits best, at half the size."""
    scored = []
    for quarter, mirrored, tilt in product(range(4), (False, True), _TILTS_DEG):
        turned = _turn(half, quarter, mirrored, tilt)
        score = max(_correlation(turned, _template(label, 0, 1.0, LABEL_CELL_PX // 2)) for label in labels)
        scored.append((score, (quarter, mirrored, tilt)))
    scored.sort(key=lambda each: -each[0])
    return [pose for _, pose in scored[:4]]


def _turn(image: NDArray[np.uint8], quarter: int, mirrored: bool, tilt_deg: float) -> NDArray[np.uint8]:
    turned = np.rot90(image, quarter)
    turned = np.ascontiguousarray(turned[:, ::-1] if mirrored else turned)
    height, width = turned.shape[:2]
    about = cv2.getRotationMatrix2D((width / 2, height / 2), tilt_deg, 1.0)
    return np.asarray(cv2.warpAffine(turned, about, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _correlation(image: NDArray[np.uint8], template: NDArray[np.uint8]) -> float:
    if image.shape[0] < template.shape[0] or image.shape[1] < template.shape[1]:
        return -1.0
    return float(cv2.matchTemplate(image, template, cv2.TM_CCOEFF_NORMED).max())


@cache
def _template(label: tuple[int, int], font: int, scale: float, cell_px: int) -> NDArray[np.uint8]:
    """A label drawn as large as the close-up would show it, shape (height, width, 3), uint8, BGR."""
    unit = cell_px * scale
    height, width = round(_WIDTH_CELLS * unit), round(_LENGTH_CELLS * unit)
    big = np.full((height * _OVERSAMPLING, width * _OVERSAMPLING, 3), _PAPER, np.uint8)
    pixels = unit * _OVERSAMPLING
    middle = big.shape[0] // 2
    cv2.circle(big, (round(0.20 * pixels), middle), round(0.13 * pixels), _BUTTON, -1, cv2.LINE_AA)
    cost, time = label
    _write(big, str(cost), 0.44 * pixels, pixels, font)
    _hourglass(big, 0.70 * pixels, pixels)
    _write(big, str(time), 0.97 * pixels, pixels, font)
    calm = cv2.GaussianBlur(big, (0, 0), 0.02 * pixels)
    return np.asarray(cv2.resize(calm, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _write(image: NDArray[np.uint8], text: str, x: float, pixels: float, font: int) -> None:
    """Write a number with its middle at x, 0.27 cells high."""
    thickness = max(1, round(0.045 * pixels))
    size = 0.27 * pixels / cv2.getTextSize("8", _FONTS[font], 1.0, 1)[0][1]
    (width, height), _ = cv2.getTextSize(text, _FONTS[font], size, thickness)
    if width > 0.30 * pixels:  # two digits are set closer
        size *= 0.30 * pixels / width
        (width, height), _ = cv2.getTextSize(text, _FONTS[font], size, thickness)
    origin = (round(x - width / 2), round((image.shape[0] + height) / 2))
    cv2.putText(image, text, origin, _FONTS[font], size, _INK, thickness, cv2.LINE_AA)


def _hourglass(image: NDArray[np.uint8], x: float, pixels: float) -> None:
    middle, high, wide = image.shape[0] / 2, 0.13 * pixels, 0.075 * pixels
    for end in (-1, 1):
        tip, foot = middle, middle + end * high
        triangle = np.array([[x - wide, foot], [x + wide, foot], [x, tip]])
        cv2.fillPoly(image, [np.rint(triangle).astype(np.int32)], _INK, cv2.LINE_AA)

"""Reads the printed label of a patch, just far enough to tell which of several patches it is.

Every patch carries a light label: a button icon, the cost, an hourglass, the time. Fonts differ between printings, so
no digits are read; a label as each candidate would have it is drawn, laid over the patch in every turn, and the one
that correlates better is the likelier. A patch that lies flipped shows its label in mirror writing in some printings.
"""

from __future__ import annotations

from dataclasses import dataclass
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

_WIDTH_CELLS: Final = 0.42
_SCALES: Final = (0.94, 1.0, 1.06)
_TILTS_DEG: Final = (-12.0, -6.0, 0.0, 6.0, 12.0)
_FONTS: Final = (cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_DUPLEX)
_PAPER: Final = (205, 228, 236)
_INK: Final = (40, 45, 60)
_BUTTON: Final = (190, 130, 40)
_OVERSAMPLING: Final = 4
_PLAY_PX: Final = 3
_STROKE_PX: Final = 3.0
_LEAN_PX: Final = 4.0
_POSES: Final = 4
_SOUGHT: Final = 2
"""So many labels, those that fit best at half the size, say where the label lies: all look alike but for digits."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a printing sets its labels; lengths in cells, from the label's left end.

    Attributes:
        length: of the label.
        cost: middle of the cost.
        glass: middle of the hourglass.
        time: middle of the time.
        room: for the cost; what is longer is set smaller.
        parts: where the cost and the time begin and end, as shares of the length.
    """

    length: float
    cost: float
    glass: float
    time: float
    room: float
    parts: tuple[tuple[float, float], tuple[float, float]]


_USUAL: Final = _Layout(1.16, 0.44, 0.70, 0.97, 0.30, ((0.26, 0.52), (0.70, 0.97)))
_LONG: Final = _Layout(1.32, 0.545, 0.845, 1.075, 0.44, ((0.25, 0.57), (0.70, 0.95)))
"""For two digits, where these are not set closer."""


def label_correlations(
    closeup: NDArray[np.uint8], labels: Sequence[tuple[int, int]], least: float = -1.0
) -> NDArray[np.float64]:
    """How well each label fits the one on the patch.

    Args:
        closeup: a straight-on picture of one patch, LABEL_CELL_PX a cell, shape (height, width, 3), uint8, BGR.
        labels: the cost and the time of each candidate.
        least: where none correlates so well at half the size, none is looked at closely.

    Returns:
        For each candidate the best agreement over all places, turns, sizes and fonts, -1..1: the mean of the whole
        label's correlation and of its two numbers' own.
    """
    half = np.asarray(cv2.resize(closeup, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    poses, rough = _likely_poses(half, labels)
    if rough.max() < least:
        return rough
    best = np.full(len(labels), -1.0)
    for pose, layout in product(poses, (_USUAL, _LONG)):
        turned = _turn(closeup, *pose)
        set_so = [number for number in np.argsort(-rough, kind="stable").tolist() if layout in _layouts(labels[number])]
        for scale in _SCALES:
            drawn = [{n: _template(labels[n], layout, font, scale, LABEL_CELL_PX) for n in set_so} for font in _FONTS]
            window = _around_label(turned, [drawn[0][number] for number in set_so[:_SOUGHT]])
            if window is None:
                continue
            for number, in_font in product(set_so, drawn):
                best[number] = max(best[number], _agreement(window, in_font[number], layout))
    return best


def label_lean(closeup: NDArray[np.uint8], one: tuple[int, int], other: tuple[int, int]) -> float:
    """Which of two labels is rather on a patch that is too blurred to be read.

    What both have in common tells where the label lies; there, what they differ in is held against the picture. Fonts
    shift the value: it tells which of two patches has which of two labels, each once, and nothing of a patch alone.

    Args:
        closeup: as for `label_correlations`.
        one: the cost and the time of a label.
        other: likewise.

    Returns:
        The greater, the rather it is `one`; 0 where there is no room for a label.
    """
    first, second = _blurred(one), _blurred(other)
    window = _best_window(closeup, np.asarray((first + second) / 2, np.float32))
    if window is None or not window.std():
        return 0.0
    apart = (first - second).mean(axis=2)
    apart -= apart.mean()
    seen = window.mean(axis=2)
    return float(((seen - seen.mean()) * apart).sum() / (seen.std() * np.linalg.norm(apart)))


def _best_window(closeup: NDArray[np.uint8], template: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """Where a template fits best, in any pose."""
    height, width = template.shape[:2]
    best, window = -np.inf, None
    for pose in product(range(4), (False, True), _TILTS_DEG):
        turned = _turn(closeup, *pose).astype(np.float32)
        if turned.shape[0] < height or turned.shape[1] < width:
            continue
        _, score, _, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(turned, template, cv2.TM_CCOEFF_NORMED))
        if score > best:
            best, window = score, turned[top : top + height, left : left + width]
    return window


@cache
def _blurred(label: tuple[int, int]) -> NDArray[np.float32]:
    """A label out of focus, in both fonts at once, shape (height, width, 3)."""
    fonts = [_template(label, _USUAL, font, 1.0, LABEL_CELL_PX) for font in _FONTS]
    return np.asarray(cv2.GaussianBlur(np.mean(fonts, axis=0, dtype=np.float32), (0, 0), _LEAN_PX), np.float32)


def sharpness(closeup: NDArray[np.uint8]) -> float:
    """How much of a close-up is finer than a number's strokes, 0..1: what is out of focus has little of it.

    Args:
        closeup: as for `label_correlations`.
    """
    grey = cv2.cvtColor(closeup, cv2.COLOR_BGR2GRAY).astype(np.float32)
    spread = float(grey.std())
    return float((grey - cv2.GaussianBlur(grey, (0, 0), _STROKE_PX)).std()) / spread if spread > 0 else 0.0


def _around_label(image: NDArray[np.uint8], templates: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8] | None:
    """The part of a picture where one of several templates of one size fits best; None where there is no room."""
    best, window = -np.inf, None
    for template in templates:
        height, width = template.shape[:2]
        if image.shape[0] < height or image.shape[1] < width:
            continue
        _, score, _, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(image, template, cv2.TM_CCOEFF_NORMED))
        if score > best:
            rows = slice(max(top - _PLAY_PX, 0), top + height + _PLAY_PX)
            best, window = score, image[rows, max(left - _PLAY_PX, 0) : left + width + _PLAY_PX]
    return window


def _layouts(label: tuple[int, int]) -> tuple[_Layout, ...]:
    return (_USUAL, _LONG) if label[0] > 9 else (_USUAL,)


def _agreement(window: NDArray[np.uint8], template: NDArray[np.uint8], layout: _Layout) -> float:
    """The label's best correlation, averaged with that of its numbers where it fits best."""
    _, whole, _, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED))
    numbers = [_number_correlation(window, template, left, top, part) for part in layout.parts]
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


def _likely_poses(
    half: NDArray[np.uint8], labels: Sequence[tuple[int, int]]
) -> tuple[list[tuple[int, bool, float]], NDArray[np.float64]]:
    """In which turns (quarters, mirrored, tilt in degrees) labels fit best at half the size, and how well each does."""
    poses = list(product(range(4), (False, True), _TILTS_DEG))
    grey = np.asarray(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), np.uint8)
    scores = np.array([_rough(_turn(grey, *pose), labels) for pose in poses])
    order = np.argsort(-scores.max(axis=1), kind="stable")[:_POSES].tolist()
    return [poses[number] for number in order], np.asarray(scores[order].max(axis=0), np.float64)


def _rough(turned: NDArray[np.uint8], labels: Sequence[tuple[int, int]]) -> list[float]:
    """Each label's best correlation with a grey picture at half the size."""
    return [max(_correlation(turned, _small(label, layout)) for layout in _layouts(label)) for label in labels]


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
def _small(label: tuple[int, int], layout: _Layout) -> NDArray[np.uint8]:
    """A label in grey at half the size, shape (height, width), uint8."""
    drawn = _template(label, layout, _FONTS[0], 1.0, LABEL_CELL_PX // 2)
    return np.asarray(cv2.cvtColor(drawn, cv2.COLOR_BGR2GRAY), np.uint8)


@cache
def _template(label: tuple[int, int], layout: _Layout, font: int, scale: float, cell_px: int) -> NDArray[np.uint8]:
    """A label drawn as large as the close-up would show it, shape (height, width, 3), uint8, BGR."""
    unit = cell_px * scale
    height, width = round(_WIDTH_CELLS * unit), round(layout.length * unit)
    big = np.full((height * _OVERSAMPLING, width * _OVERSAMPLING, 3), _PAPER, np.uint8)
    pixels = unit * _OVERSAMPLING
    middle = big.shape[0] // 2
    cv2.circle(big, (round(0.20 * pixels), middle), round(0.13 * pixels), _BUTTON, -1, cv2.LINE_AA)
    cost, time = label
    _write(big, str(cost), layout.cost * pixels, pixels, font, layout.room)
    _hourglass(big, layout.glass * pixels, pixels)
    _write(big, str(time), layout.time * pixels, pixels, font, layout.room)
    calm = cv2.GaussianBlur(big, (0, 0), 0.02 * pixels)
    return np.asarray(cv2.resize(calm, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _write(image: NDArray[np.uint8], text: str, x: float, pixels: float, font: int, room: float) -> None:
    """Write a number with its middle at x, 0.27 cells high, smaller where it is wider than its room in cells."""
    thickness = max(1, round(0.045 * pixels))
    size = 0.27 * pixels / cv2.getTextSize("8", font, 1.0, 1)[0][1]
    (width, height), _ = cv2.getTextSize(text, font, size, thickness)
    if width > room * pixels:
        size *= room * pixels / width
        (width, height), _ = cv2.getTextSize(text, font, size, thickness)
    origin = (round(x - width / 2), round((image.shape[0] + height) / 2))
    cv2.putText(image, text, origin, font, size, _INK, thickness, cv2.LINE_AA)


def _hourglass(image: NDArray[np.uint8], x: float, pixels: float) -> None:
    middle, high, wide = image.shape[0] / 2, 0.13 * pixels, 0.075 * pixels
    for end in (-1, 1):
        tip, foot = middle, middle + end * high
        triangle = np.array([[x - wide, foot], [x + wide, foot], [x, tip]])
        cv2.fillPoly(image, [np.rint(triangle).astype(np.int32)], _INK, cv2.LINE_AA)

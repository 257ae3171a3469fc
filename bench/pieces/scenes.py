"""Random tables with pieces, and the truth of each pixel: training data of the piece network.

A scene is drawn from above and scaled down to `vision.pieces.maps.CELL_PX` per cell. Prints, table tops, light and
other objects are random, so that the network recognizes pieces as such, and not by their print.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.pieces.canvas import (
    FINE_PX,
    SIDE_PX,
    TRUTHS,
    Canvas,
    around,
    blank,
    box,
    button_blue,
    disc,
    dot,
    filled,
    turned,
)
from bench.pieces.light import photographed
from bench.pieces.strangers import STRANGERS, lay_button, lay_token
from bench.pieces.textures import cloth
from companion.games.patchwork.components import PATCHES, orientations

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from bench.pieces.canvas import Mask, Points
    from bench.pieces.textures import Field

_RIM_CELLS: Final = 0.10


def scenes(rng: np.random.Generator, views: int = 1) -> list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Return one random table, photographed a number of times in different light.

    Returns:
        Pictures, `SIDE_PX` / 2 pixels square, and their truths at half that size, shape (side, side, 5); both uint8.
    """
    canvas = _draw(rng)
    half = [cv2.resize(canvas.truths[name], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA) for name in TRUTHS]
    truths = np.dstack(half).astype(np.uint8)
    return [(photographed(rng, canvas.picture), truths) for _ in range(views)]


def _draw(rng: np.random.Generator) -> Canvas:
    canvas = Canvas(cloth(rng, (SIDE_PX, SIDE_PX), FINE_PX, ground=True))
    lamp = (float(rng.normal(0, 1.5)), float(rng.normal(0, 1.5)))
    for _ in range(int(rng.integers(0, 7))):
        STRANGERS[int(rng.integers(len(STRANGERS)))](canvas, rng, lamp)
    style = _Style.random(rng, lamp)
    near = rng.uniform(-0.15, 0.6)
    for _ in range(int(rng.integers(4, 22))):
        _lay_piece(canvas, rng, style, near)
    for _ in range(int(rng.integers(0, 9))):
        (lay_token if rng.random() < 0.35 else lay_button)(canvas, rng, lamp)
    return canvas


@dataclass(frozen=True)
class _Style:
    """The properties that all pieces of one printing share."""

    stitched: bool
    rounded_px: float
    edge: float
    label: tuple[float, float]
    label_corner: float
    label_shadow: bool
    label_tilt: float
    button_cells: float
    button: Field
    lamp: tuple[float, float]
    shadow: float
    squeeze: tuple[float, float]

    @classmethod
    def random(cls, rng: np.random.Generator, lamp: tuple[float, float]) -> _Style:
        """Return a random printing."""
        blue = button_blue(rng)
        return cls(
            bool(rng.random() < 0.6),
            float(rng.uniform(0.3, 2.5)),
            float(rng.uniform(-0.35, 0.15)),
            (float(rng.uniform(1.0, 1.3)), float(rng.uniform(0.36, 0.5))),
            float(rng.uniform(0.2, 1.0)),
            bool(rng.random() < 0.4),
            float(rng.uniform(0, 8)),
            float(rng.uniform(0.42, 0.68)),
            blue,
            lamp,
            float(rng.uniform(0.0, 0.6)),
            (float(rng.normal(1, 0.025)), float(rng.normal(1, 0.025))),
        )


def _lay_piece(canvas: Canvas, rng: np.random.Generator, style: _Style, near: float) -> None:
    patch = list(PATCHES.values())[int(rng.integers(len(PATCHES)))]
    ways = orientations(patch.id)
    cells = np.array(ways[int(rng.integers(len(ways)))].cells, np.float64)
    middle = (cells.min(axis=0) + cells.max(axis=0) + 1) / 2
    spots = cells[:, ::-1] + 0.5 - middle[::-1]
    turn = float(rng.uniform(-45, 45))
    free_px = cv2.distanceTransform(np.where(canvas.taken > 0, 0, 1).astype(np.uint8), cv2.DIST_L2, 3)
    for _ in range(12):
        at = rng.uniform(0, SIDE_PX, 2)
        mask = blank()
        for spot in spots:
            square = np.rint(turned(box(1.04, 1.04) + spot, turn, at, style.squeeze) * 16).astype(np.int32)
            cv2.fillPoly(mask, [square], 255, cv2.LINE_8, 4)
        allowed = (mask > 0).sum() * max(0.0, -near)
        if (free_px[mask > 0] <= FINE_PX * max(near, 0.0)).sum() <= allowed:
            break
    else:
        return
    soft = cv2.GaussianBlur(cv2.erode(mask, np.ones((2, 2), np.uint8)), (0, 0), style.rounded_px)
    _print(canvas, rng, style, np.where(soft > 127, 255, 0).astype(np.uint8), (spots, turn, at, patch.income))


def _print(
    canvas: Canvas, rng: np.random.Generator, style: _Style, mask: Mask, lies: tuple[Points, float, Points, int]
) -> None:
    spots, turn, at, income = lies
    canvas.taken |= mask
    canvas.shade(mask, (style.lamp[0] + rng.normal(0, 0.3), style.lamp[1]), rng.uniform(0.8, 3), style.shadow)
    width = max(1, round(2 * _RIM_CELLS * FINE_PX))
    box = around(mask, width + 2)
    outline = cv2.morphologyEx(mask[box], cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    rim = cv2.dilate(outline, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)))
    stamp = _fabric(canvas, rng, style, mask)
    canvas.lay(stamp, mask, piece=mask)
    canvas.truths["rim"][box] |= rim.astype(np.uint8)
    _label(canvas, rng, style, (spots, turn, at))
    for spot in spots[::-1][:income]:
        _printed_button(canvas, rng, style, turned(np.array([spot]), turn, at, style.squeeze)[0])


def _fabric(canvas: Canvas, rng: np.random.Generator, style: _Style, mask: Mask) -> Field:
    """Return a piece's print, in a picture of the scene's size, with its darker rim and stitches."""
    box = around(mask, 3)
    stamp, part = np.zeros_like(canvas.picture), mask[box]
    own = cloth(rng, part.shape, FINE_PX)
    likeness = rng.random()
    if likeness < 0.12:  # of the table's texture
        own = _elsewhere(canvas, rng, box) * np.float32(rng.uniform(0.85, 1.2)) + np.float32(rng.normal(0, 8))
    elif likeness < 0.37:  # in the table's colours
        own = own * 0.35 + 0.65 * canvas.picture[box].mean(axis=(0, 1)) + np.float32(rng.normal(0, 8))
    depth = cv2.distanceTransform(part, cv2.DIST_L2, 3)
    own *= (1 + np.float32(style.edge) * np.clip(1 - depth / 2.0, 0, 1))[..., None]
    if style.stitched:
        thread = np.float32(60) if own.mean() > 120 else np.float32(212)
        y, x = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
        dashes = (np.abs(depth - 2.6) < 0.7) & ((x + y) % 7 < 4)
        own[dashes] = own[dashes] * 0.3 + 0.7 * thread
    stamp[box] = own
    return stamp


def _elsewhere(canvas: Canvas, rng: np.random.Generator, box: tuple[slice, slice]) -> Field:
    """Return the picture in a random box of the same size, perhaps flipped."""
    high, wide = canvas.picture[box].shape[:2]
    top, left = int(rng.integers(SIDE_PX - high + 1)), int(rng.integers(SIDE_PX - wide + 1))
    there = canvas.picture[top : top + high, left : left + wide]
    return np.asarray(there[:: int(rng.choice((-1, 1))), :: int(rng.choice((-1, 1)))], np.float32).copy()


def _label(canvas: Canvas, rng: np.random.Generator, style: _Style, lies: tuple[Points, float, Points]) -> None:
    spots, turn, at = lies
    pairs = [(a, b) for a in spots for b in spots if abs(np.abs(a - b).sum() - 1) < 1e-6]
    one, other = pairs[int(rng.integers(len(pairs)))]
    along = float(np.degrees(np.arctan2(*(other - one)[::-1])))
    tilt = along + float(rng.normal(0, 1)) * style.label_tilt
    shape = box(*style.label, style.label_corner)
    centre = turned(np.array([(one + other) / 2 + rng.normal(0, 0.05, 2)]), turn, at, style.squeeze)[0]
    if style.label_shadow:
        below = filled(turned(shape + np.array([0.06, -0.08]), turn + tilt, centre))
        canvas.lay(np.full(3, 40, np.float32), below, piece=below)
    mask = filled(turned(shape, turn + tilt, centre))
    cream = np.array([rng.uniform(170, 235), rng.uniform(205, 240), rng.uniform(215, 245)], np.float32)
    canvas.lay(cream, mask, piece=mask, label=mask)
    _figures(canvas, rng, style, lambda points: turned(points, turn + tilt, centre))


def _figures(canvas: Canvas, rng: np.random.Generator, style: _Style, place: Callable[[Points], Points]) -> None:
    """Draw the label's figures: a button, a number, an hourglass, a number."""
    length, height = style.label
    ink = tuple(float(v) for v in rng.uniform(15, 80, 3))
    spot = place(np.array([[-0.36 * length, 0.0]]))[0]
    radius, weight = max(2, round(0.3 * height * FINE_PX)), -1 if rng.random() < 0.7 else 1
    cv2.circle(canvas.picture, dot(spot), radius, tuple(float(v) for v in style.button), weight, cv2.LINE_AA)
    for x in (-0.12, 0.36):
        for _ in range(3):
            line = place(np.array([[x * length, 0.0]]) + rng.uniform(-1, 1, (2, 2)) * (0.09 * length, 0.3 * height))
            cv2.line(canvas.picture, dot(line[0]), dot(line[1]), ink, 1, cv2.LINE_AA)
    for end in (-1, 1):
        glass = place(np.array([[0.12 - 0.07, 0.3 * end * height], [0.12 + 0.07, 0.3 * end * height], [0.12, 0.0]]))
        cv2.fillPoly(canvas.picture, [np.rint(glass).astype(np.int32)], ink, cv2.LINE_AA)


def _printed_button(canvas: Canvas, rng: np.random.Generator, style: _Style, at: Points) -> None:
    pale = np.float32(rng.uniform(0, 0.6)) if rng.random() < 0.2 else np.float32(0)  # glare
    disc(canvas, rng, at + rng.normal(0, 1, 2), style.button_cells / 2, style.button + (235 - style.button) * pale)

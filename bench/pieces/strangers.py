"""Objects on a table that are no pieces: boards, buttons, tokens, papers, cups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np

from bench.pieces.canvas import FINE_PX, SIDE_PX, Canvas, Points, box, button_blue, disc, dot, filled, rounded, turned
from bench.pieces.textures import cloth, random_colour

if TYPE_CHECKING:
    from collections.abc import Callable

Lamp: TypeAlias = tuple[float, float]
"""The shift (x, y) of shadows, in pixels."""
Stranger: TypeAlias = "Callable[[Canvas, np.random.Generator, Lamp], None]"


def lay_button(canvas: Canvas, rng: np.random.Generator, lamp: Lamp) -> None:
    """Draw a loose button, or a heap of them."""
    middle, radius, blue = rng.uniform(0, SIDE_PX, 2), float(rng.uniform(0.3, 0.48)), button_blue(rng)
    count = 1 if rng.random() < 0.5 else int(rng.integers(2, 16))
    for _ in range(count):
        at = middle + (rng.normal(0, 0.45 * FINE_PX * np.sqrt(count), 2) if count > 1 else 0)
        mask = rounded(at, radius)
        canvas.shade(mask, lamp, 1.5, rng.uniform(0, 0.5))
        canvas.lay(canvas.picture, mask)
        disc(canvas, rng, at, radius, random_colour(rng) if rng.random() < 0.25 else blue)


def lay_token(canvas: Canvas, rng: np.random.Generator, lamp: Lamp) -> None:
    """Draw a pawn or a pebble from above: round, smooth, lit from one side, and tall enough to cast a shadow."""
    taken = np.argwhere(canvas.taken > 0)
    at = rng.uniform(0, SIDE_PX, 2)
    if len(taken) and rng.random() < 0.6:
        at = taken[int(rng.integers(len(taken)))][::-1] + rng.normal(0, 1.2 * FINE_PX, 2)
    size, turn = float(rng.uniform(0.2, 0.58)), float(rng.uniform(0, 180))
    mask = rounded(at, size, float(rng.uniform(0.7, 1)), turn)
    if rng.random() < 0.4:  # seen from the side: its head stands beside its foot
        away = rng.normal(0, 0.7 * size * FINE_PX, 2)
        mask |= rounded(at + away, size * float(rng.uniform(0.6, 1.1)), float(rng.uniform(0.8, 1)), turn)
        mask |= rounded(at + away / 2, size * 0.8)
    for part in (0.4, 0.8, 1.2):
        canvas.shade(mask, (lamp[0] * 4 * part, lamp[1] * 4 * part), 2.5, rng.uniform(0, 0.3))
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    ring = 0.12 * (np.abs(depth - 3) < 1.0) * rng.integers(2)
    light = 0.7 + 0.4 * np.sqrt(depth / max(1.0, float(depth.max()))) - ring
    colour = random_colour(rng)
    canvas.lay((light[..., None] * colour).astype(np.float32), mask, token=mask)


def _board(canvas: Canvas, rng: np.random.Generator, lamp: Lamp) -> None:
    """Draw a quilt board: a large sheet with a grid."""
    side, turn, at = 9.5, float(rng.normal(0, 8)), rng.uniform(0, SIDE_PX, 2)
    mask = filled(turned(box(side, side), turn, at))
    canvas.shade(mask, lamp, 1.5, rng.uniform(0, 0.4))
    canvas.lay(cloth(rng, (SIDE_PX, SIDE_PX), FINE_PX), mask)
    line = tuple(float(v) for v in random_colour(rng))
    for index in range(10):
        for ends in ([[index - 4.5, -4.5], [index - 4.5, 4.5]], [[-4.5, index - 4.5], [4.5, index - 4.5]]):
            one, other = turned(np.array(ends), turn, at)
            cv2.line(canvas.picture, dot(one), dot(other), line, 1, cv2.LINE_AA)


def _time_board(canvas: Canvas, rng: np.random.Generator, lamp: Lamp) -> None:
    """Draw a time board: framed squares of various cloths, some with a button or a leather patch."""
    pitch, turn, at = float(rng.uniform(0.85, 1.05)), float(rng.normal(0, 6)), rng.uniform(0, SIDE_PX, 2)
    whole = filled(turned(box(8.6 * pitch, 8.6 * pitch), turn, at))
    canvas.shade(whole, lamp, 1.5, rng.uniform(0, 0.4))
    canvas.lay(cloth(rng, (SIDE_PX, SIDE_PX), FINE_PX), whole, track=whole)
    calm = rng.random() < 0.5
    tones = [random_colour(rng) for _ in range(6)]
    stamp, spots = canvas.picture.copy(), [np.array([c - 3.5, r - 3.5]) * pitch for r in range(8) for c in range(8)]
    for spot in spots:
        corners = turned(box(pitch, pitch) + spot, turn, at)
        left, top = np.clip(np.floor(corners.min(axis=0)), 0, SIDE_PX).astype(int).tolist()
        right, low = np.clip(np.ceil(corners.max(axis=0)), 0, SIDE_PX).astype(int).tolist()
        if right <= left or low <= top:
            continue
        inner = bool(np.abs(spot).max() < 1.6 * pitch)
        tone = tones[0 if inner else int(rng.integers(1, 6))]
        region = stamp[top:low, left:right]
        own = tone + rng.normal(0, 5, (*region.shape[:2], 1)) if calm else cloth(rng, region.shape[:2], FINE_PX)
        square = np.zeros(region.shape[:2], np.uint8)
        cv2.fillPoly(square, [np.rint(corners - (left, top)).astype(np.int32)], 255)
        region[square > 0] = own[square > 0]
    squares = filled(turned(box(8 * pitch, 8 * pitch), turn, at))
    canvas.lay(stamp, squares, track=squares)
    for spot in spots:
        if rng.random() < 0.12:
            disc(canvas, rng, turned(np.array([spot]), turn, at)[0], 0.24, np.array([170, 90, 40], np.float32))
        elif rng.random() < 0.07:
            _leather(canvas, rng, turned(np.array([spot]), turn, at)[0])


def _leather(canvas: Canvas, rng: np.random.Generator, at: Points) -> None:
    mask = filled(turned(box(1, 1), float(rng.normal(0, 10)), at))
    on_track = canvas.truths["track"] & mask
    brown = np.array([rng.uniform(15, 50), rng.uniform(30, 70), rng.uniform(50, 110)], np.float32)
    canvas.lay(brown, mask, track=on_track)


def _sheet(canvas: Canvas, rng: np.random.Generator, lamp: Lamp) -> None:
    """Draw a sheet of paper with text, or a mat with its markers."""
    turn, at = float(rng.uniform(-45, 45)), rng.uniform(0, SIDE_PX, 2)
    mask = filled(turned(box(10.4, 14.8), turn, at))
    canvas.shade(mask, lamp, 1.0, rng.uniform(0, 0.3))
    canvas.lay(np.full(3, rng.uniform(190, 245), np.float32), mask)
    if rng.random() < 0.5:
        for line in np.arange(-6.5, 6.5, 0.35):
            ends = turned(np.array([[-4.5, line], [rng.uniform(1, 4.5), line]]), turn, at)
            cv2.line(canvas.picture, dot(ends[0]), dot(ends[1]), (90, 90, 90), 2, cv2.LINE_AA)
        return
    for x in (-3.9, 3.9):
        for y in (-6, 6):
            for index, black in enumerate(rng.random(36) < 0.7):
                spot = np.array([x + (index % 6 - 2.5) * 0.3, y + (index // 6 - 2.5) * 0.3])
                square = turned(box(0.31, 0.31) + spot, turn, at)
                ink = (25, 25, 25) if black else (240, 240, 240)
                cv2.fillPoly(canvas.picture, [np.rint(square).astype(np.int32)], ink)


def _bonus_tile(canvas: Canvas, rng: np.random.Generator, lamp: Lamp) -> None:
    """Draw a bonus tile: two cells square, with a label larger than a patch's."""
    side, turn, at = float(rng.uniform(1.8, 2.3)), float(rng.uniform(-45, 45)), rng.uniform(0, SIDE_PX, 2)
    mask = filled(turned(box(side, side), turn, at))
    canvas.shade(mask, lamp, 1.5, rng.uniform(0, 0.5))
    canvas.lay(cloth(rng, (SIDE_PX, SIDE_PX), FINE_PX), mask)
    wide, high, corner = side * rng.uniform(0.6, 0.95), side * rng.uniform(0.45, 0.8), rng.uniform(0, 1)
    plate = filled(turned(box(wide, high, corner), turn, at))
    canvas.lay(np.full(3, rng.uniform(190, 240), np.float32), plate)
    for x in (-0.4, 0.4) if rng.random() < 0.6 else (0.0,):
        seven = turned(np.array([[x - 0.2, -0.3], [x + 0.2, -0.3], [x - 0.1, 0.3]]), turn, at)
        cv2.polylines(canvas.picture, [np.rint(seven).astype(np.int32)], False, (50, 45, 60), 2, cv2.LINE_AA)


def _plate(canvas: Canvas, rng: np.random.Generator, lamp: Lamp) -> None:
    """Draw a button tile or card, a light rounded plate with another colour inside, and perhaps a leather patch."""
    wide, high = rng.uniform(0.9, 3.5), rng.uniform(0.9, 1.6)
    turn, at = float(rng.uniform(-45, 45)), rng.uniform(0, SIDE_PX, 2)
    mask = filled(turned(box(wide, high, rng.uniform(0.3, 0.8)), turn, at))
    canvas.shade(mask, lamp, 1.5, rng.uniform(0, 0.5))
    canvas.lay(np.full(3, rng.uniform(170, 245), np.float32), mask)
    inner = filled(turned(box(wide - 0.3, high - 0.3, 0.3), turn, at))
    canvas.lay(random_colour(rng), inner)
    if rng.random() < 0.3:
        _leather(canvas, rng, rng.uniform(0, SIDE_PX, 2))


def _vessel(canvas: Canvas, rng: np.random.Generator, lamp: Lamp) -> None:
    """Draw a large smooth object, such as a cup, a plate or the back of a hand."""
    at = rng.uniform(-0.1, 1.1, 2) * SIDE_PX
    radius, ratio = float(rng.uniform(1.5, 5)), float(rng.uniform(0.5, 1))
    mask = rounded(at, radius, ratio, float(rng.uniform(0, 180)))
    canvas.shade(mask, (lamp[0] * 6, lamp[1] * 6), 9, rng.uniform(0, 0.5))
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    light = 0.6 + 0.4 * np.clip(depth / max(1.0, float(depth.max())), 0, 1)
    canvas.lay((light[..., None] * random_colour(rng)).astype(np.float32), mask)
    if rng.random() < 0.6:
        canvas.lay(random_colour(rng), rounded(at, radius * 0.8, ratio))


STRANGERS: Final[tuple[Stranger, ...]] = (
    lay_button,
    lay_button,
    _board,
    _time_board,
    _time_board,
    _sheet,
    _bonus_tile,
    _bonus_tile,
    _plate,
    _vessel,
)

"""Flat items on the table: the mats, the quilt boards, the time board, and grounds of other printings."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from calibration.mat import Mat
from companion.games.patchwork.components import TIME_TRACKS, Edition
from hardware.simulated.drawing import Field, Image, clipped, fabrics, floats_of
from hardware.simulated.drawing.fabrics import woven
from hardware.simulated.drawing.sprites import Sprite
from hardware.simulated.prints.cloths import Colour, blotches, colour

# Hue range, saturation range, value range of boards: beige, brown, grey-green, yellow, blue-grey, grey.
_HUES: Final = (
    ((25, 42), (0.12, 0.35), (0.7, 0.95)),
    ((14, 32), (0.35, 0.65), (0.35, 0.7)),
    ((70, 160), (0.05, 0.28), (0.45, 0.85)),
    ((40, 56), (0.3, 0.65), (0.6, 0.92)),
    ((190, 220), (0.1, 0.35), (0.4, 0.75)),
    ((0, 360), (0.0, 0.06), (0.4, 0.85)),
)


@dataclass(frozen=True, slots=True)
class Ground:
    """The printing of a quilt board.

    Attributes:
        base: its colour, (3,), blue-green-red.
        thread: strength of the weave in grey levels.
        thread_mm: distance between threads.
        stains: strength of soft stains, relative.
        line: factor on the ground's colour along the grid lines; 1 leaves no lines.
        line_mm: width of the lines.
        sewn: whether the lines are stitches with gaps and frayed edges.
        border: factor on the ground's colour outside of the grid.
    """

    base: Colour
    thread: float = 4.0
    thread_mm: float = 1.2
    stains: float = 0.06
    line: float = 0.6
    line_mm: float = 0.6
    sewn: bool = True
    border: float = 0.85


def random_ground(rng: np.random.Generator) -> Ground:
    """Return a random board's ground."""
    hue, saturation, value = _HUES[int(rng.integers(len(_HUES)))]
    faint = rng.random() < 0.3
    return Ground(
        base=colour(rng, hue, float(rng.uniform(*saturation)), float(rng.uniform(*value))),
        thread=float(rng.uniform(0, 9)),
        thread_mm=float(rng.uniform(0.7, 3.0)),
        stains=float(rng.uniform(0, 0.12)),
        line=float(rng.uniform(0.88, 1.1) if faint else rng.choice([rng.uniform(0.35, 0.8), rng.uniform(1.1, 1.4)])),
        line_mm=float(rng.uniform(0.4, 1.4)),
        sewn=bool(rng.random() < 0.5),
        border=float(rng.uniform(0.7, 1.1)),
    )


def board_picture(ground: Ground, size_mm: float, grid_mm: float, px_per_mm: float, rng: np.random.Generator) -> Image:
    """Return an empty quilt board, square, uint8.

    Args:
        ground: its printing.
        size_mm: of the board's side.
        grid_mm: of the printed grid's side, in the middle of the board.
        px_per_mm: of the picture.
        rng: of threads, stains and stitches.
    """
    side = round(size_mm * px_per_mm)
    axis = (np.arange(side, dtype=np.float32) + 0.5) / np.float32(px_per_mm) - np.float32(size_mm / 2)
    shade = _stained(ground, side, rng) * _lines(ground, axis, grid_mm, rng)
    outside = np.abs(axis) > grid_mm / 2 + 0.3
    shade *= np.where(outside[:, None] | outside[None, :], np.float32(ground.border), np.float32(1))
    picture = ground.base * shade[..., None] + _weave(ground, axis, rng)[..., None]
    return clipped(picture)


def _stained(ground: Ground, side: int, rng: np.random.Generator) -> Field:
    broad, small = (blotches(rng, (side, side), (bumps, bumps)) for bumps in (4, 14))
    # A few small dark spots, like those of tea or age, but no light ones.
    spots = np.clip(small - 1.6, 0, 1)
    return floats_of(1 + ground.stains * (broad + 0.4 * small) - 2 * ground.stains * spots)


def _weave(ground: Ground, axis: Field, rng: np.random.Generator) -> Field:
    pitch = np.float32(2 * np.pi / ground.thread_mm)
    side = len(axis)
    over = np.sin(axis * pitch)[:, None] * np.sin(axis * pitch)[None, :]
    grain = rng.standard_normal((side, side), dtype=np.float32)
    runs = rng.standard_normal((side, 1), dtype=np.float32) + rng.standard_normal((1, side), dtype=np.float32)
    return floats_of(ground.thread * (0.7 * over + 0.35 * grain + 0.25 * runs))


def _lines(ground: Ground, axis: Field, grid_mm: float, rng: np.random.Generator) -> Field:
    """Return the factor of the grid's lines on the ground."""
    cell_mm = grid_mm / 9
    ink = np.ones((len(axis), len(axis)), np.float32)
    within = (np.abs(axis) < grid_mm / 2 + 0.5).astype(np.float32)
    for index in range(10):
        away = np.abs(axis - np.float32(index * cell_mm - grid_mm / 2))
        for turned in (False, True):
            run = within * (_stitches(axis, rng) if ground.sewn else 1)
            core = np.clip((ground.line_mm / 2 - away) * 2.5 + 0.5, 0, 1)
            halo = np.exp(-((away / (1.6 * ground.line_mm)) ** 2)) * (0.35 if ground.sewn else 0.0)
            line = np.maximum(core, halo)[None, :] * run[:, None] * np.float32(ground.line - 1)
            ink += line.T if turned else line
    return floats_of(np.clip(ink, 0.1, 1.6))


def _stitches(axis: Field, rng: np.random.Generator) -> Field:
    """Return the density of thread along a seam."""
    pitch = float(rng.uniform(1.6, 3.2))
    waves = np.sin(axis * np.float32(2 * np.pi / pitch) + np.float32(rng.uniform(0, 6)))
    uneven = cv2.resize(rng.uniform(0.7, 1, (1, 40)).astype(np.float32), (len(axis), 1))[0]
    return floats_of(np.clip(0.72 + 0.5 * waves, 0.25, 1) * uneven)


BOARD_PX_PER_MM: Final = 2.5
MAT_PX_PER_MM: Final = 4.0
"""The markers' edges fall on whole pixels at this scale."""
TIME_BOARD_MM: Final = 172.0
TIME_GRID_MM: Final = 160.0
TIME_SIDE: Final = 8

# Blue-green-red of the cloth, of its second thread, and of the grid's lines; and a weave.
GROUNDS: Final = (
    ((86, 128, 172), (66, 104, 150), (50, 72, 104), "linen"),
    ((78, 170, 196), (60, 146, 172), (120, 206, 214), "leaves"),
    ((104, 122, 112), (88, 106, 98), (70, 84, 78), "linen"),
    ((160, 196, 210), (140, 178, 194), (112, 132, 146), "linen"),
    ((140, 120, 96), (120, 100, 80), (196, 186, 170), "leaves"),
    ((60, 92, 128), (48, 78, 112), (36, 52, 74), "linen"),
)


@cache
def quilt_board_sprite(ground: int, size_mm: float, grid_mm: float) -> Sprite:
    """Return an empty quilt board with its printed grid; `ground` is an index of `GROUNDS`."""
    cloth, second, line, weave = GROUNDS[ground]
    side = round(size_mm * BOARD_PX_PER_MM)
    picture = _ground(side, cloth, second, weave, seed=ground)
    border_px = (size_mm - grid_mm) / 2 * BOARD_PX_PER_MM
    _darken_border(picture, border_px)
    for index in range(10):
        at = border_px + index * (side - 2 * border_px) / 9
        for start, end in (((at, border_px), (at, side - border_px)), ((border_px, at), (side - border_px, at))):
            _fine_line(picture, start, end, line, 0.45 * BOARD_PX_PER_MM)
    mask = _sheet(side, side)
    fabrics.stitch_border(picture, mask, inset_px=2.4 * BOARD_PX_PER_MM, pitch_px=2.6 * BOARD_PX_PER_MM)
    return Sprite(picture, mask, BOARD_PX_PER_MM, 2.5, (96, 112, 124))


def _sheet(height: int, width: int) -> Image:
    """Return a rectangle's mask with an empty border of a pixel, so that its outline stays smooth when warped."""
    mask = np.zeros((height, width), np.uint8)
    mask[1:-1, 1:-1] = 255
    return mask


def _ground(side: int, cloth: tuple[int, ...], second: tuple[int, ...], weave: str, seed: int) -> Image:
    base = np.full((side, side, 3), cloth, np.float32)
    axis = (np.arange(side, dtype=np.float32) + 0.5) / np.float32(BOARD_PX_PER_MM)
    x, y = np.meshgrid(axis, axis)
    if weave == "linen":
        weight = 0.5 + 0.5 * np.sin(x * 4.4) * np.sin(y * 4.4)
    else:
        bend = np.sin(x * 0.55 + 1.4 * np.sin(y * 0.31)) * np.sin(y * 0.6 + 1.2 * np.cos(x * 0.27))
        weight = np.clip(bend * 2.5, 0, 1)
    base += (np.array(second, np.float32) - np.array(cloth, np.float32)) * weight[..., None]
    return woven(base, seed=200 + seed, strength=4.0)


def _darken_border(picture: Image, border_px: float) -> None:
    inner = round(border_px)
    shade = np.full(picture.shape[:2], 0.78, np.float32)
    shade[inner:-inner, inner:-inner] = 1.0
    picture[:] = (picture * shade[..., None]).astype(np.uint8)


def _fine_line(
    picture: Image, start: tuple[float, float], end: tuple[float, float], colour: tuple[int, int, int], width_px: float
) -> None:
    """Draw a line with subpixel ends, in place (OpenCV's fixed point: 1/16 pixel)."""
    # In OpenCV, whole numbers are the pixels' centres.
    points = [(round(x * 16 - 8), round(y * 16 - 8)) for x, y in (start, end)]
    cv2.line(picture, points[0], points[1], colour, max(1, round(width_px)), cv2.LINE_AA, 4)


def mat_sprite(mat: Mat, seat: int) -> Sprite:
    """Return one seat's printed mat."""
    width, height = (round(length * MAT_PX_PER_MM) for length in mat.page_mm)
    picture = woven(np.full((height, width, 3), (240, 241, 242), np.float32), seed=300 + seat, strength=0.8)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mat.dictionary))
    side = round(mat.marker_size_mm * MAT_PX_PER_MM)
    for index, marker in enumerate(mat.seats[seat]):
        left, top = np.round(mat.marker_corners_mm(index)[0] * MAT_PX_PER_MM).astype(int)
        modules = cv2.aruco.generateImageMarker(dictionary, marker, side)
        ink = np.where(modules > 127, 240, 26).astype(np.uint8)
        picture[top : top + side, left : left + side] = ink[..., None]
    _words(picture, f"SEAT {seat}", (105.0, 28.0), 1.35)
    _words(picture, "put the quilt board on the frame", (105.0, 37.0), 0.55)
    _words(picture, "print at 100 %, A4", (105.0, 272.0), 0.5)
    frame = np.round(mat.board_corners_mm * MAT_PX_PER_MM).astype(np.int32)
    cv2.polylines(picture, [frame.reshape(-1, 1, 2)], True, (150, 150, 150), 2, cv2.LINE_AA)
    return Sprite(picture, _sheet(height, width), MAT_PX_PER_MM, 0.1, (214, 216, 218))


def _words(picture: Image, text: str, centre_mm: tuple[float, float], scale: float) -> None:
    font, weight = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(scale * 2.5))
    (width, height), _ = cv2.getTextSize(text, font, scale, weight)
    at = (round(centre_mm[0] * MAT_PX_PER_MM - width / 2), round(centre_mm[1] * MAT_PX_PER_MM + height / 2))
    cv2.putText(picture, text, at, font, scale, (70, 70, 70), weight, cv2.LINE_AA)


@cache
def spiral() -> tuple[tuple[int, int], ...]:
    """Return (row, column) of the spaces 0..52 on the 8x8 time board, in an inward spiral; the rest is space 53."""
    seen: list[tuple[int, int]] = []
    row, column, step = 0, 0, (0, 1)
    for _ in range(53):
        seen.append((row, column))
        ahead = (row + step[0], column + step[1])
        if not (0 <= ahead[0] < TIME_SIDE and 0 <= ahead[1] < TIME_SIDE) or ahead in seen:
            step = (step[1], -step[0])
            ahead = (row + step[0], column + step[1])
        row, column = ahead
    return tuple(seen)


def space_mm(space: float) -> tuple[float, float]:
    """Return a space's centre on the time board, (x, y) in millimetres from its middle.

    Half a space further is the border to the next one.
    """
    low = int(space)
    x0, y0 = _whole_space_mm(low)
    x1, y1 = _whole_space_mm(min(53, low + 1))
    part = space - low
    return x0 + (x1 - x0) * part, y0 + (y1 - y0) * part


def _whole_space_mm(space: int) -> tuple[float, float]:
    if space >= 53:
        everywhere = {(row, column) for row in range(TIME_SIDE) for column in range(TIME_SIDE)}
        row, column = np.mean(sorted(everywhere - set(spiral())), axis=0)
    else:
        row, column = spiral()[space]
    pitch = TIME_GRID_MM / TIME_SIDE
    return float(column - 3.5) * pitch, float(row - 3.5) * pitch


@cache
def time_board_sprite(edition: Edition, border_bgr: tuple[int, int, int]) -> Sprite:
    """Return the time board: the spiral of spaces, the orange centre and the printed income marks."""
    scale = BOARD_PX_PER_MM
    side = round(TIME_BOARD_MM * scale)
    picture = woven(np.full((side, side, 3), border_bgr, np.float32), seed=400, strength=4.0)
    # All time boards have the same spaces.
    rng = np.random.default_rng(17)
    margin, pitch = (TIME_BOARD_MM - TIME_GRID_MM) / 2 * scale, TIME_GRID_MM / TIME_SIDE * scale
    track = spiral()
    for row in range(TIME_SIDE):
        for column in range(TIME_SIDE):
            tone = (60, 160, 225) if (row, column) not in track else _space_tone(rng)
            _fill_space(picture, (margin + column * pitch, margin + row * pitch), pitch, tone, rng)
    for mark in TIME_TRACKS[edition].income:
        disc, mask = fabrics.button_disc(round(9 * scale), (150, 80, 40))
        x, y = space_mm(mark - 0.5)
        fabrics.paste(picture, disc, mask, (x * scale + side / 2, y * scale + side / 2))
    mask = _sheet(side, side)
    fabrics.stitch_border(picture, mask, inset_px=2.6 * scale, pitch_px=2.6 * scale)
    return Sprite(picture, mask, scale, 2.5, (96, 112, 124))


def _space_tone(rng: np.random.Generator) -> tuple[int, int, int]:
    tones = ((196, 214, 226), (176, 206, 200), (168, 196, 186), (204, 214, 232), (190, 222, 230))
    return tones[int(rng.integers(len(tones)))]


def _fill_space(
    picture: Image, corner: tuple[float, float], pitch: float, tone: tuple[int, int, int], rng: np.random.Generator
) -> None:
    left, top = (round(value) for value in corner)
    side = round(pitch)
    cloth = np.full((side, side, 3), tone, np.float32) + rng.normal(0, 5, (side, side, 1))
    picture[top : top + side, left : left + side] = np.clip(cloth, 0, 255).astype(np.uint8)
    cv2.rectangle(picture, (left, top), (left + side, top + side), (96, 130, 176), 1, cv2.LINE_AA)

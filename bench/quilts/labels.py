"""Drawing of the label and the buttons printed on a patch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.quilts.canvas import FINE_PX, SIDE_PX, box_of, cells_px, draw_circle, moved_by, polygon
from bench.quilts.laying import BOX

if TYPE_CHECKING:
    from bench.pieces.textures import Field
    from bench.quilts.canvas import Affine, Points, Scene
    from bench.quilts.laying import Laid
    from bench.quilts.styles import Style

# Steps (x, y) to the four neighbours of a cell.
_STEPS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))


def draw_print(scene: Scene, rng: np.random.Generator, style: Style, laid: Laid, moved: Affine) -> None:
    """Draw a patch's label and its buttons."""
    cells = laid.cells[:, ::-1].astype(np.float64)
    pairs = [(a, b) for a in cells for b in cells if abs(np.abs(a - b).sum() - 1) < 1e-6]
    one, other = pairs[int(rng.integers(len(pairs)))]
    income = BOX[laid.patch].income
    places = _button_places(rng, style, cells, (one, other), income)
    for place in places:
        _button(scene, rng, style, moved_by(moved, place[None])[0])
    _label(scene, rng, style, (one + 0.5, other + 0.5), moved, BOX[laid.patch].buttons, BOX[laid.patch].time)


def _button_places(
    rng: np.random.Generator, style: Style, cells: Points, label: tuple[Points, Points], income: int
) -> list[Points]:
    """Return the centres of buttons: in a row, as in some printings, or each in the middle of a cell."""
    free = [cell for cell in cells if not any(np.array_equal(cell, each) for each in label)]
    rows = [np.array(cell) + 0.5 + rng.normal(0, 0.06, 2) for cell in rng.permutation(np.array(free or cells))]
    if income > 1 and rng.random() < 0.5 and free:
        start = rows[0]
        steps = [step for step in _STEPS if any(np.array_equal(np.floor(start) + step, cell) for cell in cells)]
        step = np.array(steps[int(rng.integers(len(steps)))] if steps else (0, 0), np.float64)
        row = [start + step * style.apart * index for index in range(income)]
        if all(any((np.floor(place) == cell).all() for cell in cells) for place in row) and steps:
            return row
    while len(rows) < income:
        rows.append(rows[-1] + np.array([0.0, 0.55]) * (1 if rng.random() < 0.5 else -1))
    inside = [place for place in rows if any((np.floor(place) == cell).all() for cell in cells)]
    return (inside + [cells[int(rng.integers(len(cells)))] + rng.uniform(0.3, 0.7, 2) for _ in range(3)])[:income]


def _button(scene: Scene, rng: np.random.Generator, style: Style, at: Points) -> None:
    scene.buttons.append(at)
    centre, radius = cells_px(at), style.button_cells * FINE_PX / 2 * rng.uniform(0.95, 1.05)
    if style.label_shadow or rng.random() < 0.2:
        draw_circle(scene.picture, centre + np.array([1.5, 1.5]), radius, np.full(3, 40, np.float32), -1)
    draw_circle(scene.picture, centre, radius, style.button, -1)
    draw_circle(scene.picture, centre, radius * 0.8, style.button * np.float32(rng.uniform(1.0, 1.35)), 2)
    draw_circle(scene.picture, centre, radius * 0.62, style.button * np.float32(rng.uniform(0.75, 1.1)), -1)
    spread = rng.uniform(0.16, 0.3)
    for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        hole = centre + radius * spread * np.array([across, down])
        draw_circle(scene.picture, hole, max(1.0, radius * 0.11), style.button * np.float32(0.35), -1)


def _label(
    scene: Scene,
    rng: np.random.Generator,
    style: Style,
    cells: tuple[Points, Points],
    moved: Affine,
    cost: int,
    time: int,
) -> None:
    one, other = cells
    along = np.degrees(np.arctan2(*(other - one)[::-1])) + rng.normal(0, style.label_tilt)
    middle = moved_by(moved, ((one + other) / 2 + rng.normal(0, 0.07, 2))[None])[0]
    scene.labels.append(middle)
    length, height = style.label
    cut = style.label_cut * height / 2
    x, y = length / 2, height / 2
    shape = np.array([[cut - x, -y], [x, -y], [x, y], [cut - x, y], [-x, y - cut], [-x, cut - y]])
    if rng.random() < 0.3:
        shape[:, 0] += shape[:, 1] * rng.uniform(-0.15, 0.15)
    place = _Turned(float(along), middle)
    if style.label_shadow:
        dark = polygon(place(shape + np.array([0.07, 0.09])))
        scene.picture[dark > 127] *= np.float32(0.45)
    paper = np.array([rng.uniform(165, 235), rng.uniform(200, 240), rng.uniform(210, 245)], np.float32)
    mask = polygon(place(shape))
    here = box_of(mask, 2)
    soft = (mask[here].astype(np.float32) / 255)[..., None]
    scene.picture[here] += (paper - scene.picture[here]) * soft
    if rng.random() < 0.4:
        outline = np.rint(cells_px(place(shape)) * 16).astype(np.int32)
        ink = (60.0, 70.0, 80.0)
        cv2.polylines(scene.picture, [outline], isClosed=True, color=ink, thickness=1, lineType=cv2.LINE_AA, shift=4)
    _figures(scene, rng, style, place, cost, time)


@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    """The transform of points relative to a label's centre, in cells, to cell space."""

    degrees: float
    middle: Points

    def __call__(self, points: Points) -> Points:
        angle = np.radians(self.degrees)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray(points @ turn.T + self.middle)


def _figures(scene: Scene, rng: np.random.Generator, style: Style, place: _Turned, cost: int, time: int) -> None:
    """Draw the cost beside a small button and the time beside an hourglass, with either on the left."""
    length, height = style.label
    ink = rng.uniform(10, 90, 3).astype(np.float32)
    blue = style.button if rng.random() < 0.5 else ink
    slots = np.array([-0.36, -0.13, 0.12, 0.35]) * length
    first = slots[[0, 1]] if rng.random() < 0.5 else slots[[1, 0]]
    second = slots[[2, 3]] if rng.random() < 0.5 else slots[[3, 2]]
    spot = place(np.array([[first[0], 0.0]]))[0]
    solid = rng.random() < 0.6
    draw_circle(scene.picture, cells_px(spot), 0.3 * height * FINE_PX, blue, -1 if solid else 1)
    if not solid:
        draw_circle(scene.picture, cells_px(spot), 0.1 * height * FINE_PX, blue, 1)
    _digits(scene, rng, place, (first[1], 0.32 * height), str(cost), blue if rng.random() < 0.3 else ink)
    _digits(scene, rng, place, (second[1], 0.32 * height), str(time), ink)
    for end in (-1, 1):
        glass = place(
            np.array([[second[0] - 0.07, 0.3 * end * height], [second[0] + 0.07, 0.3 * end * height], [second[0], 0]])
        )
        points = np.rint(cells_px(glass) * 16).astype(np.int32)
        cv2.fillPoly(scene.picture, [points], tuple(float(value) for value in ink), cv2.LINE_AA, 4)


def _digits(
    scene: Scene, rng: np.random.Generator, place: _Turned, at: tuple[float, float], text: str, ink: Field
) -> None:
    """Draw a number, rotated with its label."""
    high = round(at[1] * 2 * FINE_PX)
    card = np.zeros((high * 2, high * 4), np.uint8)
    font = cv2.FONT_HERSHEY_COMPLEX if rng.random() < 0.5 else cv2.FONT_HERSHEY_DUPLEX
    scale = high / 24
    (wide, tall), _ = cv2.getTextSize(text, font, scale, 1)
    cv2.putText(card, text, (2 * high - wide // 2, high + tall // 2), font, scale, 255, 1, cv2.LINE_AA)
    centre = cells_px(place(np.array([[at[0], 0.0]]))[0])
    turn = cv2.getRotationMatrix2D((2 * high, high), -place.degrees, 1.0)
    turn[:, 2] += centre - np.array([2 * high, high])
    mask = np.asarray(cv2.warpAffine(card, turn, (SIDE_PX, SIDE_PX)), np.uint8)
    here = box_of(mask, 1)
    scene.picture[here] += (ink - scene.picture[here]) * (mask[here].astype(np.float32) / 255)[..., None]

"""Random pictures of one quilt board as `vision.quilt` sees it, and what is true of them.

Boards, cloths, labels and light are drawn anew for each: the network shall know a patch by lying on the board, not by
its print. Much is made hard on purpose: patches in the board's colour or of the board's own stuff, stains, stitched
lines, shadows with edges, glare, blur, small cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.pieces.textures import Field, cloth, random_colour, smooth_noise
from bench.quilts.laying import BOX, LEATHER, random_quilt
from companion.games.patchwork import SIDE

if TYPE_CHECKING:
    from bench.quilts.laying import Laid
    from bench.quilts.stamps import Stamps

FINE_PX: Final = 40
"""Pixels a cell of the drawing; what the camera makes of it is coarser."""
MARGIN: Final = 1.5
SIDE_PX: Final = round((SIDE + 2 * MARGIN) * FINE_PX)

Points: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.uint8]


@dataclass(eq=False)
class Scene:
    """A drawn board.

    Attributes:
        picture: shape (SIDE_PX, SIDE_PX, 3), float32, 0..255.
        laid: its pieces.
        buttons: middles of the printed ones, (x, y) in cells.
        labels: the same of the labels.
        placed: whether all of these are known; cut-outs do not say where theirs are.
    """

    picture: Field
    laid: list[Laid]
    buttons: list[Points] = field(default_factory=list)
    labels: list[Points] = field(default_factory=list)
    placed: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class _Style:
    """The printing and cutting of everything in one box."""

    lamp: tuple[float, float]
    shadow: float
    edge: float
    edge_px: float
    stitch: float
    slack: float
    turn: float
    creep: float
    alike: float
    button: Field
    button_cells: float
    apart: float
    label: tuple[float, float]
    label_cut: float
    label_tilt: float
    label_shadow: bool
    leather: Field
    leather_stitched: bool


def draw_scene(rng: np.random.Generator, stamps: Stamps | None = None) -> Scene:
    """Return a random board with a random quilt.

    Args:
        rng: of everything.
        stamps: cut-outs of printed boards and patches that are drawn instead, where they are given.
    """
    style = _style(rng)
    board = _board(rng, stamps)
    scene = Scene(board, random_quilt(rng), placed=stamps is None)
    ground = board.copy()
    for laid in rng.permutation(np.arange(len(scene.laid))):
        _lay(scene, rng, style, scene.laid[int(laid)], ground, stamps)
    return scene


def _style(rng: np.random.Generator) -> _Style:
    real = rng.random() < 0.5
    return _Style(
        lamp=(float(rng.normal(0, 2.0)), float(rng.normal(0, 2.0))),
        shadow=rng.uniform(0.05, 0.6),
        edge=rng.choice([-0.45, -0.3, -0.15, 0.0, 0.2], p=[0.2, 0.25, 0.3, 0.15, 0.1]),
        edge_px=rng.uniform(0.8, 3.0),
        stitch=rng.choice([0.0, 0.5, 1.0], p=[0.4, 0.2, 0.4]),
        slack=rng.choice([0.015, 0.03, 0.06]),
        turn=rng.choice([0.3, 1.0, 1.8]),
        creep=rng.normal(0, 0.012),
        alike=rng.choice([0.1, 0.35, 0.7]),
        button=np.array([rng.uniform(130, 240), rng.uniform(80, 185), rng.uniform(10, 120)], np.float32),
        button_cells=rng.uniform(0.45, 0.62) if not real else rng.uniform(0.58, 0.8),
        apart=rng.uniform(0.66, 0.95),
        label=(rng.uniform(1.1, 1.5), rng.uniform(0.4, 0.62)),
        label_cut=rng.choice([0.0, 0.5, 0.8]),
        label_tilt=rng.choice([2.0, 8.0, 16.0]),
        label_shadow=bool(rng.random() < 0.4),
        leather=_leather(rng),
        leather_stitched=bool(rng.random() < 0.5),
    )


def _leather(rng: np.random.Generator) -> Field:
    if rng.random() < 0.2:
        return random_colour(rng)
    dark = rng.uniform(20, 130)
    return np.array([dark * rng.uniform(0.3, 1.0), dark * rng.uniform(0.45, 1.0), dark], np.float32)


def cells_px(points: Points) -> Points:
    """From cell space to pixels of a drawing."""
    return np.asarray((np.asarray(points, np.float64) + MARGIN) * FINE_PX - 0.5)


def _board(rng: np.random.Generator, stamps: Stamps | None) -> Field:
    """Return an empty board on a table or on a white mat."""
    picture = cloth(rng, (SIDE_PX, SIDE_PX), FINE_PX, ground=True)
    if rng.random() < 0.45:
        picture[:] = np.float32(rng.uniform(170, 245)) + rng.normal(0, 5, 3).astype(np.float32)
    edge = rng.uniform(0.12, 0.42)
    frame = _rectangle(np.array([[-edge, -edge], [SIDE + edge, SIDE + edge]]))
    _shade(picture, frame, (rng.normal(0, 2), rng.normal(0, 2)), rng.uniform(1, 5), rng.uniform(0.1, 0.6))
    if stamps is not None:
        printed = stamps.board(rng)
        picture[frame > 127] = printed[frame > 127]
        return picture
    ground = _ground(rng)
    rim = ground * np.float32(rng.uniform(0.65, 1.3)) + rng.normal(0, 10, 3).astype(np.float32) * (rng.random() < 0.5)
    picture[frame > 127] = rim[frame > 127]
    inner = _rectangle(np.array([[0.0, 0.0], [SIDE, SIDE]]))
    picture[inner > 127] = ground[inner > 127]
    _grid_lines(rng, picture)
    return picture


def _ground(rng: np.random.Generator) -> Field:
    """Return a board's cloth with stains."""
    shape = (SIDE_PX, SIDE_PX)
    own = cloth(rng, shape, FINE_PX, ground=bool(rng.random() < 0.3))
    mean = own.mean(axis=(0, 1))
    kept = np.float32(rng.choice([0.04, 0.12, 0.3, 0.8], p=[0.3, 0.35, 0.25, 0.1]))
    base = random_colour(rng, 0.8)
    if rng.random() < 0.7:  # most boards are pale, for patches to show
        base = base * np.float32(rng.uniform(130, 240) / max(float(base.max()), 1.0))
    own = base + kept * (own - mean) + np.float32(rng.uniform(0, 6)) * smooth_noise(rng, shape, 240, 240)[..., None]
    bumps = int(rng.integers(3, 40))
    stain = smooth_noise(rng, shape, bumps, bumps)
    tint = rng.normal(0, 1, 3).astype(np.float32) * np.float32(rng.uniform(0, 6))
    own += stain[..., None] * (np.float32(rng.uniform(0, 9)) + tint)
    if rng.random() < 0.3:  # lighter in the middle
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / shape[0] - 0.5
        own *= (1 + np.float32(rng.uniform(0.1, 0.6)) * (0.15 - (x * x + y * y)))[..., None]
    if rng.random() < 0.15:  # every other cell in a shade of its own
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
        odd = ((x + FINE_PX // 2) // FINE_PX + (y + FINE_PX // 2) // FINE_PX) % 2
        own += (rng.normal(0, 7, 3) * odd[..., None]).astype(np.float32)
    return np.asarray(np.clip(own, 3, 252), np.float32)


def _grid_lines(rng: np.random.Generator, picture: Field) -> None:
    """Draw printed or stitched lines, darker or lighter than the ground."""
    layer = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    width, dash = rng.uniform(0.6, 3.2), rng.random() < 0.3
    pitch, share = rng.uniform(4, 12), rng.uniform(0.45, 0.75)
    y, x = np.mgrid[0:SIDE_PX, 0:SIDE_PX].astype(np.float32)
    wobble = np.float32(rng.uniform(0, 0.8)) * smooth_noise(rng, layer.shape, 30, 30)
    for line in range(SIDE + 1):
        for across, along in ((x, y), (y, x)):
            at = float(cells_px(np.array(line)))
            one = np.clip(width / 2 + 0.5 - np.abs(across + wobble - at), 0, 1)
            if dash:
                one = one * (np.mod(along, pitch) < share * pitch)
            layer = np.maximum(layer, one)
    first, last = cells_px(np.array(-0.03)), cells_px(np.array(SIDE + 0.03))
    layer[(x < first) | (x > last) | (y < first) | (y > last)] = 0
    depth = np.float32(rng.uniform(0.12, 0.6))
    soft = cv2.GaussianBlur(layer, (0, 0), 0.6)[..., None] * depth
    tone = random_colour(rng) if rng.random() < 0.2 else np.full(3, 15 if rng.random() < 0.75 else 250, np.float32)
    picture += (tone - picture) * soft
    if rng.random() < 0.3:  # a light edge beside a dark line, as pressed lines have
        beside = cv2.GaussianBlur(np.roll(layer, (1, 2), (0, 1)), (0, 0), 1.0)[..., None]
        picture *= 1 + np.float32(rng.uniform(0.02, 0.2)) * beside * (1 if tone[0] < 128 else -1)


def _rectangle(corners: Points) -> Mask:
    """Of its upper left and lower right corner in cells."""
    (left, top), (right, bottom) = corners
    return _polygon(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))


def _polygon(points: Points) -> Mask:
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    cv2.fillPoly(mask, [np.rint(cells_px(points) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def _box(mask: Mask, margin_px: int) -> tuple[slice, slice]:
    left, top, wide, high = cv2.boundingRect(mask)
    return (
        slice(max(top - margin_px, 0), top + high + margin_px),
        slice(max(left - margin_px, 0), left + wide + margin_px),
    )


def _shade(picture: Field, mask: Mask, shift: tuple[float, float], blur_px: float, depth: float) -> None:
    here = _box(mask, round(3 * blur_px + max(map(abs, shift))) + 2)
    part = mask[here]
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    cast = cv2.GaussianBlur(cv2.warpAffine(part, move, part.shape[::-1]), (0, 0), blur_px)
    picture[here] *= (1 - np.float32(depth) * cast.astype(np.float32) / 255)[..., None]


def _lay(
    scene: Scene, rng: np.random.Generator, style: _Style, laid: Laid, ground: Field, stamps: Stamps | None
) -> None:
    """Draw one piece where it lies, a little beside its cells."""
    moved = _moved(rng, style, laid)
    stamp = stamps.patch(rng, laid) if stamps is not None else None
    mask = _outline(rng, laid, moved)
    _shade(scene.picture, mask, (style.lamp[0], style.lamp[1]), rng.uniform(0.8, 3.0), style.shadow)
    here = _box(mask, 2)
    soft = (mask[here].astype(np.float32) / 255)[..., None]
    if stamp is not None:
        _put_stamp(scene, laid, stamp, moved)
        return
    own = _fabric(rng, style, laid, mask[here], ground, here)
    scene.picture[here] += (own - scene.picture[here]) * soft
    if laid.patch != LEATHER:
        _print(scene, rng, style, laid, moved)


Affine: TypeAlias = NDArray[np.float64]


def _moved(rng: np.random.Generator, style: _Style, laid: Laid) -> Affine:
    """Return how far beside its cells a piece lies: maps cell space to cell space, shape (2, 3)."""
    middle = laid.cells[:, ::-1].mean(axis=0) + 0.5
    angle = np.radians(rng.normal(0, style.turn))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn * (1 + rng.normal(0, 0.006))
    shift = middle - turn @ middle + rng.normal(0, style.slack, 2) + (middle - SIDE / 2) * style.creep
    return np.column_stack([turn, shift])


def _applied(moved: Affine, points: Points) -> Points:
    return np.asarray(points @ moved[:, :2].T + moved[:, 2])


def _outline(rng: np.random.Generator, laid: Laid, moved: Affine) -> Mask:
    """Return the piece's mask, its corners a little round."""
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    for row, column in laid.cells:
        square = np.array([[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]], np.float64)
        points = np.rint(cells_px(_applied(moved, square)) * 16).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    here = _box(mask, 6)
    part = cv2.morphologyEx(mask[here], cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    soft = cv2.GaussianBlur(part, (0, 0), float(rng.uniform(0.8, 2.2))).astype(np.float32)
    mask[here] = np.clip((soft - rng.uniform(100, 155)) * 4 + 127, 0, 255).astype(np.uint8)
    return mask


def _fabric(
    rng: np.random.Generator, style: _Style, laid: Laid, mask: Mask, ground: Field, here: tuple[slice, slice]
) -> Field:
    """Return what is printed on a piece but for label and buttons, with what runs along its rim."""
    own = cloth(rng, mask.shape, FINE_PX)
    if laid.patch == LEATHER:
        own = style.leather * np.float32(rng.uniform(0.8, 1.25)) + np.float32(0.07) * (own - own.mean(axis=(0, 1)))
    elif rng.random() < style.alike:
        own = _alike(rng, own, ground, here)
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    own = own * (1 + np.float32(style.edge) * np.clip(1 - depth / np.float32(style.edge_px), 0, 1))[..., None]
    stitched = style.leather_stitched if laid.patch == LEATHER else rng.random() < style.stitch
    if stitched:
        light = own.mean() < 120 if rng.random() < 0.8 else own.mean() > 120
        thread = random_colour(rng) if rng.random() < 0.3 else np.full(3, 215 if light else 55, np.float32)
        y, x = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]]
        inset, pitch = rng.uniform(2.5, 5.5), int(rng.integers(5, 11))
        dashes = (np.abs(depth - inset) < rng.uniform(0.5, 1.0)) & ((x + y) % pitch < 0.6 * pitch)
        own[dashes] = own[dashes] * 0.3 + 0.7 * thread
    return np.asarray(np.clip(own, 2, 253), np.float32)


def _alike(rng: np.random.Generator, own: Field, ground: Field, here: tuple[slice, slice]) -> Field:
    """Return a cloth in the board's own colour, or of its own stuff."""
    inside = ground[
        round(MARGIN * FINE_PX) : -round(MARGIN * FINE_PX), round(MARGIN * FINE_PX) : -round(MARGIN * FINE_PX)
    ]
    colour = inside.mean(axis=(0, 1)) + rng.normal(0, rng.choice([1.5, 4.0, 9.0]), 3).astype(np.float32)
    kind = rng.random()
    if kind < 0.2:  # the board's own cloth, with no lines
        calm = cv2.GaussianBlur(ground[here], (0, 0), 3.0)
        fine = own - cv2.GaussianBlur(own, (0, 0), 3.0)
        return np.asarray(calm + np.float32(0.2) * fine + np.float32(rng.normal(0, 4)), np.float32)
    kept = np.float32(rng.choice([0.0, 0.08, 0.2, 0.4]))
    return np.asarray(colour * np.float32(rng.normal(1, 0.04)) + kept * (own - own.mean(axis=(0, 1))), np.float32)


def _print(scene: Scene, rng: np.random.Generator, style: _Style, laid: Laid, moved: Affine) -> None:
    """Draw a patch's label and its buttons."""
    cells = laid.cells[:, ::-1].astype(np.float64)
    pairs = [(a, b) for a in cells for b in cells if abs(np.abs(a - b).sum() - 1) < 1e-6]
    one, other = pairs[int(rng.integers(len(pairs)))]
    income = BOX[laid.patch].income
    places = _button_places(rng, style, cells, (one, other), income)
    for place in places:
        _button(scene, rng, style, _applied(moved, place[None])[0])
    _label(scene, rng, style, (one + 0.5, other + 0.5), moved, BOX[laid.patch].buttons, BOX[laid.patch].time)


def _button_places(
    rng: np.random.Generator, style: _Style, cells: Points, label: tuple[Points, Points], income: int
) -> list[Points]:
    """Return middles of buttons: in rows as some boxes print them, or one in the middle of each cell."""
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


_STEPS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))


def _button(scene: Scene, rng: np.random.Generator, style: _Style, at: Points) -> None:
    scene.buttons.append(at)
    centre, radius = cells_px(at), style.button_cells * FINE_PX / 2 * rng.uniform(0.95, 1.05)
    if style.label_shadow or rng.random() < 0.2:
        _circle(scene.picture, centre + np.array([1.5, 1.5]), radius, np.full(3, 40, np.float32), -1)
    _circle(scene.picture, centre, radius, style.button, -1)
    _circle(scene.picture, centre, radius * 0.8, style.button * np.float32(rng.uniform(1.0, 1.35)), 2)
    _circle(scene.picture, centre, radius * 0.62, style.button * np.float32(rng.uniform(0.75, 1.1)), -1)
    spread = rng.uniform(0.16, 0.3)
    for across, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        hole = centre + radius * spread * np.array([across, down])
        _circle(scene.picture, hole, max(1.0, radius * 0.11), style.button * np.float32(0.35), -1)


def _circle(picture: Field, centre: Points, radius: float, colour: Field, width: int) -> None:
    at = tuple(np.rint(centre * 16).astype(int).tolist())
    shade = tuple(float(value) for value in np.clip(colour, 0, 255))
    cv2.circle(picture, at, round(radius * 16), shade, width, cv2.LINE_AA, 4)


def _label(
    scene: Scene,
    rng: np.random.Generator,
    style: _Style,
    cells: tuple[Points, Points],
    moved: Affine,
    cost: int,
    time: int,
) -> None:
    one, other = cells
    along = np.degrees(np.arctan2(*(other - one)[::-1])) + rng.normal(0, style.label_tilt)
    middle = _applied(moved, ((one + other) / 2 + rng.normal(0, 0.07, 2))[None])[0]
    scene.labels.append(middle)
    length, height = style.label
    cut = style.label_cut * height / 2
    x, y = length / 2, height / 2
    shape = np.array([[cut - x, -y], [x, -y], [x, y], [cut - x, y], [-x, y - cut], [-x, cut - y]])
    if rng.random() < 0.3:
        shape[:, 0] += shape[:, 1] * rng.uniform(-0.15, 0.15)
    place = _Turned(float(along), middle)
    if style.label_shadow:
        dark = _polygon(place(shape + np.array([0.07, 0.09])))
        scene.picture[dark > 127] *= np.float32(0.45)
    paper = np.array([rng.uniform(165, 235), rng.uniform(200, 240), rng.uniform(210, 245)], np.float32)
    mask = _polygon(place(shape))
    here = _box(mask, 2)
    soft = (mask[here].astype(np.float32) / 255)[..., None]
    scene.picture[here] += (paper - scene.picture[here]) * soft
    if rng.random() < 0.4:
        outline = np.rint(cells_px(place(shape)) * 16).astype(np.int32)
        ink = (60.0, 70.0, 80.0)
        cv2.polylines(scene.picture, [outline], isClosed=True, color=ink, thickness=1, lineType=cv2.LINE_AA, shift=4)
    _figures(scene, rng, style, place, cost, time)


@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    """Points about a label's middle, in cells, to cell space."""

    degrees: float
    middle: Points

    def __call__(self, points: Points) -> Points:
        angle = np.radians(self.degrees)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray(points @ turn.T + self.middle)


def _figures(scene: Scene, rng: np.random.Generator, style: _Style, place: _Turned, cost: int, time: int) -> None:
    """Draw the cost beside a small button, the time beside an hourglass, in any order and either hand."""
    length, height = style.label
    ink = rng.uniform(10, 90, 3).astype(np.float32)
    blue = style.button if rng.random() < 0.5 else ink
    slots = np.array([-0.36, -0.13, 0.12, 0.35]) * length
    first = slots[[0, 1]] if rng.random() < 0.5 else slots[[1, 0]]
    second = slots[[2, 3]] if rng.random() < 0.5 else slots[[3, 2]]
    spot = place(np.array([[first[0], 0.0]]))[0]
    solid = rng.random() < 0.6
    _circle(scene.picture, cells_px(spot), 0.3 * height * FINE_PX, blue, -1 if solid else 1)
    if not solid:
        _circle(scene.picture, cells_px(spot), 0.1 * height * FINE_PX, blue, 1)
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
    """Draw a number, turned with its label."""
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
    here = _box(mask, 1)
    scene.picture[here] += (ink - scene.picture[here]) * (mask[here].astype(np.float32) / 255)[..., None]


def _put_stamp(scene: Scene, laid: Laid, stamp: NDArray[np.uint8], moved: Affine) -> None:
    """Lay a cut-out, (height, width, 4) uint8 with one cell of margin around the patch's bounding box."""
    top, left = laid.cells.min(axis=0) - 1
    at = np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]])
    to_cells = np.array([[1 / FINE_PX, 0, 0.5 / FINE_PX], [0, 1 / FINE_PX, 0.5 / FINE_PX], [0, 0, 1.0]])
    to_px = np.array([[FINE_PX, 0, MARGIN * FINE_PX - 0.5], [0, FINE_PX, MARGIN * FINE_PX - 0.5], [0, 0, 1.0]])
    whole = to_px @ np.vstack([moved, [0, 0, 1]]) @ at @ to_cells
    warped = cv2.warpPerspective(stamp, whole, (SIDE_PX, SIDE_PX), flags=cv2.INTER_AREA).astype(np.float32)
    scene.picture += (warped[..., :3] - scene.picture) * (warped[..., 3:] / 255)

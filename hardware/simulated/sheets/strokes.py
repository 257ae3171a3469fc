"""Pencil on paper: strokes with pressure on the paper's texture, clipped approximately to a region.

Wax is deposited on the paper's hills. There it absorbs light by its thickness (Beer); elsewhere the paper stays white.
So the hue of a region changes a little with pressure, as with real pencils.

It is drawn from the same layout as the page that people print, but less finely: for a reader, the ink is in its place.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kvilt.sheet import Sheet
from companion.kvilt.sheets.files import Point, Rect
from companion.kvilt.sheets.layout import PageLayout, Polygon, Region, corners
from hardware.simulated.drawing import Field, floats_of
from hardware.simulated.sheets.conditions import StrokeStyle

PAGE_PX_PER_MM: Final = 8.0
"""The resolution of pictures of the page; millimetre (x, y) is at pixel (8 x - 0.5, 8 y - 0.5)."""
# OpenCV's fixed point: a sixteenth of a pixel.
_SHIFT: Final = 4
# Supersampling factor of the print, for thin lines.
_FINE: Final = 2
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_THIN_MM: Final = 0.2
_MARKER_INK: Final = 0.1
_GAMMA: Final = 2.2
# Quantile of a page's brightness that is its paper: print and grounds only darken a page.
_PAPER_RANK: Final = 0.9


def printed_page(sheet: Sheet, layout: PageLayout) -> Field:
    """Return the transmittance of the print: shape (rows, columns), 1 on bare paper."""
    press = _Press(layout)
    for row, cell in sheet.cells():
        place = layout.cells[row, cell]
        press.line(corners(place.frame))
        press.line(place.picture)
        for line in layout.details.get(layout.pictures[row - 1], ()):
            press.open_line([(place.middle[0] + x, place.middle[1] + y) for x, y in line], _THIN_MM)
        press.text(place.points, str(sheet.rows[row - 1].points[cell - 1]))
        marks = sheet.bonuses_at((row, cell))
        if marks:
            press.text(place.bonus, "".join(mark.kind[0].upper() for mark in marks))
    for patch in sheet.patches:
        press.line(corners(layout.patches[patch.id].region))
        press.text(layout.patches[patch.id].number, f"+{patch.points}")
    _spools(press, sheet, layout)
    for region in layout.regions().values():
        if region.name in layout.parts or region.name.startswith("swatch."):
            press.line(region.outlines[0])
    for rect in (*layout.row_scores, *layout.scores.values()):
        if rect is not None:
            press.line(corners(rect), _THIN_MM)
    return press.page(layout)


def pictured_page(path: Path, size_mm: tuple[float, float]) -> Field | None:
    """Return the transmittance of an owner's sheet, by its picture when it was blank.

    Args:
        path: of that picture, which shows the rectified sheet.
        size_mm: the page's width and height.

    Returns:
        Shape (rows, columns, 3), about 1 on bare paper; includes the picture's own light. None without a picture.
    """
    picture = cv2.imread(str(path)) if path.is_file() else None
    if picture is None:
        return None
    size = (round(size_mm[0] * PAGE_PX_PER_MM), round(size_mm[1] * PAGE_PX_PER_MM))
    linear = (floats_of(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)) / 255) ** _GAMMA
    paper = np.quantile(linear.reshape(-1, 3), _PAPER_RANK, axis=0)
    return floats_of(np.minimum(linear / np.maximum(paper, 1e-3), 1.0))


def _spools(press: "_Press", sheet: Sheet, layout: PageLayout) -> None:
    """Draw the spools; flanges of those that are open from the start are hatched."""
    for number, (spool, points) in enumerate(zip(layout.spools, sheet.spools.points, strict=True), start=1):
        for rect in (*spool.body, spool.thread):
            press.line(corners(rect))
        if spool.points is not None:
            press.text(spool.points, str(points))
        if number <= sheet.spools.open:
            for rect in spool.body:
                press.hatch(rect)


class _Press:
    """A canvas in millimetres."""

    def __init__(self, layout: PageLayout) -> None:
        self._scale = PAGE_PX_PER_MM * _FINE
        self._layout = layout
        size = (round(layout.size[1] * self._scale), round(layout.size[0] * self._scale))
        self._ink: NDArray[np.uint8] = np.zeros(size, np.uint8)

    def line(self, points: Iterable[Point], width_mm: float | None = None) -> None:
        """Draw a closed outline."""
        self._draw(points, width_mm or self._layout.outline, closed=True)

    def open_line(self, points: Iterable[Point], width_mm: float) -> None:
        """Draw an open line."""
        self._draw(points, width_mm, closed=False)

    def hatch(self, rect: Rect) -> None:
        """Draw rising lines, a millimetre apart."""
        x, y, width, height = rect
        for step in range(int(width - height) + 1):
            self._draw([(x + step, y + height), (x + step + height, y)], _THIN_MM, closed=False)

    def text(self, rect: Rect, text: str) -> None:
        """Draw text in the greatest size that fits a rectangle."""
        x, y, width, height = (value * self._scale for value in rect)
        (wide, high), _ = cv2.getTextSize(text, _FONT, 1.0, 1)
        size = min(0.8 * width / wide, 0.7 * height / high)
        at = (round(x + (width - wide * size) / 2), round(y + (height + high * size) / 2))
        cv2.putText(self._ink, text, at, _FONT, size, (255,), max(1, round(0.25 * self._scale)), cv2.LINE_AA)

    def page(self, layout: PageLayout) -> Field:
        """Return the page at its own size, with its markers."""
        rows, columns = (side // _FINE for side in self._ink.shape)
        ink = floats_of(cv2.resize(self._ink, (columns, rows), interpolation=cv2.INTER_AREA)) / 255
        page = floats_of(1 - ink * (1 - layout.ink**2.2))
        for marker in layout.fiducials.markers:
            _stamp(page, layout, marker.id, marker.at)
        return page

    def _draw(self, points: Iterable[Point], width_mm: float, *, closed: bool) -> None:
        fine = (np.array(list(points)) * self._scale - 0.5) * (1 << _SHIFT)
        thick = max(1, round(width_mm * self._scale))
        cv2.polylines(self._ink, [np.round(fine).astype(np.int32)], closed, (255,), thick, cv2.LINE_AA, _SHIFT)


def _stamp(page: Field, layout: PageLayout, number: int, at: Point) -> None:
    side = round(layout.fiducials.side * PAGE_PX_PER_MM)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, layout.fiducials.dictionary))
    modules = cv2.aruco.generateImageMarker(dictionary, number, side)
    left, top = (round(value * PAGE_PX_PER_MM) for value in at)
    page[top : top + side, left : left + side] = np.where(modules > 127, 1.0, _MARKER_INK)


def mask_of(polygons: Iterable[Polygon], box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """Return the inside of polygons in millimetres, 255 and 0, in a part (left, top, right, bottom) of the picture."""
    left, top, right, bottom = box
    mask = np.zeros((bottom - top, right - left), np.uint8)
    for polygon in polygons:
        points = (np.array(polygon) * PAGE_PX_PER_MM - 0.5 - (left, top)) * (1 << _SHIFT)
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], (255,), shift=_SHIFT)
    return mask


_MARGIN_MM: Final = 3.0
_TILE_PX: Final = 512
# Rubbing out divides by the light.
_LEAST_LIGHT: Final = 1e-3
# Boxes of pencils: the display colour of each at high pressure.
_SETS: Final[tuple[Mapping[str, str], ...]] = (
    {"red": "d63031", "yellow": "f6d743", "green": "3c9650", "blue": "2d5fb4", "violet": "734196", "brown": "7d5032",
     "orange": "ee8434", "black": "2b2b2e", "pink": "e36ba0", "grey": "7f8488"},
    {"red": "c8223e", "yellow": "f2e04a", "green": "2f8f7a", "blue": "3a7fc8", "violet": "6a3fae", "brown": "6e4b3c",
     "orange": "e8742a", "black": "26262a", "pink": "d95b94", "grey": "8a8a86"},
    {"red": "e2452f", "yellow": "ecc52e", "green": "55a63a", "blue": "27489c", "violet": "8d4a9a", "brown": "8a5a2c",
     "orange": "f09a3e", "black": "303034", "pink": "ec84a8", "grey": "74787c"},
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class PencilBox:
    """Six pencils or more.

    Attributes:
        densities: by colour, the optical density of a full layer: blue, green, red.
    """

    densities: Mapping[str, NDArray[np.float32]]


def pencil_box(rng: np.random.Generator) -> PencilBox:
    """Return a random box of pencils; no two are quite alike."""
    chosen = _SETS[int(rng.integers(len(_SETS)))]
    return PencilBox({colour: _density(screen, rng) for colour, screen in chosen.items()})


def _density(screen: str, rng: np.random.Generator) -> NDArray[np.float32]:
    levels = np.array([int(screen[at : at + 2], 16) for at in (4, 2, 0)]) / 255
    density = -2.2 * np.log(levels) * rng.uniform(0.95, 1.05, 3)
    return floats_of(np.maximum(density, 0.02))


@dataclass(frozen=True, slots=True, eq=False)
class Stroked:
    """Strokes on a part (left, top, right, bottom) of the page's picture, and their transmittance."""

    box: tuple[int, int, int, int]
    light: NDArray[np.float16]

    def rub_out(self, page: Field) -> None:
        """Remove them from the page without a trace."""
        left, top, right, bottom = self.box
        page[top:bottom, left:right] /= np.maximum(self.light.astype(np.float32), _LEAST_LIGHT)


class Hand:
    """A player who colours.

    Args:
        style: style of colouring.
        box: the pencils.
        rng: source of randomness.

    Attributes:
        style: style of colouring; may be changed.
    """

    def __init__(self, style: StrokeStyle, box: PencilBox, rng: np.random.Generator) -> None:
        self.style, self._box, self._rng = style, box, rng
        self._tooth = _tooth(rng)

    def colour(self, page: Field, region: Region, colour: str) -> list[Stroked]:
        """Colour a region.

        Args:
            page: transmittance of the page, shape (rows, columns, 3); modified.
            region: the region, without holes that are regions.
            colour: one of the box.

        Returns:
            The strokes, outline by outline.

        Raises:
            KeyError: there is no such pencil.
        """
        density, done = self._box.densities[colour], []
        for outline in region.outlines:
            low, high = np.min(outline, axis=0) - _MARGIN_MM, np.max(outline, axis=0) + _MARGIN_MM
            box = _clip(np.array([*low, *high]) * PAGE_PX_PER_MM, page)
            inside = mask_of([outline], box)
            if region.holes and region.name.endswith(".background"):
                inside &= ~mask_of(region.holes[:1], box)
            layer = self._strokes(inside.shape) * self._clipping(inside)
            self._crumbs(layer)
            left, top, right, bottom = box
            light = self._transmitted(layer, density)
            page[top:bottom, left:right] *= light
            done.append(Stroked(box, light.astype(np.float16)))
        return done

    def _strokes(self, shape: tuple[int, ...]) -> Field:
        """Return the pressure of strokes over a patch, 0..about 1.5."""
        style, rng = self.style, self._rng
        angle = rng.normal(0.6, 0.4)
        layer = self._hatching(shape, angle)
        if rng.random() < style.crossed:
            layer = np.maximum(layer, self._hatching(shape, angle + rng.uniform(0.7, 1.6)))
        uneven = 1 + style.unevenness * self._wander(shape, 4.0)
        holes = self._wander(shape, 1.4) > _quantile(style.gaps)
        return floats_of(layer * uneven * np.where(holes, 0.08, 1.0) * style.pressure)

    def _hatching(self, shape: tuple[int, ...], angle: float) -> Field:
        style, rng, scale = self.style, self._rng, PAGE_PX_PER_MM
        spacing, reach = style.spacing_mm * scale, float(np.hypot(shape[0], shape[1]))
        along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        centre = np.array([shape[1], shape[0]]) / 2
        canvas = np.zeros(shape[:2], np.uint8)
        far = np.array([[-1], [0], [1]]) * along * reach / 2
        for offset in np.arange(-reach / 2, reach / 2, spacing):
            bend = rng.normal(0, 0.25 * spacing, 3)
            level = int(min(max(150 * (1 + style.unevenness * rng.standard_normal()), 30), 255))
            thick = max(1, round(style.width_mm * scale * rng.uniform(0.8, 1.2)))
            points = np.rint((centre + across * (offset + bend)[:, None] + far) * 16).astype(np.int32)
            cv2.polylines(canvas, [points], False, (level,), thick, cv2.LINE_AA, 4)
        return floats_of(floats_of(cv2.GaussianBlur(canvas, (0, 0), 0.09 * scale)) / 150)

    def _clipping(self, inside: NDArray[np.uint8]) -> Field:
        """Return the mask of the coloured area, approximately the inside of the outline."""
        style, rng = self.style, self._rng
        outward = cv2.distanceTransform(255 - inside, cv2.DIST_L2, 3) - cv2.distanceTransform(inside, cv2.DIST_L2, 3)
        limit_mm = style.bias_mm + style.stray_mm * rng.standard_normal()
        limit = (limit_mm + style.wobble_mm * self._wander(inside.shape, 1.5)) * PAGE_PX_PER_MM
        return floats_of(np.clip(0.5 + (limit - outward) / 2, 0, 1))

    def _crumbs(self, layer: Field) -> None:
        """Add specks of pencil outside of the region."""
        for _ in range(int(self._rng.poisson(self.style.specks))):
            x, y = self._rng.integers(0, layer.shape[1]), self._rng.integers(0, layer.shape[0])
            radius = int(self._rng.integers(1, 3))
            cv2.circle(layer, (int(x), int(y)), radius, (0.6,), -1, cv2.LINE_AA)

    def _wander(self, shape: tuple[int, ...], size_mm: float) -> Field:
        """Return smooth noise of unit strength with bumps of about this size."""
        cells = [max(2, round(side / (size_mm * PAGE_PX_PER_MM))) for side in shape[:2]]
        small = self._rng.standard_normal(cells, dtype=np.float32)
        return floats_of(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))

    def _transmitted(self, pressure: Field, density: NDArray[np.float32]) -> Field:
        """Return the transmittance of a layer: wax on the hills that the pressure reaches, bare paper between."""
        top, left = self._rng.integers(0, _TILE_PX // 2, 2)
        rows, columns = pressure.shape
        tooth = self._tooth[top : top + rows, left : left + columns]
        share = np.clip((pressure * 1.5 - tooth) / 0.5, 0, 1)[..., None]
        layer = np.exp(-density * np.clip(0.25 + 0.75 * pressure, 0, 1.2)[..., None])
        return floats_of(1 - share + share * layer)


def _quantile(share: float) -> float:
    """Return the approximate threshold exceeded by this share of unit noise."""
    return float(np.sqrt(max(0.0, -2 * np.log(max(2.5 * share, 1e-6))))) if share < 0.4 else 0.0


def _tooth(rng: np.random.Generator) -> Field:
    """Return the paper's hills and valleys, 0..1, larger than any region."""
    fine = cv2.GaussianBlur(rng.standard_normal((_TILE_PX, _TILE_PX), dtype=np.float32), (0, 0), 0.9)
    coarse = cv2.GaussianBlur(rng.standard_normal((_TILE_PX, _TILE_PX), dtype=np.float32), (0, 0), 2.2)
    mixed = fine / fine.std() + 0.7 * coarse / coarse.std()
    return floats_of(np.clip(0.4 + 0.2 * mixed, 0, 1))


def _clip(box: NDArray[np.float64], page: Field) -> tuple[int, int, int, int]:
    left, top = max(0, int(box[0])), max(0, int(box[1]))
    return left, top, min(page.shape[1], int(box[2]) + 1), min(page.shape[0], int(box[3]) + 1)

"""A simulated sheet of Kvilt: printed, coloured, and photographed on a table."""

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kvilt.sheet import Sheet
from companion.kvilt.sheets.files import load_sheet
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.drawing import Field, Image, floats_of
from hardware.simulated.drawing.light import PX_PER_MM, TOPS, table_corner
from hardware.simulated.drawing.pinhole import Sensor
from hardware.simulated.sheets.conditions import SheetConditions, StrokeStyle
from hardware.simulated.sheets.strokes import PAGE_PX_PER_MM, Hand, Stroked, pencil_box, pictured_page, printed_page

_LENGTH_MM, _THICK_MM, _POINT_MM, _LEAD_MM = 175.0, 7.2, 18.0, 4.0
_PX_PER_MM: Final = 6
# The brightness of the three visible sides of a six-sided pencil.
_FACETS: Final = (0.7, 1.0, 0.82)
# Blue, green, red, linear.
_LACQUERS: Final = ((0.04, 0.05, 0.55), (0.35, 0.14, 0.03), (0.05, 0.28, 0.04), (0.03, 0.5, 0.75), (0.02, 0.02, 0.02))
_WOOD: Final = (0.3, 0.5, 0.7)
# Factor on the light in its shadow.
_SHADE: Final = 0.55
_SHADOW_MM, _SOFT_MM = 1.6, 1.2


def lay_pencil(
    lit: Field, place: NDArray[np.float64], middle_mm: tuple[float, float], chance: np.random.Generator
) -> Field:
    """Draw a pencil into the camera's view, approximately across the middle of the page.

    Args:
        lit: (height, width, 3), linear, evenly lit.
        place: maps millimetres of the page to pixels, shape (3, 3).
        middle_mm: the middle of the page.
        chance: source of the pencil and its place.
    """
    lacquer = _LACQUERS[int(chance.integers(len(_LACQUERS)))]
    turn = float(chance.uniform(0, 2 * np.pi))
    x, y = np.array(middle_mm) + chance.uniform(-0.3, 0.3, 2) * np.array(middle_mm)
    pencil, inside = _drawn(lacquer)
    body, mask = (_seen(each, place @ _pose(x, y, turn), lit) for each in (pencil, inside))
    shifted = _seen(inside, place @ _pose(x + _SHADOW_MM, y + _SHADOW_MM, turn), lit)
    softness_px = _SOFT_MM * float(np.sqrt(abs(np.linalg.det(place[:2, :2]))))
    shadow = floats_of(cv2.GaussianBlur(shifted, (0, 0), softness_px))
    shaded = lit * (1 - (1 - _SHADE) * shadow[..., None])
    return floats_of(shaded * (1 - mask[..., None]) + body * mask[..., None])


def _pose(x_mm: float, y_mm: float, turn: float) -> NDArray[np.float64]:
    """Return the map from pixels of the drawing to millimetres of the page."""
    cos, sin = np.cos(turn) / _PX_PER_MM, np.sin(turn) / _PX_PER_MM
    middle = np.array([[1, 0, -_LENGTH_MM * _PX_PER_MM / 2], [0, 1, -_THICK_MM * _PX_PER_MM / 2], [0, 0, 1.0]])
    return np.asarray(np.array([[cos, -sin, x_mm], [sin, cos, y_mm], [0, 0, 1.0]]) @ middle)


def _seen(drawing: Field, to_picture: NDArray[np.float64], lit: Field) -> Field:
    return floats_of(cv2.warpPerspective(drawing, to_picture, lit.shape[1::-1], flags=cv2.INTER_LINEAR))


def _drawn(lacquer: tuple[float, float, float]) -> tuple[Field, Field]:
    """Return a pencil with its point at the right, (rows, columns, 3), and its opacity, (rows, columns), 0..1."""
    rows, columns = round(_THICK_MM * _PX_PER_MM), round(_LENGTH_MM * _PX_PER_MM)
    along, across = np.meshgrid((np.arange(columns) + 0.5) / _PX_PER_MM, np.arange(rows) / (rows - 1) * 2 - 1)
    from_tip = _LENGTH_MM - along
    inside = np.abs(across) <= np.minimum(from_tip / _POINT_MM, 1.0)
    facet = np.array(_FACETS)[np.clip((across + 1) * 1.5, 0, 2).astype(int)]
    colours = np.where((from_tip > _POINT_MM)[..., None], lacquer, _WOOD)
    # A coloured pencil's lead.
    colours = np.where((from_tip < _LEAD_MM)[..., None], lacquer, colours)
    return floats_of(colours * facet[..., None]), floats_of(inside)


# Downscaling factor of the light, which is smooth.
_COARSE: Final = 8
# Colour of a shadow's depth: less in blue, because the room's light is bluish.
_SHADE_TINT: Final = np.array([0.93, 1.0, 1.05])


def sheet_light(
    under: SheetConditions, to_page: NDArray[np.float64], page_mm: tuple[float, float], rng: np.random.Generator
) -> Field:
    """Return factors on linear light, shape (height, width, 3).

    Args:
        under: the conditions.
        to_page: the map, shape (3, 3), from pixels of the picture to millimetres of the page.
        page_mm: width and height of the page.
        rng: source of the direction of the light, and the place of the shadow.
    """
    size = (under.width_px, under.height_px)
    small = (size[0] // _COARSE, size[1] // _COARSE)
    x, y = np.meshgrid((np.arange(small[0]) + 0.5) * _COARSE, (np.arange(small[1]) + 0.5) * _COARSE)
    points = cv2.perspectiveTransform(np.stack([x, y], axis=2).reshape(-1, 1, 2), to_page).reshape(*x.shape, 2)
    centred = (points - np.asarray(page_mm) / 2) / page_mm[0]
    light = _fall(centred, under.gradient, rng)[..., None] * _shade(centred * page_mm[0], under, rng)
    return floats_of(cv2.resize(floats_of(light * _tint(under) * under.exposure), size, interpolation=cv2.INTER_LINEAR))


def _fall(centred: NDArray[np.float64], strength: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the fall of light, 1 at the brightest point of the page."""
    angle = rng.uniform(0, 2 * np.pi)
    along = centred @ np.array([np.cos(angle), np.sin(angle)])
    spot = ((centred - rng.uniform(-0.4, 0.4, 2)) ** 2).sum(axis=2)
    return np.asarray(1 - strength * np.clip(0.5 + along, 0, 1.2) * 0.8 - 0.3 * strength * spot)


def _shade(centred_mm: NDArray[np.float64], under: SheetConditions, rng: np.random.Generator) -> NDArray[np.float64]:
    angle, off_mm = rng.uniform(0, 2 * np.pi), rng.uniform(-60, 60)
    along_mm = centred_mm @ np.array([np.cos(angle), np.sin(angle)]) - off_mm
    inside = 0.5 + 0.5 * np.tanh(2 * along_mm / max(under.softness_mm, 0.5))
    return np.asarray(1 - under.shadow * inside[..., None] * _SHADE_TINT)


def _tint(under: SheetConditions) -> NDArray[np.float64]:
    warmth = np.log(5500 / under.colour_temperature_k)
    tint = np.exp(np.array([-0.75, -0.05, 0.42]) * warmth)
    return np.asarray(tint / tint.max())


_LEVELS: Final = 4096
_GAMMA: Final = np.round(255 * np.linspace(0, 1, _LEVELS) ** (1 / 2.2)).astype(np.uint8)
_TABLE_ALBEDO: Final = 0.7
_GRAIN: Final = 0.012
# Greatest distance of the sheet from a corner of the table's picture.
_SHIFT_PX: Final = 400
_BAND_ROWS: Final = 16
# Focal length in widths of the picture.
_FOCAL: Final = 1.35
# The pages printed last, each with its sheet and layout, which have no hash.
_PRINTED: Final[deque[tuple[Sheet, PageLayout, Field]]] = deque(maxlen=3)


class SimulatedSheet:
    """A sheet and the player who colours it.

    Args:
        seed: of pencils, strokes, the table and the camera's place.
        style: style of colouring.
        sheet: its content; None for the companion's own sheet.
        layout: its layout.
        swatched: whether the samples are coloured before anything else.
    """

    def __init__(
        self,
        seed: int,
        style: StrokeStyle | None = None,
        sheet: Sheet | None = None,
        layout: PageLayout | None = None,
        *,
        swatched: bool = True,
    ) -> None:
        self._sheet, self._layout = sheet or load_sheet(), layout or load_layout()
        self._regions = self._layout.regions()
        self._rng = np.random.default_rng(seed)
        self._hand = Hand(style or StrokeStyle(), pencil_box(self._rng), self._rng)
        self._page = _blank_page(sheet, layout)
        self._strokes: dict[str, list[Stroked]] = {}
        self.coloured: dict[str, str] = {}
        if swatched:
            for colour in self._layout.swatches:
                self._hand.colour(self._page, self._regions[f"swatch.{colour}"], colour)

    def colour(self, marks: Mapping[str, str]) -> None:
        """Colour regions that are not coloured yet.

        Args:
            marks: the colour of each region, by name; regions already coloured are unchanged.

        Raises:
            KeyError: there is no such region, or no such pencil.
        """
        for name, colour in marks.items():
            if name not in self.coloured:
                self._strokes[name] = self._hand.colour(self._page, self._regions[name], colour)
                self.coloured[name] = colour

    def rub_out(self, name: str) -> None:
        """Remove the strokes of a region without a trace; without effect if there are none."""
        self.coloured.pop(name, None)
        for stroked in self._strokes.pop(name, ()):
            stroked.rub_out(self._page)

    def hold(self, style: StrokeStyle) -> None:
        """Colour in another style from now on."""
        self._hand.style = style

    def photograph(
        self,
        conditions: SheetConditions | None = None,
        chance: np.random.Generator | None = None,
        ground: np.random.Generator | None = None,
        pencil: np.random.Generator | None = None,
    ) -> Image:
        """Return a picture of the sheet's present state.

        Args:
            conditions: the light and the camera.
            chance: source of the places of sheet, camera and light; None for new ones in each picture.
            ground: source of the table; None for `chance`.
            pencil: source of the place of a pencil on the sheet; None for no pencil.

        Returns:
            Shape (height, width, 3), uint8, blue-green-red.
        """
        under, rng = conditions or SheetConditions(), chance or self._rng
        size = (under.width_px, under.height_px)
        place = self._place(under, rng)
        lit = self._table(size, ground or rng)
        _multiply(lit, self._uncovered(place, size))
        lit += self._seen(place, size, under, rng)
        if pencil is not None:
            width, height = self._layout.size
            lit = lay_pencil(lit, place, (width / 2, height / 2), pencil)
        return self._exposed(lit, place, under, rng)

    def table(
        self,
        conditions: SheetConditions | None = None,
        chance: np.random.Generator | None = None,
        ground: np.random.Generator | None = None,
    ) -> Image:
        """Return a picture of the table without the sheet, of the same kind."""
        under, rng = conditions or SheetConditions(), chance or self._rng
        bare, place = self._table((under.width_px, under.height_px), ground or rng), self._place(under, rng)
        return self._exposed(bare, place, under, rng)

    def _exposed(
        self, lit: Field, place: NDArray[np.float64], under: SheetConditions, rng: np.random.Generator
    ) -> Image:
        """Return the sensor's picture of evenly lit surfaces."""
        lit *= sheet_light(under, np.asarray(np.linalg.inv(place), np.float64), self._layout.size, rng)
        if under.defocus_px > 0:
            lit = floats_of(cv2.GaussianBlur(lit, (0, 0), under.defocus_px))
        sensor = Sensor((under.width_px, under.height_px), under.noise, under.jpeg_quality, rng)
        return sensor.expose(_grey_levels(lit))

    def _place(self, under: SheetConditions, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the map, shape (3, 3), from millimetres of the page to pixels of the picture."""
        width, height = self._layout.size
        turn = np.radians(rng.uniform(-1, 1) * under.turn_deg)
        tilt, lean = np.radians(rng.uniform(-1, 1, 2) * under.tilt_deg)
        centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
        cos, sin = np.cos(turn), np.sin(turn)
        turned = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
        focal = _FOCAL * under.width_px
        distance = focal * width / (under.fill * under.width_px)
        # In a view from straight above all points have one distance; in a tilted view they do not.
        tilted = np.array(
            [[np.cos(lean), 0, 0], [0, np.cos(tilt), 0], [np.sin(lean) / distance, np.sin(tilt) / distance, 1.0]]
        )
        scale = focal / distance
        shift = rng.uniform(-0.012, 0.012, 2) * under.width_px + np.array([under.width_px, under.height_px]) / 2
        camera = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1.0]])
        return np.asarray(camera @ tilted @ turned @ centred)

    def _table(self, size: tuple[int, int], rng: np.random.Generator) -> Field:
        rows, columns = round(260 * PX_PER_MM), round(340 * PX_PER_MM)
        corner = table_corner(int(rng.integers(TOPS)), _SHIFT_PX + rows, _SHIFT_PX + columns)
        left, upper = rng.integers(0, _SHIFT_PX, 2)
        part = corner[upper : upper + rows, left : left + columns]
        linear = (part.astype(np.float32) / 255) ** 2.2 * _TABLE_ALBEDO
        return floats_of(cv2.resize(linear, size, interpolation=cv2.INTER_LINEAR))

    def _uncovered(self, place: NDArray[np.float64], size: tuple[int, int]) -> Field:
        """Return the visible share of the table beside the page, 0..1, shape (rows, columns)."""
        width, height = self._layout.size
        corners = np.array([[[0, 0]], [[width, 0]], [[width, height]], [[0, height]]], np.float64)
        points = np.round(cv2.perspectiveTransform(corners, place) * 16).astype(np.int32)
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillConvexPoly(mask, points, (255,), cv2.LINE_AA, 4)
        return floats_of(cv2.LUT(mask, floats_of(1 - floats_of(np.arange(256)) / 255)))

    def _seen(
        self, place: NDArray[np.float64], size: tuple[int, int], under: SheetConditions, rng: np.random.Generator
    ) -> Field:
        """Return the evenly lit page in the camera's view; 0 around it."""
        step = 1 / PAGE_PX_PER_MM
        to_page = np.array([[step, 0, step / 2], [0, step, step / 2], [0, 0, 1.0]])
        grain = rng.standard_normal(self._page.shape[:2], dtype=np.float32)
        grain *= _GRAIN
        grain += 1
        page = self._page.copy()
        _multiply(page, grain)
        if under.curl_mm or under.distortion:
            page = self._bent(page, under)
        return floats_of(cv2.warpPerspective(page, place @ to_page, size, flags=cv2.INTER_LINEAR))

    def _bent(self, page: Field, under: SheetConditions) -> Field:
        """Return the page with a bulge to one side, or with a lens' distortion."""
        rows, columns = page.shape[:2]
        y, x = np.mgrid[:rows, :columns].astype(np.float32)
        across, down = x / columns - 0.5, (y - rows / 2) / columns
        bulge = under.curl_mm * PAGE_PX_PER_MM * (np.cos(np.pi * across) - 0.5)
        # A lens' coefficient applies to radii in focal lengths.
        stretch = 1 - under.distortion * (across**2 + down**2) * (under.fill / _FOCAL) ** 2
        mapped_x, mapped_y = (across * stretch + 0.5) * columns, down * stretch * columns + rows / 2 + bulge
        white = (1.0, 1.0, 1.0)
        bent = cv2.remap(page, floats_of(mapped_x), floats_of(mapped_y), cv2.INTER_LINEAR, borderValue=white)
        return floats_of(bent)


def _multiply(picture: Field, factors: Field) -> None:
    """Multiply all channels of a picture, in place, by factors of shape (rows, columns), in bands of rows."""
    for first in range(0, len(picture), _BAND_ROWS):
        rows = slice(first, first + _BAND_ROWS)
        picture[rows] *= cv2.cvtColor(factors[rows], cv2.COLOR_GRAY2BGR)


def _grey_levels(linear: Field) -> Image:
    """Return grey levels of linear light, 0..1, in bands of rows that fit into the processor's cache."""
    levels: Image = np.empty(linear.shape, np.uint8)
    for first in range(0, len(linear), _BAND_ROWS):
        rows = slice(first, first + _BAND_ROWS)
        levels[rows] = _GAMMA.take((linear[rows] * (_LEVELS - 1)).astype(np.intp), mode="clip")
    return levels


def in_seat_theme(layout: PageLayout, themes: Sequence[str], seat: int) -> PageLayout:
    """Return the layout in the theme of a seat, from 0; unchanged if `themes` is too short, or it has no themes."""
    return layout.in_theme(themes[seat]) if seat < len(themes) and layout.others else layout


def _blank_page(sheet: Sheet | None, layout: PageLayout | None) -> Field:
    """Return an uncoloured page, (rows, columns, 3): an owner's as photographed, others as printed."""
    if layout is not None and layout.fiducials.blank:
        pictured = pictured_page(Path(layout.fiducials.blank), layout.size)
        if pictured is not None:
            return pictured
    grey = _printed(sheet or load_sheet(), layout or load_layout())
    return floats_of(np.repeat(grey[..., None], 3, axis=2))


def _printed(sheet: Sheet, layout: PageLayout) -> Field:
    """Return the printed page, (rows, columns); sheets of the same kinds are made often, one for each seat."""
    for known_sheet, known_layout, page in _PRINTED:
        if known_sheet == sheet and known_layout == layout:
            return page
    page = printed_page(sheet, layout)
    _PRINTED.append((sheet, layout, page))
    return page

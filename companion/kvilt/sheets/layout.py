"""The layout of a sheet's page and of the swatch card, in millimetres, for the printer and the reader.

The origin is the page's top left corner, x to the right, y down. An enlarged print has the same layout: the markers
carry the scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Final, TypeAlias

from companion.games.kvilt.sheet import Cell, Colour, cell_name
from companion.kvilt.sheets.files import Point, Rect

Polygon: TypeAlias = tuple[Point, ...]
"""The corners of a closed outline, in millimetres."""

_DISC_CORNERS: Final = 48
_PATCH_NUMBER_MM: Final = (7.0, 4.0)


@dataclass(frozen=True, slots=True)
class Region:
    """A region that is coloured as one: the inside of the outlines without the holes (print and other regions)."""

    name: str
    outlines: tuple[Polygon, ...]
    holes: tuple[Polygon, ...] = ()


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed marker: its number in the dictionary, and the top left corner of its black square."""

    id: int
    at: Point


@dataclass(frozen=True, slots=True)
class Fiducials:
    """The marks by which the page is found in a picture.

    Attributes:
        kind: "aruco" (printed on the sheet), "frame" (printed on a frame around it) or "corners" (set by the owner).
        dictionary: of the markers, such as "DICT_4X4_50"; empty without markers.
        side: of a marker's black square.
        quiet: the width of the white margin around it.
        markers: top left, top right, bottom right, bottom left.
        blank: the path of the rectified picture of the blank sheet, for an owner's sheet; otherwise empty.
    """

    kind: str
    dictionary: str = ""
    side: float = 0.0
    quiet: float = 0.0
    markers: tuple[Marker, ...] = ()
    blank: str = ""


@dataclass(frozen=True, slots=True)
class ColourLook:
    """The names of a colour and its colour on screen. `code` and `name` are by language; `screen` is "#rrggbb"."""

    key: Colour
    code: Mapping[str, str]
    name: Mapping[str, str]
    screen: str


@dataclass(frozen=True, slots=True)
class CellLayout:
    """A cell: its frame, the outline of its picture, the places of its points and of its bonus marks, side by side."""

    frame: Rect
    picture: Polygon
    points: Rect
    bonus: Rect

    @property
    def middle(self) -> Point:
        """The centre of the frame."""
        x, y, width, height = self.frame
        return x + width / 2, y + height / 2


@dataclass(frozen=True, slots=True)
class PatchLayout:
    """A patch: the region to colour, and the tip that points at its column (None if the print shows it)."""

    region: Rect
    tip: Point | None

    @property
    def number(self) -> Rect:
        """The rectangle of its printed points, in the middle of the region."""
        x, y, width, height = self.region
        wide, high = (min(size, room) for size, room in zip(_PATCH_NUMBER_MM, (width, height), strict=True))
        return x + (width - wide) / 2, y + (height - high) / 2, wide, high


@dataclass(frozen=True, slots=True)
class SpoolLayout:
    """A spool: its flanges, its thread, and the place of its points (None if the print shows them)."""

    body: tuple[Rect, ...]
    thread: Rect
    points: Rect | None


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page.

    Attributes:
        sheet: the id of the sheet.
        title: by language.
        size: width and height.
        outline: the width of printed lines.
        ink: the grey of all print, from 0 (black) to 1.
        largest_scale: the greatest enlargement.
        fiducials: the markers by which the page is located.
        white: bare paper.
        name_line: for the player's name, or None without one.
        colours: in the order of the sheet.
        swatches: the box to be filled with each pencil, by colour; empty if an owner's sheet has no room for them.
        cells: by row and cell, from 1.
        pictures: the name of each row's picture; empty if cells have their own outlines.
        patches: by id.
        spools: from the left.
        parts: centre of each part of an embroidery, by region.
        radius: of the parts.
        row_scores: a box for each row's points, or None if it has no box.
        scores: boxes for the totals, by name.
        reading: the reader's thresholds, by name.
        theme: the name of its pictures' theme; empty for the default.
        details: fine lines inside the pictures, used only by the printer: by the picture's name, relative to its cell's
            centre.
        others: the same sheet in other themes, each with its own markers; any of them may be coloured instead.
    """

    sheet: str
    title: Mapping[str, str]
    size: tuple[float, float]
    outline: float
    ink: float
    largest_scale: float
    fiducials: Fiducials
    white: tuple[Rect, ...]
    name_line: Rect | None
    colours: tuple[ColourLook, ...]
    swatches: Mapping[Colour, Rect]
    cells: Mapping[Cell, CellLayout]
    pictures: tuple[str, ...]
    patches: Mapping[str, PatchLayout]
    spools: tuple[SpoolLayout, ...]
    parts: Mapping[str, Point]
    radius: float
    row_scores: tuple[Rect | None, ...]
    scores: Mapping[str, Rect]
    reading: Mapping[str, float]
    theme: str = ""
    details: Mapping[str, tuple[Polygon, ...]] = field(default_factory=dict)
    others: tuple[PageLayout, ...] = ()

    @property
    def themes(self) -> tuple[PageLayout, ...]:
        """This sheet and the ones in other themes that may be coloured in its place."""
        return (self, *self.others)

    def in_theme(self, theme: str) -> PageLayout:
        """Return the sheet in a theme; "" is the default.

        Raises:
            KeyError: if the sheet does not exist in that theme.
        """
        return {layout.theme: layout for layout in self.themes}[theme]

    def regions(self) -> dict[str, Region]:
        """Return every region that a player colours, by name, in the sheet's order, followed by "swatch.red" etc."""
        return {region.name: region for region in self._regions()}

    def _regions(self) -> Iterator[Region]:
        for cell, place in self.cells.items():
            tags = tuple(corners(tag) for tag in (place.points, place.bonus) if tag[2] > 0)
            yield Region(f"{cell_name(cell)}.picture", (place.picture,), tags)
            yield Region(f"{cell_name(cell)}.background", (corners(place.frame),), (place.picture, *tags))
        for patch, spot in self.patches.items():
            # The picture of a blank sheet includes the printed number.
            yield Region(patch, (corners(spot.region),), () if self.fiducials.blank else (corners(spot.number),))
        for number, spool in enumerate(self.spools, start=1):
            yield Region(f"spool{number}.body", tuple(map(corners, spool.body)))
            yield Region(f"spool{number}.thread", (corners(spool.thread),))
        for part, centre in self.parts.items():
            yield Region(part, (disc(centre, self.radius),))
        for colour, box in self.swatches.items():
            yield Region(f"swatch.{colour}", (corners(box),))


@dataclass(frozen=True, slots=True)
class SwatchCard:
    """The card's page, in millimetres.

    Attributes:
        id: its name.
        size: width and height.
        ink: the grey of its print, from 0 (black) to 1.
        outline: the width of printed lines.
        largest_scale: the greatest enlargement.
        fiducials: the marks by which it is found in a picture.
        white: bare paper.
        firm: the box to be filled firmly with each colour, from the left.
        light: the box to be hatched lightly with each colour, below `firm`.
    """

    id: str
    size: tuple[float, float]
    ink: float
    outline: float
    largest_scale: float
    fiducials: Fiducials
    white: tuple[Rect, ...]
    firm: tuple[Rect, ...]
    light: tuple[Rect, ...]

    def regions(self, colours: tuple[Colour, ...]) -> dict[str, Region]:
        """Return every box by name: "firm.red" etc., then "light.red" etc.; the colours in the order of a sheet."""
        names = [*(f"firm.{colour}" for colour in colours), *(f"light.{colour}" for colour in colours)]
        pairs = zip(names, (*self.firm, *self.light), strict=True)
        return {name: Region(name, (corners(box),)) for name, box in pairs}


def corners(rect: Rect) -> Polygon:
    """Return a rectangle's corners, clockwise from the top left."""
    x, y, width, height = rect
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def area(polygon: Polygon) -> float:
    """Return a polygon's area, whichever way round it is given."""
    pairs = zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)
    return abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairs)) / 2


def disc(centre: Point, radius: float) -> Polygon:
    """Return a disc as a polygon."""
    steps = [2 * pi * step / _DISC_CORNERS for step in range(_DISC_CORNERS)]
    return tuple((centre[0] + radius * cos(step), centre[1] + radius * sin(step)) for step in steps)

"""Sheet files as the printer and the reader use them: the page, its other themes, and the swatch card."""

import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from companion.games.kvilt.sheet import Cell, Colour, Sheet
from companion.kvilt.sheets.files import Point, Rect, TomlTable, packaged_tables, sheet_of, sheet_tables
from companion.kvilt.sheets.layout import (
    CellLayout,
    ColourLook,
    Fiducials,
    Marker,
    PageLayout,
    PatchLayout,
    Polygon,
    SpoolLayout,
    SwatchCard,
    area,
)
from companion.languages import said

_MARKERS: Final = 4
_INK: Final = re.compile(r"grey(\d\d?)")
_SCREEN: Final = re.compile(r"#[0-9a-fA-F]{6}")
_KINDS: Final = ("aruco", "frame", "corners")
_LARGEST_PAGE_MM: Final = 450.0
# The rounding error in a file that may put a point over the edge.
_EDGE_MM: Final = 0.01
# The smallest region; of a smaller one no picture of a whole sheet shows enough.
_LEAST_MM2: Final = 1


def load_layout(path: str | os.PathLike[str] | None = None) -> PageLayout:
    """Return the page layout of a sheet file; of the companion's own sheet, in all its themes, if no path is given.

    Raises:
        SheetError: if the file is not a valid sheet; the message names the file, the table and the key.
    """
    if path is None:
        return _own_layout()
    layout = _layout_in(path)
    return _beside(layout, Path(path)) if layout.fiducials.blank else layout


@cache
def _own_layout() -> PageLayout:
    layout = _layout_in(None)
    return replace(layout, others=in_themes(layout))


def _layout_in(path: str | os.PathLike[str] | None) -> PageLayout:
    table = sheet_tables(path)
    return layout_of(table, sheet_of(table))


def _beside(layout: PageLayout, path: Path) -> PageLayout:
    """Return the layout with the path of its blank picture, which is relative to the file's folder."""
    return replace(layout, fiducials=replace(layout.fiducials, blank=str(path.parent / layout.fiducials.blank)))


def layout_of(table: TomlTable, sheet: Sheet) -> PageLayout:
    """Return the page layout of a decoded file; the path of its blank picture is left as it is there.

    Raises:
        SheetError: if something in it is missing or impossible.
    """
    page, quilt = table.table("page"), table.table("quilt")
    width, height = (page.number(key, 50, _LARGEST_PAGE_MM) for key in ("width", "height"))
    rows = quilt.tables("row")
    style = table.table("embroidery_style") if "embroidery_style" in table else None
    layout = PageLayout(
        sheet=sheet.id,
        title=_texts_by_language(table, "title"),
        size=(width, height),
        outline=page.number("outline_mm", 0.05, 2) if "outline_mm" in page else 0.35,
        ink=ink_of(page),
        largest_scale=page.numbers("print_scale", 2, 0.5, 4)[1] if "print_scale" in page else 1.0,
        fiducials=fiducials_of(table.table("fiducials")),
        white=_white(table),
        name_line=table.table("paper").rect("name_line") if _names(table) else None,
        colours=tuple(_colour(entry) for entry in table.tables("colour")),
        swatches=_swatches(table.table("swatches"), sheet) if _has_swatches(table) else {},
        cells=_cells(table, quilt, sheet),
        pictures=tuple(row.text("picture") if "picture" in row else "" for row in rows),
        patches={entry.text("id"): _patch(entry) for entry in table.tables("patch")},
        spools=_spools(table.table("spools"), sheet),
        parts=_parts(table),
        radius=style.number("radius", 1, 30) if style else 4.0,
        row_scores=tuple(row.rect("score_box") if "score_box" in row else None for row in rows),
        scores=_boxes(table, "score_boxes"),
        reading=_numbers(table, "reading"),
    )
    _check_regions(table, layout)
    return layout


def _texts_by_language(table: TomlTable, key: str) -> dict[str, str]:
    texts = table.table(key) if key in table else None
    return {language: texts.text(language) for language in texts.values} if texts else {}


def ink_of(page: TomlTable) -> float:
    """Return the grey of a page's print, from 0 (black) to 1.

    Raises:
        SheetError: if it is not a grey.
    """
    if "ink" not in page:
        return 0.4
    match = _INK.fullmatch(page.text("ink"))
    return (
        int(match[1]) / 100
        if match
        else page.refuse("ink", said("must be {first} (black) to {last}", first='"grey0"', last='"grey99"'))
    )


def fiducials_of(table: TomlTable) -> Fiducials:
    """Return the marks by which a page is found, from the table "fiducials".

    Raises:
        SheetError: if they are not valid.
    """
    kind = table.text("kind")
    if kind not in _KINDS:
        table.refuse("kind", said("{value} is not valid; allowed: {names}", value=repr(kind), names=", ".join(_KINDS)))
    blank = table.text("blank") if kind == "corners" or "blank" in table else ""
    if kind == "corners":
        return Fiducials(kind, blank=blank)
    markers = tuple(Marker(entry.whole("id", 0, 999), entry.point("at")) for entry in table.tables("marker"))
    if len(markers) != _MARKERS or len({marker.id for marker in markers}) != _MARKERS:
        table.refuse(
            "marker",
            said("there must be {count} markers with different ids, clockwise from the top left", count=_MARKERS),
        )
    side, quiet = table.number("side", 2, 50), table.number("quiet", 0, 20)
    return Fiducials(kind, table.text("dictionary"), side, quiet, markers, blank)


def _is_owners(table: TomlTable) -> bool:
    """Return whether the sheet is a published one; only its owner can measure its unprinted areas."""
    return table.values.get("source") == "owner"


def _white(table: TomlTable) -> tuple[Rect, ...]:
    return () if _is_owners(table) and "paper" not in table else table.table("paper").rects("white")


def _names(table: TomlTable) -> bool:
    return "paper" in table and "name_line" in table.table("paper")


def _has_swatches(table: TomlTable) -> bool:
    return "swatches" in table or not _is_owners(table)


def _colour(entry: TomlTable) -> ColourLook:
    screen = entry.text("screen")
    if not _SCREEN.fullmatch(screen):
        entry.refuse(
            "screen", said("{value} is not valid; write it as {example}", value=repr(screen), example='"#d63031"')
        )
    return ColourLook(entry.text("key"), _texts_by_language(entry, "code"), _texts_by_language(entry, "name"), screen)


def _swatches(table: TomlTable, sheet: Sheet) -> dict[Colour, Rect]:
    width, height = table.numbers("box", 2, 2, 60)
    boxes = {entry.text("colour"): (*entry.point("at"), width, height) for entry in table.tables("at")}
    missing = [colour for colour in sheet.colours if colour not in boxes]
    if missing or len(boxes) != len(sheet.colours):
        table.refuse("at", said("there must be a box for each of {names}", names=", ".join(sheet.colours)))
    return boxes


def _cells(table: TomlTable, quilt: TomlTable, sheet: Sheet) -> dict[Cell, CellLayout]:
    drawings = table.tables("picture") if "picture" in table else []
    outlines = {entry.text("name"): entry.polygon("outline") for entry in drawings}
    cells: dict[Cell, CellLayout] = {}
    for number, row in enumerate(quilt.tables("row"), start=1):
        frames = _frames(quilt, row, number, len(sheet.rows[number - 1]))
        pictures = _pictures(row, outlines, frames)
        for cell, (frame, picture) in enumerate(zip(frames, pictures, strict=True), start=1):
            x, y, width, height = _tag(quilt, "tag_bonus", frame)
            marks = max(1, len(sheet.bonuses_at((number, cell))))
            bonus = (x, y, width * marks, height)
            cells[number, cell] = CellLayout(frame, picture, _tag(quilt, "tag_points", frame), bonus)
    return cells


def _frames(quilt: TomlTable, row: TomlTable, number: int, count: int) -> tuple[Rect, ...]:
    """Return the cells' rectangles: those given for each, or those of the grid."""
    if "cell" in row:
        frames = row.rects("cell")
        return (
            frames
            if len(frames) == count
            else row.refuse("cell", said("has {count} rectangles for {cells} cells", count=len(frames), cells=count))
        )
    x, y = (quilt.number(key, 0, _LARGEST_PAGE_MM) for key in ("x0", "y0"))
    right, down = (quilt.number(key, 2, 100) for key in ("pitch_x", "pitch_y"))
    width, height = quilt.numbers("cell", 2, 2, 100)
    return tuple((x + column * right, y + (number - 1) * down, width, height) for column in range(count))


def _pictures(row: TomlTable, outlines: dict[str, Polygon], frames: tuple[Rect, ...]) -> tuple[Polygon, ...]:
    """Return the pictures' outlines: one per cell, in page millimetres, or the row's around the centre of each cell."""
    if "picture_outline" in row:
        given = row.values["picture_outline"]
        if not isinstance(given, list) or len(given) != len(frames):
            row.refuse("picture_outline", said("must be one outline for each of {count} cells", count=len(frames)))
        return tuple(row.outline("picture_outline", outline) for outline in given)
    name = row.text("picture")
    if name not in outlines:
        row.refuse(
            "picture",
            said(
                "there is no picture {name}; there are {names}",
                name=repr(name),
                names=", ".join(outlines) or said("none"),
            ),
        )
    return tuple(tuple((centre[0] + x, centre[1] + y) for x, y in outlines[name]) for centre in map(_centre, frames))


def _centre(rect: Rect) -> Point:
    return rect[0] + rect[2] / 2, rect[1] + rect[3] / 2


def _tag(quilt: TomlTable, key: str, frame: Rect) -> Rect:
    """Return the rectangle of a printed tag; it has no size if the file, an owner's, gives none."""
    x, y = _centre(frame)
    if key not in quilt:
        return x, y, 0.0, 0.0
    left, top, width, height = quilt.rect(key)
    return x + left, y + top, width, height


def _patch(entry: TomlTable) -> PatchLayout:
    return PatchLayout(entry.rect("region"), entry.point("tip") if "tip" in entry else None)


def _spools(table: TomlTable, sheet: Sheet) -> tuple[SpoolLayout, ...]:
    """Return the spools: given in a line by relative places, or in an owner's file by one table per spool."""
    count = len(sheet.spools.points)
    if "spool" in table:
        spools = table.tables("spool")
        if len(spools) != count:
            table.refuse("spool", said("{count} are described, points has {points}", count=len(spools), points=count))
        return tuple(SpoolLayout(spool.rects("body"), spool.rect("thread"), None) for spool in spools)
    x, y, pitch = table.number("x0", 0, _LARGEST_PAGE_MM), table.number("y0", 0, _LARGEST_PAGE_MM), "pitch_x"
    corners = [(x + number * table.number(pitch, 2, 100), y) for number in range(count)]
    body, thread, points = table.rects("body"), table.rect("thread"), table.rect("tag_points")
    return tuple(
        SpoolLayout(tuple(_moved(part, at) for part in body), _moved(thread, at), _moved(points, at)) for at in corners
    )


def _moved(rect: Rect, by: Point) -> Rect:
    return rect[0] + by[0], rect[1] + by[1], rect[2], rect[3]


def _parts(table: TomlTable) -> dict[str, Point]:
    return {
        f"{entry.text('id')}.{number}": centre
        for entry in table.tables("embroidery")
        for number, centre in enumerate(entry.points("parts"), start=1)
    }


def _boxes(table: TomlTable, key: str) -> dict[str, Rect]:
    boxes = table.table(key) if key in table else None
    return {name: boxes.rect(name) for name in boxes.values} if boxes else {}


def _numbers(table: TomlTable, key: str) -> dict[str, float]:
    numbers = table.table(key) if key in table else None
    return {name: numbers.number(name, 0, 1000) for name in numbers.values} if numbers else {}


def _check_regions(table: TomlTable, layout: PageLayout) -> None:
    """Refuse a region that has no inside, or lies beyond the edge of the page: it could not be read."""
    width, height = layout.size
    for region in layout.regions().values():
        if sum(map(area, region.outlines)) < _LEAST_MM2:
            says = said("{name} is smaller than {least} mm²", name=region.name, least=_LEAST_MM2)
            table.refuse("page", says)
        for x, y in (point for outline in region.outlines for point in outline):
            if not (-_EDGE_MM <= x <= width + _EDGE_MM and -_EDGE_MM <= y <= height + _EDGE_MM):
                table.refuse(
                    "page",
                    said(
                        "{name} lies over its edge, at {x}, {y} mm of {width} x {height}",
                        name=region.name,
                        x=x,
                        y=y,
                        width=width,
                        height=height,
                    ),
                )


_THEMES_FILE: Final = "themes.toml"
# The last id of OpenCV's largest dictionaries, which have 1000 markers.
_HIGHEST_MARKER: Final = 999


def in_themes(layout: PageLayout) -> tuple[PageLayout, ...]:
    """Return the companion's own sheet in every other theme, in the order of their file.

    Args:
        layout: of the sheet with its default pictures.
    """
    return tuple(_in_theme(layout, theme) for theme in packaged_tables(_THEMES_FILE).tables("theme"))


@cache
def theme_names() -> tuple[str, ...]:
    """Return the names of the themes other than the default."""
    return tuple(theme.text("name") for theme in packaged_tables(_THEMES_FILE).tables("theme"))


def _in_theme(layout: PageLayout, theme: TomlTable) -> PageLayout:
    pictures = theme.tables("picture")
    outlines = [picture.polygon("outline") for picture in pictures]
    first = theme.whole("first_marker", 0, _HIGHEST_MARKER)
    markers = tuple(Marker(first + place, old.at) for place, old in enumerate(layout.fiducials.markers))
    cells = {
        cell: replace(place, picture=_shifted(outlines[cell[0] - 1], place.middle))
        for cell, place in layout.cells.items()
    }
    titles = theme.table("title")
    return replace(
        layout,
        theme=theme.text("name"),
        title={language: titles.text(language) for language in titles.values},
        fiducials=replace(layout.fiducials, markers=markers),
        cells=cells,
        pictures=tuple(picture.text("name") for picture in pictures),
        details={picture.text("name"): _details(picture) for picture in pictures},
        others=(),
    )


def _details(picture: TomlTable) -> tuple[Polygon, ...]:
    lines = picture.values["lines"]
    return tuple(picture.outline("lines", line, least=2) for line in lines) if isinstance(lines, list) else ()


def _shifted(outline: Polygon, by: tuple[float, float]) -> Polygon:
    return tuple((x + by[0], y + by[1]) for x, y in outline)


_CARD_FILE: Final = "swatches-a.toml"


@cache
def swatch_card() -> SwatchCard:
    """Return the companion's card."""
    table = packaged_tables(_CARD_FILE)
    page, boxes = table.table("page"), table.table("swatches")
    left, pitch = boxes.number("x0", 0, 500), boxes.number("pitch_x", 1, 100)
    width, height = boxes.numbers("box", 2, 2, 100)
    rows = [
        tuple((left + number * pitch, boxes.number(key, 0, 500), width, height) for number in range(6))
        for key in ("firm_y", "light_y")
    ]
    return SwatchCard(
        table.text("id"),
        (page.number("width", 50, 450), page.number("height", 50, 450)),
        ink_of(page),
        page.number("outline_mm", 0.05, 2),
        page.numbers("print_scale", 2, 0.5, 4)[1],
        fiducials_of(table.table("fiducials")),
        table.table("paper").rects("white"),
        *rows,
    )

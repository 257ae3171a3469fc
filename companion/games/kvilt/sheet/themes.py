"""The companion's own sheet in other themes: the same numbers and places, with other pictures and markers."""

from dataclasses import replace
from functools import cache
from typing import Final

from companion.games.kvilt.sheet.files import packaged_tables
from companion.games.kvilt.sheet.layout import Marker, PageLayout, Polygon
from companion.games.kvilt.sheet.tables import TomlTable

_FILE: Final = "themes.toml"
# The last id of OpenCV's largest dictionaries, which have 1000 markers.
_HIGHEST_MARKER: Final = 999


def in_themes(layout: PageLayout) -> tuple[PageLayout, ...]:
    """Return the companion's own sheet in every other theme, in the order of their file.

    Args:
        layout: of the sheet with its default pictures.
    """
    return tuple(_in_theme(layout, theme) for theme in packaged_tables(_FILE).tables("theme"))


@cache
def theme_names() -> tuple[str, ...]:
    """Return the names of the themes other than the default."""
    return tuple(theme.text("name") for theme in packaged_tables(_FILE).tables("theme"))


def _in_theme(layout: PageLayout, theme: TomlTable) -> PageLayout:
    pictures = theme.tables("picture")
    outlines = [picture.polygon("outline") for picture in pictures]
    first = theme.whole("first_marker", 0, _HIGHEST_MARKER)
    markers = tuple(Marker(first + place, old.at) for place, old in enumerate(layout.fiducials.markers))
    cells = {
        cell: replace(place, picture=_moved(outlines[cell[0] - 1], place.middle))
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
        details={picture.text("name"): _lines(picture) for picture in pictures},
        others=(),
    )


def _lines(picture: TomlTable) -> tuple[Polygon, ...]:
    lines = picture.values["lines"]
    return tuple(picture.outline("lines", line, least=2) for line in lines) if isinstance(lines, list) else ()


def _moved(outline: Polygon, by: tuple[float, float]) -> Polygon:
    return tuple((x + by[0], y + by[1]) for x, y in outline)

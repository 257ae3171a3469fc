"""The card for trying out pencils: two boxes for each colour."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from companion.games.kvilt.sheet.files import packaged_tables
from companion.games.kvilt.sheet.layout import Fiducials, Region, corners
from companion.games.kvilt.sheet.layout_files import fiducials_of, ink_of
from companion.games.kvilt.sheet.sheet import Colour
from companion.games.kvilt.sheet.tables import Rect

_FILE: Final = "swatches-a.toml"


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


@cache
def swatch_card() -> SwatchCard:
    """Return the companion's card."""
    table = packaged_tables(_FILE)
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

"""The icons of the three buttons, within a circle of 9 mm radius."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from calibration.printing.page import Colour, PdfSheet, Point

_PEN_MM: Final = 2.0


def _tick(sheet: PdfSheet, centre: Point, colour: Colour) -> None:
    x, y = centre
    sheet.line([(x - 4.2, y + 0.3), (x - 1.2, y + 3.4), (x + 4.4, y - 3.2)], colour, _PEN_MM)


def _forwards(sheet: PdfSheet, centre: Point, colour: Colour) -> None:
    """Draw two arrowheads, for a token that moves forwards."""
    x, y = centre
    for shift_mm in (-2.9, 1.7):
        at = x + shift_mm
        sheet.line([(at - 0.9, y - 3.6), (at + 2.5, y), (at - 0.9, y + 3.6)], colour, _PEN_MM)


def _back(sheet: PdfSheet, centre: Point, colour: Colour) -> None:
    """Draw an arrow that turns back to the left."""
    x, y = centre
    sheet.arc((x + 0.6, y + 0.7), 3.6, (-110, 230), colour, _PEN_MM)
    sheet.line([(x - 0.6, y - 6.2), (x - 4.0, y - 3.0), (x - 0.4, y + 0.2)], colour, _PEN_MM)
    sheet.line([(x - 4.0, y - 2.9), (x + 0.6, y - 2.9)], colour, _PEN_MM)


ICONS: Final[Mapping[str, Callable[[PdfSheet, Point, Colour], None]]] = MappingProxyType(
    {"confirm": _tick, "advance": _forwards, "undo": _back}
)
"""The functions that draw them, by the name of the logical button."""

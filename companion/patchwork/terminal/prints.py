"""The patches' prints on a terminal: 33 drawings that differ in colour and weave."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.style import Style

from companion.games.patchwork import PATCHES

if TYPE_CHECKING:
    from collections.abc import Mapping

_WEAVES = ("╱╱", "░░", "══", "··", "╳╳", "  ", "╲╲", "┼┼", "▒▒", "──", "::")
_GROUNDS = ((0.50, 0.62), (0.72, 0.42), (0.42, 0.80))
"""Saturation and value of the grounds, taken in turn."""
_GOLDEN_TURN = 0.381966
"""Distance between successive hues on the wheel; any number of them are as far apart as possible."""


@dataclass(frozen=True, slots=True)
class CellDrawing:
    """The drawing of a cell: two characters in a style."""

    weave: str
    style: Style


def _print(index: int) -> CellDrawing:
    saturation, value = _GROUNDS[index % len(_GROUNDS)]
    hue = index * _GOLDEN_TURN % 1.0
    ground = _hex(hue, saturation, value)
    thread = _hex(hue, saturation * 0.5, value + 0.2) if value < 0.7 else _hex(hue, saturation + 0.15, value - 0.3)
    return CellDrawing(_WEAVES[index % len(_WEAVES)], Style(color=thread, bgcolor=ground))


def _hex(hue: float, saturation: float, value: float) -> str:
    channels = colorsys.hsv_to_rgb(hue, min(1.0, saturation), min(1.0, value))
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in channels)


PRINTS: Mapping[str, CellDrawing] = {patch: _print(index) for index, patch in enumerate(PATCHES)}
LEATHER = CellDrawing("▚▚", Style(color="#5b3716", bgcolor="#7a4a21"))
UNKNOWN = CellDrawing("▒▒", Style(color="#8a8a8a", bgcolor="#5f5f5f"))
"""A covered cell of a resumed game whose patch is unknown."""
EMPTY = CellDrawing("· ", Style(color="#6c6c6c"))

"""The colours that players may choose for themselves, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "yellow": "#e8b64c",
        "green": "#3f8f6b",
        "blue": "#3f74b8",
        "orange": "#d9772f",
        "violet": "#8a63b8",
        "rose": "#c9618a",
        "teal": "#35aaa6",
        "slate": "#6b7280",
    }
)
"""By name, as a page writes them. Yellow and green are the game's own time tokens."""
USUAL: Final = ("yellow", "green")
"""Seat 1 and seat 2, where nobody has chosen."""


def page_colours(names: tuple[str, str]) -> tuple[str, str]:
    """Two colours as a page writes them.

    Raises:
        KeyError: there is no such colour.
    """
    return COLOURS[names[0]], COLOURS[names[1]]

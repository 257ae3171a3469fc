"""Moves by hand at a table of Kvilt: people colour, rub out, and lay a sheet under the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hardware.simulated.sheets.conditions import STYLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.simulated.sheets.conditions import SheetConditions


@dataclass(frozen=True, slots=True)
class ColourRegion:
    """Colour a region of a seat's sheet; `region` and `colour` as the sheet's file names them."""

    seat: int
    region: str
    colour: str


@dataclass(frozen=True, slots=True)
class RubOut:
    """Make a region white again: a slip of a finger on a page, which no rubber does to a pencil."""

    seat: int
    region: str


@dataclass(frozen=True, slots=True)
class LaySheet:
    """Lay a seat's sheet under the camera, and take away what lay there; None: only that."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class SheetCircumstances:
    """The difficulties in reading a sheet that may be changed while people play.

    Attributes:
        exposure: see `SheetConditions`, as all but the last.
        gradient: of the light.
        shadow: depth of a shadow across the page.
        turn_deg: how askew a sheet is laid, at most.
        curl_mm: how far it bulges.
        style: how people colour; a name in `STYLES`.
    """

    exposure: float = 0.72
    gradient: float = 0.2
    shadow: float = 0.0
    turn_deg: float = 6.0
    curl_mm: float = 0.0
    style: str = "even"

    def __post_init__(self) -> None:
        """Raise ValueError for a style that there is not."""
        if self.style not in STYLES:
            raise ValueError(f"nobody colours {self.style}")

    def on(self, conditions: SheetConditions) -> SheetConditions:
        """Return the conditions with these strengths in the place of theirs."""
        return conditions.but(
            exposure=self.exposure,
            gradient=self.gradient,
            shadow=self.shadow,
            turn_deg=self.turn_deg,
            curl_mm=self.curl_mm,
        )


SheetMove: TypeAlias = ColourRegion | RubOut | LaySheet | SheetCircumstances


@dataclass(frozen=True, slots=True)
class SheetTabletop:
    """The state of a table of Kvilt.

    Attributes:
        marks: of each seat's sheet, from seat 1, what is coloured, by region.
        lying: the seat whose sheet lies under the camera; None if none does.
        circumstances: what makes it hard to see.
        themes: of each seat's sheet; "" for the usual pictures.
    """

    marks: tuple[Mapping[str, str], ...]
    lying: int | None
    circumstances: SheetCircumstances
    themes: tuple[str, ...]

    @property
    def hands_busy(self) -> bool:
        """True while a hand is on its way; sheets and pencil are there at once."""
        return False

"""Moves at a remotely operated table of Kvilt: colouring, rubbing out, and laying a sheet under the camera."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from hardware.simulated.sheets.conditions import STYLES, SheetConditions


@dataclass(frozen=True, slots=True)
class ColourRegion:
    """Colour a region of a seat's sheet; `region` and `colour` are names of the sheet's file."""

    seat: int
    region: str
    colour: str


@dataclass(frozen=True, slots=True)
class RubOut:
    """Make a region white again, to correct a slip on the page; impossible with real pencils."""

    seat: int
    region: str


@dataclass(frozen=True, slots=True)
class LaySheet:
    """Lay a seat's sheet under the camera in place of the present one; with None only remove that."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class SheetCircumstances:
    """The difficulties in reading a sheet that can be changed during play.

    Attributes:
        exposure: see `SheetConditions`, also for the others except the last.
        gradient: of the light.
        shadow: depth of a shadow across the page.
        turn_deg: greatest rotation of a sheet.
        curl_mm: size of its bulge.
        style: style of colouring, a name in `STYLES`.
    """

    exposure: float = 0.72
    gradient: float = 0.2
    shadow: float = 0.0
    turn_deg: float = 6.0
    curl_mm: float = 0.0
    style: str = "even"

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown style."""
        if self.style not in STYLES:
            raise ValueError(f"nobody colours {self.style}")

    def on(self, conditions: SheetConditions) -> SheetConditions:
        """Return the conditions with their strengths replaced by these."""
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
        marks: the coloured regions of each seat's sheet, from seat 1, with their colours.
        lying: the seat of the sheet under the camera; None if there is none.
        circumstances: the difficulties in reading it.
        themes: of each seat's sheet; "" for the usual pictures.
    """

    marks: tuple[Mapping[str, str], ...]
    lying: int | None
    circumstances: SheetCircumstances
    themes: tuple[str, ...]

    @property
    def hands_busy(self) -> bool:
        """False: sheets and pencil marks appear at once."""
        return False

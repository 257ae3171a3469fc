"""The difficulties of a simulated sheet of Kvilt, and moves at a remotely operated table of Kvilt."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias


@dataclass(frozen=True, slots=True)
class StrokeStyle:
    """A player's strokes; the defaults are an even, fairly careful hand.

    Attributes:
        pressure: pressure of the pencil, 0..1.
        unevenness: relative variation of pressure between strokes and along them, one sigma.
        spacing_mm: distance between two strokes.
        width_mm: width of a stroke.
        crossed: share of regions with a second, crossing layer.
        stray_mm: overshoot of strokes beyond the outline, one sigma by region.
        bias_mm: mean overshoot.
        wobble_mm: waviness of a coloured region's edge.
        gaps: share of white patches left inside.
        specks: mean number of crumbs of pencil beside a region.
    """

    pressure: float = 0.62
    unevenness: float = 0.15
    spacing_mm: float = 0.45
    width_mm: float = 0.55
    crossed: float = 0.3
    stray_mm: float = 0.25
    bias_mm: float = 0.0
    wobble_mm: float = 0.25
    gaps: float = 0.03
    specks: float = 1.0


STYLES: Final[Mapping[str, StrokeStyle]] = MappingProxyType(
    {
        "even": StrokeStyle(),
        "firm": StrokeStyle(pressure=0.95, unevenness=0.1, spacing_mm=0.35, width_mm=0.7, crossed=0.6, gaps=0.01),
        "faint": StrokeStyle(pressure=0.38, unevenness=0.2, spacing_mm=0.5, gaps=0.05),
        "hatched": StrokeStyle(spacing_mm=0.95, width_mm=0.5, crossed=0.15, gaps=0.02),
        "careless": StrokeStyle(unevenness=0.3, spacing_mm=0.75, stray_mm=0.6, bias_mm=0.2, wobble_mm=0.5, gaps=0.1,
                                specks=4.0),
    }
)  # fmt: skip
"""Typical styles by name."""


@dataclass(frozen=True, slots=True)
class SheetConditions:
    """The light on the page and the camera over it. The defaults are an evening under a lamp.

    Attributes:
        width_px: of the picture.
        height_px: of the picture.
        tilt_deg: of the camera from straight down, at most.
        turn_deg: of the page in the picture, at most.
        fill: share of the picture's width that the page takes.
        defocus_px: sigma of the blur.
        colour_temperature_k: of the light after the camera's white balance; 5500 is neutral.
        exposure: grey level of the brightest paper, as a share of full scale in linear light.
        gradient: relative fall of the light across the page.
        shadow: depth of a shadow across a part of the page, 0..1.
        softness_mm: of the shadow's edge.
        noise: sigma of the sensor's noise in grey levels.
        jpeg_quality: 1..100; 100 is a camera that hands over its pixels, as a Raspberry Pi's does.
        curl_mm: sideways bulge of the page's middle in the picture.
        distortion: first radial coefficient of the lens; negative is a barrel.
    """

    width_px: int = 2016
    height_px: int = 1512
    tilt_deg: float = 10.0
    turn_deg: float = 6.0
    fill: float = 0.86
    defocus_px: float = 0.7
    colour_temperature_k: float = 4800.0
    exposure: float = 0.72
    gradient: float = 0.2
    shadow: float = 0.0
    softness_mm: float = 25.0
    noise: float = 2.0
    jpeg_quality: int = 100
    curl_mm: float = 0.0
    distortion: float = 0.0

    def but(self, **changes: Any) -> "SheetConditions":
        """Return the same conditions with some changed.

        Raises:
            TypeError: there is no such condition.
        """
        return replace(self, **changes)


LIGHTS: Final[Mapping[str, SheetConditions]] = MappingProxyType(
    {
        "normal": SheetConditions(),
        "warm": SheetConditions(colour_temperature_k=2900.0, gradient=0.35),
        "cold": SheetConditions(colour_temperature_k=8500.0, gradient=0.3),
        "dim": SheetConditions(exposure=0.22, noise=6.0, gradient=0.3),
        "bright": SheetConditions(exposure=0.98),
        "soft-shadow": SheetConditions(shadow=0.45, softness_mm=30.0),
        "hard-shadow": SheetConditions(shadow=0.45, softness_mm=6.0),
        "oblique": SheetConditions(tilt_deg=28.0, turn_deg=25.0, fill=0.74),
        "small": SheetConditions(width_px=1280, height_px=960, jpeg_quality=80),
        "harsh": SheetConditions(colour_temperature_k=3200.0, gradient=0.5, shadow=0.4, softness_mm=12.0, noise=5.0,
                                 exposure=0.4, defocus_px=1.1, jpeg_quality=75),
    }
)  # fmt: skip
"""The lights by name; "harsh" combines all difficulties."""


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

"""The difficulties of a simulated table, and the tables by name, from an ordinary evening to difficult ones."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Dress:
    """The prints of one evening.

    Attributes:
        printing: one of `conditions.PRINTINGS`.
        seed: of cloths and boards.
        camouflage: share of the patches in the boards' own colours.
        grounds: by seat index, the boards of our own printing.
    """

    printing: str
    seed: int
    camouflage: float
    grounds: tuple[int, int]


LEATHER: Final = "leather"
"""Used for a leather patch in place of a patch's ID."""
PRINTINGS: Final = ("own", "tagged", "labelled", "home")
"""Ours; one with large buttons and slanted paper tags; one with rounded labels; one for printing at home. The cloths
and boards of the second and third are random.
"""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Strengths of everything that varies between tables; the defaults are an ordinary evening under a lamp.

    Attributes:
        width_px: width of a frame.
        height_px: height of a frame.
        camera_height_mm: of the lens above the table.
        tilt_deg: of the camera from straight down, 0..35.
        field_of_view_deg: horizontal, of the lens without its distortion.
        distortion: first radial coefficient of the lens; negative is a barrel.
        jitter_px: shift of the picture between frames, one sigma.
        defocus_px: sigma of the blur.
        gradient: relative fall of the light from one side of the table to the other.
        window_shadow: depth of a soft-edged shadow across the table, 0..1.
        hard_shadow: depth of a sharp-edged shadow across one board, 0..1.
        glare: strength of the lamp's reflection, 0..1.
        drift: relative slow change of brightness and colour over minutes.
        exposure: factor on all light; above 1 bright prints saturate.
        colour_temperature_k: of the lamp after the camera's white balance; 5500 is neutral.
        noise: sigma of the sensor's noise in grey levels at full light.
        jpeg_quality: 1..100; 100 is a camera that hands over its pixels, as a Raspberry Pi's does.
        offset_mm: deviation of laid patches from their cells, one sigma.
        rotation_deg: rotation of laid patches, one sigma.
        creep_mm: excess length of a full row of nine patches over the printed grid.
        touching: share of the circle's patches that touch the one before.
        board_offset_mm: greatest distance of the boards from the mats' frames.
        board_rotation_deg: greatest rotation of the boards there.
        nudge_camera_mm: distance by which the camera is nudged in mid-game.
        nudge_mat_mm: distance by which a mat, with its board, is nudged in mid-game.
        nudge_board_mm: distance by which a board is nudged in mid-game.
        sleeve_at_edge: whether a resting sleeve reaches into the picture.
        tokens_on_board: number of button tokens forgotten on the boards' empty cells.
        ground_seed: seed of the boards' prints; None for the evening's seed.
        desk_lamp: share of the light that comes from a small lamp beside the table, 0..1; its shadows are hard.
        shade_temperature_k: colour of the light in a lamp's shade; 5500 is neutral, more is bluer.
        people: frequency of a player leaning between lamp and table, 0..1; each time elsewhere.
        switching_s: interval at which a lamp is switched off and on again; 0 for never.
        sun: strength of the sun's light through a window's panes, which creeps over the table.
        television: strength of a screen's light, which changes its colour from moment to moment.
        gloss: reflection of lamps and screen by the boards and patches; above 1 a reflected lamp hides prints.
        shot_noise: share of the noise that increases with the light, 0..1.
        chroma_noise: coarse noise of colour, relative to `noise`.
        board_tilt_mm: height by which one side of a board is raised.
        board_bow_mm: height of a board's middle above its corners.
        pushing_mm: distance by which a patch pushes one that it is laid against.
        printing: of patches and boards, in `PRINTINGS`.
        clutter: number of cups, plates, papers and the like on the table.
        camouflage: share of the patches that are printed in the boards' own colours.
        tokens: set of button tokens: "buttons", or one of `drawing.token_sets.TOKEN_SETS`.
        sway_px: shift of the picture from frame to frame by a stand that sways, one sigma; it turns as well.
        sag_px: distance in the picture by which a camera's arm sinks in an evening of 20 minutes.
        breathing: relative change of the picture's size by a lens that searches its focus; its blur changes as well.
        veil: share of scattered light behind a smeared lens, 0..1.
        flicker: relative strength of the mains' bands, which wander from frame to frame, 0..1.
        hunting: largest logarithm by which exposure and, less, white balance go astray.
        tone_mapping: strength of a phone's local tone mapping, smoothing and sharpening, 0..1.
        detail: share of the sensor's pixels in each direction that remain of a picture scaled down and up, 0..1.
        upside_down: whether the camera hangs the other way up.
    """

    width_px: int = 1536
    height_px: int = 864
    camera_height_mm: float = 690.0
    tilt_deg: float = 12.0
    field_of_view_deg: float = 66.0
    distortion: float = -0.035
    jitter_px: float = 0.08
    defocus_px: float = 0.55
    gradient: float = 0.18
    window_shadow: float = 0.12
    hard_shadow: float = 0.0
    glare: float = 0.05
    drift: float = 0.02
    exposure: float = 1.0
    colour_temperature_k: float = 5000.0
    noise: float = 1.6
    jpeg_quality: int = 100
    offset_mm: float = 0.7
    rotation_deg: float = 0.5
    creep_mm: float = 1.5
    touching: float = 0.0
    board_offset_mm: float = 2.0
    board_rotation_deg: float = 1.0
    nudge_camera_mm: float = 0.0
    nudge_mat_mm: float = 0.0
    nudge_board_mm: float = 0.0
    sleeve_at_edge: bool = False
    tokens_on_board: int = 0
    ground_seed: int | None = None
    desk_lamp: float = 0.0
    shade_temperature_k: float = 5500.0
    people: float = 0.0
    switching_s: float = 0.0
    sun: float = 0.0
    television: float = 0.0
    gloss: float = 0.0
    shot_noise: float = 0.0
    chroma_noise: float = 0.0
    board_tilt_mm: float = 0.0
    board_bow_mm: float = 0.0
    pushing_mm: float = 0.0
    printing: str = "own"
    clutter: int = 0
    camouflage: float = 0.0
    tokens: str = "buttons"
    sway_px: float = 0.0
    sag_px: float = 0.0
    breathing: float = 0.0
    veil: float = 0.0
    flicker: float = 0.0
    hunting: float = 0.0
    tone_mapping: float = 0.0
    detail: float = 1.0
    upside_down: bool = False

    def but(self, **changes: Any) -> "Conditions":
        """Return the same conditions with some strengths changed.

        Raises:
            TypeError: there is no such strength.
        """
        return replace(self, **changes)


def normal() -> Conditions:
    """Return an ordinary evening under a lamp."""
    return Conditions()


ORDINARY: Final = "evening"

TABLES: Final[Mapping[str, Conditions]] = MappingProxyType(
    {
        ORDINARY: Conditions(),
        "desk-lamp": Conditions(
            desk_lamp=0.85, shade_temperature_k=8000.0, people=0.5, gloss=0.35, colour_temperature_k=4300.0,
            clutter=3,
        ),
        "window": Conditions(
            sun=0.9, people=0.2, gloss=0.3, shade_temperature_k=7500.0, colour_temperature_k=5800.0, window_shadow=0.0,
            clutter=2,
        ),
        "television": Conditions(
            television=0.45, exposure=0.7, noise=4.0, shot_noise=0.5, chroma_noise=0.4, gloss=0.4, people=0.2,
            clutter=3,
        ),
        "dim": Conditions(
            exposure=0.42, noise=6.5, shot_noise=0.6, chroma_noise=0.4, jpeg_quality=75, people=0.4,
            colour_temperature_k=3400.0,
        ),
        "two-lamps": Conditions(
            desk_lamp=0.5, shade_temperature_k=9000.0, people=0.4, switching_s=45.0, colour_temperature_k=4600.0
        ),
        "glossy": Conditions(gloss=1.3, people=0.3),
        "wide-lens": Conditions(
            field_of_view_deg=90.0, distortion=-0.095, camera_height_mm=640.0, noise=3.5, shot_noise=0.5,
            chroma_noise=0.4, exposure=0.6, people=0.3, nudge_camera_mm=6.0, clutter=5,
        ),
        "camouflage": Conditions(camouflage=0.7),
        "paper-tags": Conditions(printing="tagged", board_bow_mm=1.0),
        "home-made": Conditions(printing="home", offset_mm=0.8),
        "sloppy": Conditions(
            offset_mm=2.0, rotation_deg=1.6, creep_mm=4.0, tokens_on_board=2, pushing_mm=1.2, board_tilt_mm=4.0,
            board_bow_mm=2.0,
        ),
        "hard": Conditions(
            desk_lamp=0.8, shade_temperature_k=10000.0, people=0.6, gloss=0.7, camouflage=0.4, printing="tagged",
            noise=4.0, shot_noise=0.5, chroma_noise=0.4, camera_height_mm=850.0, offset_mm=1.2, rotation_deg=1.0,
            creep_mm=3.0, jpeg_quality=80, board_bow_mm=2.0, clutter=4,
        ),
        "phone-camera": Conditions(
            tone_mapping=0.8, hunting=0.2, noise=2.5, shot_noise=0.6, jpeg_quality=85, desk_lamp=0.4, people=0.3,
        ),
        "cheap-webcam": Conditions(
            detail=0.75, jpeg_quality=28, noise=3.0, shot_noise=0.4, chroma_noise=0.4, hunting=0.12, exposure=0.7,
        ),
        "swaying": Conditions(sway_px=1.4),
        "sagging": Conditions(sag_px=18.0, sway_px=0.3),
        "breathing": Conditions(breathing=0.003),
        "out-of-focus": Conditions(defocus_px=2.0),
        "smeared": Conditions(veil=0.38),
        "flicker": Conditions(flicker=0.14, noise=2.5),
        "compressed": Conditions(jpeg_quality=20, detail=0.83),
        "upside-down": Conditions(upside_down=True, noise=3.5, shot_noise=0.5, people=0.2),
    }
)  # fmt: skip
"""The conditions of each: its light, camera, printing and players' accuracy."""

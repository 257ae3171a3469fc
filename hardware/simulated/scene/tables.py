"""Simulated tables by name, from an ordinary evening to difficult ones."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hardware.simulated.conditions import Conditions

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
    }
)  # fmt: skip
"""The conditions of each: its light, camera, printing and players' accuracy."""

"""The steps of severity of every difficulty of a simulated table."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hardware.simulated.conditions import Conditions

STRESSES: Final[Mapping[str, tuple[Conditions, ...]]] = MappingProxyType(
    {
        "gradient": tuple(Conditions(gradient=value) for value in (0.3, 0.5, 0.7)),
        "exposure": tuple(Conditions(exposure=value) for value in (0.45, 1.35, 1.7)),
        "colour-temperature": tuple(Conditions(colour_temperature_k=value) for value in (3800.0, 2900.0, 8500.0)),
        "hard-shadow": tuple(Conditions(hard_shadow=value) for value in (0.25, 0.45, 0.6)),
        "glare": tuple(Conditions(glare=value) for value in (0.2, 0.45, 0.8)),
        "dim": tuple(
            Conditions(exposure=light, noise=noise) for light, noise in ((0.5, 4.0), (0.35, 7.0), (0.25, 11.0))
        ),
        "height": tuple(Conditions(camera_height_mm=value) for value in (655.0, 850.0, 1000.0)),
        "tilt": tuple(Conditions(tilt_deg=value) for value in (20.0, 28.0, 35.0)),
        "wide-lens": tuple(
            Conditions(distortion=bend, field_of_view_deg=view, camera_height_mm=height)
            for bend, view, height in ((-0.05, 74.0, 620.0), (-0.08, 82.0, 560.0), (-0.10, 90.0, 500.0))
        ),
        "defocus": tuple(Conditions(defocus_px=value) for value in (1.2, 2.0, 3.0)),
        "nudge-camera": tuple(Conditions(nudge_camera_mm=value) for value in (3.0, 10.0, 25.0)),
        "nudge-mat": tuple(Conditions(nudge_mat_mm=value) for value in (3.0, 8.0, 15.0)),
        "nudge-board": tuple(Conditions(nudge_board_mm=value) for value in (1.5, 3.0, 5.0)),
        "jpeg": tuple(Conditions(jpeg_quality=value) for value in (70, 45, 25)),
        "offset": tuple(Conditions(offset_mm=value) for value in (1.5, 2.2, 3.0)),
        "rotation": tuple(Conditions(rotation_deg=value) for value in (1.0, 1.5, 2.0)),
        "creep": tuple(Conditions(creep_mm=value) for value in (3.0, 4.5, 6.0)),
        "sleeve": (Conditions(sleeve_at_edge=True),),
        "tokens": tuple(Conditions(tokens_on_board=count) for count in (1, 2, 4)),
        "board-colour": tuple(Conditions(ground_seed=seed) for seed in (1, 2, 3)),
        "people": tuple(
            Conditions(people=often, desk_lamp=lamp, shade_temperature_k=shade)
            for often, lamp, shade in ((0.3, 0.3, 6500.0), (0.5, 0.6, 8000.0), (0.8, 0.9, 12000.0))
        ),
        "lamp-switched": tuple(
            Conditions(switching_s=seconds, desk_lamp=lamp) for seconds, lamp in ((60.0, 0.3), (30.0, 0.6), (20.0, 1.0))
        ),
        "sun": tuple(Conditions(sun=value, window_shadow=0.0) for value in (0.4, 0.9, 1.6)),
        "television": tuple(Conditions(television=value, gloss=0.4) for value in (0.15, 0.35, 0.7)),
        "gloss": tuple(Conditions(gloss=value) for value in (0.4, 1.0, 2.0)),
        "sensor": tuple(
            Conditions(exposure=light, noise=noise, shot_noise=0.6, chroma_noise=colour, jpeg_quality=quality)
            for light, noise, colour, quality in ((0.6, 3.0, 0.3, 85), (0.45, 6.0, 0.5, 70), (0.35, 9.0, 0.8, 55))
        ),
        "small-cells": tuple(
            Conditions(field_of_view_deg=90.0, distortion=-0.095, camera_height_mm=height)
            for height in (640.0, 760.0, 880.0)
        ),
        "clutter": tuple(Conditions(clutter=count) for count in (1, 3, 6)),
        "camouflage": tuple(Conditions(camouflage=share) for share in (0.3, 0.6, 1.0)),
        "board-tilt": tuple(Conditions(board_tilt_mm=value) for value in (3.0, 6.0, 10.0)),
        "board-bow": tuple(Conditions(board_bow_mm=value) for value in (1.5, 3.0, 5.0)),
        "pushing": tuple(Conditions(pushing_mm=value, offset_mm=1.2) for value in (0.7, 1.5, 2.5)),
        "sway": tuple(Conditions(sway_px=value) for value in (0.7, 1.4, 2.8)),
        "sag": tuple(Conditions(sag_px=value) for value in (9.0, 18.0, 36.0)),
        "breathing": tuple(Conditions(breathing=value) for value in (0.0015, 0.003, 0.006)),
        "veil": tuple(Conditions(veil=value) for value in (0.16, 0.38, 0.6)),
        "flicker": tuple(Conditions(flicker=value) for value in (0.07, 0.14, 0.28)),
        "hunting": tuple(Conditions(hunting=value) for value in (0.12, 0.25, 0.5)),
        "phone": tuple(
            Conditions(tone_mapping=value, noise=noise, shot_noise=0.6)
            for value, noise in ((0.4, 2.0), (0.8, 3.0), (1.2, 5.0))
        ),
        "webcam": tuple(
            Conditions(detail=detail, jpeg_quality=quality, noise=noise)
            for detail, quality, noise in ((0.83, 28, 2.0), (0.7, 20, 4.0), (0.55, 14, 6.0))
        ),
        "upside-down": (Conditions(upside_down=True),),
        "printing": tuple(Conditions(printing=name) for name in ("labelled", "tagged")),
    }
)
"""For each kind of difficulty, its levels from mild to harsh; all else is as on an ordinary evening."""

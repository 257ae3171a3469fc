"""The light on a photographed page: its colour, its fall-off, a shadow across it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware.simulated.drawing.images import Field, floats_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.simulated.sheets.conditions import SheetConditions

_COARSE: Final = 8
"""Downscaling factor of the light, which is smooth."""
_SHADE_TINT: Final = np.array([0.93, 1.0, 1.05])
"""Colour of a shadow's depth: less in blue, because the room's light is bluish."""


def sheet_light(
    under: SheetConditions, to_page: NDArray[np.float64], page_mm: tuple[float, float], rng: np.random.Generator
) -> Field:
    """Return factors on linear light, shape (height, width, 3).

    Args:
        under: the conditions.
        to_page: the map, shape (3, 3), from pixels of the picture to millimetres of the page.
        page_mm: width and height of the page.
        rng: source of the direction of the light, and the place of the shadow.
    """
    size = (under.width_px, under.height_px)
    small = (size[0] // _COARSE, size[1] // _COARSE)
    x, y = np.meshgrid((np.arange(small[0]) + 0.5) * _COARSE, (np.arange(small[1]) + 0.5) * _COARSE)
    points = cv2.perspectiveTransform(np.stack([x, y], axis=2).reshape(-1, 1, 2), to_page).reshape(*x.shape, 2)
    centred = (points - np.asarray(page_mm) / 2) / page_mm[0]
    light = _fall(centred, under.gradient, rng)[..., None] * _shade(centred * page_mm[0], under, rng)
    return floats_of(cv2.resize(floats_of(light * _tint(under) * under.exposure), size, interpolation=cv2.INTER_LINEAR))


def _fall(centred: NDArray[np.float64], strength: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the fall of light, 1 at the brightest point of the page."""
    angle = rng.uniform(0, 2 * np.pi)
    along = centred @ np.array([np.cos(angle), np.sin(angle)])
    spot = ((centred - rng.uniform(-0.4, 0.4, 2)) ** 2).sum(axis=2)
    return np.asarray(1 - strength * np.clip(0.5 + along, 0, 1.2) * 0.8 - 0.3 * strength * spot)


def _shade(centred_mm: NDArray[np.float64], under: SheetConditions, rng: np.random.Generator) -> NDArray[np.float64]:
    angle, off_mm = rng.uniform(0, 2 * np.pi), rng.uniform(-60, 60)
    along_mm = centred_mm @ np.array([np.cos(angle), np.sin(angle)]) - off_mm
    inside = 0.5 + 0.5 * np.tanh(2 * along_mm / max(under.softness_mm, 0.5))
    return np.asarray(1 - under.shadow * inside[..., None] * _SHADE_TINT)


def _tint(under: SheetConditions) -> NDArray[np.float64]:
    warmth = np.log(5500 / under.colour_temperature_k)
    tint = np.exp(np.array([-0.75, -0.05, 0.42]) * warmth)
    return np.asarray(tint / tint.max())

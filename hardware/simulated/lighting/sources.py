"""Lamps, windows and screens: their light on the table, and their reflections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.drawing.images import Field, floats_of
from hardware.simulated.lighting.blockers import Limb, Spot3, lit

Light: TypeAlias = tuple[float, float, float]
"""Blue, green, red; linear, white paper is 1."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A source of light.

    Attributes:
        at_mm: its middle in table space.
        bgr: its light on the table straight below `reference_mm`, blue-green-red, linear.
        size_mm: its diameter; a larger one softens shadows.
        reference_mm: the distance at which `bgr` applies.
        cone_deg: half the angle of its beam, which points at the table's middle; 180 for all directions.
        bars: of a window before it; None lets all light through.
    """

    at_mm: Spot3
    bgr: Light
    size_mm: float = 60.0
    reference_mm: float = 700.0
    cone_deg: float = 180.0
    bars: Bars | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """The projection of a window by the sun on the table: lit panes in a dark room.

    Attributes:
        angle_deg: of the panes' long sides on the table.
        pane_mm: width and height of a lit pane on the table.
        bar_mm: width of a bar's shadow.
        panes: numbers of panes across and down.
        shift_mm: of the whole, which moves with the sun.
        soft_mm: of the edges.
    """

    angle_deg: float
    pane_mm: tuple[float, float]
    bar_mm: float
    panes: tuple[int, int]
    shift_mm: tuple[float, float]
    soft_mm: float

    def passing(self, points_mm: NDArray[np.float32]) -> Field:
        """Return the share of light that reaches points (..., 2), 0..1."""
        cos, sin = np.cos(np.radians(self.angle_deg)), np.sin(np.radians(self.angle_deg))
        x = points_mm[..., 0] * cos + points_mm[..., 1] * sin - self.shift_mm[0]
        y = points_mm[..., 1] * cos - points_mm[..., 0] * sin - self.shift_mm[1]
        across = self._panes(x, self.pane_mm[0], self.panes[0])
        return floats_of(across * self._panes(y, self.pane_mm[1], self.panes[1]))

    def _panes(self, at: NDArray[np.float32], pane_mm: float, count: int) -> Field:
        pitch = pane_mm + self.bar_mm
        nearest = np.clip(np.round(at / pitch + (count - 1) / 2), 0, count - 1) - (count - 1) / 2
        inside = pane_mm / 2 - np.abs(at - nearest * pitch)
        return floats_of(np.clip(0.5 + inside / self.soft_mm, 0, 1))


@dataclass(frozen=True, slots=True)
class Room:
    """All light in a room at one moment.

    Attributes:
        ambient: ambient light, blue-green-red, linear.
        lamps: the lamps.
        limbs: obstacles to the lamps' light.
    """

    ambient: Light
    lamps: tuple[Lamp, ...]
    limbs: tuple[Limb, ...] = ()

    def falls(self, points_mm: NDArray[np.float32]) -> list[Field]:
        """Return each lamp's light on points (h, w, 2) of the table past obstacles, (h, w, 3), linear."""
        return [_falls(lamp, points_mm, self.limbs) for lamp in self.lamps]


def _falls(lamp: Lamp, points_mm: NDArray[np.float32], limbs: tuple[Limb, ...]) -> Field:
    if not any(lamp.bgr):
        return np.zeros((*points_mm.shape[:-1], 3), np.float32)
    at = floats_of(lamp.at_mm)
    way = at[:2] - points_mm
    reach = np.sqrt((way**2).sum(axis=-1) + at[2] ** 2)
    strength = (lamp.reference_mm / reach) ** 2 * at[2] / reach
    if lamp.cone_deg < 180:
        axis = at / np.linalg.norm(at)
        lean = ((way @ axis[:2]) + at[2] * axis[2]) / reach
        angle = np.degrees(np.arccos(np.clip(lean, -1, 1)))
        strength *= np.clip((lamp.cone_deg - angle) / 6 + 0.5, 0.0, 1)
    strength *= lit(points_mm, lamp.at_mm, lamp.size_mm, limbs)
    if lamp.bars is not None:
        strength *= lamp.bars.passing(points_mm)
    return floats_of(strength[..., None] * floats_of(lamp.bgr))


def lobe(
    points_mm: NDArray[np.float32], lamp: Lamp, eye_mm: Spot3, normals: NDArray[np.float32], roughness: float
) -> Field:
    """Return the share of a lamp's light reflected to the camera, (h, w), about 1 in the mirror direction.

    Args:
        points_mm: (h, w, 2) on the table.
        lamp: the lamp.
        eye_mm: the camera.
        normals: (h, w, 2), slopes of the surface in x and y; 0 for flat.
        roughness: 0.03 of laminate .. 0.4 of cloth-finished cardboard.
    """
    flat = np.concatenate([points_mm, np.zeros((*points_mm.shape[:-1], 1), np.float32)], axis=-1)
    halfway = _unit(floats_of(lamp.at_mm) - flat) + _unit(floats_of(eye_mm) - flat)
    # Slopes between the surface and the mirror direction: Beckmann's distribution, widened by the lamp's size.
    slopes = halfway[..., :2] / halfway[..., 2:] - normals
    width = roughness + 0.5 * lamp.size_mm / float(np.linalg.norm(lamp.at_mm))
    return floats_of(np.exp(-(slopes**2).sum(axis=-1) / width**2))


def _unit(vectors: Field) -> Field:
    return floats_of(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))

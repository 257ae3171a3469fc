"""Bodies between a lamp and the table: heads, shoulders and arms as rounded limbs, with soft shadows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.drawing.images import Field, floats_of

Spot3: TypeAlias = tuple[float, float, float]
"""(x, y, z) in millimetres, z up from the table."""

# The least softness of a shadow's edge: hair and cloth fray it, and lamps are never points.
_LEAST_SOFT_MM: Final = 0.8


@dataclass(frozen=True, slots=True)
class Limb:
    """A rounded body part from one point to another, of one radius.

    Attributes:
        start: one end.
        end: the other end; the same point makes a ball.
        radius_mm: of the part.
    """

    start: Spot3
    end: Spot3
    radius_mm: float


def person(x_mm: float, y_mm: float, facing_deg: float, height_mm: float) -> tuple[Limb, ...]:
    """Return a player at the table, leaning in: a head, shoulders and both upper arms.

    Args:
        x_mm: of the head.
        y_mm: of the head.
        facing_deg: direction of their view, 0 towards larger x, clockwise as seen from above.
        height_mm: of the head's middle above the table.
    """
    angle = np.radians(facing_deg)
    ahead, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    head = np.array([x_mm, y_mm])
    neck = head - 130 * ahead
    limbs = [Limb((x_mm, y_mm, height_mm), (x_mm, y_mm, height_mm + 60), 95.0)]
    ends = [neck + side * 190 * aside for side in (-1, 1)]
    low = height_mm - 160
    limbs.append(Limb((*map(float, ends[0]), low), (*map(float, ends[1]), low), 105.0))  # type: ignore[arg-type]
    for end in ends:
        elbow = end + 190 * ahead
        limbs.append(Limb((float(end[0]), float(end[1]), low), (float(elbow[0]), float(elbow[1]), low - 190), 52.0))
    return tuple(limbs)


def arm(from_mm: Spot3, to_mm: Spot3) -> tuple[Limb, ...]:
    """Return a forearm with a hand over the table."""
    wrist = tuple(a + 0.72 * (b - a) for a, b in zip(from_mm, to_mm, strict=True))
    return Limb(from_mm, (wrist[0], wrist[1], wrist[2]), 42.0), Limb((wrist[0], wrist[1], wrist[2]), to_mm, 36.0)


def lit(points_mm: NDArray[np.float32], lamp_mm: Spot3, lamp_size_mm: float, limbs: Iterable[Limb]) -> Field:
    """Return the visible share of a lamp from each point of the table past obstacles, 0..1.

    Args:
        points_mm: shape (..., 2), on the table.
        lamp_mm: the lamp's middle.
        lamp_size_mm: its diameter: a large lamp softens the shadows.
        limbs: the obstacles.
    """
    seen = np.ones(points_mm.shape[:-1], np.float32)
    lamp = floats_of(lamp_mm)
    flat = np.concatenate([points_mm, np.zeros((*points_mm.shape[:-1], 1), np.float32)], axis=-1)
    way = lamp - flat
    reach = np.linalg.norm(way, axis=-1)
    way = way / reach[..., None]
    for limb in limbs:
        gap, along = _passes(flat, way, limb)
        # The lamp's apparent radius from the table, where the ray passes the limb.
        soft = np.maximum(_LEAST_SOFT_MM, 0.5 * lamp_size_mm * along / reach)
        share = np.clip(0.5 + 0.5 * (gap - limb.radius_mm) / soft, 0, 1)
        seen *= np.where((along > 0) & (along < reach), share * share * (3 - 2 * share), 1)
    return floats_of(seen)


def _passes(points: Field, way: Field, limb: Limb) -> tuple[Field, Field]:
    """Return the distances of rays from a limb's axis, and of the nearest points from the rays' origins."""
    start, axis = floats_of(limb.start), floats_of(limb.end) - floats_of(limb.start)
    to_start = start - points
    leans = way @ axis
    first = (to_start * way).sum(axis=-1)
    square = float(axis @ axis)
    # A ray along the limb's axis has no single nearest point.
    slack = np.maximum(square - leans**2, 1e-3)
    share = np.clip((leans * first - to_start @ axis) / slack, 0, 1) if square > 0 else np.zeros_like(first)
    nearest = to_start + share[..., None] * axis
    along = (nearest * way).sum(axis=-1)
    gap = np.linalg.norm(nearest - along[..., None] * way, axis=-1)
    return floats_of(gap), floats_of(along)

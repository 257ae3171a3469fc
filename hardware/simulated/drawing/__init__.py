"""Drawing of the simulated table: the renderer's arrays, and poses on a plane."""

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
"""(height, width, 3), blue-green-red."""
Mask: TypeAlias = NDArray[np.uint8]
"""(height, width), 255 inside, 0 outside."""
Field: TypeAlias = NDArray[np.float32]
"""(height, width) or (height, width, 3), any unit."""


def bytes_of(values: Any) -> NDArray[np.uint8]:
    """Return the array as uint8, copied only if it is of another type."""
    return np.asarray(values, dtype=np.uint8)


def floats_of(values: Any) -> NDArray[np.float32]:
    """Return the array as float32, copied only if it is of another type."""
    return np.asarray(values, dtype=np.float32)


def clipped(values: Any) -> NDArray[np.uint8]:
    """Return numbers as grey levels, clipped to 0..255."""
    levels: NDArray[np.uint8] = np.clip(values, 0, 255).astype(np.uint8)
    return levels


Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """The pose of an object: its middle in millimetres, and its rotation, clockwise as seen from above."""

    x_mm: float
    y_mm: float
    angle_deg: float = 0.0

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The map, shape (3, 3), from the object's own millimetres to those of its ground."""
        cos, sin = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        return np.array([[cos, -sin, self.x_mm], [sin, cos, self.y_mm], [0.0, 0.0, 1.0]])

    def place(self, points_mm: Points) -> Points:
        """Return points (n, 2) of the object in the space of its ground."""
        placed: Points = points_mm @ self.matrix[:2, :2].T + self.matrix[:2, 2]
        return placed

    def on(self, ground: "Pose") -> "Pose":
        """Return this pose, which is relative to `ground`, in the space that the ground's pose is in."""
        x_mm, y_mm = ground.place(np.array([[self.x_mm, self.y_mm]]))[0]
        return Pose(float(x_mm), float(y_mm), ground.angle_deg + self.angle_deg)

    def moved(self, dx_mm: float = 0.0, dy_mm: float = 0.0, turn_deg: float = 0.0) -> "Pose":
        """Return the pose shifted and rotated."""
        return Pose(self.x_mm + dx_mm, self.y_mm + dy_mm, self.angle_deg + turn_deg)

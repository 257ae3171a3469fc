"""A pencil left on a sheet, evenly lit, with its shadow, in the camera's view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from hardware.simulated.drawing.images import Field, floats_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LENGTH_MM, _THICK_MM, _POINT_MM, _LEAD_MM = 175.0, 7.2, 18.0, 4.0
_PX_PER_MM: Final = 6
_FACETS: Final = (0.7, 1.0, 0.82)
"""The brightness of the three visible sides of a six-sided pencil."""
_LACQUERS: Final = ((0.04, 0.05, 0.55), (0.35, 0.14, 0.03), (0.05, 0.28, 0.04), (0.03, 0.5, 0.75), (0.02, 0.02, 0.02))
"""Blue, green, red, linear."""
_WOOD: Final = (0.3, 0.5, 0.7)
_SHADE: Final = 0.55
"""Factor on the light in its shadow."""
_SHADOW_MM, _SOFT_MM = 1.6, 1.2


def lay_pencil(
    lit: Field, place: NDArray[np.float64], middle_mm: tuple[float, float], chance: np.random.Generator
) -> Field:
    """Draw a pencil into the camera's view, approximately across the middle of the page.

    Args:
        lit: (height, width, 3), linear, evenly lit.
        place: maps millimetres of the page to pixels, shape (3, 3).
        middle_mm: the middle of the page.
        chance: source of the pencil and its place.
    """
    lacquer = _LACQUERS[int(chance.integers(len(_LACQUERS)))]
    turn = float(chance.uniform(0, 2 * np.pi))
    x, y = np.array(middle_mm) + chance.uniform(-0.3, 0.3, 2) * np.array(middle_mm)
    pencil, inside = _drawn(lacquer)
    body, mask = (_seen(each, place @ _pose(x, y, turn), lit) for each in (pencil, inside))
    shifted = _seen(inside, place @ _pose(x + _SHADOW_MM, y + _SHADOW_MM, turn), lit)
    softness_px = _SOFT_MM * float(np.sqrt(abs(np.linalg.det(place[:2, :2]))))
    shadow = floats_of(cv2.GaussianBlur(shifted, (0, 0), softness_px))
    shaded = lit * (1 - (1 - _SHADE) * shadow[..., None])
    return floats_of(shaded * (1 - mask[..., None]) + body * mask[..., None])


def _pose(x_mm: float, y_mm: float, turn: float) -> NDArray[np.float64]:
    """Return the map from pixels of the drawing to millimetres of the page."""
    cos, sin = np.cos(turn) / _PX_PER_MM, np.sin(turn) / _PX_PER_MM
    middle = np.array([[1, 0, -_LENGTH_MM * _PX_PER_MM / 2], [0, 1, -_THICK_MM * _PX_PER_MM / 2], [0, 0, 1.0]])
    return np.asarray(np.array([[cos, -sin, x_mm], [sin, cos, y_mm], [0, 0, 1.0]]) @ middle)


def _seen(drawing: Field, to_picture: NDArray[np.float64], lit: Field) -> Field:
    return floats_of(cv2.warpPerspective(drawing, to_picture, lit.shape[1::-1], flags=cv2.INTER_LINEAR))


def _drawn(lacquer: tuple[float, float, float]) -> tuple[Field, Field]:
    """Return a pencil with its point at the right, (rows, columns, 3), and its opacity, (rows, columns), 0..1."""
    rows, columns = round(_THICK_MM * _PX_PER_MM), round(_LENGTH_MM * _PX_PER_MM)
    along, across = np.meshgrid((np.arange(columns) + 0.5) / _PX_PER_MM, np.arange(rows) / (rows - 1) * 2 - 1)
    from_tip = _LENGTH_MM - along
    inside = np.abs(across) <= np.minimum(from_tip / _POINT_MM, 1.0)
    facet = np.array(_FACETS)[np.clip((across + 1) * 1.5, 0, 2).astype(int)]
    colours = np.where((from_tip > _POINT_MM)[..., None], lacquer, _WOOD)
    # A coloured pencil's lead.
    colours = np.where((from_tip < _LEAD_MM)[..., None], lacquer, colours)
    return floats_of(colours * facet[..., None]), floats_of(inside)

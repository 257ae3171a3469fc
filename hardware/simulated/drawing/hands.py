"""Hands with a forearm and a sleeve, seen from above: rounded, shaded limbs that differ between people.

The sprite's middle is the point where the fingertips hold a patch; the arm extends to the sprite's lower edge.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from hardware.simulated.drawing.fabrics import woven
from hardware.simulated.drawing.images import Field, floats_of
from hardware.simulated.drawing.sprites import Sprite

PX_PER_MM: Final = 1.6
WIDE_MM: Final = 190.0
REACH_MM: Final = 520.0
"""Distance from the fingertips to the end of the sleeve, outside of every picture."""

# Blue-green-red of skin in full light.
SKINS: Final = ((150, 178, 226), (120, 156, 210), (92, 130, 190), (70, 104, 160), (52, 76, 120), (40, 56, 92))
SLEEVES: Final = ((110, 70, 50), (50, 120, 140), (60, 60, 60), (70, 60, 150), (96, 120, 70), (190, 190, 186))


@dataclass(frozen=True, slots=True)
class Limb:
    """A tapering limb from one point to another, (x, y, height) in millimetres, with a radius at both ends."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    start_radius_mm: float
    end_radius_mm: float


def _right_hand() -> tuple[Limb, ...]:
    """Return a right hand pressing a patch down with four fingers and the thumb."""
    knuckles = ((-27.0, 52.0), (-9.0, 44.0), (9.0, 46.0), (26.0, 56.0))
    tips = ((-34.0, -4.0), (-12.0, -18.0), (12.0, -14.0), (36.0, 6.0))
    fingers = []
    for (kx, ky), (tx, ty) in zip(knuckles, tips, strict=True):
        mx, my = (kx + tx) / 2 * 1.06, (ky + ty) / 2
        fingers += [Limb((kx, ky, 18), (mx, my, 17), 9.6, 8.4), Limb((mx, my, 17), (tx, ty, 5), 8.4, 6.9)]
    thumb = (Limb((-24, 96, 15), (-50, 64, 14), 14.0, 10.5), Limb((-50, 64, 14), (-57, 28, 6), 10.5, 7.8))
    palm = (
        Limb((-24, 56, 16), (-14, 104, 18), 15, 20),
        Limb((-4, 50, 19), (0, 110, 19), 16, 22),
        Limb((22, 60, 16), (14, 106, 18), 15, 19),
    )
    arm = (Limb((0, 112, 18), (2, 160, 20), 26, 25), Limb((2, 160, 20), (6, 330, 26), 25, 36))
    return (*fingers, *thumb, *palm, *arm)


SLEEVE: Final = (Limb((3, 196, 24), (10, 540, 36), 35, 50), Limb((3, 190, 25), (3.5, 199, 25), 37.5, 37.5))


@cache
def hand_sprite(person: int, left: bool) -> Sprite:
    """Return one person's right or left hand; `person` selects the skin and the sleeve."""
    x, y = _axes()
    skin, skin_inside = _relief(_right_hand(), x, y)
    sleeve, sleeve_inside = _relief(SLEEVE, x, y)
    picture = _shade(skin, _skin_tone(person, x, y))
    cloth = _shade(sleeve, _cloth(person, x.shape))
    over = np.clip(sleeve_inside, 0, 1)[..., None]
    picture = picture * (1 - over) + cloth * over
    mask = (np.clip(np.maximum(skin_inside, sleeve_inside), 0, 1) * 255).astype(np.uint8)
    result = np.clip(picture, 0, 255).astype(np.uint8)
    if left:
        result, mask = np.ascontiguousarray(result[:, ::-1]), np.ascontiguousarray(mask[:, ::-1])
    return Sprite(result, mask, PX_PER_MM, 6.0, (50, 70, 110))


def _axes() -> tuple[Field, Field]:
    across = np.arange(-WIDE_MM / 2, WIDE_MM / 2, 1 / PX_PER_MM, dtype=np.float32)
    along = np.arange(-REACH_MM, REACH_MM, 1 / PX_PER_MM, dtype=np.float32)
    x, y = np.meshgrid(across, along)
    return x, y


def _relief(limbs: tuple[Limb, ...], x: Field, y: Field) -> tuple[Field, Field]:
    """Return the height of the limbs' surface (mm), blended where they meet, and each pixel's depth inside (px)."""
    height = np.full(x.shape, -40.0, np.float32)
    inside = np.full(x.shape, -9.0, np.float32)
    for limb in limbs:
        there = _around(limb, x, y)
        surface, depth = _limb(limb, x[there], y[there])
        # A smooth maximum: skin stretches over the knuckles.
        difference = np.clip((surface - height[there]) / 8, -1, 1)
        blend = np.maximum(surface, height[there]) + 2.0 * (1 - np.abs(difference)) ** 2
        # Outside of all limbs, at -40, blending would raise the height.
        height[there] = np.where((surface > -30) | (height[there] > -30), blend, -40)
        inside[there] = np.maximum(inside[there], depth)
    return height, inside


def _around(limb: Limb, x: Field, y: Field) -> tuple[slice, slice]:
    """Return the rows and columns that a limb may reach; it contributes nothing elsewhere."""
    reach = max(limb.start_radius_mm, limb.end_radius_mm)
    ends = ((limb.start[0], limb.end[0], x[0]), (limb.start[1], limb.end[1], y[:, 0]))
    columns, rows = (slice(*np.searchsorted(at, (min(a, b) - reach, max(a, b) + reach))) for a, b, at in ends)
    return rows, columns


def _limb(limb: Limb, x: Field, y: Field) -> tuple[Field, Field]:
    ax, ay, az = limb.start
    bx, by, bz = limb.end
    along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
    radius = limb.start_radius_mm + (limb.end_radius_mm - limb.start_radius_mm) * along
    away = np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))
    dome = np.sqrt(np.clip(radius**2 - away**2, 0, None))
    surface = np.where(away < radius, az + (bz - az) * along + dome, -40)
    return surface.astype(np.float32), ((radius - away) * PX_PER_MM).astype(np.float32)


def _shade(height: Field, colour: Field) -> Field:
    smooth = cv2.GaussianBlur(np.clip(height, -6, None), (0, 0), 2.2)
    # The response of a Sobel kernel to a slope of 1 is 8.
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=PX_PER_MM / 8)
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=PX_PER_MM / 8)
    length = np.sqrt(dx**2 + dy**2 + 1)
    facing = (0.34 * dx + 0.30 * dy + 1) / (length * 1.1)
    light = np.clip(0.34 + 0.72 * facing, 0.2, 1.15)[..., None]
    # Light scattered in skin or cloth is warmer where the surface is inclined.
    warm = np.array([0.90, 0.96, 1.04], np.float32) ** (2 * (1 - light))
    shaded: Field = (colour * light * warm).astype(np.float32)
    return shaded


def _skin_tone(person: int, x: Field, y: Field) -> Field:
    base = np.array(SKINS[person % len(SKINS)], np.float32)
    rng = np.random.default_rng(500 + person)
    colour = base + _bumps(rng, 5.0, (90, 16), x.shape)
    ruddy = np.exp(-(((y - 48) / 16) ** 2)) * 0.10 + np.exp(-(((y + 6) / 12) ** 2)) * 0.16
    colour = colour * (1 - ruddy[..., None] * np.array([1.0, 0.85, 0.1], np.float32))
    # The outer joints of the four fingers.
    for limb in _right_hand()[1:8:2]:
        tx, ty, _ = limb.end
        nail = np.clip(1.4 - np.hypot((x - tx) / 4.2, (y - ty + 1.0) / 5.2) * 1.1, 0, 0.45)[..., None]
        colour = colour * (1 - nail) + (base * 0.82 + np.array([40, 38, 44], np.float32)) * nail
    result: Field = colour.astype(np.float32)
    return result


def _cloth(person: int, shape: tuple[int, ...]) -> Field:
    base = np.full((shape[0], shape[1], 3), SLEEVES[(person * 5 + 1) % len(SLEEVES)], np.float32)
    rng = np.random.default_rng(600 + person)
    return woven(base + _bumps(rng, 14.0, (40, 5), shape), seed=700 + person, strength=5.0).astype(np.float32)


def _bumps(rng: np.random.Generator, strength: float, cells: tuple[int, int], shape: tuple[int, ...]) -> Field:
    """Return smooth noise for a picture, shape (height, width, 1)."""
    small = floats_of(rng.normal(0, strength, cells))
    return floats_of(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))[..., None]

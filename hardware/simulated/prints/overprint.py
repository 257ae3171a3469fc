"""Large buttons and slanted paper tags of other printings, in our own drawing."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.drawing.images import Image, Mask, bytes_of, clipped, floats_of

_FINE = 3
"""Supersampling factor of stamps."""


def large_button(diameter_px: int, bgr: tuple[float, float, float], rng: np.random.Generator) -> tuple[Image, Mask]:
    """Return a moulded button lit from the upper left: a square picture and its round mask.

    Args:
        diameter_px: of the button.
        bgr: its colour in full light.
        rng: source of its rotation and its number of holes, two or four.
    """
    side = diameter_px * _FINE
    axis = (np.arange(side, dtype=np.float32) + 0.5) / side * 2 - 1
    x, y = np.meshgrid(axis, axis)
    radius = np.hypot(x, y)
    # A raised rim around a dish: the slope towards the light is brighter, the slope away from it darker.
    slope = np.clip((radius - 0.62) * 7, -1, 1) * (radius < 0.96)
    light = 0.88 - 0.22 * slope * (x + y) / np.maximum(radius, 0.05) * (radius > 0.35)
    light -= 0.35 * np.exp(-(((radius - 0.66) / 0.05) ** 2)) + 0.3 * np.clip(radius - 0.88, 0, 1) * 8
    turn, holes = float(rng.uniform(0, np.pi)), int(rng.choice([2, 4]))
    for index in range(holes):
        angle = turn + 2 * np.pi * index / holes
        hole = np.hypot(x - 0.2 * np.cos(angle), y - 0.2 * np.sin(angle))
        light -= 0.6 * np.clip((0.1 - hole) * 30, 0, 1)
    picture = clipped(floats_of(bgr) * np.clip(light, 0.1, 1.4)[..., None])
    mask = clipped((0.985 - radius) * side * 127)
    return _shrunk(picture, (diameter_px, diameter_px)), _shrunk(mask, (diameter_px, diameter_px))


def paper_tag(length_px: int, height_px: int, cost: int, time: int, rng: np.random.Generator) -> tuple[Image, Mask]:
    """Return a paper tag with a hole, the cost beside a button, and the time beside an hourglass.

    Args:
        length_px: of the tag.
        height_px: of the tag.
        cost: buttons that the patch costs.
        time: spaces that it costs.
        rng: source of the paper's shade, its cut and the writing.

    Returns:
        Picture and mask.
    """
    width, height = length_px * _FINE, height_px * _FINE
    paper = floats_of((190, 222, 232)) * np.float32(rng.uniform(0.82, 1.06)) + floats_of(rng.normal(0, 4, 3))
    fade = np.linspace(float(rng.uniform(0.84, 1)), 1, width, dtype=np.float32)[None, :, None]
    picture = clipped(np.broadcast_to(paper * fade, (height, width, 3)).copy())
    mask = np.zeros((height, width), np.uint8)
    cut = int(height * rng.uniform(0.15, 0.4))
    corners = [(cut, 1), (width - 2, 1), (width - 2, height - 2), (cut, height - 2), (1, height - cut), (1, cut)]
    cv2.fillPoly(mask, [np.array(corners, np.int32)], 255)
    cv2.polylines(picture, [np.array(corners, np.int32)], True, (110, 140, 150), max(1, height // 28), cv2.LINE_AA)
    cv2.circle(picture, (int(height * 0.25), height // 2), max(1, height // 11), (40, 48, 56), -1, cv2.LINE_AA)
    blue = (float(rng.uniform(150, 200)), float(rng.uniform(95, 130)), float(rng.uniform(20, 60)))
    _figures(picture, str(cost), 0.3, blue)
    cv2.circle(picture, (int(width * 0.5), height // 2), int(height * 0.2), blue, max(1, height // 14), cv2.LINE_AA)
    _figures(picture, str(time), 0.72, (36, 44, 60))
    _hourglass(picture, int(width * 0.88))
    size = (length_px, height_px)
    return _shrunk(picture, size), _shrunk(mask, size)


def _figures(picture: Image, text: str, along: float, bgr: tuple[float, float, float]) -> None:
    height, width = picture.shape[:2]
    scale, weight = height / 44, max(1, height // 13)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    at = (int(width * along - wide / 2), (height + high) // 2)
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, bgr, weight, cv2.LINE_AA)


def _hourglass(picture: Image, x: int) -> None:
    middle, half = picture.shape[0] // 2, int(picture.shape[0] * 0.3)
    wide = half * 3 // 4
    for end in (-1, 1):
        glass = np.array([[x - wide, middle + end * half], [x + wide, middle + end * half], [x, middle]], np.int32)
        cv2.fillPoly(picture, [glass], (36, 44, 60), cv2.LINE_AA)


def _shrunk(picture: Image, size: tuple[int, int]) -> Image:
    return bytes_of(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))

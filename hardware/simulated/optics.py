"""Faults of a worse camera: an unsteady stand, a poor lens, and the processing of a phone or a webcam.

The strengths are those of `Conditions`; light is linear in grey levels raised to 2.2, as in the rest of the simulation.
"""

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.conditions import Conditions
from hardware.simulated.drawing import Field, Image, bytes_of, clipped, floats_of

EVENING_S: Final = 1200.0
"""The time in which a camera arm sags by its full length."""
_GAMMA: Final = 2.2
# Degrees of turn for each pixel of sway, and of sagging: a stand moves about a foot some way off.
_TURN_DEG: Final = 0.043
# Blur, in pixels, at the end of a lens's breath for each unit of its change of size: 2 px at 0.3 %.
_BREATH_BLUR_PX: Final = 2.0 / 0.003
# Share of the change of white balance in that of exposure, when both hunt.
_TINT: Final = 0.33
# Bands of mains flicker in a frame: a shutter rolls over it in 10 to 40 ms, the light has a period of 10 ms.
_BANDS: Final = (1.0, 4.0)
# Edge of the small picture from which tone mapping and veil take their smooth parts.
_SMALL_PX: Final = 96
# Blur of a veiled part, in pixels, at full strength.
_SMEAR_PX: Final = 3.0


class Optics:
    """The course of a worse camera's faults over one evening.

    Args:
        conditions: the strengths.
        rng: of their course.
    """

    def __init__(self, conditions: Conditions, rng: np.random.Generator) -> None:
        self._conditions, self._rng = conditions, rng
        self._bands, self._phase = float(rng.uniform(*_BANDS)), float(rng.uniform(0, 2 * np.pi))
        self._breath = float(rng.uniform(0, 2 * np.pi))
        self._sags = float(rng.uniform(0, 2 * np.pi))
        self._hunts, self._speeds = np.zeros(3), np.zeros(3)
        self._smears = floats_of(rng.normal(size=(5, 7)))

    def under(self, conditions: Conditions) -> None:
        """Change the strengths; their course continues."""
        self._conditions = conditions

    def through_lens(self, image: Image, t_s: float) -> Image:
        """Return what reaches the sensor at a time: moved, breathed, blurred and veiled."""
        conditions = self._conditions
        image = self._moved(image, t_s)
        if conditions.breathing > 0:
            blur_px = _BREATH_BLUR_PX * conditions.breathing * (0.5 + 0.5 * math.sin(1.7 * self._breath))
            image = bytes_of(cv2.GaussianBlur(image, (0, 0), blur_px)) if blur_px > 0.2 else image
        return self._veiled(image) if conditions.veil > 0 else image

    def exposed(self, image: Image) -> Image:
        """Return the light as exposed: under lamps that flicker, by an exposure and a white balance that hunt."""
        conditions = self._conditions
        gains: Field = np.ones((image.shape[0], 1, 3), np.float32)
        if conditions.flicker > 0:
            self._phase += float(self._rng.uniform(0.3, 2.0))
            rows = np.linspace(0, 2 * np.pi * self._bands, image.shape[0]) + self._phase
            gains = floats_of(gains * (1 + conditions.flicker * np.sin(rows))[:, None, None])
        if conditions.hunting > 0:
            gains = floats_of(gains * np.exp(self._hunted()))
        if (gains == 1).all():
            return image
        return clipped(image * gains ** np.float32(1 / _GAMMA) + 0.5)

    def processed(self, image: Image) -> Image:
        """Return the picture as a phone or a webcam delivers it: scaled, smoothed, tone-mapped and sharpened."""
        conditions = self._conditions
        if conditions.detail < 1:
            height, width = image.shape[:2]
            small = cv2.resize(image, None, fx=conditions.detail, fy=conditions.detail, interpolation=cv2.INTER_AREA)
            image = bytes_of(cv2.resize(small, (width, height)))
        return _tone_mapped(image, conditions.tone_mapping) if conditions.tone_mapping > 0 else image

    def _moved(self, image: Image, t_s: float) -> Image:
        conditions = self._conditions
        height, width = image.shape[:2]
        turn_deg, scale, shift = 0.0, 1.0, np.zeros(2)
        if conditions.sway_px > 0:
            shift = self._rng.normal(0, conditions.sway_px, 2)
            turn_deg = float(self._rng.normal(0, _TURN_DEG * conditions.sway_px))
        if conditions.sag_px > 0:
            sunk_px = conditions.sag_px * t_s / EVENING_S
            shift = shift + sunk_px * np.array([math.cos(self._sags), math.sin(self._sags)])
            turn_deg += 0.5 * _TURN_DEG * sunk_px
        if conditions.breathing > 0:
            self._breath += float(self._rng.uniform(0.2, 1.0))
            scale = 1 + conditions.breathing * math.sin(self._breath)
        if (turn_deg, scale) == (0.0, 1.0) and not shift.any():
            return image
        motion = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, scale)
        motion = np.column_stack((motion[:, :2], motion[:, 2] + shift))
        return bytes_of(cv2.warpAffine(image, motion, (width, height), borderMode=cv2.BORDER_REPLICATE))

    def _veiled(self, image: Image) -> Image:
        """Return the picture behind a smeared lens, which scatters light of its wide surroundings into every part."""
        height, width = image.shape[:2]
        smear = cv2.resize(self._smears, (width, height), interpolation=cv2.INTER_CUBIC)
        share = self._conditions.veil * (0.7 + 0.3 * np.tanh(smear))[..., None]
        light = floats_of(image) ** np.float32(_GAMMA)
        soft = cv2.GaussianBlur(light, (0, 0), _SMEAR_PX * self._conditions.veil)
        wide = cv2.GaussianBlur(cv2.resize(light, (_SMALL_PX, _SMALL_PX), interpolation=cv2.INTER_AREA), (0, 0), 16)
        mixed = soft * (1 - share) + cv2.resize(wide, (width, height)) * share
        return clipped(mixed ** (1 / _GAMMA) + 0.5)

    def _hunted(self) -> NDArray[np.float64]:
        """Return the next logarithms of the gains, BGR: a walk that is drawn back to its middle."""
        limit = self._conditions.hunting
        self._speeds = 0.7 * self._speeds + self._rng.normal(0, 0.14 * limit, 3)
        self._hunts = np.clip(self._hunts + self._speeds - 0.15 * self._hunts, -limit, limit)
        exposure, blue, red = self._hunts
        return np.array([exposure + _TINT * blue, exposure, exposure + _TINT * red])


def _tone_mapped(image: Image, strength: float) -> Image:
    """Return the picture with its noise smoothed, large dark and bright parts evened out, and edges sharpened."""
    height, width = image.shape[:2]
    smooth = cv2.medianBlur(image, 3)
    small = cv2.resize(cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY), (_SMALL_PX, _SMALL_PX), interpolation=cv2.INTER_AREA)
    base = cv2.resize(cv2.GaussianBlur(floats_of(small), (0, 0), 6), (width, height)) + 16
    gain = (128 / base) ** np.float32(0.5 * strength)
    sharp = smooth + strength * (floats_of(smooth) - cv2.GaussianBlur(floats_of(smooth), (0, 0), 1.5))
    return clipped(sharp * gain[..., None] + 0.5)

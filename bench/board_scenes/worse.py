"""Evenings as seen through worse cameras: a smeared lens, out of focus, noise, little light, strong compression."""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from bench.board_scenes.evening import BoardEvening
from hardware.simulated.drawing import Field, Image, bytes_of, floats_of
from vision.geometry import CELL_PX, VIEW_PX

_GAMMA: Final = 2.2
# The width in which a smear scatters light, in cells.
_SCATTER_CELLS: Final = 2.0


@dataclass(frozen=True, slots=True)
class WorseCamera:
    """The faults of a camera, beyond those of an evening's own camera.

    Attributes:
        smear: the share of light that each pixel of the view scatters, shape (VIEW_PX, VIEW_PX), float32, 0..1.
        smear_blur_px: the sigma of the blur under the smear, in view pixels.
        blur_px: the sigma of the blur everywhere, in view pixels.
        noise: grey levels of noise.
        light: the share of the light that is left, which the camera amplifies again in part.
        quality: JPEG quality.
    """

    smear: Field
    smear_blur_px: float = 0.0
    blur_px: float = 0.0
    noise: float = 0.0
    light: float = 1.0
    quality: int = 95

    def seen(self, view: Image, rng: np.random.Generator) -> Image:
        """Return a view, uint8, BGR, as this camera shows it."""
        light = floats_of((view.astype(np.float32) / 255) ** _GAMMA)
        if self.smear.any():
            light = self._smeared(light)
        if self.blur_px > 0.2:
            light = floats_of(cv2.GaussianBlur(light, (0, 0), self.blur_px))
        if self.light < 1:
            light = self._dimmed(light, rng)
        levels = floats_of(np.clip(light, 0, 1) ** (1 / _GAMMA) * 255)
        if self.noise:
            levels = floats_of(levels + np.float32(self.noise) * _grain(rng))
        shown = bytes_of(np.clip(levels + 0.5, 0, 255).astype(np.uint8))
        _, code = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return bytes_of(cv2.imdecode(code, cv2.IMREAD_COLOR))

    def _smeared(self, light: Field) -> Field:
        scattered = cv2.GaussianBlur(light, (0, 0), _SCATTER_CELLS * CELL_PX)
        veil = floats_of(0.7 * scattered + 0.3 * scattered.mean() + 0.05)
        soft = floats_of(cv2.GaussianBlur(light, (0, 0), self.smear_blur_px))
        share = self.smear[..., None]
        under = np.minimum(1, 3 * share)
        return floats_of((1 - share) * ((1 - under) * light + under * soft) + share * veil)

    def _dimmed(self, light: Field, rng: np.random.Generator) -> Field:
        """Return a share of the light with its shot noise and a sensor's own, amplified up to three times."""
        full = 4000.0
        electrons = light * np.float32(self.light * full)
        spread = np.sqrt(np.maximum(electrons, 0) + 144)
        noisy = electrons + spread * _grain(rng)
        return floats_of(noisy / np.float32(full) * np.float32(min(3.0, 1 / self.light)))


def _grain(rng: np.random.Generator) -> Field:
    """Return noise of unit strength, half of it in grains of three pixels."""
    fine = rng.standard_normal((VIEW_PX, VIEW_PX, 3), dtype=np.float32)
    coarse = rng.standard_normal((VIEW_PX // 3, VIEW_PX // 3, 3), dtype=np.float32)
    return floats_of(0.8 * fine + 0.6 * cv2.resize(coarse, (VIEW_PX, VIEW_PX)))


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def random_smear(rng: np.random.Generator, strongest: float) -> Field:
    """Return the share of light scattered at each pixel of a view: one to three oval smears with soft edges."""
    y, x = np.mgrid[0:VIEW_PX, 0:VIEW_PX].astype(np.float32) / VIEW_PX
    share = np.zeros((VIEW_PX, VIEW_PX), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        turn, middle = rng.uniform(0, np.pi), rng.uniform(0.1, 0.9, 2)
        across = ((x - middle[0]) * np.cos(turn) + (y - middle[1]) * np.sin(turn)) / rng.uniform(0.15, 0.6)
        down = ((y - middle[1]) * np.cos(turn) - (x - middle[0]) * np.sin(turn)) / rng.uniform(0.1, 0.3)
        share = np.maximum(share, np.exp(-((across**2 + down**2) ** 1.5)) * np.float32(rng.uniform(0.7, 1.0)))
    return floats_of(share / share.max() * np.float32(strongest))


def random_worse_camera(rng: np.random.Generator, cell_px: float) -> WorseCamera:
    """Return a camera with one fault, or several, of any strength up to where nothing can be seen.

    Args:
        rng: the source of randomness.
        cell_px: the size of a cell in the camera's picture.
    """
    a_px = CELL_PX / cell_px
    worse = WorseCamera(np.zeros((VIEW_PX, VIEW_PX), np.float32))
    for kind in rng.choice(["smear", "smear", "soft", "noise", "dark", "compressed"], 1 + int(rng.random() < 0.3)):
        match kind:
            case "smear":
                strongest = float(rng.uniform(0.15, 0.95))
                blur_px = a_px * float(rng.uniform(0.5, 1.5 + 4 * strongest))
                worse = replace(worse, smear=random_smear(rng, strongest), smear_blur_px=blur_px)
            case "soft":
                worse = replace(worse, blur_px=a_px * _between(rng, 0.7, 8.0))
            case "noise":
                worse = replace(worse, noise=_between(rng, 3.0, 60.0))
            case "dark":
                worse = replace(worse, light=_between(rng, 0.004, 0.4))
            case _:
                worse = replace(worse, quality=int(_between(rng, 4, 40)))
    return worse


def through(worse: WorseCamera, evening: BoardEvening, rng: np.random.Generator) -> BoardEvening:
    """Return an evening as a worse camera shows it."""
    return replace(
        evening,
        empty=[worse.seen(view, rng) for view in evening.empty],
        looks=[look._replace(view=worse.seen(look.view, rng)) for look in evening.looks],
    )

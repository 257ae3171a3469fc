"""The last steps of a picture: the sensor's noise and JPEG compression."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.drawing.images import Image, bytes_of, floats_of

TILE_PX = 384
"""Edge of the tile of noise, which is repeated over more than a frame, and shifted at random for each frame."""
_SIXTEENTHS = 16


class Sensor:
    """A sensor that adds noise and compresses. Its noise is one tile; frames differ in their crop of it.

    Args:
        size_px: (width, height) of a frame.
        noise: sigma in grey levels, of a white frame if there is shot noise.
        jpeg_quality: 1..100.
        rng: of the noise.
        shot: share of the noise that increases with the light, 0..1.
        chroma: coarse noise of colour, relative to `noise`.
    """

    def __init__(
        self,
        size_px: tuple[int, int],
        noise: float,
        jpeg_quality: int,
        rng: np.random.Generator,
        *,
        shot: float = 0.0,
        chroma: float = 0.0,
    ) -> None:
        width, height = size_px
        self._rng = rng
        self._size_px = size_px
        self._quality = jpeg_quality
        tile = rng.standard_normal((TILE_PX, TILE_PX, 3), dtype=np.float32)
        # A demosaiced sensor's noise is correlated between neighbours and partly common to the three colours.
        tile = 0.75 * tile + 0.45 * tile.mean(axis=2, keepdims=True) * np.sqrt(3)
        tile = cv2.GaussianBlur(tile, (0, 0), 0.5, borderType=cv2.BORDER_REFLECT) * 1.6
        if chroma > 0:
            tile += chroma * _coarse_colour(rng)
        self._spread = _spread(shot) if shot > 0 else None
        tile *= noise
        levels = np.rint(tile.clip(-128, 127, out=tile), out=tile).astype(np.int16)
        times = (-(-(height + TILE_PX) // TILE_PX), -(-(width + TILE_PX) // TILE_PX), 1)
        if self._spread is not None:
            self._noise = np.tile(levels, times)
        else:
            # Two pictures of bytes, of which one is 0 at each place, are added in a quarter of the time.
            self._brighter = np.tile(bytes_of(levels.clip(min=0)), times)
            self._darker = np.tile(bytes_of(-levels.clip(max=0)), times)

    def expose(self, image: Image) -> Image:
        """Return the picture with new noise, after JPEG; a new array (height, width, 3), uint8."""
        width, height = self._size_px
        left, top = self._rng.integers(0, TILE_PX, 2)
        part = (slice(top, top + height), slice(left, left + width))
        if self._spread is None:
            noisy = cv2.add(image, self._brighter[part])
            cv2.subtract(noisy, self._darker[part], dst=noisy)
        else:
            noise = cv2.multiply(self._noise[part], cv2.LUT(image, self._spread), scale=1 / _SIXTEENTHS)
            noisy = cv2.add(image, noise, dtype=cv2.CV_8U)
        _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        return bytes_of(cv2.imdecode(data, cv2.IMREAD_COLOR))


def _spread(shot: float) -> NDArray[np.int16]:
    """Return the strength of noise at each grey level relative to white, in sixteenths: whole numbers are quicker.

    Shot noise grows with the root of the light; the tone curve, steep in the dark, amplifies it there again.
    """
    light = ((np.arange(256) + 0.5) / 256) ** 2.2
    read = 1 - shot
    slope = np.minimum(light ** (1 / 2.2 - 1), 2.5)
    return np.asarray(np.clip(_SIXTEENTHS * np.sqrt(read + shot * light) * slope, 1, 64), np.int16)


def _coarse_colour(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return noise of colour in blotches of some pixels, of about unit strength, of the tile's size."""
    blotches = rng.standard_normal((TILE_PX // 4, TILE_PX // 4, 3), dtype=np.float32)
    blotches -= blotches.mean(axis=2, keepdims=True)
    return floats_of(1.6 * cv2.resize(blotches, (TILE_PX, TILE_PX), interpolation=cv2.INTER_CUBIC))

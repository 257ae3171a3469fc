"""The last steps of a picture: the sensor's noise and the JPEG round trip."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.images import Image, bytes_of

TILE_PX = 384
"""One square of noise is made, repeated over more than a frame, and shifted at random for each frame."""
TILE_CENTRE = 128


class Sensor:
    """Adds noise and compresses. One noise tile is made once; frames differ by where they are cut out of it."""

    def __init__(self, size_px: tuple[int, int], noise: float, jpeg_quality: int, rng: np.random.Generator) -> None:
        width, height = size_px
        self._rng = rng
        self._size_px = size_px
        self._quality = jpeg_quality
        tile = rng.standard_normal((TILE_PX, TILE_PX, 3), dtype=np.float32)
        # A demosaiced sensor's noise is correlated between neighbours and partly common to the three colours.
        tile = 0.75 * tile + 0.45 * tile.mean(axis=2, keepdims=True) * np.sqrt(3)
        tile = cv2.GaussianBlur(tile, (0, 0), 0.5, borderType=cv2.BORDER_REFLECT) * 1.6
        levels = np.clip(tile * noise + TILE_CENTRE + 0.5, 0, 255).astype(np.uint8)
        times = (-(-(height + TILE_PX) // TILE_PX), -(-(width + TILE_PX) // TILE_PX), 1)
        self._noise = np.tile(levels, times)

    def expose(self, image: Image) -> Image:
        """The picture with this moment's noise, after JPEG; a new array (height, width, 3), uint8."""
        width, height = self._size_px
        left, top = self._rng.integers(0, TILE_PX, 2)
        noise = self._noise[top : top + height, left : left + width]
        noisy = cv2.addWeighted(image, 1.0, noise, 1.0, -TILE_CENTRE)
        _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        return bytes_of(cv2.imdecode(data, cv2.IMREAD_COLOR))

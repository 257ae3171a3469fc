"""Writes pictures of a simulated table as JPEG files 0.jpg, 1.jpg, ... for the virtual camera to show.

frames.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import cv2

from hardware.simulated.evening import SimulatedEvening

SIZE: Final = (1280, 960)
PICTURES: Final = 4
EVERY: Final = 25


def main(folder: Path) -> None:
    """Begin an evening and write some of its frames."""
    evening = SimulatedEvening(seed=3)
    for number in range(PICTURES):
        for _ in range(EVERY):
            frame = evening.camera.capture()
        cv2.imwrite(str(folder / f"{number}.jpg"), cv2.resize(frame.image, SIZE), [cv2.IMWRITE_JPEG_QUALITY, 95])


if __name__ == "__main__":
    main(Path(sys.argv[1]))

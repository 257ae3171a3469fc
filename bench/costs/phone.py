"""The cost of a phone as the camera, beside a webcam.

    python -m bench.costs.phone [--seconds N] [--width 1920]

Chromium, whose camera plays a table in motion, sends its pictures through the page; this process receives and decodes
them. A webcam's pictures are JPEG, too (MJPG), which OpenCV decodes: the baseline decodes the same ones. Chromium
encodes on the same processor here, so that a phone of its own sends more pictures a second.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from companion.config import Config, PageConfig
from companion.registry import pages
from companion.web.page import PageServer
from hardware.clock import SystemClock
from hardware.driver import CameraDriver
from hardware.drivers.phone import PhoneCamera
from hardware.handset import HANDSET
from hardware.simulated.scene.table import SimulatedTable
from tests.companion.web.page.filming import Film, phone_before

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PICTURES: Final = 12
# Between two pictures, as far as a hand that lays a patch.
_MOVES_PX: Final = 40


def _in_motion(width: int) -> list[NDArray[np.uint8]]:
    image = cv2.resize(SimulatedTable(5).frame(0.0), (width, width * 9 // 16), interpolation=cv2.INTER_CUBIC)
    return [np.roll(image, _MOVES_PX * number, axis=1) for number in range(_PICTURES)]


def _received(camera: PhoneCamera, seconds: float) -> tuple[list[bytes], float, float]:
    """Return the pictures that come in some time, the time itself, and the processor's time."""
    sent: list[bytes] = []
    camera.capture()
    began_s, spent_s = time.perf_counter(), time.process_time()
    while time.perf_counter() - began_s < seconds:
        camera.capture()
        found = HANDSET.next(0, 0.0)
        assert found is not None
        sent.append(found[1])
    return sent, time.perf_counter() - began_s, time.process_time() - spent_s


def _decoding_s(pictures: list[bytes]) -> float:
    spent_s = time.process_time()
    for picture in pictures:
        cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    return time.process_time() - spent_s


def main() -> None:
    """Measure, and print a row for each camera."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--width", type=int, default=1920)
    args = parser.parse_args()
    size = [args.width, args.width * 9 // 16]
    config = Config(camera=CameraDriver.of({"driver": "phone", "size": size}))
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        film = Film(Path(name) / "table.y4m")
        film.show(*_in_motion(args.width))
        with (
            PageServer(pages(), PageConfig(port=0), table=config) as page,
            phone_before(film, playwright.chromium, Path(name) / "profile") as phone,
        ):
            phone.goto(page.door.link)
            phone.goto(f"{page.door.address}camera")
            phone.locator("[data-key=use]").click()
            sent, took_s, spent_s = _received(PhoneCamera(SystemClock(), (size[0], size[1])), args.seconds)
    decoding_s = _decoding_s(sent)
    mean_kb = sum(map(len, sent)) / len(sent) / 1000
    print(f"{'':24} {'pictures/s':>10} {'KB each':>8} {'CPU ms each':>12} {'ratio':>6}")
    webcam_ms, phone_ms = (1000 * spent / len(sent) for spent in (decoding_s, spent_s))
    print(f"{'webcam, decoding alone':24} {'':>10} {mean_kb:>8.0f} {webcam_ms:>12.1f} {1:>6.1f}")
    print(f"{'phone':24} {len(sent) / took_s:>10.1f} {mean_kb:>8.0f} {phone_ms:>12.1f} {phone_ms / webcam_ms:>6.1f}")


if __name__ == "__main__":
    main()

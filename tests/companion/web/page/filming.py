"""A browser whose camera sees what a test holds before it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2

from tests.companion.web.page.browsing import ARGUMENTS, BROWSER
from tests.companion.web.page.served import PATIENCE_MS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from playwright.sync_api import BrowserType, Page

_FRAME: Final = b"FRAME\n"


@dataclass(frozen=True, slots=True)
class Film:
    """The video that Chromium's fake camera plays over and over; its pictures may be replaced while it plays.

    Attributes:
        path: the file.
    """

    path: Path

    def show(self, *images: NDArray[np.uint8], fps: int = 20) -> None:
        """Play these pictures, shape (height, width, 3), BGR, from now on; always the same number, of the same size."""
        height, width = images[0].shape[:2]
        head = f"YUV4MPEG2 W{width} H{height} F{fps}:1 Ip A1:1 C420jpeg\n".encode()
        with self.path.open("r+b" if self.path.exists() else "wb") as file:
            file.write(head + b"".join(_FRAME + _planes(image) for image in images))


def _planes(image: NDArray[np.uint8]) -> bytes:
    return cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420).tobytes()


@contextmanager
def phone_before(film: Film, browser: BrowserType, profile: Path, arguments: Sequence[str] = ()) -> Iterator[Page]:
    """Open a page of a phone whose camera plays a film.

    Args:
        film: the film, which shows something already.
        browser: the kind of browser.
        profile: the folder of its profile.
        arguments: further arguments of the browser.
    """
    camera = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    context = browser.launch_persistent_context(
        profile,
        executable_path=BROWSER,
        args=[*ARGUMENTS, *camera, *arguments, f"--use-file-for-fake-video-capture={film.path}"],
        viewport={"width": 844, "height": 390},
        permissions=["camera"],
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context.pages[0]
    context.close()

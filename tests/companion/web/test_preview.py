"""Test the look through a camera before a game."""

from __future__ import annotations

from queue import Queue
from threading import Semaphore
from typing import TYPE_CHECKING

import numpy as np

from companion.config import Config, PageConfig
from companion.registry import pages
from companion.web import preview
from companion.web.home import Home
from companion.web.page import PageServer
from companion.web.preview import Preview
from hardware.driver import CameraDriver
from hardware.ports import Frame

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PATIENCE_S = 60


class Camera:
    """A camera whose frames have its driver's name, and come when the test wants one."""

    def __init__(self, config: Config, wanted: Semaphore) -> None:
        self._driver, self._wanted = config.camera.driver, wanted

    def capture(self) -> Frame:
        self._wanted.acquire()
        return Frame(np.zeros((90, 160, 3), np.uint8), 0.0, self._driver)

    def close(self) -> None:
        pass


def test_another_camera_that_is_chosen_is_looked_through_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, shown, now = Semaphore(0), Queue[str](), [0.0]
    monkeypatch.setattr(preview, "open_camera", lambda config, _: Camera(config, wanted))
    configured = [Config(camera=CameraDriver.of({"driver": "webcam"}))]
    look = Preview(lambda: configured[0], lambda frame: shown.put(frame.name), lambda: now[0])
    look.look()
    wanted.release()
    assert shown.get(timeout=PATIENCE_S) == "webcam"

    configured[0] = Config(camera=CameraDriver.of({"driver": "phone"}))
    look.reopen()
    # The webcam takes one more, which nobody sees.
    wanted.release(2)
    assert shown.get(timeout=PATIENCE_S) == "phone"
    now[0] = 60.0
    wanted.release()
    look.close()


def test_a_phone_can_be_the_camera_as_soon_as_it_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    home = PageServer(pages(), PageConfig(), home=Home(()), file=file, table=Config()).site()
    assert home.phone_size() is None
    assert home.settings is not None
    home.settings.change("camera", "driver", "phone")
    assert home.phone_size() is not None

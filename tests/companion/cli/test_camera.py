from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware.simulated.conditions import TABLES
from hardware.simulated.scene.table import SimulatedTable
from hardware.v4l2 import Mode, VideoDevice

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

Run = Callable[..., tuple[int, str, str]]
C920 = VideoDevice(
    "/dev/video0",
    "/dev/v4l/by-id/usb-046d_C920-video-index0",
    "HD Pro Webcam C920",
    "uvcvideo",
    (Mode(1920, 1080, 30.0, True), Mode(1920, 1080, 5.0, False), Mode(1280, 720, 30.0, True)),
)


@pytest.fixture(scope="module")
def table() -> NDArray[np.uint8]:
    return SimulatedTable(3, TABLES["evening"]).frame(0.0)


def looked(run: Run, folder: Path, image: NDArray[np.uint8], *options: str) -> tuple[int, str, str]:
    """Run the command with a folder of one picture for a camera."""
    (folder / "pictures").mkdir()
    cv2.imwrite(str(folder / "pictures" / "0.jpg"), image)
    config = folder / "camera.toml"
    config.write_text(f'[camera]\ndriver = "folder"\npath = "{folder / "pictures"}"\n')
    return run("camera", "--config", config, *options)


@pytest.fixture(autouse=True)
def connected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.camera.video_devices", lambda: [C920])


def test_cameras_are_listed_with_their_modes_and_lasting_names(run: Run) -> None:
    assert run("camera", "--list") == (
        0,
        "/dev/video0: HD Pro Webcam C920, 1920x1080 (30/s), 1280x720 (30/s)\n"
        '  device = "/dev/v4l/by-id/usb-046d_C920-video-index0"\n',
        "",
    )


def test_a_machine_without_cameras_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.camera.video_devices", list)
    assert run("camera") == (0, "No USB camera is connected, or this user is not in the group video.\n", "")


def test_a_good_table_would_be_read(run: Run, tmp_path: Path, table: NDArray[np.uint8]) -> None:
    status, out, _ = looked(run, tmp_path, table)
    assert (status, out.splitlines()[-1]) == (0, "Boards would be read.")
    assert "A square is " in out


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda image: cv2.GaussianBlur(image, (0, 0), 3), "lur"),
        (lambda image: (image * 0.08).astype(np.uint8), ""),
        (lambda image: image[:, ::-1].copy(), "The picture is mirrored."),
        (lambda image: cv2.resize(image, (384, 216), interpolation=cv2.INTER_AREA), ""),
    ],
    ids=["blurred", "dark", "mirrored", "far away"],
)
def test_a_poor_picture_would_not_be_read_and_the_reason_is_said(
    run: Run,
    tmp_path: Path,
    table: NDArray[np.uint8],
    spoil: Callable[[NDArray[np.uint8]], NDArray[np.uint8]],
    says: str,
) -> None:
    status, out, _ = looked(run, tmp_path, spoil(table))
    assert (status, out.splitlines()[-1]) == (1, "Boards would not be read yet.")
    assert says in out
    assert len(out.splitlines()) > 4


def test_the_same_for_programs(run: Run, tmp_path: Path, table: NDArray[np.uint8]) -> None:
    status, out, _ = looked(run, tmp_path, table, "--json")
    found = json.loads(out)
    assert status == 0
    assert found["cameras"][0]["modes"][0] == {"width": 1920, "height": 1080, "fps": 30.0, "compressed": True}
    assert found["picture"]["readable"] is True
    assert 30 < found["picture"]["cell_px"] < 60

"""Test `companion play` at a real table: a folder of pictures replaces the camera, and everything else is real."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import cv2
import pytest

from companion.journal import JOURNAL_NAME, TABLE_NAME, Journal
from companion.registry import codecs
from hardware.simulated.conditions import normal
from hardware.simulated.evening import SimulatedEvening
from tests.companion.journal.conftest import unfinished

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]
PICTURES = 4


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> dict[int, Any]:
    kept: dict[int, Any] = {}
    monkeypatch.setattr("companion.cli.play.signal.signal", kept.__setitem__)
    return kept


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pictures of a table."""
    folder = tmp_path_factory.mktemp("pictures")
    camera = SimulatedEvening(3, normal().but(width_px=1152, height_px=648)).camera
    for number in range(PICTURES):
        cv2.imwrite(str(folder / f"{number}.jpg"), camera.capture().image)
    return folder


@pytest.fixture
def config(tmp_path: Path, pictures: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text(
        f'[camera]\ndriver = "folder"\npath = "{pictures}"\nfps = 60\n[controls]\ndriver = "none"\n'
        f'[strip]\ndriver = "none"\n[page]\nenabled = false\n'
    )
    return path


def test_an_evening_at_the_table_is_kept_and_recorded_and_gone_on_with(
    run: Run, config: Path, tmp_path: Path, handlers: dict[int, Any]
) -> None:
    tape = tmp_path / "tape"
    status, out, err = run("play", "--config", config, "--data", tmp_path / "data", "--record", tape)
    assert (status, err) == (0, "")
    assert "Anna" in out
    assert len(list((tape / "frames").iterdir())) == PICTURES
    assert (tape / "recording.toml").is_file()
    with Journal(tmp_path / "data" / JOURNAL_NAME, codecs()) as journal:
        found = unfinished(journal, TABLE_NAME)
        assert found is not None
        assert found.decisions == 0
    status, _, err = run("play", "--config", config, "--data", tmp_path / "data")
    assert (status, err) == (0, "")
    with pytest.raises(SystemExit) as ended:
        handlers[signal.SIGTERM](signal.SIGTERM, None)
    assert ended.value.code == 0


def test_a_device_that_is_not_there_is_one_line_and_status_2(
    run: Run, config: Path, tmp_path: Path, handlers: dict[int, Any]
) -> None:
    config.write_text('[camera]\ndriver = "webcam"\ndevice = "/dev/no-such-camera"\n[page]\nenabled = false\n')
    status, out, err = run("play", "--config", config, "--data", tmp_path / "data")
    assert (status, out) == (2, "")
    assert err.startswith("companion: there is no webcam /dev/no-such-camera: is it plugged in")
    assert err.count("\n") == 1
    assert signal.SIGTERM in handlers
    with Journal(tmp_path / "data" / JOURNAL_NAME, codecs()) as journal:
        assert unfinished(journal, TABLE_NAME) is None

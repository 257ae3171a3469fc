"""Test `companion report` after a game at a table: a folder of pictures replaces the camera."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.simulated.conditions import normal
from hardware.simulated.scene.table import SimulatedTable

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pictures of empty boards, and then of a patch on one of them."""
    folder, table = tmp_path_factory.mktemp("pictures"), SimulatedTable(3, normal().but(width_px=1152, height_px=648))
    for number in range(12):
        if number == 6:
            table.lay(1, "tee", [(3, 3), (3, 4), (3, 5), (4, 4)])
        cv2.imwrite(str(folder / f"{number:02d}.jpg"), table.frame(number * 0.2))
    return folder


@pytest.fixture
def config(tmp_path: Path, pictures: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text(
        f'[camera]\ndriver = "folder"\npath = "{pictures}"\nfps = 5\n[controls]\ndriver = "none"\n'
        '[strip]\ndriver = "none"\n[page]\nenabled = false\n[reading]\nhands_free = true\n'
        '[hall]\ndatabase = "postgresql://hall:secret@192.168.1.4/hall"\n'
    )
    return path


def test_a_folder_whose_name_is_no_text_can_be_reported_about(run: Run, tmp_path: Path) -> None:
    assert run("report", tmp_path / "report.zip", "--data", tmp_path / "M\udcfcller", "--yes")[0] == 0


def test_the_report_of_a_game_contains_its_looks_and_no_password(run: Run, config: Path, tmp_path: Path) -> None:
    places = ("--config", config, "--data", tmp_path / "data")
    assert run("play", *places)[0] == 0
    file = tmp_path / "report.zip"
    status, out, err = run("report", file, *places, "--yes")
    assert (status, err) == (0, "")
    for named in ("version.txt", "doctor.txt", "config.toml", "looks/", "Nothing was sent"):
        assert named in out
    assert file.stat().st_mode & 0o077 == 0, "only its owner can read it"
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert {"version.txt", "doctor.txt", "config.toml"} < set(names)
        for kind in ("look", "table"):
            pictures = [archive.read(name) for name in names if name.endswith(f"-{kind}.jpg")]
            assert pictures
            assert cv2.imdecode(np.frombuffer(pictures[0], np.uint8), cv2.IMREAD_COLOR) is not None
        assert "quilt-companion" in archive.read("version.txt").decode()
        config_text, doctor = archive.read("config.toml").decode(), archive.read("doctor.txt").decode()
    assert "secret" not in config_text
    assert "hall@192.168.1.4" in config_text
    assert "camera" in doctor
    assert str(tmp_path) not in config_text + doctor, "the home folder is named ~"

    status, out, err = run("report", file, *places, "--yes")
    assert (status, err.count("\n")) == (2, 1)
    assert "already exists" in err


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('[mqtt]\nbroker = "mqtt://anna:secret@192.168.1.5"\n', "mqtt://anna@192.168.1.5"),
        ('[hall]\ndatabase = "mysql://hall:secret@192.168.1.4/hall"\n', "mysql://hall@192.168.1.4/hall"),
        ('[mqtt]\nusername = "anna"\npassword = "secret"\n', "password"),
    ],
)
def test_the_report_about_a_configuration_that_is_not_valid_contains_no_password(
    run: Run, tmp_path: Path, text: str, quoted: str
) -> None:
    config, file = tmp_path / "companion.toml", tmp_path / "report.zip"
    config.write_text(text, encoding="utf-8")
    assert run("report", file, "--config", config, "--data", tmp_path / "data", "--yes")[0] == 0
    with zipfile.ZipFile(file) as archive:
        written, doctor = archive.read("config.toml").decode(), archive.read("doctor.txt").decode()
    assert "secret" not in written + doctor
    assert quoted in written
    assert quoted in doctor


def test_nothing_is_written_before_the_contents_were_agreed_to(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "report.zip"
    status, out, _ = run("report", file)
    assert (status, file.exists()) == (0, False)
    assert "version.txt" in out
    # Whoever tried the program at a simulated table does not wait for looks that never come.
    assert "a simulated table keeps none" in out
    assert "--yes writes it." in out

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: "")
    assert run("report", file)[0] == 0
    assert file.exists()


def test_a_report_that_cannot_be_written_is_one_line_and_status_2(run: Run, tmp_path: Path) -> None:
    status, _, err = run("report", tmp_path / "none" / "report.zip", "--yes")
    assert (status, err.count("\n")) == (2, 1)
    assert "cannot be written" in err

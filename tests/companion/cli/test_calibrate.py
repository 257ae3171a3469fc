from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from calibration.stored import load_calibration
from hardware.simulated.calibrating import SettingUp
from hardware.simulated.conditions import TABLES

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the simulated table's camera take smaller pictures."""
    small = {name: table.but(width_px=1152, height_px=648) for name, table in TABLES.items()}
    monkeypatch.setattr("companion.compose.workbench.TABLES", small)


@pytest.mark.usefixtures("_small")
def test_the_simulated_table_is_calibrated_step_by_step(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text("an older one")
    status, out, err = run("calibrate", "--simulate", "--seed", "3", "--output", path)
    assert (status, err) == (0, "")
    headings = [line for line in out.splitlines() if line.startswith("Step ")]
    assert [heading[:8] for heading in headings] == ["Step 1/3", "Step 2/3", "Step 3/3"]
    assert "  - The camera sees no mat. Print the mats with companion print mats" in out
    assert "Seat 1: grid found to 0." in out
    assert f"{path} is written; the previous one is kept as calibration.1.toml.\n" in out
    assert (tmp_path / "calibration.1.toml").read_text() == "an older one"
    assert load_calibration(path).boards[1].residual_mm < 0.2


@pytest.mark.usefixtures("_small")
def test_the_lens_comes_first(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run("calibrate", "--simulate", "--seed", "3", "--lens", "--json")
    assert (status, err) == (0, "")
    printed = json.loads(out)
    assert printed["file"] == "calibration.toml"
    assert printed["lens"]["residual_px"] < 0.3
    assert [seat["seat"] for seat in printed["seats"]] == [1, 2]
    assert all(seat["mat"] == "a4" and seat["residual_mm"] < 0.2 for seat in printed["seats"])
    lens = load_calibration(tmp_path / "calibration.toml").lens
    assert lens is not None
    assert lens.distortion[0] == pytest.approx(-0.035, abs=0.01)
    assert sorted(path.name for path in tmp_path.glob("calibration.*")) == [
        "calibration.npz",
        "calibration.png",
        "calibration.toml",
    ]


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photograph") / "table.png"
    cv2.imwrite(str(path), SettingUp(3).table.frame(0.0))
    return path


def test_a_photograph_will_do(run: Run, tmp_path: Path, photograph: Path) -> None:
    status, out, _ = run("calibrate", "--image", photograph, "--output", tmp_path / "c.toml")
    assert status == 0
    assert "Seat 2: grid found to" in out
    assert (tmp_path / "c.png").is_file()


def test_a_poor_photograph_is_refused_in_one_line(run: Run, tmp_path: Path, photograph: Path) -> None:
    picture = cv2.imread(str(photograph))
    assert picture is not None
    poor = tmp_path / "poor.png"
    cv2.imwrite(str(poor), np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.2)))
    status, out, err = run("calibrate", "--image", poor, "--json", "--output", tmp_path / "c.toml")
    assert (status, out) == (2, "")
    assert err.startswith("companion: calibrate: The picture is blurred")
    assert err.count("\n") == 1
    assert not list(tmp_path.glob("c.*"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--table", "dim"], "--table is for the simulated table: add --simulate"),
        ([], "or add --simulate or --image"),
        (["--simulate", "--image", "a.jpg"], "cannot be used together"),
        (["--image", "a.jpg", "--lens"], "needs photographs of the chart"),
        (["--simulate", "--lens", "a.jpg"], "takes photographs only together with --image"),
        (["--simulate", "--output", "table.txt"], "must end in .toml"),
        (["--image", "nowhere.jpg"], "nowhere.jpg: cannot be read"),
    ],
)
def test_options_that_cannot_be_combined_are_refused(run: Run, arguments: list[str], says: str) -> None:
    status, _, err = run("calibrate", *arguments)
    assert status == 2
    assert says in err
    assert err.count("\n") == 1

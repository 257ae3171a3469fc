"""`companion market` on a photograph of the simulated table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.terminal.photograph import load_photo
from hardware.simulated.evening import SimulatedEvening
from tests.companion.patchwork.circle.readings import read_in_part

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.patchwork.circle.seen import SeenMarket
    from tests.companion.cli.conftest import Run


@dataclass(frozen=True)
class Photographed:
    """A photograph, its circle, and a reading of it."""

    path: Path
    market: tuple[str, ...]
    reading: SeenMarket


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Photographed:
    evening = SimulatedEvening(2)
    path = tmp_path_factory.mktemp("circle") / "table.jpg"
    assert cv2.imwrite(str(path), evening.camera.capture().image)
    return Photographed(path, evening.setup.market or (), read_in_part(evening.table))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, laid: Photographed) -> SeenMarket:
    """The reading of the photograph; reading it really takes long and has tests of its own."""
    photograph = load_photo(laid.path)

    def see(image: NDArray[np.uint8], corners: object = None) -> SeenMarket:
        assert np.array_equal(image, photograph)
        assert corners is None
        return laid.reading

    monkeypatch.setattr("companion.cli.market.see_market_in_photo", see)
    return laid.reading


@pytest.mark.usefixtures("read")
def test_the_circle_as_json(run: Run, laid: Photographed) -> None:
    status, out, err = run("market", laid.path, "--json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    seen = json.loads(out)
    assert [doubt["place"] for doubt in seen["doubtful"]] == [4]
    assert len(seen["market"]) == len(seen["pieces"])
    assert seen["missing"] == [patch for patch in PATCHES if patch not in seen["market"]]
    assert seen["market"] == [*laid.market[:8], laid.market[9], *laid.market[9:15], *laid.market[16:]]


@pytest.mark.usefixtures("read")
def test_the_circle_for_people_and_the_picture_with_names(run: Run, laid: Photographed, tmp_path: Path) -> None:
    shown = tmp_path / "out.png"
    status, out, _ = run("market", laid.path, "--show", shown)
    assert status == 0
    lines = out.splitlines()
    assert lines[0].split()[0] == "1"
    assert any("please check" in line.lower() or "all 33 patches" in line.lower() for line in lines)
    picture = cv2.imread(str(shown))
    assert picture is not None
    assert picture.shape[1] == 1600


def test_the_photograph_is_never_written_over(run: Run, laid: Photographed) -> None:
    before = laid.path.read_bytes()
    status, _, err = run("market", laid.path, "--show", laid.path)
    assert (status, err.count("\n")) == (2, 1)
    assert "the photograph itself" in err
    assert laid.path.read_bytes() == before


def test_a_missing_picture(run: Run, tmp_path: Path) -> None:
    status, out, err = run("market", tmp_path / "none.jpg")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "none.jpg: cannot be read" in err


def test_a_picture_without_boards(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "floor.png"
    cv2.imwrite(str(path), np.full((300, 400, 3), 90, np.uint8))
    status, out, err = run("market", path)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "floor.png: no quilt boards are found" in err


def test_corners_that_cannot_be_read(run: Run, laid: Photographed, tmp_path: Path) -> None:
    status, _, err = run("market", laid.path, "--corners", tmp_path / "none.toml")
    assert (status, err.count("\n")) == (2, 1)
    assert "none.toml" in err


def test_a_place_that_cannot_be_written(run: Run, laid: Photographed) -> None:
    status, out, err = run("market", laid.path, "--show", "no/such/folder/out.png")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "--show" in err

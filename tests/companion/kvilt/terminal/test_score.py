"""`companion score --game kvilt` on simulated sheets."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from hardware.simulated.sheets.sheet import SimulatedSheet

if TYPE_CHECKING:
    from pathlib import Path

    from tests.companion.cli.conftest import Run

MARKS = {"r1c1.picture": "red", "r1c2.picture": "red", "r1c2.background": "red", "r3c2.picture": "blue", "e5.1": "red"}
# The third cell of this row has a button.
MARKS |= {f"r2c{cell}.picture": "green" for cell in (1, 2, 3)}


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sheet = SimulatedSheet(21)
    sheet.colour(MARKS)
    path = tmp_path_factory.mktemp("sheet") / "anna.png"
    assert cv2.imwrite(str(path), sheet.photograph())
    return path


def test_one_line_a_picture(run: Run, photograph: Path, tmp_path: Path) -> None:
    (tmp_path / "grey.png").write_bytes(cv2.imencode(".png", np.full((300, 400), 90, np.uint8))[1].tobytes())
    status, out, err = run("score", photograph, tmp_path / "grey.png", "--game", "kvilt", "--json")
    first, second = (json.loads(line) for line in out.splitlines())
    assert status == 2
    assert first["image"] == "anna.png"
    assert first["rows"][0] == {"colour": "red", "cells": 2, "full": [2]}
    assert first["score"]["rows"] == [2, 4, 0, 0, 0]
    assert first["score"]["buttons"] == 0, "for each button the points of the smallest row"
    assert [(error["code"], error["regions"]) for error in first["errors"]] == [("E_ORDER", ["r3c2.picture"])]
    assert first["doubtful"] == []
    assert second["image"] == "grey.png"
    assert "no marker" in second["error"]
    assert err.splitlines() == [f"companion: {second['error']}"]


def test_the_sheet_for_people_and_the_picture(run: Run, photograph: Path, tmp_path: Path) -> None:
    shown = tmp_path / "seen.png"
    (tmp_path / "c.toml").write_text("[kvilt]\nempty_row_counts = false\n", encoding="utf-8")
    config = ("--config", tmp_path / "c.toml")
    status, out, err = run("score", photograph, "--game", "kvilt", "--show", shown, *config)
    assert (status, err) == (0, "")
    assert re.search(r"^buttons +2$", out, re.MULTILINE), "the smallest row that is not empty"
    assert "row 1     red: 2 cells; full: 2" in out
    assert "E_ORDER: Row 3 is coloured from the left" in out
    assert "total" in out
    picture = cv2.imread(str(shown))
    assert picture is not None
    assert picture.shape == (1512, 2016, 3)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--game", "kvilt", "--buttons", "1,2"), "--buttons cannot be used with --game kvilt"),
        (("--game", "kvilt", "--corners", "x.toml"), "--corners cannot be used with --game kvilt"),
        (("--sheet", "x.toml"), "--sheet cannot be used with --game patchwork"),
        (("--game", "kvilt", "--sheet", "none.toml"), "none.toml: cannot be read"),
        (("other.png",), "Patchwork reads one photograph at a time, not 2"),
        (("other.png", "--game", "kvilt", "--show", "x.png"), "--show reads one photograph at a time, not 2"),
        (("--game", "chess"), "invalid choice"),
    ],
)
def test_bad_options_get_one_line(run: Run, photograph: Path, options: tuple[str, ...], says: str) -> None:
    status, out, err = run("score", photograph, *options)
    assert (status, out) == (2, "")
    assert says in err


def test_a_missing_picture(run: Run, tmp_path: Path) -> None:
    status, out, err = run("score", tmp_path / "none.jpg", "--game", "kvilt")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "none.jpg: cannot be read" in err

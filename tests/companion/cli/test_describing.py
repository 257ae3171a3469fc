"""`companion time-board` from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from companion.__main__ import main
from companion.web.describing import DescribingPage

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make the page's wait for a browser return at once."""
    monkeypatch.setattr(DescribingPage, "wait", lambda _: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "C.UTF-8")
    cv2.imwrite("board.jpg", np.full((300, 400, 3), 120, np.uint8))


def test_it_says_where_the_page_is_and_what_will_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["time-board", "board.jpg", "--port", "0"]) == 0
    said = capsys.readouterr().out
    assert "/?key=" in said
    assert "time-board.toml is written when you save" in said


def test_an_impossible_request_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").touch()
    for arguments, says in (
        (["gone.jpg"], "gone.jpg: cannot be read"),
        (["board.jpg", "--out", "mine.toml"], "already exists"),
        (["board.jpg", "--out", "gone/mine.toml"], "there is no folder gone"),
    ):
        assert main(["time-board", *arguments]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert says in told.err
        assert told.err.count("\n") == 1

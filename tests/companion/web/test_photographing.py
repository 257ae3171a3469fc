"""Photographs read in a process of their own."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest

from companion.config import Config
from companion.errors import CompanionError
from companion.pictures import MOST_READ_PX, decoded, most_read_px, reduced
from companion.play.photographs import NotFoundError
from companion.web.photographing import (
    NICENESS,
    SHOWN,
    SHOWN_PX,
    STAGE,
    Reading,
)

NINE_PX: Final = cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1].tobytes()


@pytest.fixture
def table_top() -> bytes:
    """A photograph of eighteen megapixels on which there is nothing but a dark table."""
    picture = np.random.default_rng(3).integers(10, 30, (3456, 5184, 3), np.uint8)
    return cv2.imencode(".jpg", cv2.blur(picture, (9, 9)))[1].tobytes()


def _read(content: bytes, told: Any = lambda *_: None, kind: str = "kvilt") -> Any:
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        return Reading(kind, file, None, Config()).follow(told)


def test_large_jpegs_are_decoded_at_a_part_of_their_size(table_top: bytes) -> None:
    picture = decoded(table_top, most_px=MOST_READ_PX)
    assert picture is not None
    assert picture.shape == (1728, 2592, 3)
    # On a Raspberry Pi Zero 2.
    quarter = decoded(table_top, most_px=most_read_px(416 << 20))
    assert quarter is not None
    assert quarter.shape == (864, 1296, 3)
    assert most_read_px(906 << 20) == MOST_READ_PX
    assert reduced(picture, 2_000_000)[0].shape == (864, 1296, 3)
    assert reduced(quarter, 2_000_000) == (quarter, 1)
    eighth = decoded(table_top, most_px=400_000)
    assert eighth is not None
    assert eighth.shape == (432, 648, 3)


def test_a_picture_is_shown_before_it_is_read(table_top: bytes) -> None:
    told: list[tuple[str, Any]] = []

    with pytest.raises(CompanionError, match="The picture is dark"):
        _read(table_top, lambda what, value: told.append((what, value)))
    assert [what for what, _ in told] == [STAGE, SHOWN, STAGE]
    shown, size = told[1][1]
    assert size == (2592, 1728)
    small = decoded(shown)
    assert small is not None
    assert max(small.shape) == SHOWN_PX


def test_its_process_yields_to_all_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.photographing.NICENESS", NICENESS)
    niceness = os.nice(0)
    nicest: list[int] = []

    def note(*_: Any) -> None:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        fields = [Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split() for child in children]
        nicest.append(max(int(field[16]) for field in fields))

    with pytest.raises(CompanionError, match="only 9x9 pixels"):
        _read(NINE_PX, note)
    assert min(nicest) >= min(19, niceness + 15)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"no picture at all", "not a picture that can be read"),
        (NINE_PX, "only 9x9 pixels"),
    ],
    ids=["none", "small"],
)
def test_an_unreadable_photograph_is_one_sentence(content: bytes, says: str) -> None:
    with pytest.raises(CompanionError, match=says):
        _read(content)


@pytest.fixture
def _short_of_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the process end as the kernel ends it if memory runs out."""
    killed = tmp_path / "python"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    monkeypatch.setattr("companion.web.photographing.sys.executable", str(killed))


@pytest.mark.usefixtures("_short_of_memory")
def test_a_process_that_is_killed_is_one_sentence(table_top: bytes) -> None:
    with pytest.raises(CompanionError, match="too little memory or time"):
        _read(table_top)


def test_a_board_that_is_not_found_may_be_shown() -> None:
    dark = cv2.imencode(".jpg", np.full((300, 400, 3), 20, np.uint8))[1].tobytes()
    with pytest.raises(NotFoundError, match=r"The picture is dark: .* Or show the corners"):
        _read(dark, kind="patchwork")

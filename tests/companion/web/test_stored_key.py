"""The table's key on disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from companion.config import PageConfig
from companion.registry import pages
from companion.web.access import KEY_NAME, LASTS_S, stored_key
from companion.web.page import PageServer

if TYPE_CHECKING:
    from pathlib import Path

NOW_S = 1_900_000_000.0


def test_a_program_that_comes_back_has_the_same_key(tmp_path: Path) -> None:
    key = stored_key(tmp_path, NOW_S)
    assert len(key) == 20
    assert stored_key(tmp_path, NOW_S + LASTS_S - 1) == key
    assert (tmp_path / KEY_NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("later_s", [LASTS_S, 10 * LASTS_S])
def test_another_evening_has_another_key(tmp_path: Path, later_s: float) -> None:
    key = stored_key(tmp_path, NOW_S)
    other = stored_key(tmp_path, NOW_S + later_s)
    assert other != key
    assert stored_key(tmp_path, NOW_S + later_s) == other


@pytest.mark.parametrize("wrong_s", [300.0, NOW_S - 3600.0])
def test_a_clock_that_is_behind_for_one_start_shuts_no_phone_out(tmp_path: Path, wrong_s: float) -> None:
    key = stored_key(tmp_path, NOW_S)
    assert stored_key(tmp_path, wrong_s) == key
    assert stored_key(tmp_path, NOW_S + 60.0) == key


def test_a_key_drawn_at_1970_is_that_of_the_evening_once_the_time_has_come(tmp_path: Path) -> None:
    key = stored_key(tmp_path, 300.0)
    assert stored_key(tmp_path, NOW_S) == key
    assert stored_key(tmp_path, NOW_S + LASTS_S - 1) == key
    assert stored_key(tmp_path, NOW_S + LASTS_S) != key


def test_a_key_of_the_future_counts_from_now(tmp_path: Path) -> None:
    key = stored_key(tmp_path, NOW_S + 10 * LASTS_S)
    assert stored_key(tmp_path, NOW_S) == key
    assert stored_key(tmp_path, NOW_S + LASTS_S) != key


@pytest.mark.parametrize("held", [b"", b"short", b"x" * 21, b"a b c d e f g h i j ", b"\xff" * 20])
def test_a_file_without_a_key_is_replaced(tmp_path: Path, held: bytes) -> None:
    stored_key(tmp_path)
    (tmp_path / KEY_NAME).write_bytes(held)
    key = stored_key(tmp_path)
    assert key.encode() != held
    assert stored_key(tmp_path) == key


def test_a_key_that_others_could_read_is_good_no_more(tmp_path: Path) -> None:
    key = stored_key(tmp_path)
    (tmp_path / KEY_NAME).chmod(0o644)
    assert stored_key(tmp_path) != key


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("keep")
    (tmp_path / KEY_NAME).symlink_to(other)
    stored_key(tmp_path)
    assert other.read_text() == "keep"


def test_a_key_that_cannot_be_saved_is_valid_all_the_same(tmp_path: Path) -> None:
    assert len(stored_key(tmp_path / "missing")) == 20


def test_the_page_of_a_journal_keeps_its_key_and_one_without_does_not(tmp_path: Path) -> None:
    journals = (tmp_path / "j.db", tmp_path / "j.db", None, None)
    links = [PageServer(pages(), PageConfig(port=0), journal).door.link for journal in journals]
    assert links[0] == links[1]
    assert len(set(links)) == 3


def test_a_pipe_in_its_place_is_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / KEY_NAME, 0o600)
    key = stored_key(tmp_path)
    assert (tmp_path / KEY_NAME).read_text() == key

"""A short form of `make soak`: some decisions at a table whose devices, disk and network fail."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from companion.config import PageConfig
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal, JournalError
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs, pages
from companion.web.page import PageServer
from tests.soak.disk import FaultyDisk
from tests.soak.network import Network
from tests.soak.run import After, grown
from tests.soak.service import Soak, WrongError, threads_and_descriptors
from tests.soak.sqlite import FAULTS, FaultySQLite

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("name", "most"), [("patchwork", 2), ("kvilt", 5)])
def test_decisions_are_taken_while_everything_fails_and_nothing_is_left_open(
    tmp_path: Path, name: str, most: int
) -> None:
    soak = Soak(tmp_path, seed=3, every_s=1.0, most=most)
    soak.play(name, 1)
    assert soak.found["decisions"] == most
    assert sum(soak.faults.begun.values()) >= 1
    before = threads_and_descriptors()
    soak.faults.every_s, soak.most = 0, 1
    soak.play(name, 2)
    assert threads_and_descriptors() == before


def test_a_game_that_comes_to_no_end_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.soak.service._LONGEST_FRAMES", 3)
    with pytest.raises(WrongError, match="no end"):
        Soak(tmp_path, seed=3, every_s=0).play("patchwork", 1)


# After a failed sync the written part is cut off again, and that fails to sync, too.
@pytest.mark.parametrize(("fault", "failed"), [("full", 1), ("read-only", 1), ("not syncing", 2)])
def test_a_faulty_disk_refuses_what_is_kept_and_no_other_file(tmp_path: Path, fault: str, failed: int) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    disk = FaultyDisk(folder)
    with disk.mounted(), Journal(folder / JOURNAL_NAME, codecs()) as journal:
        journal.new_game(Setup(players=("Anna", "Boris")), "table")
        disk.fault = fault
        with pytest.raises(JournalError):
            journal.note(1, "key", "value")
        assert disk.failed == failed
        other = os.open(tmp_path / "other", os.O_WRONLY | os.O_CREAT)
        os.write(other, b"text")
        os.fdatasync(other)
        os.close(other)
        disk.fault = ""
        journal.note(1, "key", "other")
        assert journal.notes(1) == {"key": "other"}


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_games_are_stored_and_listed_while_the_index_fails(tmp_path: Path, fault: str) -> None:
    folder = tmp_path / "data"
    sqlite = FaultySQLite(folder)
    with sqlite.mounted():
        with Journal(folder / JOURNAL_NAME, codecs()) as journal:
            journal.new_game(Setup(players=("Anna", "Boris")), "table")
        sqlite.fault = fault
        for read_only in (True, False):
            with Journal(folder / JOURNAL_NAME, codecs(), read_only=read_only) as journal:
                assert (len(journal.games()), journal.findings) == (1, [])
        assert sqlite.failed
        with Journal(tmp_path / "elsewhere" / JOURNAL_NAME, codecs()) as other:
            other.new_game(Setup(players=("Anna", "Boris")), "table")
        sqlite.fault = ""
        with Journal(folder / JOURNAL_NAME, codecs()) as journal:
            assert journal.findings == []
            journal.append(1, 1, Advance(1))
            sqlite.fault = fault
            journal.append(1, 2, Advance(2))
            assert journal.listed(1).decisions == 2
            sqlite.fault = ""
        with Journal(folder / JOURNAL_NAME, codecs()) as journal:
            assert journal.findings == []
            assert journal.decisions(1, PATCHWORK) == (Advance(1), Advance(2))


def test_a_page_is_read_while_readers_are_slow_or_gone(tmp_path: Path) -> None:
    before = threads_and_descriptors()
    network = Network(random.Random(1))
    with PageServer(pages(), PageConfig(port=0), tmp_path / JOURNAL_NAME) as network.page:
        for fault in ("half-open", "slow readers", "readers gone"):
            end = network.begin(fault)
            assert network.ask()["phase"] == "waiting"
            end()
        assert network.ask()["phase"] == "waiting"
    network.close()
    assert threads_and_descriptors()[1] == before[1]


def _after(*memory_mb: float, threads: int = 1, descriptors: int = 6) -> list[After]:
    return [After(each, threads, descriptors) for each in memory_mb]


def test_a_resource_that_grows_from_game_to_game_is_named() -> None:
    steady = _after(*range(300, 360), *[370, 380, 372] * 4)
    assert grown(steady) == ""
    assert "memory" in grown(_after(*range(300, 600, 3)))
    assert "threads" in grown([each._replace(threads=1 + place // 5) for place, each in enumerate(steady)])
    assert "descriptors" in grown([each._replace(descriptors=6 + place // 5) for place, each in enumerate(steady)])

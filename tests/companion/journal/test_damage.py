"""Test flipping one bit on the disk: what was announced is there, or its loss is reported and the damaged file kept."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork import Decision, Setup
from companion.journal import JOURNAL_NAME, Journal, JournalError
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 1, 2, 19, 0, 7, tzinfo=UTC)
PLAYED = 16

Evening = tuple["Path", tuple[Decision, ...]]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory, game: tuple[Decision, ...]) -> Evening:
    """The data folder of a companion that was killed in its second game: the decisions are in the `-wal`."""
    folder, image = tmp_path_factory.mktemp("evening"), tmp_path_factory.mktemp("image")
    with Journal(folder / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
        for count in (3, PLAYED):
            game_id = journal.new_game(Setup(players=("Anna", "Boris")), "table")
            journal.note(game_id, "colours", "red blue")
            for sequence, decision in enumerate(game[:count], start=1):
                journal.append(game_id, sequence, decision)
        shutil.copytree(folder, image, dirs_exist_ok=True)
    return image, game[:PLAYED]


def _copy(image: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(image, folder, dirs_exist_ok=True)
    return folder


def _held(folder: Path, decisions: tuple[Decision, ...], damaged: bytes) -> None:
    """Open a damaged journal; assert that all announced decisions are there, or the loss is told and the file kept."""
    try:
        with Journal(folder / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
            games = {game.game_id: game for game in journal.games()}
            found = journal.decisions(2, PATCHWORK) if 2 in games else ()
            findings = list(journal.findings)
            assert games or findings
    except JournalError:
        # The file is refused with a message and stays in place.
        assert (folder / JOURNAL_NAME).exists()
        return
    if found != decisions:
        assert findings, "a loss that nobody is told of"
        assert found == decisions[: len(found)]
    if findings:
        assert any(each.read_bytes() == damaged for each in folder.glob("*.damaged-*"))
    with Journal(folder / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
        assert journal.findings == [], "it is mended once"
        assert journal.decisions(2, PATCHWORK) == found


FILES = (JOURNAL_NAME, f"{JOURNAL_NAME}-wal", f"{JOURNAL_NAME}-shm", "decisions/1.log", "decisions/2.log")


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=16)
@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_flipped_bit_loses_nothing_in_silence(
    killed: Evening, tmp_path_factory: pytest.TempPathFactory, name: str, place: float, bit: int
) -> None:
    image, decisions = killed
    folder = _copy(image, tmp_path_factory)
    content = bytearray((folder / name).read_bytes())
    content[int(place * len(content))] ^= 1 << bit
    (folder / name).write_bytes(content)
    _held(folder, decisions, bytes(content))
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("is_cut", [True, False])
@settings(max_examples=6)
@given(place=st.floats(0, 1, exclude_max=True))
def test_a_file_that_is_cut_or_zeroed_loses_nothing_in_silence(
    killed: Evening, tmp_path_factory: pytest.TempPathFactory, name: str, place: float, *, is_cut: bool
) -> None:
    image, decisions = killed
    folder = _copy(image, tmp_path_factory)
    content = (folder / name).read_bytes()
    kept = content[: int(place * len(content))]
    content = kept if is_cut else kept + bytes(len(content) - len(kept))
    (folder / name).write_bytes(content)
    _held(folder, decisions, content)
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("text", "damaged_text"),
    [(b"decisions INTEGER", b"decisionz INTEGER"), (b"REFERENCES games (id)", b"REFERENCES games (md)")],
)
def test_a_file_whose_damage_shows_late_is_kept_as_it_was_with_what_lay_beside_it(
    tmp_path: Path, game: tuple[Decision, ...], text: bytes, damaged_text: bytes
) -> None:
    folder, image = tmp_path / "evening", tmp_path / "image"
    with Journal(folder / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
        journal.new_game(Setup(players=("Anna", "Boris")), "table")
    with Journal(folder / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
        journal.append(1, 1, game[0])
        shutil.copytree(folder, image)
    # Reading does not need this name, writing does.
    damaged = (image / JOURNAL_NAME).read_bytes().replace(text, damaged_text)
    (image / JOURNAL_NAME).write_bytes(damaged)
    log = (image / f"{JOURNAL_NAME}-wal").read_bytes()
    with Journal(image / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
        assert journal.decisions(1, PATCHWORK) == game[:1]
        aside = journal.set_aside
    assert aside is not None
    assert aside.read_bytes() == damaged
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == log

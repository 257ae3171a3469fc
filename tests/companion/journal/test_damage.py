"""Test damage on the disk: what was announced is there, or its loss is reported and the damaged file kept."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, GameFilter, Journal, JournalError
from companion.journal.log import Line
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from tests.companion.journal.conftest import MEMORY, NOW, log_of, put

Keep = Callable[[Journal, tuple[Decision, ...]], int]
PLAYED = 16


class Contents(NamedTuple):
    """What a journal has of one game."""

    decisions: tuple[Decision, ...]
    notes: Mapping[str, str]


class Image(NamedTuple):
    """A data folder, and what its games contain."""

    folder: Path
    games: Mapping[int, Contents]


@pytest.fixture(scope="module", params=["killed", "closed"])
def image(request: pytest.FixtureRequest, game: tuple[Decision, ...]) -> Iterator[Image]:
    """The data folder of a companion that was killed in its second game, or closed after it.

    After a kill the index's last rows are in its write-ahead log.
    """
    games = {}
    with tempfile.TemporaryDirectory(dir=MEMORY) as home:
        folder, killed = Path(home) / "closed", Path(home) / "killed"
        with Journal(folder / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
            for count in (len(game), PLAYED):
                game_id = journal.new_game(Setup(players=("Anna", "Boris")), "table", {"colours": "red blue"})
                for sequence, decision in enumerate(game[:count], start=1):
                    journal.note(game_id, "drawn", str(sequence))
                    journal.append(game_id, sequence, decision)
                journal.note(game_id, "sheet", "shown")
                games[game_id] = Contents(game[:count], dict(journal.notes(game_id)))
            shutil.copytree(folder, killed)
        yield Image(Path(home) / request.param, games)


def _contents(folder: Path) -> tuple[dict[int, Contents], list[str]]:
    """Open a journal as a start does, and return its games and what it reports."""
    with Journal(folder / JOURNAL_NAME, codecs(), lambda: NOW) as journal:
        found = {
            each.game_id: Contents(journal.decisions(each.game_id, PATCHWORK), dict(journal.notes(each.game_id)))
            for each in journal.games()
        }
        return found, [str(finding) for finding in journal.findings]


def _check(image: Image, damaged: Mapping[str, bytes], *, loses_nothing: bool = False) -> None:
    """Damage files of a copy; assert that every game is whole, or its loss is reported and the damaged log kept."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as copy:
        folder = Path(copy)
        shutil.copytree(image.folder, folder, dirs_exist_ok=True)
        for name, content in damaged.items():
            put(folder / name, content)
        found, findings = _contents(folder)
        for number, before in image.games.items():
            now = found.get(number, Contents((), {}))
            if now != before:
                assert not loses_nothing
                assert any(f"game {number} " in says for says in findings), "a loss without a message"
                assert now.decisions == before.decisions[: len(now.decisions)]
                kept = [each.read_bytes() for each in (folder / "games").glob("*.damaged-*")]
                assert damaged[f"games/{number}.log"] in kept
        assert _contents(folder) == (found, []), "it is repaired once"


INDEX = (JOURNAL_NAME, f"{JOURNAL_NAME}-wal", f"{JOURNAL_NAME}-shm")
LOGS = ("games/1.log", "games/2.log")
PLACES = st.floats(0, 1, exclude_max=True)


def _flipped(content: bytes, place: float, bit: int) -> bytes:
    changed = bytearray(content)
    changed[int(place * len(changed))] ^= 1 << bit
    return bytes(changed)


def _zeroed(content: bytes, place: float, block: int) -> bytes:
    start = int(place * len(content)) // block * block
    return content[:start] + bytes(len(content[start : start + block])) + content[start + block :]


@pytest.mark.parametrize("name", [*INDEX, *LOGS])
@settings(max_examples=7)
@given(place=PLACES, bit=st.integers(0, 7))
def test_a_flipped_bit_loses_nothing(image: Image, name: str, place: float, bit: int) -> None:
    if (image.folder / name).exists():
        _check(image, {name: _flipped((image.folder / name).read_bytes(), place, bit)}, loses_nothing=True)


@pytest.mark.parametrize("log", LOGS)
@settings(max_examples=7)
@given(places=st.tuples(PLACES, PLACES), bits=st.tuples(st.integers(0, 7), st.integers(0, 7)))
def test_flipped_bits_in_a_log_and_in_the_index_lose_nothing(
    image: Image, log: str, places: tuple[float, float], bits: tuple[int, int]
) -> None:
    names = (log, JOURNAL_NAME)
    changed = zip(names, places, bits, strict=True)
    damaged = {name: _flipped((image.folder / name).read_bytes(), place, bit) for name, place, bit in changed}
    _check(image, damaged, loses_nothing=True)


@pytest.mark.parametrize("name", [*INDEX, *LOGS])
@pytest.mark.parametrize("is_cut", [True, False])
@settings(max_examples=5)
@given(place=PLACES)
def test_a_truncated_or_zeroed_end_is_reported(image: Image, name: str, place: float, *, is_cut: bool) -> None:
    if (image.folder / name).exists():
        content = (image.folder / name).read_bytes()
        kept = content[: int(place * len(content))]
        damaged = {name: kept if is_cut else kept + bytes(len(content) - len(kept))}
        _check(image, damaged, loses_nothing=name not in LOGS)


@pytest.mark.parametrize("log", LOGS)
@settings(max_examples=7)
@given(block=PLACES, end=PLACES)
def test_a_zeroed_block_of_the_index_and_a_zeroed_end_of_a_log_are_reported(
    image: Image, log: str, block: float, end: float
) -> None:
    index, content = (image.folder / JOURNAL_NAME).read_bytes(), (image.folder / log).read_bytes()
    kept = content[: int(end * len(content))]
    damaged = {JOURNAL_NAME: _zeroed(index, block, 4096), log: kept + bytes(len(content) - len(kept))}
    _check(image, damaged)


@pytest.mark.parametrize("log", LOGS)
@settings(max_examples=7)
@given(place=PLACES)
def test_a_zeroed_sector_of_a_log_is_reported(image: Image, log: str, place: float) -> None:
    _check(image, {log: _zeroed((image.folder / log).read_bytes(), place, 512)})


def test_a_flipped_bit_in_the_last_line_keeps_the_newest_note(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    """An older note of a draw would draw a pencil of Kvilt twice."""
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
        journal.note(1, "drawn", "24 red")
        journal.note(1, "drawn", "25 violet")
    content = bytearray(log_of(path, 1).read_bytes())
    content[-20] ^= 1
    put(log_of(path, 1), bytes(content))
    for read_only in (True, False):
        with Journal(path, codecs(), read_only=read_only) as journal:
            assert journal.notes(1) == {"drawn": "25 violet"}


def test_a_killed_companion_s_game_is_exported_whole_whatever_its_index_has(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:10])
        killed = path.parent.with_name("killed")
        shutil.copytree(path.parent, killed)
    wal = killed / f"{JOURNAL_NAME}-wal"
    for place in range(64, wal.stat().st_size, wal.stat().st_size // 40):
        content = bytearray((path.parent.with_name("killed") / wal.name).read_bytes())
        content[place] ^= 1
        put(wal, bytes(content))
        with Journal(killed / JOURNAL_NAME, codecs(), read_only=True) as journal:
            lines, fault = journal.record(1)
            assert (len(lines), fault) == (11, None)
            assert journal.find(GameFilter())[0].decisions == 10
            assert journal.listed(1).decisions == 10


def test_a_damaged_log_is_readable_up_to_the_damage_and_repaired_at_the_next_start(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:6])
        keep(journal, game)
    log = log_of(path, 1)
    content = log.read_bytes()
    damaged = content.replace(b'"seat": 2', b'"Zeat": 3', 1)
    put(log, damaged)
    with Journal(path, codecs(), lambda: NOW, read_only=True) as journal:
        broken, sound = journal.games()
        assert (broken.error, broken.whole) == ("its log is damaged after decision 1", 1)
        assert sound.error is None
        with pytest.raises(JournalError, match="game 1 cannot be read: its log is damaged after decision 1"):
            journal.decisions(1, PATCHWORK)
        assert [broken, sound] == list(journal.check())
        lines, fault = journal.record(1)
        assert (len(lines), str(fault)) == (2, "its log is damaged after decision 1")
    assert log.read_bytes() == damaged, "reading changes nothing"
    with Journal(path, codecs(), lambda: NOW) as journal:
        (says,) = journal.findings
        assert str(says).startswith("game 1 was damaged after decision 1; the rest is kept in ")
        assert log.with_name("1.log.damaged-20260102-190007").read_bytes() == damaged
        assert journal.decisions(1, PATCHWORK) == game[:1]
        journal.append(1, 2, game[1])
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.decisions(1, PATCHWORK)) == ([], game[:2])


def test_damage_that_shows_while_the_journal_is_open_is_repaired_by_truncating(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    with Journal(path, codecs(), lambda: NOW) as journal:
        keep(journal, game[:6])
        put(log_of(path, 1), log_of(path, 1).read_bytes().replace(b'"seat": 2', b'"Zeat": 3', 1))
        found = journal.replayed(1)
        assert found.whole == 1
        with pytest.raises(JournalError, match="cannot be read"):
            journal.append(1, 7, game[6])
        assert journal.truncate_game(1, found.whole) == log_of(path, 1).with_name("1.log.damaged-20260102-190007")
        journal.append(1, 2, game[1])
        assert journal.decisions(1, PATCHWORK) == game[:2]


@pytest.mark.parametrize("is_index_lost", [True, False])
def test_a_game_without_a_beginning_is_reported_once_and_its_file_kept(
    path: Path, game: tuple[Decision, ...], keep: Keep, *, is_index_lost: bool
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:4])
        keep(journal, game[:2])
    damaged = log_of(path, 2).read_bytes().replace(b"patchwork", b"patchWerk", 1)
    put(log_of(path, 2), damaged)
    if is_index_lost:
        path.unlink()
    with Journal(path, codecs()) as journal:
        assert "the beginning of game 2 is lost" in str(journal.findings)
        assert [each.game_id for each in journal.games()] == [1]
    assert any(each.read_bytes() == damaged for each in (path.parent / "games").glob("*.damaged-*"))
    with Journal(path, codecs()) as journal:
        assert journal.findings == []
        assert journal.new_game(Setup()) == 3


def test_missing_logs_are_reported_once(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        for _ in range(4):
            keep(journal, game[:3])
        journal.delete(4)
    for number in (1, 3, 4):
        log_of(path, number).unlink()
    with Journal(path, codecs()) as journal:
        (says,) = journal.findings
        assert str(says).endswith("games: the logs of these games are missing: 1 and 3")
        assert [each.game_id for each in journal.games()] == [2]
    with Journal(path, codecs()) as journal:
        assert journal.findings == []


def test_a_folder_that_goes_in_a_game_and_comes_back_is_said_and_loses_nothing(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    """As a stick that is pulled out, of which an empty folder is left."""
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
        (path.parent / "games").rename(path.parent / "away")
        for _ in range(2):
            with pytest.raises(JournalError, match=r"^nothing was stored: .*1\.log: cannot be read: No such file"):
                journal.append(1, 4, game[3])
        (path.parent / "games").rmdir()
        (path.parent / "away").rename(path.parent / "games")
        journal.append(1, 4, game[3])
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.decisions(1, PATCHWORK)) == ([], game[:4])


def test_a_link_to_a_log_that_is_away_hides_and_overwrites_no_other_game(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    """As of an old game whose log was moved to a stick."""
    with Journal(path, codecs()) as journal:
        for _ in range(3):
            keep(journal, game[:3])
    log_of(path, 2).unlink()
    log_of(path, 2).symlink_to("/media/stick/2.log")
    with Journal(path, codecs()) as journal:
        assert [str(says).rpartition(" ")[2] for says in journal.findings] == ["2"]
        assert journal.new_game(Setup()) == 4
        assert [each.game_id for each in journal.games()] == [1, 3, 4]
        assert journal.decisions(1, PATCHWORK) == game[:3]


@pytest.mark.parametrize(
    ("make", "says"), [(Path.mkdir, "Is a directory"), (os.mkfifo, "it is not a file")], ids=["folder", "pipe"]
)
@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_log_that_cannot_be_read_at_present_hides_no_other_game_and_is_left_alone(
    path: Path, game: tuple[Decision, ...], keep: Keep, make: Callable[[Path], None], says: str, *, is_indexed: bool
) -> None:
    with Journal(path, codecs()) as journal:
        for _ in range(3):
            keep(journal, game[:3])
    away = log_of(path, 2).rename(path.with_name("away"))
    make(log_of(path, 2))
    if not is_indexed:
        path.unlink()
    for read_only in (True, False):
        with Journal(path, codecs(), read_only=read_only) as journal:
            assert [each.game_id for each in journal.games()] == [1, 2, 3]
            assert [each.error is None for each in journal.check()] == [True, False, True]
            assert str(journal.listed(2).error).endswith(f"games/2.log: cannot be read: {says}")
            assert [str(each) for each in journal.findings] == ([] if read_only else [str(journal.listed(2).error)])
            for ask in (lambda: journal.decisions(2, PATCHWORK), lambda: journal.names(2)):
                with pytest.raises(JournalError, match=f"game 2 cannot be read: .*{says}"):
                    ask()
            assert journal.decisions(3, PATCHWORK) == game[:3]
    with Journal(path, codecs()) as journal:
        assert journal.new_game(Setup()) == 4
        with pytest.raises(JournalError, match=f"game 2 cannot be read: .*{says}"):
            journal.truncate_game(2, 1)
        (Path.rmdir if log_of(path, 2).is_dir() else Path.unlink)(log_of(path, 2))
        away.rename(log_of(path, 2))
        assert [each.error for each in journal.games()] == [None] * 4
        assert journal.decisions(2, PATCHWORK) == game[:3]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_an_index_that_is_no_file_is_set_aside_and_made_again(
    path: Path, game: tuple[Decision, ...], keep: Keep, make: Callable[[Path], None]
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
    path.unlink()
    make(path)
    with Journal(path, codecs(), read_only=True) as journal:
        assert [each.game_id for each in journal.games()] == [1]
        journal.check()
        assert ["it is not a file" in str(each) for each in journal.findings] == [True]
    with Journal(path, codecs()) as journal:
        assert ["made again from the log of 1 game" in str(each) for each in journal.findings] == [True]
        assert [each.game_id for each in journal.games()] == [1]
    assert path.is_file()


def test_an_incomplete_last_line_is_dropped_in_silence(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
    whole = log_of(path, 1).read_bytes()
    put(log_of(path, 1), whole + b"0123abcd 4 5 2026-01-02T19")
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.decisions(1, PATCHWORK)) == ([], game[:3])
        journal.append(1, 4, game[3])
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.decisions(1, PATCHWORK)) == ([], game[:4])
    assert log_of(path, 1).read_bytes().startswith(whole)


def test_a_log_of_a_newer_companion_is_left_alone(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
        content = log_of(path, 1).read_bytes()
        content += journal._log(1).encoded([Line("resigned", "2", 9, NOW.isoformat())])
    put(log_of(path, 1), content)
    for _ in range(2):
        with Journal(path, codecs()) as journal:
            assert journal.findings == []
            assert "a newer companion continued it" in str(journal.listed(1).error)
            for change in (lambda: journal.append(1, 4, game[3]), lambda: journal.truncate_game(1, 2)):
                with pytest.raises(JournalError, match="newer companion"):
                    change()
    assert log_of(path, 1).read_bytes() == content


def test_a_set_aside_log_is_never_overwritten(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    contents = []
    with Journal(path, codecs()) as journal:
        keep(journal, game[:9])
    for _ in range(3):
        contents.append(log_of(path, 1).read_bytes()[:-30])
        put(log_of(path, 1), contents[-1])
        with Journal(path, codecs(), lambda: NOW) as journal:
            assert len(journal.findings) == 1
    kept = sorted((path.parent / "games").glob("*.damaged-*"))
    assert [each.name for each in kept] == [f"1.log.damaged-20260102-190007{end}" for end in ("", "-2", "-3")]
    assert [each.read_bytes() for each in kept] == contents


@pytest.mark.parametrize("at", ["never", "2026-99-01T00:00:00+00:00"])
def test_an_impossible_time_blocks_no_game(path: Path, game: tuple[Decision, ...], keep: Keep, at: str) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:2])
        line = journal._log(1).lines[-1]._replace(at=at)
        journal._rewrite(1, [*journal._log(1).lines[:-1], line])
        assert [each.decisions for each in journal.games()] == [2]

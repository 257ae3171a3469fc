"""Test the index: lists replay only the games that have changed, and it can be lost or damaged at any time."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from companion.durable import database_damage
from companion.games.kvilt import rules as kvilt_rules
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather
from companion.games.patchwork.rules import History, apply
from companion.games.patchwork.state import Setup, score
from companion.journal import GameFilter, Journal, Status
from companion.journal.index import Index, Indexed
from companion.journal.log import GameLog
from companion.journal.summary import GameSummary, Replays
from companion.kvilt.codec import KVILT
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from tests.companion.games.kvilt.played import play_game
from tests.companion.journal.conftest import NOW, put, unfinished
from tests.companion.kvilt_setups import own_setup

Keep = Callable[[Journal, tuple[Decision, ...]], int]


class Counted:
    """Records the ids of the games that are summarised."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ids: list[int] = []
        whole = Replays.summary

        def counting(replays: Replays, log: GameLog) -> GameSummary:
            self.ids.append(log.game_id)
            return whole(replays, log)

        monkeypatch.setattr(Replays, "summary", counting)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.fixture(scope="module")
def coloured() -> kvilt_rules.History:
    return play_game(own_setup(("Anna", "Boris", "Vera")), random.Random(3))


def state_of(decisions: tuple[Decision, ...]) -> History:
    history = History(Setup())
    for decision in decisions:
        history.apply(decision)
    return history


def execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def test_a_finished_game_is_listed_with_its_scores(book: Journal, game: tuple[Decision, ...], keep: Keep) -> None:
    number, state = keep(book, game), state_of(game).state
    found = book.listed(number)
    assert found.scores == tuple(score(seat) for seat in state.seats)
    assert (found.winners, found.finished, found.decisions) == ((state.winner,), True, len(game))
    book.undo(number, len(game))
    found = book.listed(number)
    assert (found.scores, found.winners, found.finished, found.decisions) == (None, (), False, len(game) - 1)


def test_games_of_both_kinds_have_their_figures(
    book: Journal, game: tuple[Decision, ...], keep: Keep, coloured: kvilt_rules.History
) -> None:
    keep(book, game[:5])
    number = keep(book, game)
    other = book.new_game(coloured.setup)
    for sequence, decision in enumerate(coloured.decisions, start=1):
        book.append(other, sequence, decision)
    (patchwork,), (quilted,) = book.figures(PATCHWORK), book.figures(KVILT)
    state = state_of(game).state
    assert (patchwork.game_id, patchwork.players, patchwork.winner) == (number, Setup().players, state.winner)
    assert [stood.score for stood in patchwork.standings] == [score(seat) for seat in state.seats]
    assert patchwork.started_at == book.listed(number).started_at
    assert (quilted.game_id, quilted.winners) == (other, coloured.state.winners)
    assert quilted.scores == tuple(coloured.state.score(seat) for seat in (1, 2, 3))
    assert book.listed(other).scores == tuple(each.total for each in quilted.scores)


def test_a_list_has_the_games_that_match(
    book: Journal, game: tuple[Decision, ...], keep: Keep, coloured: kvilt_rules.History
) -> None:
    keep(book, game)
    keep(book, game[:2])
    keep(book, (PlaceLeather(1, 1),))
    book.new_game(coloured.setup)
    book.new_game(Setup(), "b")
    book.append(2, 3, game[2])
    for wanted, expected in (
        (GameFilter(), [5, 4, 3, 2, 1]),
        (GameFilter(limit=2), [5, 4]),
        (GameFilter(before=4, limit=2), [3, 2]),
        (GameFilter(decided=True), [3, 2, 1]),
        (GameFilter(decided=True, also=5), [5, 3, 2, 1]),
        (GameFilter(status=Status.UNFINISHED, by_change=True), [2, 5, 4]),
        (GameFilter(status=Status.BROKEN), [3]),
        (GameFilter(table="b"), [5]),
        (GameFilter(table=""), [4, 3, 2, 1]),
        (GameFilter(game="kvilt"), [4]),
        (GameFilter(game="kvilt", decided=True), []),
    ):
        assert [found.game_id for found in book.find(wanted)] == expected


def test_the_players_of_the_last_game_are_named_first(book: Journal) -> None:
    first = book.new_game(Setup(players=("Anna", "Boris")))
    book.append(book.new_game(Setup(players=("Clara", "Anna"))), 1, Advance(1))
    book.new_game(Setup(players=("Nobody", "Else")))
    assert list(book.players()) == ["Clara", "Anna"]
    book.append(first, 1, Advance(1))
    assert list(book.players()) == ["Anna", "Boris", "Clara"]


def test_the_mark_of_the_finished_games_changes_with_each_change_of_them(
    book: Journal, game: tuple[Decision, ...], keep: Keep
) -> None:
    keep(book, game)
    marks = [book.finished_mark()]
    keep(book, game[:3])
    assert book.finished_mark() == marks[0]
    keep(book, game)
    marks.append(book.finished_mark())
    book.rename(1, ("Anna", "Boris"))
    marks.append(book.finished_mark())
    book.delete(3)
    marks.append(book.finished_mark())
    assert len(set(marks)) == 4


def test_only_the_changed_game_is_summarised(
    path: Path, game: tuple[Decision, ...], keep: Keep, counted: Counted
) -> None:
    with Journal(path, codecs()) as journal:
        for _ in range(3):
            keep(journal, game[:3])
        counted.ids.clear()
        journal.append(2, 4, game[3])
        assert counted.ids == [2]
        journal.undo(2, 4)
        counted.ids.clear()
        assert [found.decisions for found in journal.games()] == [3, 3, 3]
        assert unfinished(journal) is not None
        assert (journal.players(), journal.figures(PATCHWORK)) == (list(Setup().players), [])
    with Journal(path, codecs()) as journal, Journal(path, codecs(), read_only=True) as reader:
        assert len(journal.games()) == len(reader.games()) == 3
    assert counted.ids == []


def test_one_more_decision_is_one_more_step_of_the_rules(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0
    whole = History.apply

    def counting(history: History, decision: Decision) -> object:
        nonlocal steps
        steps += 1
        return whole(history, decision)

    with Journal(path, codecs()) as journal:
        number = keep(journal, game[:20])
        played = state_of(game[:20])
        monkeypatch.setattr(History, "apply", counting)
        journal.append(number, 21, game[20])
        assert steps == 1
        journal.undo(number, 21)
        steps = 0
        journal.undo(number, 20)
        played.undo()
        assert steps == 19, "after an undo the game is replayed"
        steps = 0
        for sequence in (20, 21):
            outcome = apply(played.state, game[sequence - 1])
            played.follow(game[sequence - 1], outcome)
            journal.append(number, sequence, game[sequence - 1], outcome)
        assert steps == 0, "a known outcome is used"


def test_a_known_outcome_is_summarised_as_the_rules_would(book: Journal, game: tuple[Decision, ...]) -> None:
    number, played = book.new_game(Setup()), History(Setup())
    for sequence, decision in enumerate(game, start=1):
        book.append(number, sequence, decision, played.apply(decision))
        assert book.listed(number).finished == played.state.finished
    assert book.listed(number).scores == tuple(score(seat) for seat in played.state.seats)
    assert book.figures(PATCHWORK) == [PATCHWORK.figures(number, book.listed(number).started_at, played)]


def test_games_that_only_simulated_players_play_are_nobody_s_figures(book: Journal, game: tuple[Decision, ...]) -> None:
    for table in ("simulated 1 tidy tidy circle seen", "virtual 1"):
        number = book.new_game(Setup(), table)
        for sequence, decision in enumerate(game, start=1):
            book.append(number, sequence, decision)
        assert book.listed(number).finished
    assert [each.game_id for each in book.figures(PATCHWORK)] == [number]


def test_an_outcome_does_not_mend_a_game_that_cannot_be_replayed(book: Journal, game: tuple[Decision, ...]) -> None:
    number, played = book.new_game(Setup()), History(Setup())
    book.append(number, 1, PlaceLeather(1, 1))
    assert book.listed(number).error is not None
    book.append(number, 2, game[0], played.apply(game[0]))
    listed = book.listed(number)
    assert (listed.decisions, listed.whole, listed.finished) == (2, 0, False)
    assert listed.error is not None


def test_a_deleted_index_is_built_again_from_the_logs(
    path: Path, game: tuple[Decision, ...], keep: Keep, counted: Counted
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game)
        keep(journal, game[:4])
        journal.append(1 + 1, 5, game[4])
        keep(journal, game[:2])
        journal.append(2, 6, game[5])
        journal.note(1, "sheet", "shown")
        journal.delete(keep(journal, game[:1]))
        before = journal.games(), journal.figures(PATCHWORK), journal.find(GameFilter(by_change=True)), journal.notes(1)
    path.unlink()
    for read_only in (True, False):
        with Journal(path, codecs(), read_only=read_only) as journal:
            assert journal.findings == []
            assert before == (
                journal.games(), journal.figures(PATCHWORK), journal.find(GameFilter(by_change=True)), journal.notes(1)
            )  # fmt: skip
    counted.ids.clear()
    with Journal(path, codecs()) as journal:
        assert journal.games() == before[0]
        assert journal.new_game(Setup()) == 5
    assert counted.ids == [5]


def test_an_interrupted_building_is_continued(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path, codecs()) as journal:
        for _ in range(3):
            keep(journal, game[:2])
    path.unlink()
    whole, summarised = Replays.summary, list[int]()

    def interrupted(replays: Replays, log: GameLog) -> GameSummary:
        if len(summarised) == 2:
            raise KeyboardInterrupt
        summarised.append(log.game_id)
        return whole(replays, log)

    with monkeypatch.context() as patch:
        patch.setattr(Replays, "summary", interrupted)
        with pytest.raises(KeyboardInterrupt):
            Journal(path, codecs())
    counted = Counted(monkeypatch)
    with Journal(path, codecs()) as journal:
        assert sorted([*summarised, *counted.ids]) == [1, 2, 3]
        assert len(journal.games()) == 3


@pytest.mark.parametrize(
    "content",
    [b"", b"no database at all, and long enough to be looked at" * 90, bytes(8192), b"SQLite format 3\0"],
    ids=["empty", "text", "zeros", "cut"],
)
def test_a_file_that_is_no_index_is_set_aside_and_built_again(
    path: Path, game: tuple[Decision, ...], keep: Keep, content: bytes
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:4])
    put(path, content)
    with Journal(path, codecs(), read_only=True) as journal:
        assert [found.decisions for found in journal.games()] == [4]
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert [found.decisions for found in journal.games()] == [4]
        if content:
            assert "was damaged and is kept as" in str(journal.findings)
            assert path.with_name("games.sqlite3.damaged-20260102-190007").read_bytes() == content
        journal.append(1, 5, game[4])
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.listed(1).decisions) == ([], 5)


def test_an_index_whose_schema_is_no_text_is_set_aside_and_built_again(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:4])
    content = bytearray(path.read_bytes())
    content[content.index(b"CREATE TABLE games") + len("CREATE TABL")] = 0xC1
    put(path, bytes(content))
    assert database_damage(path) is not None
    with Journal(path, codecs(), lambda: NOW) as journal:
        assert [found.decisions for found in journal.games()] == [4]
        assert "was damaged and is kept as" in str(journal.findings)


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA user_version = 1",
        "ALTER TABLE games RENAME COLUMN changed TO changer",
        "CREATE TABLE recipes (name TEXT)",
        "CREATE TRIGGER strange AFTER INSERT ON games BEGIN DELETE FROM games; END",
    ],
)
def test_an_index_of_another_form_is_built_again(
    path: Path, game: tuple[Decision, ...], keep: Keep, statement: str
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:4])
    execute(path, statement)
    with Journal(path, codecs()) as journal:
        assert journal.findings
        assert journal.listed(1).decisions == 4


@pytest.mark.parametrize(
    "change",
    ["status = 'unfinishee'", "decisions = 9", "players = '[\"Eve\"]'", "started_at = 'never'", "lines = 99"],
)
def test_a_damaged_value_of_the_index_is_replaced(
    path: Path, game: tuple[Decision, ...], keep: Keep, change: str
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
        keep(journal, game[:2])
        before = journal.games()
    execute(path, f"UPDATE games SET {change} WHERE id = 2")  # noqa: S608
    with Journal(path, codecs(), read_only=True) as journal:
        if "status" not in change:
            assert journal.games() == before
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.games()) == ([], before)
        found = unfinished(journal)
        assert found is not None
        assert (found.game_id, found.decisions) == (2, 2)


def test_a_game_goes_on_while_the_index_cannot_be_written(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs()) as journal:
        number = journal.new_game(Setup(), "table")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for sequence, decision in enumerate(game[:5], start=1):
                journal.append(number, sequence, decision)
            assert journal.listed(number).decisions == 5
            assert [found.decisions for found in journal.games()] == [5]
            with Journal(path, codecs(), read_only=True) as reader:
                assert [found.decisions for found in reader.games()] == [5]
            other.execute("ROLLBACK")
    with Journal(path, codecs()) as journal:
        assert (journal.findings, journal.listed(number).decisions) == ([], 5)


def test_an_index_that_fails_while_it_is_read_is_made_again_in_memory(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("DROP TABLE details")
            other.execute("DROP TABLE games")
        assert [found.decisions for found in journal.games()] == [3]
        journal.append(1, 4, game[3])
        assert journal.listed(1).decisions == 4


def test_an_index_that_fails_once_does_not_keep_the_journal_from_opening(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
    whole, failed = Index.known, list[object]()

    def failing(index: Index, game_id: int | None = None) -> Mapping[int, Indexed]:
        if not failed:
            failed.append(index)
            raise sqlite3.OperationalError("disk I/O error")
        return whole(index, game_id)

    monkeypatch.setattr(Index, "known", failing)
    with Journal(path, codecs()) as journal:
        assert failed
        assert (journal.findings, journal.listed(1).decisions) == ([], 3)


def test_a_damaged_index_that_another_companion_has_open_is_left_in_place(
    path: Path, game: tuple[Decision, ...], keep: Keep
) -> None:
    with Journal(path, codecs()) as other:
        keep(other, game[:3])
        execute(path, "PRAGMA user_version = 1")
        with Journal(path, codecs()) as journal:
            assert journal.findings == []
            assert [found.decisions for found in journal.games()] == [3]
        assert not list(path.parent.glob("*.damaged-*"))
    with Journal(path, codecs()) as journal:
        assert len(journal.findings) == 1


def test_a_copied_folder_is_compared_with_its_index_and_not_summarised_again(
    path: Path, game: tuple[Decision, ...], keep: Keep, counted: Counted
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game)
    copy = path.parent.with_name("copy")
    shutil.copytree(path.parent, copy)
    os.utime(copy / "games" / "1.log")
    counted.ids.clear()
    with Journal(copy / path.name, codecs()) as journal:
        assert (len(journal.games()), journal.findings) == (1, [])
    assert counted.ids == []


def test_summaries_of_another_version_are_computed_anew(
    path: Path, game: tuple[Decision, ...], keep: Keep, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game)
    monkeypatch.setattr("companion.journal.index.SUMMARY_VERSION", 2)
    for read_only in (True, False):
        counted.ids.clear()
        with Journal(path, codecs(), read_only=read_only) as journal:
            assert len(journal.games()) == len(journal.figures(PATCHWORK)) == 1
        assert counted.ids == [1]
    counted.ids.clear()
    Journal(path, codecs()).close()
    assert counted.ids == []


def test_a_removed_name_is_in_no_file(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs()) as journal:
        number = journal.new_game(Setup(players=("Anna", "Boris")), "table")
        for sequence, decision in enumerate(game, start=1):
            journal.append(number, sequence, decision)
        journal.new_game(Setup(players=("Anna", "Clara")), "table")
        journal.rename(number, ("Seat 1", "Boris"))
        journal.delete(number + 1)
        for each in filter(Path.is_file, path.parent.rglob("*")):
            assert b"Anna" not in each.read_bytes(), each
            assert b"Clara" not in each.read_bytes(), each

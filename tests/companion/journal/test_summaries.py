"""Test the summaries stored beside the games: listing games replays only those that have changed."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from companion.games import kvilt
from companion.games.patchwork import Advance, Decision, History, PlaceLeather, Setup, apply, score
from companion.journal import Book, GameFilter, Journal, JournalError, Status
from companion.journal.entries import decision_text, setup_text
from companion.journal.summary import Replays, StoredGame, Summary
from companion.kvilt.codec import KVILT
from companion.patchwork.codec import PATCHWORK
from companion.registry import codecs
from tests.companion.journal import earlier
from tests.companion.journal.conftest import WallClock
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from pathlib import Path

Keep = Callable[[Book, tuple[Decision, ...]], int]


class Counted:
    """Records the ids of the games that are summarised."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ids: list[int] = []
        whole = Replays.summary

        def counting(replays: Replays, stored: StoredGame) -> Summary:
            self.ids.append(stored.game_id)
            return whole(replays, stored)

        monkeypatch.setattr(Replays, "summary", counting)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.fixture(scope="module")
def coloured() -> kvilt.History:
    return kvilt.play_game(own_setup(("Anna", "Boris", "Vera")), random.Random(3))


def state_of(decisions: tuple[Decision, ...]) -> History:
    history = History(Setup())
    for decision in decisions:
        history.apply(decision)
    return history


def keep_earlier(path: Path, game: tuple[Decision, ...]) -> None:
    """Store three games of an earlier companion: a finished one, one with an undone decision, and a broken one."""
    texts = [decision_text(decision, codecs()) for decision in game]
    connection = earlier.begin(path)
    earlier.new_game(connection, setup_text(Setup(players=("Anna", "Boris")), codecs()), texts)
    taken_back = earlier.new_game(connection, setup_text(Setup(), codecs()), texts[:4], "other")
    earlier.add(connection, taken_back, 5, "undo", 4, "")
    earlier.new_game(connection, setup_text(Setup(), codecs()), [decision_text(PlaceLeather(1, 1), codecs())])
    connection.execute("INSERT INTO notes VALUES (1, 'seed', '7')")
    connection.close()


def test_a_finished_game_is_listed_with_its_scores(book: Book, game: tuple[Decision, ...], keep: Keep) -> None:
    number, state = keep(book, game), state_of(game).state
    found = book.listed(number)
    assert found.scores == tuple(score(seat) for seat in state.seats)
    assert (found.winners, found.finished, found.decisions) == ((state.winner,), True, len(game))
    book.undo(number, len(game))
    found = book.listed(number)
    assert (found.scores, found.winners, found.finished, found.decisions) == (None, (), False, len(game) - 1)


def test_games_of_both_kinds_have_their_figures(
    book: Book, game: tuple[Decision, ...], keep: Keep, coloured: kvilt.History
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


def test_a_list_has_what_is_wanted(book: Book, game: tuple[Decision, ...], keep: Keep, coloured: kvilt.History) -> None:
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
        (GameFilter(game="kvilt"), [4]),
        (GameFilter(game="kvilt", decided=True), []),
    ):
        assert [found.game_id for found in book.find(wanted)] == expected


def test_who_played_last_is_named_first(book: Book) -> None:
    first = book.new_game(Setup(players=("Anna", "Boris")))
    book.append(book.new_game(Setup(players=("Clara", "Anna"))), 1, Advance(1))
    book.new_game(Setup(players=("Nobody", "Else")))
    assert list(book.players()) == ["Clara", "Anna"]
    book.append(first, 1, Advance(1))
    assert list(book.players()) == ["Anna", "Boris", "Clara"]


def test_only_the_game_that_changes_is_summed_up(
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
        assert journal.unfinished() is not None
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
        assert steps == 19, "what was taken back is replayed"
        steps = 0
        for sequence in (20, 21):
            outcome = apply(played.state, game[sequence - 1])
            played.follow(game[sequence - 1], outcome)
            journal.append(number, sequence, game[sequence - 1], outcome)
        assert steps == 0, "the rules were asked already"


def test_an_outcome_that_is_told_sums_up_to_what_the_rules_say(book: Book, game: tuple[Decision, ...]) -> None:
    number, played = book.new_game(Setup()), History(Setup())
    for sequence, decision in enumerate(game, start=1):
        book.append(number, sequence, decision, played.apply(decision))
        assert book.listed(number).finished == played.state.finished
    assert book.listed(number).scores == tuple(score(seat) for seat in played.state.seats)
    assert book.figures(PATCHWORK) == [PATCHWORK.figures(number, book.listed(number).started_at, played)]


def test_an_outcome_is_of_no_use_to_a_game_that_cannot_be_replayed(book: Book, game: tuple[Decision, ...]) -> None:
    number, played = book.new_game(Setup()), History(Setup())
    book.append(number, 1, PlaceLeather(1, 1))
    assert book.listed(number).error is not None
    book.append(number, 2, game[0], played.apply(game[0]))
    listed = book.listed(number)
    assert (listed.decisions, listed.whole, listed.finished) == (2, 0, False)
    assert listed.error is not None


def test_an_earlier_journal_opens_with_everything_in_it(
    path: Path, game: tuple[Decision, ...], counted: Counted
) -> None:
    keep_earlier(path, game)
    with Journal(path, codecs()) as journal:
        assert counted.ids == [1, 2, 3]
        finished, open_game, broken = journal.games()
        assert (finished.players, finished.finished, finished.table) == (("Anna", "Boris"), True, "table")
        assert finished.scores == tuple(score(seat) for seat in state_of(game).state.seats)
        assert (open_game.decisions, open_game.finished, open_game.table) == (3, False, "other")
        assert broken.error is not None
        assert journal.notes(1) == {"seed": "7"}
        assert journal.decisions(2, PATCHWORK) == game[:3]
        journal.append(2, 4, game[3])
        assert journal.listed(2).decisions == 4
    counted.ids.clear()
    with Journal(path, codecs()) as journal:
        assert journal.set_aside is None
        assert len(journal.figures(PATCHWORK)) == 1
    assert counted.ids == []


def test_an_earlier_journal_can_be_looked_at_and_stays_as_it_was(path: Path, game: tuple[Decision, ...]) -> None:
    keep_earlier(path, game)
    content = path.read_bytes()
    with Journal(path, codecs(), read_only=True) as journal:
        assert [found.status for found in journal.games()] == [Status.FINISHED, Status.UNFINISHED, Status.BROKEN]
        assert [found.game_id for found in journal.find(GameFilter(before=3, limit=1))] == [2]
        assert (len(journal.figures(PATCHWORK)), list(journal.players())) == (1, ["Seat 1", "Seat 2", "Anna", "Boris"])
        assert journal.listed(2).decisions == 3
    assert path.read_bytes() == content


def test_what_an_earlier_companion_adds_is_summed_up_by_the_next(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs()) as journal:
        number = journal.new_game(Setup(), "table")
    connection = sqlite3.connect(path, isolation_level=None)
    for sequence, decision in enumerate(game, start=1):
        earlier.add(connection, number, sequence, "decision", sequence, decision_text(decision, codecs()))
    renamed = setup_text(Setup(players=("Eva", "Max")), codecs())
    connection.execute("UPDATE games SET setup = ? WHERE id = ?", (renamed, number))
    connection.close()
    for read_only in (True, False):
        with Journal(path, codecs(), read_only=read_only) as journal:
            (found,) = journal.games()
            assert (found.decisions, found.finished, found.players) == (len(game), True, ("Eva", "Max"))
            assert len(journal.figures(PATCHWORK)) == 1
            assert journal.unfinished() is None


def test_a_start_that_was_interrupted_goes_on_where_it_was(
    path: Path, game: tuple[Decision, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_earlier(path, game)
    monkeypatch.setattr("companion.journal.summed._SUMMED_UP_AT_ONCE", 1)
    whole = Replays.summary
    summed_up: list[int] = []

    def interrupted(replays: Replays, stored: StoredGame) -> Summary:
        if len(summed_up) == 2:
            raise KeyboardInterrupt
        summed_up.append(stored.game_id)
        return whole(replays, stored)

    monkeypatch.setattr(Replays, "summary", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Journal(path, codecs())
    monkeypatch.setattr(Replays, "summary", whole)
    counted = Counted(monkeypatch)
    with Journal(path, codecs()) as journal:
        assert (summed_up, counted.ids) == ([1, 2], [3])
        assert len(journal.games()) == 3


def test_summaries_of_another_version_are_made_anew(
    path: Path, game: tuple[Decision, ...], keep: Keep, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game)
    for module in ("disk", "summed"):
        monkeypatch.setattr(f"companion.journal.{module}.SUMMARY_VERSION", 2)
    counted.ids.clear()
    with Journal(path, codecs()) as journal:
        assert counted.ids == [1]
        assert len(journal.games()) == len(journal.figures(PATCHWORK)) == 1
    assert counted.ids == [1]


def test_a_damaged_status_hides_no_game_that_can_be_resumed(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
        keep(journal, game[:2])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET status = 'unfinishee' WHERE id = 2")
    with Journal(path, codecs()) as journal:
        found = journal.unfinished()
        assert found is not None
        assert (found.game_id, found.decisions) == (2, 2)


def test_a_game_whose_entries_do_not_follow_one_another_hides_no_other(path: Path, game: tuple[Decision, ...]) -> None:
    connection = earlier.begin(path)
    earlier.new_game(connection, setup_text(Setup(), codecs()), [decision_text(game[0], codecs())])
    torn = earlier.new_game(connection, setup_text(Setup(), codecs()), [])
    earlier.add(connection, torn, 1, "decision", 3, decision_text(game[0], codecs()))
    connection.close()
    with Journal(path, codecs()) as journal:
        sound, broken = journal.games()
        assert (sound.error, sound.decisions) == (None, 1)
        assert "entry 3 of the game is in the place of entry 1" in (broken.error or "")


def test_a_decision_that_cannot_be_stored_leaves_the_summary(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs(), WallClock()) as journal:
        number = journal.new_game(Setup())
        journal.append(number, 1, game[0])
        connection = sqlite3.connect(path)
        connection.execute("CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT raise(ABORT, 'no room'); END")
        connection.commit()
        with pytest.raises(JournalError):
            journal.append(number, 2, game[1])
        assert journal.listed(number).decisions == 1
        connection.execute("DROP TRIGGER full")
        connection.close()
        journal.append(number, 2, game[1])
        assert journal.listed(number).decisions == 2

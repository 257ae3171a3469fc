"""Test storing games, on disk and in memory, by one companion and by several, and failures of the disk."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Never

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.kvilt import rules as kvilt_rules
from companion.games.kvilt import state as kvilt_state
from companion.games.patchwork.components import PATCHES, Edition, placements
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch, decision_from_json
from companion.games.patchwork.state import RuleProfile, Setup
from companion.journal import JOURNAL_NAME, Journal, JournalError, UnknownGameError
from companion.journal.log import read_log
from companion.journal.logs import Logs
from companion.kvilt.codec import KVILT
from companion.languages import LANGUAGES, render
from companion.patchwork.codec import PATCHWORK
from companion.record import write_record
from companion.registry import codecs
from tests.companion.games.kvilt.played import play_game
from tests.companion.journal.conftest import log_of, put, unfinished
from tests.companion.kvilt_setups import own_setup

Keep = Callable[[Journal, tuple[Decision, ...]], int]
CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def test_a_new_journal_is_empty(book: Journal) -> None:
    assert book.games() == []
    assert unfinished(book) is None


@pytest.mark.parametrize(
    "setup",
    [
        Setup(),
        Setup(RuleProfile.MARKER_ON_TOP, Edition.REVISED, ('Zoë "Z"', "李"), 2, CIRCLE),
    ],
)
def test_a_setup_is_stored(book: Journal, setup: Setup) -> None:
    assert book.setup(book.new_game(setup), PATCHWORK) == setup


def test_a_circle_learnt_before_the_first_decision_is_stored(book: Journal) -> None:
    number = book.new_game(Setup(), "table")
    book.amend_setup(number, Setup(market=CIRCLE))
    assert book.setup(number, PATCHWORK) == Setup(market=CIRCLE)
    assert unfinished(book, "table") is not None


def test_a_circle_learnt_later_must_agree_with_the_decisions(book: Journal) -> None:
    number = book.new_game(Setup())
    decisions: tuple[Decision, ...] = (Advance(1), TakePatch(2, CIRCLE[5], placements(CIRCLE[5])[0]))
    for sequence, decision in enumerate(decisions, start=1):
        book.append(number, sequence, decision)
    with pytest.raises(
        JournalError, match=f"game {number} is in progress and cannot have started like this: decision 2"
    ):
        book.amend_setup(number, Setup(market=CIRCLE))
    assert book.setup(number, PATCHWORK) == Setup()
    book.undo(number, 2)
    book.amend_setup(number, Setup(market=CIRCLE))
    assert book.setup(number, PATCHWORK).market == CIRCLE
    assert book.decisions(number, PATCHWORK) == (Advance(1),)


def test_decisions_are_stored_in_order(book: Journal, game: tuple[Decision, ...], keep: Keep) -> None:
    assert book.decisions(keep(book, game), PATCHWORK) == game


def test_games_are_stored_apart(book: Journal, game: tuple[Decision, ...], keep: Keep) -> None:
    first, second = keep(book, game[:3]), keep(book, game[:7])
    assert (first, second) == (1, 2)
    assert (book.decisions(first, PATCHWORK), book.decisions(second, PATCHWORK)) == (game[:3], game[:7])


@pytest.mark.parametrize("sequence", [-1, 0, 1, 2, 4, 5])
def test_a_repeated_or_skipped_number_is_refused(
    book: Journal, game: tuple[Decision, ...], keep: Keep, sequence: int
) -> None:
    game_id = keep(book, game[:2])
    with pytest.raises(JournalError, match="decision 3 is next"):
        book.append(game_id, sequence, game[2])
    assert book.decisions(game_id, PATCHWORK) == game[:2]


def test_undo_removes_only_the_last_decision(book: Journal, game: tuple[Decision, ...], keep: Keep) -> None:
    game_id = keep(book, game[:4])
    for wrong in (0, 3, 5):
        with pytest.raises(JournalError, match="the last one is 4"):
            book.undo(game_id, wrong)
    book.undo(game_id, 4)
    book.undo(game_id, 3)
    assert book.decisions(game_id, PATCHWORK) == game[:2]
    book.append(game_id, 3, Advance(1))
    assert book.decisions(game_id, PATCHWORK) == (*game[:2], Advance(1))


def test_undo_ends_at_the_start(book: Journal, game: tuple[Decision, ...], keep: Keep) -> None:
    game_id = keep(book, game[:1])
    book.undo(game_id, 1)
    assert book.decisions(game_id, PATCHWORK) == ()
    with pytest.raises(JournalError, match="no decision to undo"):
        book.undo(game_id, 0)


def test_only_the_last_decision_is_replaced(book: Journal, game: tuple[Decision, ...], keep: Keep) -> None:
    game_id = keep(book, game[:2])
    with pytest.raises(JournalError, match="the last one is 2"):
        book.replace(game_id, 1, Advance(1))
    book.replace(game_id, 2, Advance(1))
    book.append(game_id, 3, Advance(2))
    assert book.decisions(game_id, PATCHWORK) == (game[0], Advance(1), Advance(2))
    assert book.listed(game_id).decisions == 3


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.one_of(st.integers(0, 80), st.none()), max_size=25))
def test_decisions_and_undos_are_a_stack(book: Journal, steps: list[int | None]) -> None:
    game_id = book.new_game(Setup())
    stack: list[Decision] = []
    for cell in steps:
        if cell is not None:
            stack.append(PlaceLeather(1, 1 << cell))
            book.append(game_id, len(stack), stack[-1])
        elif stack:
            book.undo(game_id, len(stack))
            stack.pop()
    assert book.decisions(game_id, PATCHWORK) == tuple(stack)


def test_a_summary_has_times_and_progress(book: Journal, game: tuple[Decision, ...], keep: Keep) -> None:
    keep(book, game[:2])
    (summary,) = book.games()
    assert (summary.game_id, summary.players, summary.decisions, summary.finished) == (1, Setup().players, 2, False)
    assert summary.started_at == datetime(2026, 1, 2, 19, 1, tzinfo=UTC)
    assert summary.last_at == datetime(2026, 1, 2, 19, 3, tzinfo=UTC)


def test_a_game_is_finished_by_the_rules(book: Journal, game: tuple[Decision, ...], keep: Keep) -> None:
    whole, lacking_one = keep(book, game), keep(book, game[:-1])
    assert [summary.finished for summary in book.games()] == [True, False]
    found = unfinished(book)
    assert found is not None
    assert found.game_id == lacking_one
    book.append(lacking_one, len(game), game[-1])
    assert unfinished(book) is None
    book.undo(whole, len(game))
    found = unfinished(book)
    assert found is not None
    assert found.game_id == whole


def test_the_game_changed_last_is_the_one_to_resume(book: Journal, game: tuple[Decision, ...]) -> None:
    first, second = book.new_game(Setup()), book.new_game(Setup())
    assert _unfinished(book) == second
    book.append(first, 1, game[0])
    assert _unfinished(book) == first


def test_a_game_is_resumed_at_its_own_table(book: Journal) -> None:
    simulated, real = book.new_game(Setup(), "simulated"), book.new_game(Setup(), "picamera2")
    assert (_unfinished(book, "simulated"), _unfinished(book, "picamera2")) == (simulated, real)
    assert _unfinished(book, "wled") is None
    assert [summary.table for summary in book.games()] == ["simulated", "picamera2"]


def test_a_game_that_breaks_the_rules_is_listed_and_not_resumed(book: Journal, game: tuple[Decision, ...]) -> None:
    sound, broken = book.new_game(Setup()), book.new_game(Setup())
    book.append(broken, 1, game[0])
    book.append(broken, 2, PlaceLeather(1, 1))
    assert _unfinished(book) == sound
    listed = book.games()[1]
    assert listed.error is not None
    assert listed.error.startswith("decision 2 does not follow from the rules")


def test_notes_are_stored_by_game_and_replaced_by_key(book: Journal) -> None:
    first, second = book.new_game(Setup()), book.new_game(Setup())
    book.note(first, "seed", "7")
    book.note(first, "seed", "8")
    book.note(first, "temper", "hasty")
    assert book.notes(first) == {"seed": "8", "temper": "hasty"}
    assert book.notes(second) == {}


def test_an_unknown_game_is_an_error_with_its_number(book: Journal, game: tuple[Decision, ...]) -> None:
    calls: list[Callable[[], object]] = [
        lambda: book.setup(9, PATCHWORK),
        lambda: book.decisions(9, PATCHWORK),
        lambda: book.append(9, 1, game[0]),
        lambda: book.undo(9, 1),
        lambda: book.note(9, "seed", "1"),
        lambda: book.notes(9),
    ]
    for call in calls:
        with pytest.raises(JournalError, match="there is no game 9") as caught:
            call()
        assert render(caught.value.args[0], LANGUAGES["ru"]) == "партии 9 нет; список покажет `companion games`"


def test_closing_twice_is_allowed(book: Journal) -> None:
    book.close()
    book.close()


def _unfinished(book: Journal, table: str | None = None) -> int | None:
    summary = unfinished(book, table)
    return None if summary is None else summary.game_id


def test_stored_notes_cannot_be_changed_from_outside(book: Journal) -> None:
    game_id = book.new_game(Setup(), "", {"seed": "7"})
    assert book.notes(game_id) is not book.notes(game_id)


def test_a_game_is_a_record_line_by_line(book: Journal, game: tuple[Decision, ...], keep: Keep, tmp_path: Path) -> None:
    game_id = keep(book, game[:5])
    book.note(game_id, "seed", "7")
    book.undo(game_id, 5)
    write_record(tmp_path / "game.jsonl", Setup(), game[:4], PATCHWORK)
    lines, fault = book.record(game_id)
    assert (lines, fault) == ((tmp_path / "game.jsonl").read_text().splitlines(), None)


def test_a_deleted_game_is_gone_and_its_number_is_not_used_again(
    book: Journal, game: tuple[Decision, ...], keep: Keep
) -> None:
    first, second = keep(book, game[:2]), keep(book, game[:3])
    book.delete(second)
    assert [each.game_id for each in book.games()] == [first]
    calls: list[Callable[[], object]] = [
        lambda: book.decisions(second, PATCHWORK),
        lambda: book.listed(second),
        lambda: book.notes(second),
        lambda: book.delete(second),
    ]
    for call in calls:
        with pytest.raises(UnknownGameError, match="there is no game 2"):
            call()
    assert book.new_game(Setup()) == 3


def test_players_are_renamed_in_the_whole_log(book: Journal, game: tuple[Decision, ...]) -> None:
    game_id = book.new_game(Setup(players=("Anna", "Boris")), "table")
    book.append(game_id, 1, game[0])
    book.amend_setup(game_id, Setup(players=("Anna", "Boris"), market=None))
    book.rename(game_id, ("Seat 1", "Boris"))
    assert book.names(game_id) == ("Seat 1", "Boris")
    assert book.setup(game_id, PATCHWORK) == Setup(players=("Seat 1", "Boris"))
    assert b"Anna" not in book._logs.read(game_id)
    book.append(game_id, 2, game[1])
    assert book.decisions(game_id, PATCHWORK) == game[:2]


def test_a_truncated_game_continues_after_its_sound_decisions(book: Journal, game: tuple[Decision, ...]) -> None:
    game_id = book.new_game(Setup())
    for sequence, decision in enumerate((game[0], game[1], PlaceLeather(1, 1), game[2]), start=1):
        book.append(game_id, sequence, decision)
    assert (book.listed(game_id).whole, unfinished(book)) == (2, None)
    book.truncate_game(game_id, 2)
    assert _unfinished(book) == game_id
    book.append(game_id, 3, game[2])
    assert book.decisions(game_id, PATCHWORK) == game[:3]


SETUP = own_setup(("Anna", "Boris", "Vera"), 2, variants=frozenset([kvilt_state.Variant.ALL_COUNTED]))


@pytest.fixture(scope="module")
def coloured() -> kvilt_rules.History:
    return play_game(SETUP, random.Random(3))


def test_a_game_of_kvilt_is_stored_with_every_draw(book: Journal, coloured: kvilt_rules.History) -> None:
    number = _stored(book, coloured)
    assert book.game(number) is KVILT
    assert book.setup(number, KVILT) == SETUP
    assert book.decisions(number, KVILT) == coloured.decisions
    (listed,) = book.games()
    assert (listed.game, listed.players, listed.finished, listed.error) == ("kvilt", SETUP.players, True, None)


def test_an_unfinished_game_is_found_among_those_of_its_kind(book: Journal, coloured: kvilt_rules.History) -> None:
    patchwork = book.new_game(Setup(), "table")
    assert unfinished(book, "table", "kvilt") is None
    number = _stored(book, coloured, 7)
    found = unfinished(book, "table", "kvilt")
    assert found is not None
    assert (found.game_id, found.decisions) == (number, 7)
    found = unfinished(book, "table", "patchwork")
    assert found is not None
    assert found.game_id == patchwork


def test_a_game_is_not_read_as_one_of_another_kind(book: Journal, coloured: kvilt_rules.History) -> None:
    number, other = _stored(book, coloured, 3), book.new_game(Setup())
    book.append(other, 1, Advance(1))
    with pytest.raises(JournalError, match="a game of kvilt, not of patchwork"):
        book.setup(number, PATCHWORK)
    with pytest.raises(JournalError, match="decision 1 cannot be read"):
        book.decisions(number, PATCHWORK)
    with pytest.raises(JournalError, match="a game of patchwork, not of kvilt"):
        book.setup(other, KVILT)
    assert book.game(other) is PATCHWORK


def _stored(book: Journal, game: kvilt_rules.History, count: int | None = None) -> int:
    number = book.new_game(game.setup, "table")
    for sequence, decision in enumerate(game.decisions[:count], start=1):
        book.append(number, sequence, decision)
    return number


def test_games_persist(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        game_id = keep(journal, game)
        journal.note(game_id, "seed", "7")
    with Journal(path, codecs()) as journal:
        assert journal.decisions(game_id, PATCHWORK) == game
        assert journal.notes(game_id) == {"seed": "7"}
        assert journal.findings == []


def test_a_decision_is_synced_before_anyone_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    with Journal(path, codecs()) as journal:
        game_id = journal.new_game(Setup())
        monkeypatch.setattr("os.fdatasync", lambda _: seen.append(b"advance" in log_of(path, game_id).read_bytes()))
        journal.append(game_id, 1, Advance(1))
    assert seen == [True]


def test_a_new_game_and_its_notes_are_stored_together_or_not_at_all(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A companion killed between the two would leave a game of Kvilt that cannot be resumed."""
    notes = {"bag": "virtual 7", "colours": "red blue"}
    with Journal(path, codecs()) as journal:
        with monkeypatch.context() as patch:
            patch.setattr("companion.journal.logs.write_beside", _fails)
            with pytest.raises(JournalError, match="nothing was stored"):
                journal.new_game(Setup(), "table", notes)
        assert not journal.games()
        number = journal.new_game(Setup(), "table", notes)
    assert read_log(number, log_of(path, number).read_bytes()).notes == notes


def test_two_companions_write_to_two_games(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs()) as one, Journal(path, codecs()) as other:
        first, second = one.new_game(Setup(), "a"), other.new_game(Setup(), "b")
        for sequence, decision in enumerate(game[:8], start=1):
            one.append(first, sequence, decision)
            other.append(second, sequence, decision)
        other.undo(second, 8)
        assert first != second
        assert one.decisions(first, PATCHWORK) == game[:8]
        assert one.decisions(second, PATCHWORK) == game[:7]
        assert [each.decisions for each in one.games()] == [each.decisions for each in other.games()] == [8, 7]


def test_the_second_of_two_companions_at_one_game_is_refused(path: Path, game: tuple[Decision, ...]) -> None:
    with Journal(path, codecs()) as one, Journal(path, codecs()) as other:
        game_id = one.new_game(Setup())
        one.append(game_id, 1, game[0])
        with pytest.raises(JournalError, match="decision 1 is stored already: decision 2 is next"):
            other.append(game_id, 1, game[0])


def test_a_companion_that_changes_a_log_for_too_long_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.journal.logs.BUSY_TIMEOUT_S", 0.0)
    with Journal(path, codecs()) as journal:
        game_id = journal.new_game(Setup())
        with Logs(path.parent / "games").locked(), pytest.raises(JournalError, match=r"nothing was stored.*is in use"):
            journal.append(game_id, 1, Advance(1))
        journal.append(game_id, 1, Advance(1))
        assert journal.decisions(game_id, PATCHWORK) == (Advance(1),)


def test_two_readers_see_only_complete_lines_of_a_game_in_play(path: Path, game: tuple[Decision, ...]) -> None:
    with (
        Journal(path, codecs()) as writer,
        Journal(path, codecs(), read_only=True) as one,
        Journal(path, codecs(), read_only=True) as other,
    ):
        game_id = writer.new_game(Setup())
        for sequence, decision in enumerate(game, start=1):
            writer.append(game_id, sequence, decision)
            half = log_of(path, game_id).read_bytes() + b"0123 half a line"
            for reader in (one, other):
                assert reader.decisions(game_id, PATCHWORK) == game[:sequence]
                assert [each.decisions for each in reader.games()] == [sequence]
            put(log_of(path, game_id), half)
            assert one.decisions(game_id, PATCHWORK) == game[:sequence]
            assert other.listed(game_id).decisions == sequence


def test_a_reader_creates_nothing_and_writes_nothing(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs(), read_only=True) as reader:
        assert reader.games() == []
    assert not path.parent.exists()
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
    path.unlink()
    with Journal(path, codecs(), read_only=True) as reader:
        assert [each.decisions for each in reader.games()] == [3]
        with pytest.raises(TypeError):
            reader.append(1, 4, game[3])
    assert not path.exists()


SEVERAL = """
import sys
from pathlib import Path
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.state import Setup
from companion.journal import Journal
from companion.registry import codecs
sys.stdin.readline()
with Journal(Path(sys.argv[1]), codecs()) as journal:
    game_id = journal.new_game(Setup(), sys.argv[2])
    for sequence in range(1, 26):
        journal.append(game_id, sequence, Advance(1))
"""


def test_four_companions_that_begin_at_once_disturb_none_of_the_others(path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SEVERAL, str(path), table], stdin=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for table in "abcd"
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in processes] == [b""] * 4
    with Journal(path, codecs()) as journal:
        assert sorted(game.table for game in journal.games()) == ["a", "b", "c", "d"]
        assert [game.decisions for game in journal.games()] == [25] * 4
        assert journal.findings == []


WRITER = """
import sys
from pathlib import Path
from companion.games.patchwork.decisions import PlaceLeather, decision_to_json
from companion.games.patchwork.state import Setup
from companion.journal import Journal
from companion.registry import codecs
import json
with Journal(Path(sys.argv[1]), codecs()) as journal:
    game_id = journal.new_game(Setup())
    for sequence in range(1, 100_000):
        decision = PlaceLeather(1, 1 << (sequence * 7 % 81))
        journal.append(game_id, sequence, decision)
        print(json.dumps(decision_to_json(decision)), flush=True)
"""


@pytest.mark.parametrize("announced", [1, 60])
def test_after_sigkill_every_announced_decision_is_there(path: Path, announced: int) -> None:
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(announced)]
        process.kill()
        lines += process.stdout.readlines()
    printed = [line for line in lines if line.endswith(b"\n")]
    with Journal(path, codecs()) as journal:
        stored = journal.decisions(1, PATCHWORK)
        assert journal.findings == []
        assert stored[: len(printed)] == tuple(decision_from_json(json.loads(line)) for line in printed)
        # At most the decision that was stored and not yet announced.
        assert len(stored) - len(printed) in (0, 1)
        journal.append(1, len(stored) + 1, Advance(1))


def test_decisions_leave_no_file_open(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    opened = Path("/proc/self/fd")
    with Journal(path, codecs()) as journal:
        number = keep(journal, game[:2])
        before = len(list(opened.iterdir()))
        for sequence, decision in enumerate(game[2:6], start=3):
            journal.append(number, sequence, decision)
        assert len(list(opened.iterdir())) == before


@pytest.mark.parametrize(
    ("failing", "says", "is_stored"),
    [
        (("pwrite",), "nothing was stored", False),
        (("fdatasync",), "the next start shows whether the last change was stored", None),
        (("pwrite", "ftruncate"), "the next start shows whether the last change was stored", None),
    ],
)
def test_the_message_about_a_failed_write_is_true(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch,
    failing: tuple[str, ...], says: str, is_stored: bool | None,
) -> None:  # fmt: skip
    with Journal(path, codecs()) as journal:
        number = keep(journal, game[:2])
        with monkeypatch.context() as patch:
            for name in failing:
                patch.setattr(f"os.{name}", _fails)
            with pytest.raises(JournalError, match=f"{says}: .*No space left on device"):
                journal.append(number, 3, game[2])
    with Journal(path, codecs()) as journal:
        assert journal.findings == []
        stored = journal.decisions(number, PATCHWORK)
        assert stored == game[: 3 if is_stored else 2] or (is_stored is None and stored == game[:3])
        journal.append(number, len(stored) + 1, game[len(stored)])


def test_a_partial_write_on_a_full_disk_leaves_no_part_of_a_line(
    path: Path, game: tuple[Decision, ...], keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, calls = os.pwrite, list[int]()

    def full(descriptor: int, content: bytes, place: int) -> int:
        calls.append(place)
        return write(descriptor, content[:9], place) if len(calls) == 1 else _fails()

    with Journal(path, codecs()) as journal:
        number = keep(journal, game[:2])
        before = log_of(path, number).read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr("os.pwrite", full)
            with pytest.raises(JournalError, match="nothing was stored"):
                journal.append(number, 3, game[2])
        assert log_of(path, number).read_bytes() == before
        journal.append(number, 3, game[2])
        assert journal.decisions(number, PATCHWORK) == game[:3]


def _fails(*_: object) -> Never:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_folder_that_cannot_be_created_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"file/data: cannot be created: Not a directory; choose another folder"):
        Journal(tmp_path / "file" / "data" / JOURNAL_NAME, codecs())


def test_a_read_only_folder_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()

    def refuse(*_: object, **__: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("companion.journal.logs.os.open", refuse)
    with pytest.raises(JournalError, match=r"cannot be written: Read-only file system; choose another folder"):
        Journal(path, codecs())


def test_a_failed_opening_releases_the_lock(path: Path, game: tuple[Decision, ...], keep: Keep) -> None:
    with Journal(path, codecs()) as journal:
        keep(journal, game[:3])
    log = log_of(path, 1)
    put(log, log.read_bytes()[:-20])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.journal.logs.write_whole", _fails)
        for _ in range(2):
            with pytest.raises(JournalError, match="is damaged and cannot be set aside: No space left on device"):
                Journal(path, codecs())
    with Journal(path, codecs()) as journal:
        assert len(journal.findings) == 1

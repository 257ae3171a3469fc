"""The simulated table put together, and faults in the middle of an evening at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from companion import events
from companion.bootstrap import PlayedEvening, SimulationOptions, simulate, simulating, table_name
from companion.bootstrap.simulating import _Hearsay
from companion.config import Config
from companion.games.patchwork import Decision, History, Setup, TakePatch, mask_of, new_game
from companion.journal import JournalError, MemoryJournal
from companion.verdict import Asks, Complaint, Question, Reason
from hardware.ports import RGB
from hardware.recorded import RecordingError
from hardware.simulated import news
from hardware.simulated.evening import SimulatedEvening

if TYPE_CHECKING:
    from companion.journal.entries import AnyDecision

OPTIONS = SimulationOptions(seed=4, tempers=("tidy", "tidy"), fast=True)


class Stop(BaseException):
    """The evening is broken off."""


class Seats:
    """Makes the evenings and keeps them for the test to meddle with."""

    def __init__(self) -> None:
        self.evenings: list[SimulatedEvening] = []

    def __call__(self, *arguments: Any, **options: Any) -> SimulatedEvening:
        self.evenings.append(SimulatedEvening(*arguments, **options))
        return self.evenings[-1]


@pytest.fixture
def seats(monkeypatch: pytest.MonkeyPatch) -> Seats:
    seats = Seats()
    monkeypatch.setattr(simulating, "SimulatedEvening", seats)
    return seats


class Told(list[events.Event]):
    """A listener that does something at the last of so many decisions."""

    def __init__(self, decisions: int, then: Callable[[], None]) -> None:
        self.left, self.then = decisions, then

    def __call__(self, event: events.Event) -> None:
        self.append(event)
        self.left -= isinstance(event, events.DecisionTaken)
        if self.left == 0:
            self.left = -1
            self.then()

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(event.decision for event in self if isinstance(event, events.DecisionTaken))


def _stop() -> None:
    raise Stop


def _placed_in(history: History) -> tuple[list[str], ...]:
    return tuple([f"{seat.quilt:081b}"[::-1]] for seat in history.state.seats)


def _rows(evening: PlayedEvening) -> tuple[list[str], ...]:
    assert evening.quilts is not None
    return tuple(["".join(rows).replace("X", "1").replace(".", "0")] for rows in evening.quilts)


def test_a_camera_that_fails_ends_the_evening_which_can_go_on_later(seats: Seats, tmp_path: Path) -> None:
    book, shown = MemoryJournal(), list[Sequence[RGB]]()
    told = Told(2, lambda: seats.evenings[0].camera.fail_next("the cable is loose"))
    evening = simulate(Config(), OPTIONS, book, tmp_path, None, [told], [shown.append])
    assert evening.error == "simulated camera: the cable is loose"
    assert evening.to_json()["error"] == evening.error
    assert book.decisions(1) == evening.history.decisions == told.decisions
    assert len(told.decisions) == 2
    assert _rows(evening) == _placed_in(evening.history), "the quilts are the table's"
    assert set(seats.evenings[0].strip.pixels) == {(0, 0, 0)}, "and the strip is dark"
    assert len({tuple(pixels) for pixels in shown}) > 3

    resumed = Told(1, _stop)
    with suppress(Stop):
        simulate(Config(), OPTIONS, book, tmp_path, 1, [resumed])
    opened = resumed[0]
    assert isinstance(opened, events.GameOpened)
    assert (opened.game_id, opened.decisions) == (1, 2)
    assert book.decisions(1) == told.decisions + resumed.decisions
    assert len(resumed.decisions) == 1


class FullDisk(MemoryJournal):
    """Has room for one decision."""

    def append(self, game_id: int, sequence: int, decision: AnyDecision) -> None:
        if sequence > 1:
            raise JournalError("journal: the disk is full; make room, nothing was stored")
        super().append(game_id, sequence, decision)


def test_a_journal_that_fails_ends_the_evening_before_anybody_is_told(seats: Seats, tmp_path: Path) -> None:
    book, told = FullDisk(), Told(9, _stop)
    recording = SimulationOptions(4, ("tidy", "tidy"), fast=True, record=tmp_path / "tape")
    with pytest.raises(JournalError, match="the disk is full"):
        simulate(Config(), recording, book, tmp_path, None, [told])
    assert told.decisions == book.decisions(1)
    assert len(told.decisions) == 1
    assert set(seats.evenings[0].strip.pixels) == {(0, 0, 0)}
    assert (tmp_path / "tape" / "events.jsonl").read_text().splitlines()[-1].endswith("}")


def test_the_evening_is_the_one_that_was_asked_for(seats: Seats, tmp_path: Path) -> None:
    told: list[events.Event] = []

    def leave(_: events.Event) -> None:
        raise Stop

    with suppress(Stop):
        simulate(Config(), OPTIONS, MemoryJournal(), tmp_path, None, [told.append, leave])
    with suppress(Stop):
        simulate(Config(), SimulationOptions(5, ("hasty", "tidy"), fast=True), MemoryJournal(), tmp_path, None, [leave])
    first, second = seats.evenings
    assert first.setup.market != second.setup.market
    assert first.setup.players == Config().game.players
    assert first.strip.pixel_count == Config().strip.pixels
    (opened,) = told
    assert isinstance(opened, events.GameOpened)
    assert opened.state.setup == first.setup


def test_players_who_are_never_understood_go_home_and_say_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("hardware.simulated.players.ATTEMPTS", 0)
    played = simulate(Config(), OPTIONS, MemoryJournal(), tmp_path, None)
    assert played.gave_up
    assert not played.history.state.finished
    name = played.history.setup.players[(played.history.state.turn or 0) - 1]
    assert played.error == f"The simulated players give up: what {name} did was not taken, again and again."


def test_a_table_is_named_by_what_its_evening_follows_from() -> None:
    assert table_name(OPTIONS) == "simulated 4 tidy tidy"
    assert table_name(SimulationOptions(4, ("tidy", "hasty"), fast=False)) == "simulated 4 tidy hasty"


def test_a_folder_that_cannot_be_recorded_into_leaves_no_game(tmp_path: Path) -> None:
    book = MemoryJournal()
    (tmp_path / "frames").mkdir()
    with pytest.raises(RecordingError, match="holds something already"):
        simulate(Config(), SimulationOptions(4, ("tidy", "tidy"), fast=True, record=tmp_path), book, tmp_path)
    assert book.games() == []


# What players learn.

STATE = new_game(Setup())
ONE = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
TWIN = TakePatch(1, "corner-b3", ONE.cells)
QUESTION = Question(Asks.WHICH_PATCH, 1, (ONE, TWIN), (), "Which?", "f")


class Listening:
    """An evening that keeps what its players are told."""

    def __init__(self) -> None:
        self.heard: list[news.News] = []

    def told(self, news: news.News) -> None:
        self.heard.append(news)


def _heard(*told: events.Event) -> list[news.News]:
    listening = Listening()
    hearsay = _Hearsay(cast("SimulatedEvening", listening))
    for event in told:
        hearsay(event)
    return listening.heard


def test_players_hear_what_people_would_read() -> None:
    complaint = Complaint(Reason.OVERLAP, 1, ("D4",), "They overlap.", "f")
    heard = _heard(
        events.GameOpened(1, STATE, 0),
        events.LookStarted(STATE),
        events.Complained(complaint, STATE),
        events.LookCalledOff(STATE),
        events.DecisionTaken(ONE, (), STATE),
        events.DecisionUndone(ONE, STATE),
        events.NothingToUndo(STATE),
        events.TableNoticed("A lamp went out.", STATE),
    )
    assert heard == [news.Complaint("overlap", ("D4",)), news.Accepted(ONE), news.Undone()]


def test_a_question_is_heard_once_however_often_its_options_are_shown() -> None:
    asked = [events.Asked(QUESTION, choice, STATE) for choice in (0, 1, 0, 1)]
    assert _heard(*asked) == [news.Question((ONE, TWIN))]


def test_the_same_question_asked_again_is_heard_again() -> None:
    asked = events.Asked(QUESTION, 0, STATE)
    assert _heard(asked, events.QuestionAnswered(QUESTION, None, STATE), asked) == [news.Question((ONE, TWIN))] * 2

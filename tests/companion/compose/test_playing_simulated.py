"""Test the composition of the simulated table, and faults in the middle of an evening at it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.config import Config
from companion.journal import JournalError, MemoryJournal
from companion.patchwork.arrangement import CircleSource, with_circle_known
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.settings import PatchworkSettings
from companion.play import events
from companion.play.session import Simulation
from companion.registry import codecs
from hardware.ports import RGB
from hardware.recorded import RecordingError
from hardware.simulated.evening import SimulatedEvening
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    from pathlib import Path

    from companion.games.history import DecisionOutcome
    from companion.games.patchwork.decisions import Decision
    from companion.play.events import History
    from companion.play.session import GameResult

SIMULATION = Simulation(seed=4, fast=True)
CONFIG = with_circle_known(Config(), CircleSource.DEALT)


class Stop(BaseException):
    """The evening is broken off."""


class Seats:
    """Creates the evenings and keeps them so that a test can manipulate them."""

    def __init__(self) -> None:
        self.evenings: list[SimulatedEvening] = []

    def __call__(self, *arguments: Any, **options: Any) -> SimulatedEvening:
        self.evenings.append(SimulatedEvening(*arguments, **options))
        return self.evenings[-1]


@pytest.fixture
def seats(monkeypatch: pytest.MonkeyPatch) -> Seats:
    seats = Seats()
    monkeypatch.setattr("companion.patchwork.simulated.SimulatedEvening", seats)
    return seats


class Told(list[events.Event]):
    """A listener that keeps all events and calls `then` at the last of a number of decisions."""

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


def _placed_in(history: History) -> list[str]:
    return [f"{seat.quilt:081b}"[::-1] for seat in history.state.seats]


def _rows(evening: GameResult) -> list[str]:
    assert evening.truth is not None
    return ["".join(rows).replace("X", "1").replace(".", "0") for rows in evening.truth["table"]]


def test_a_camera_that_fails_ends_the_evening_which_can_go_on_later(seats: Seats, tmp_path: Path) -> None:
    book, shown = MemoryJournal(codecs()), list[Sequence[RGB]]()
    told = Told(1, lambda: seats.evenings[0].camera.fail_next("the cable is loose"))
    evening = simulate(CONFIG, SIMULATION, book, tmp_path, None, [told], [shown.append])
    assert evening.error == "simulated camera: the cable is loose"
    assert evening.to_json()["error"] == evening.error
    assert book.decisions(1, PATCHWORK) == evening.history.decisions == told.decisions
    assert len(told.decisions) == 1
    assert _rows(evening) == _placed_in(evening.history), "the quilts are the table's"
    assert set(seats.evenings[0].strip.pixels) == {(0, 0, 0)}, "and the strip is dark"
    assert len({tuple(pixels) for pixels in shown}) > 3

    resumed = Told(1, _stop)
    with suppress(Stop):
        simulate(CONFIG, SIMULATION, book, tmp_path, 1, [resumed])
    opened = resumed[0]
    assert isinstance(opened, events.GameOpened)
    assert (opened.game_id, len(opened.decisions)) == (1, 1)
    assert book.decisions(1, PATCHWORK) == told.decisions + resumed.decisions
    assert len(resumed.decisions) == 1


class FullDisk(MemoryJournal):
    """A journal on a disk with room for one decision."""

    def append(self, game_id: int, sequence: int, decision: object, outcome: DecisionOutcome | None = None) -> None:
        if sequence > 1:
            raise JournalError("journal: the disk is full; free some space, nothing was stored")
        super().append(game_id, sequence, decision, outcome)


def test_a_journal_that_fails_ends_the_game_before_anything_is_announced(seats: Seats, tmp_path: Path) -> None:
    book, told = FullDisk(codecs()), Told(9, _stop)
    recording = replace(SIMULATION, record=tmp_path / "tape")
    with pytest.raises(JournalError, match="the disk is full"):
        simulate(CONFIG, recording, book, tmp_path, None, [told])
    assert told.decisions == book.decisions(1, PATCHWORK)
    assert len(told.decisions) == 1
    assert set(seats.evenings[0].strip.pixels) == {(0, 0, 0)}
    lines = (tmp_path / "tape" / "events.jsonl").read_text().splitlines()
    truth = json.loads(lines[0])["truth"]
    assert (truth["markers"], truth["tile"]) == ([0, 0], None)
    assert [sum(tokens) for tokens in truth["tokens"]] == [5, 5]
    assert lines[-1].endswith("}")


def test_the_evening_is_the_one_that_was_asked_for(seats: Seats, tmp_path: Path) -> None:
    told: list[events.Event] = []

    def leave(_: events.Event) -> None:
        raise Stop

    with suppress(Stop):
        simulate(CONFIG, SIMULATION, MemoryJournal(codecs()), tmp_path, None, [told.append, leave])
    with suppress(Stop):
        other = Simulation(5, ("hasty", "tidy"), fast=True)
        simulate(CONFIG, other, MemoryJournal(codecs()), tmp_path, None, [leave])
    first, second = seats.evenings
    assert first.setup.market != second.setup.market
    assert first.setup.players == Config().of(PatchworkSettings).players
    assert first.strip.pixel_count == Config().strip.pixels
    (opened,) = told
    assert isinstance(opened, events.GameOpened)
    assert opened.state.setup == first.setup


def test_a_folder_that_cannot_be_recorded_into_leaves_no_game(tmp_path: Path) -> None:
    book = MemoryJournal(codecs())
    (tmp_path / "frames").mkdir()
    with pytest.raises(RecordingError, match="is not empty"):
        simulate(CONFIG, replace(SIMULATION, record=tmp_path), book, tmp_path)
    assert book.games() == []

"""Test the simulated table of Patchwork: what the companion knows of its circle, and what its players hear."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from companion.config import Config
from companion.games.patchwork.cells import mask_of, rows_of
from companion.games.patchwork.decisions import TakePatch
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.patchwork.arrangement import CircleSource, dealt_market, with_circle_known
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.keeper import LaidOut
from companion.patchwork.circle.proposal import CircleAnswer, LiesBehind, PlaceIs
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.game import PATCHWORK as GAME
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.patchwork.settings import PatchworkSettings
from companion.patchwork.simulated import PatchworkPeople
from companion.play import events
from companion.play.session import Simulation, by_hand_name
from companion.registry import codecs
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.people import gestures as news
from tests.companion.patchwork.circle.readings import read_in_part
from tests.companion.sessions import simulate

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.patchwork.circle.seen import SeenMarket
    from companion.play.inbox import Outcome
    from hardware.simulated.scene.table import SimulatedTable
    from vision.geometry import Homography
    from vision.pieces.maps import Progress

SIMULATION = Simulation(seed=4, fast=True)
DEALT = with_circle_known(Config(), CircleSource.DEALT)
LAID = dealt_market(8)
LIES_THERE = DEALT.with_game(replace(DEALT.of(PatchworkSettings), market=LAID))
UNKNOWN, SEEN = (with_circle_known(LIES_THERE, circle) for circle in (CircleSource.UNKNOWN, CircleSource.SEEN))


class BrokenOff(BaseException):
    """The evening ends here."""


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedEvening]:
    """The evenings that were created."""
    evenings: list[SimulatedEvening] = []

    def seat(*arguments: Any, **options: Any) -> SimulatedEvening:
        evenings.append(SimulatedEvening(*arguments, **options))
        return evenings[-1]

    monkeypatch.setattr("companion.patchwork.simulated.SimulatedEvening", seat)
    return evenings


def _play(
    config: Config,
    folder: Path,
    book: MemoryJournal,
    game_id: int | None = None,
    until: type[events.Event] = events.DecisionTaken,
) -> History:
    """Play until the next event of this kind and return the game."""

    def break_off(event: events.Event) -> None:
        if isinstance(event, until):
            raise BrokenOff

    with pytest.raises(BrokenOff):
        simulate(config, SIMULATION, book, folder, game_id, listeners=(break_off,))
    history = History(book.setup(1, PATCHWORK))
    for decision in book.decisions(1, PATCHWORK):
        history.apply(decision)
    return history


def test_an_unknown_circle_lies_there_but_is_not_told(tmp_path: Path, laid: list[SimulatedEvening]) -> None:
    book = MemoryJournal(codecs())
    history = _play(UNKNOWN, tmp_path, book)
    assert book.setup(1, PATCHWORK).market is None
    assert history.state.market is None
    assert laid[0].setup.market == LAID
    # Resumed: the same circle is on the table.
    resumed = _play(UNKNOWN, tmp_path, book, 1, events.GameOpened)
    assert laid[1].setup.market == LAID
    assert laid[1].table.quilts() == tuple(rows_of(seat.quilt) for seat in resumed.state.seats)
    assert len(resumed.decisions) == 1


def test_a_dealt_circle_is_told_and_lies_there(tmp_path: Path, laid: list[SimulatedEvening]) -> None:
    book = MemoryJournal(codecs())
    _play(LIES_THERE, tmp_path, book, until=events.GameOpened)
    assert book.setup(1, PATCHWORK).market == laid[0].setup.market == laid[0].table.market == LAID


def test_people_confirm_the_circle_that_was_seen_while_they_play(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, laid: list[SimulatedEvening]
) -> None:
    desk, book, said = CircleDesk(), MemoryJournal(codecs()), list[str]()
    answered: list[Outcome] = []

    def see_market(image: NDArray[np.uint8], boards: list[Homography], progress: Progress) -> SeenMarket:
        """Return a reading without looking at the picture, which takes long."""
        assert image.shape[:2] == laid[0].table.camera.size_px[::-1]
        assert len(boards) == 2
        progress(1.0)
        return read_in_part(laid[0].table)

    monkeypatch.setattr("companion.patchwork.circle.first_picture.see_market", see_market)

    def answer(out: LaidOut | None) -> None:
        if out is not None and not answered:
            answered.extend(desk.submit(answer) for answer in _truth(out, laid[0].table))

    def until_taken(event: events.Event) -> None:
        if isinstance(event, events.TableNoticed):
            said.append(event.says)
        if isinstance(event, events.DecisionTaken) and event.state.decisions_made == 2:
            raise BrokenOff

    desk.follow(answer)
    with pytest.raises(BrokenOff):
        simulate(SEEN, SIMULATION, book, tmp_path, listeners=(until_taken,), desk=desk)
    for outcome in answered:
        outcome.result(timeout=0)
    assert book.setup(1, PATCHWORK).market == LAID
    assert any(sentence.startswith("All 33 patches of the circle are known.") for sentence in said)
    assert not any("still seems to be in the circle" in sentence for sentence in said)


def _truth(out: LaidOut, table: SimulatedTable) -> list[CircleAnswer]:
    """Return the true answers for every place, and for the patches that were not seen."""
    centres = {piece.name: piece.outline_px.mean(axis=0) for piece in table.circle_pieces()}
    answers: list[CircleAnswer] = []
    for place, piece in enumerate(out.proposal.seen.pieces, start=1):
        apart = {name: float(np.hypot(*(piece.outline_px.mean(axis=0) - at))) for name, at in centres.items()}
        nearest = min(apart, key=lambda name: apart[name])
        answers.append(PlaceIs(place, nearest if apart[nearest] < 12 else None))
    at = {answer.patch: answer.place for answer in answers if isinstance(answer, PlaceIs)}
    last = 0
    for patch in (*table.market, *table.market):
        last = at.get(patch, last)
        if patch not in at and last:
            answers.append(LiesBehind(last, patch))
    return list(dict.fromkeys(answers))


def test_a_table_is_named_by_what_its_evening_follows_from() -> None:
    def name(config: Config = DEALT, tempers: tuple[str, ...] = ("tidy", "tidy")) -> str:
        return GAME.simulated_name(Simulation(4, tempers), config)

    assert name() == "simulated 4 tidy tidy"
    assert name(tempers=("tidy", "hasty")) == "simulated 4 tidy hasty"
    assert name(UNKNOWN) == "simulated 4 tidy tidy circle unknown", "not the same as a game with a circle"
    assert name(SEEN) == "simulated 4 tidy tidy circle seen"
    found = replace(DEALT, table=replace(DEALT.table, boards="found"))
    assert name(found) == "simulated 4 tidy tidy without mats"
    dim = replace(DEALT, simulation=replace(DEALT.simulation, table="dim"))
    assert name(dim) == "simulated 4 tidy tidy dim"
    assert [by_hand_name(4, config) for config in (DEALT, SEEN, found, dim)] == [
        "virtual 4", "virtual 4", "virtual 4 without mats", "virtual 4 dim",
    ]  # fmt: skip


def test_players_who_are_never_understood_go_home_and_say_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("hardware.simulated.people.players.ATTEMPTS", 0)
    played = simulate(DEALT, SIMULATION, MemoryJournal(codecs()), tmp_path, None)
    assert played.gave_up
    assert not played.history.state.finished
    name = played.history.state.setup.players[(played.history.state.turn or 0) - 1]
    assert played.error == f"The simulated players give up: {name}’s move was refused again and again."


# What players hear.

STATE = new_game(Setup())
ONE = TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"]))
TWIN = TakePatch(1, "corner-b3", ONE.cells)
QUESTION = Question(QuestionTopic.WHICH_PATCH, 1, (ONE, TWIN), (), "Which?", "f")


class Listening:
    """A fake evening that records what its players hear."""

    def __init__(self) -> None:
        self.heard: list[news.News] = []

    def on_feedback(self, news: news.News) -> None:
        self.heard.append(news)


def _feedback_of(*told: events.Event) -> list[news.News]:
    listening = Listening()
    people = PatchworkPeople(cast("SimulatedEvening", listening))
    for event in told:
        people.on_event(event)
    return listening.heard


def test_players_hear_what_people_would_read() -> None:
    complaint = Complaint(Reason.OVERLAP, 1, ("D4",), "They overlap.", "f")
    heard = _feedback_of(
        events.GameOpened(1, STATE),
        events.LookStarted(STATE),
        events.Complained(complaint, STATE),
        events.LookCalledOff(STATE),
        events.DecisionTaken(ONE, (), STATE),
        events.DecisionUndone(ONE, STATE),
        events.NothingToUndo(STATE),
        events.TableNoticed("A lamp went out.", STATE),
    )
    complained = news.Complaint("overlap", ("D4",))
    assert heard == [news.Opened(), complained, news.Accepted(ONE), news.Undone(), news.Noticed()]


def test_a_question_is_heard_once_however_often_its_options_are_shown() -> None:
    asked = [events.Asked(QUESTION, choice, STATE) for choice in (0, 1, 0, 1)]
    assert _feedback_of(*asked) == [news.Question((ONE, TWIN))]


def test_the_same_question_asked_again_is_heard_again() -> None:
    asked = events.Asked(QUESTION, 0, STATE)
    question = news.Question((ONE, TWIN))
    heard = _feedback_of(asked, events.QuestionAnswered(QUESTION, None, STATE), asked)
    assert heard == [question, news.Answered(), question]

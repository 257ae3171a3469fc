"""Test the robot at a seat: what it proposes, and when."""

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config
from companion.errors import CompanionError
from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.decisions import Advance, Decision
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.games.strategy import Level, suiting
from companion.journal import MemoryJournal
from companion.kvilt.entry import KVILT_ENTRY
from companion.languages import ENGLISH
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.entry import PATCHWORK_ENTRY
from companion.patchwork.settings import PatchworkSettings
from companion.play.friend import NOTE, NoPartnerError
from companion.play.inbox import Inbox, Propose, TableAwayError
from companion.play.partner import (
    PartnerSilence,
    Robot,
    RobotPartner,
    ThinkingAtOnce,
    ThinkingProcess,
    check_robot,
    named,
    partner_of,
    robot_in,
    robot_of,
    with_robot,
)
from companion.registry import codecs

CIRCLE = (*(patch for patch in PATCHES if patch != SMALLEST_PATCH), SMALLEST_PATCH)


class Mind:
    """Thinking whose answers a test gives."""

    def __init__(self) -> None:
        self.begun: list[Future[Any]] = []

    def begin(self, history: object, level: Level) -> Future[Any]:
        del history, level
        self.begun.append(Future())
        return self.begun[-1]

    def close(self) -> None: ...


class Table:
    """A table at which the robot has seat 1 or 2, and nobody else takes requests."""

    def __init__(self, seat: int = 1, book: MemoryJournal | None = None) -> None:
        self.history, self.mind, self.inbox = History(Setup(market=CIRCLE)), Mind(), Inbox()
        self.book = book or MemoryJournal(codecs())
        self.game_id = 1 if book else self.book.new_game(self.history.setup)
        self.said: list[tuple[str, object]] = []
        self.robot = RobotPartner(
            Robot(seat), self.mind, self.book, self.game_id, PATCHWORK, self.history, self.inbox, self._say
        )

    def _say(self, sentence: str, about: object) -> None:
        self.said.append((sentence, about))

    def tick(self) -> list[object]:
        """Let the robot act, and return what it asks of the table."""
        self.robot.tick(0.0)
        return [posted.command for posted in self.inbox.take()]


def test_a_decision_is_proposed_once_it_is_found() -> None:
    table = Table()
    assert table.tick() == table.tick() == []
    table.mind.begun[0].set_result(Advance(1))
    assert table.tick() == [Propose(Advance(1), 0)]
    assert table.tick() == []
    assert len(table.mind.begun) == 1


def test_the_robot_does_not_think_for_others() -> None:
    table = Table(seat=2)
    table.tick()
    assert not table.mind.begun
    table.history.apply(legal_decisions(table.history.state)[1])
    assert table.history.state.turn == 2
    table.tick()
    assert len(table.mind.begun) == 1


def test_thoughts_of_another_position_are_dropped() -> None:
    table = Table()
    table.tick()
    table.history.apply(Advance(1))
    table.mind.begun[0].set_result(Advance(1))
    assert table.tick() == []


def test_a_busy_table_is_asked_again() -> None:
    table = Table()
    table.tick()
    table.mind.begun[0].set_result(Advance(1))
    table.robot.tick(0.0)
    table.inbox.take()[0].refuse(TableAwayError("busy"))
    assert table.tick() == [Propose(Advance(1), 0)]


def test_after_a_restart_the_same_is_proposed_without_thinking() -> None:
    table = Table()
    table.tick()
    found: Decision = legal_decisions(table.history.state)[3]
    table.mind.begun[0].set_result(found)
    table.tick()
    again = Table(book=table.book)
    assert again.tick() == [Propose(found, 0)]
    assert not again.mind.begun


def test_a_robot_that_does_not_answer_says_so_and_does_not_end_the_game() -> None:
    table = Table()
    table.tick()
    table.mind.begun[0].set_exception(CompanionError("it is silent"))
    assert table.tick() == []
    assert table.said == [("it is silent", PartnerSilence())]


def test_a_process_of_its_own_decides_and_is_started_again_if_it_is_killed() -> None:
    thinking, history = ThinkingProcess(PATCHWORK, 1.0), History(Setup(market=CIRCLE))
    try:
        assert thinking.begin(history, Level.CASUAL).result(60) in legal_decisions(history.state)
        assert thinking._process is not None
        thinking._process.kill()
        assert thinking.begin(history, Level.CHILD).result(60) in legal_decisions(history.state)
        with pytest.raises(CompanionError, match="market"):
            thinking.begin(History(Setup()), Level.CHILD).result(60)
    finally:
        thinking.close()
    assert thinking._process.poll() is not None


@pytest.mark.parametrize("program", ["/nowhere/python", "half an answer"])
def test_a_process_that_cannot_be_started_or_ends_amid_its_answer_is_silent(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if program == "half an answer":
        (tmp_path / "python").write_text("#!/bin/sh\nread question; printf '{\"decision\":'\n")
        (tmp_path / "python").chmod(0o755)
        program = str(tmp_path / "python")
    monkeypatch.setattr("companion.play.partner.sys.executable", program)
    thinking = ThinkingProcess(PATCHWORK, 1.0)
    try:
        with pytest.raises(CompanionError, match="does not answer"):
            thinking.begin(History(Setup(market=CIRCLE)), Level.CHILD).result(60)
    finally:
        thinking.close()


def test_thinking_at_once_depends_on_the_seed_alone() -> None:
    history = History(Setup(market=CIRCLE))
    assert PATCHWORK_ENTRY.adviser is not None
    found = {ThinkingAtOnce(PATCHWORK_ENTRY.adviser(), 4).begin(history, Level.CHILD).result(0) for _ in range(3)}
    assert len(found) == 1


def test_the_robot_s_seat_is_noted_and_found_again() -> None:
    config = with_robot(Config(), Robot(2, Level.EXPERT))
    assert robot_of(config) == robot_in({NOTE: str(robot_of(config))}) == Robot(2, Level.EXPERT)
    assert robot_of(with_robot(config, None)) is None
    assert robot_in({}) is None
    assert robot_in({NOTE: "2 godlike"}) is None
    generous = Robot(1, "adaptive", -4)
    assert robot_of(with_robot(Config(), generous)) == robot_in({NOTE: str(generous)}) == generous


def test_the_robot_has_its_name_at_its_seat_only() -> None:
    config = named(Config(), PatchworkSettings, Robot(2), ENGLISH)
    assert config.of(PatchworkSettings).players == ("Anna", "Robot")
    assert named(config, PatchworkSettings, Robot(1), ENGLISH) == config


def test_a_seat_or_a_game_that_the_robot_cannot_have_is_refused() -> None:
    check_robot(Robot(2), PATCHWORK_ENTRY, Config())
    for robot in (Robot(0), Robot(3)):
        with pytest.raises(NoPartnerError, match="from 1 to 2"):
            check_robot(robot, PATCHWORK_ENTRY, Config())
    with pytest.raises(NoPartnerError, match="Kvilt"):
        check_robot(Robot(1), replace(KVILT_ENTRY, adviser=None), Config())


def test_a_configured_robot_leaves_a_game_that_it_does_not_play_to_people() -> None:
    table, config = Table(), with_robot(Config(), Robot(2))
    rest = (table.history, table.book, table.game_id, table.inbox, table._say, 1)
    assert partner_of(config, replace(KVILT_ENTRY, adviser=None), *rest) is None
    found = partner_of(config, PATCHWORK_ENTRY, *rest)
    assert found is not None
    assert found[0].seat == 2
    with pytest.raises(NoPartnerError, match="from 1 to 2"):
        partner_of(with_robot(config, Robot(3)), PATCHWORK_ENTRY, *rest)


@pytest.mark.parametrize(
    ("games", "level"),
    [
        ([], Level.CASUAL),
        ([(Level.CASUAL, True)], Level.CASUAL),
        ([(Level.CASUAL, True), (Level.CASUAL, True)], Level.SKILLED),
        ([(Level.CASUAL, False), (Level.CASUAL, False), (Level.CASUAL, True)], Level.BEGINNER),
        ([(Level.CASUAL, True), (Level.CASUAL, False)], Level.CASUAL),
        ([(Level.SKILLED, True), (Level.CASUAL, True)], Level.SKILLED),
        ([(Level.CHILD, False)] * 2, Level.CHILD),
        ([(Level.CHAMPION, True)] * 2, Level.CHAMPION),
    ],
)
def test_a_level_follows_two_victories_or_two_defeats_in_a_row(games: list[tuple[Level, bool]], level: Level) -> None:
    assert suiting(games) is level


def test_an_adaptive_robot_has_the_level_of_the_same_people_and_keeps_it() -> None:
    book, said = MemoryJournal(codecs()), list[str]()

    def begun(*, plays: bool, note: str, players: tuple[str, str] = ("Anna", "Robot")) -> int:
        """Begin a game; if it is played, seat 2 advances, and seat 1, which buys what it can, wins."""
        history = History(Setup(players=players, market=CIRCLE))
        number = book.new_game(history.setup, notes={NOTE: note})
        while plays and history.state.turn is not None:
            moves = legal_decisions(history.state)
            move = moves[0 if history.state.turn == 1 else len(moves) - 1]
            book.append(number, len(history.decisions) + 1, move, history.apply(move))
        return number

    def level(note: str = "2 adaptive") -> Level:
        number = begun(plays=False, note=note)
        history = History(book.setup(number, PATCHWORK))
        config = with_robot(Config(), robot_in({NOTE: note}))
        for _ in range(2):
            found = partner_of(
                config, PATCHWORK_ENTRY, history, book, number, Inbox(), lambda says, _: said.append(says), 1
            )
        assert found is not None
        return found[0].level

    begun(plays=True, note="2 skilled", players=("Boris", "Robot"))
    assert level() is Level.CASUAL
    begun(plays=True, note="2 child")
    assert (level(), said) == (Level.CHILD, [])
    begun(plays=True, note="2 child")
    assert (level(), said) == (Level.BEGINNER, ["The robot plays better than last time."])
    assert level("2 expert") is Level.EXPERT


def test_closing_ends_a_process_that_thinks_and_starts_no_other() -> None:
    thinking = ThinkingProcess(PATCHWORK, 60.0)
    found = thinking.begin(History(Setup(market=CIRCLE)), Level.CHAMPION)
    while thinking._process is None:
        assert not found.done()
    process = thinking._process
    thinking.close()
    assert thinking._process is process
    assert process.poll() is not None
    assert isinstance(found.exception(0), CompanionError)

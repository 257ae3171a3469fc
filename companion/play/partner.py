"""A partner at the table: a seat whose decisions come from elsewhere, and which a person carries out.

A partner proposes; the table announces it, a person lays the patch, and the camera confirms it like any other. The
robot thinks in a process of its own, so that it delays neither a frame nor a press, and its answer comes through the
inbox. A proposal is noted in the journal, so that it is the same after the program was killed.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.config import Config
from companion.errors import CompanionError
from companion.games.strategy import ADAPTIVE, LEVEL_CHOICES, LEVELS, Level, LevelChoice, level_named, suiting
from companion.languages import Language, said
from companion.play.events import History
from companion.play.friend import NOTE, NoPartnerError, friend_in, with_friend
from companion.play.game import Adviser, AnyEntry
from companion.play.inbox import Inbox, Outcome, Propose, was_away
from companion.record import AnyCodec, record_lines
from companion.settings import GameSettings

if TYPE_CHECKING:
    from companion.journal import GameSummary, Journal

HANDS_NOTE: Final = "hands"
"""The key of the note on a table at which nobody needs to carry out a partner's decision."""
WATCHED_NOTE: Final = "watched"
"""The key of the note on a game that only simulated players play."""
_PROPOSAL_NOTE: Final = "proposal"
# The note on the level that an adaptive robot has in a game.
_LEVEL_NOTE: Final = "level"
# The latest games that are searched for those of the same players against the robot.
_SEARCHED: Final = 100


@dataclass(frozen=True, slots=True)
class PartnerSilence:
    """The subject of the notice that a partner decides nothing in this position, so that the players do."""


@dataclass(frozen=True, slots=True)
class Robot:
    """The choice of the robot for a seat.

    Attributes:
        seat: its seat.
        level: how well it plays.
        handicap: how many more buttons than the robot its opponent begins with; negative if the robot has more.
    """

    seat: int
    level: LevelChoice = Level.CASUAL
    handicap: int = 0

    def __str__(self) -> str:
        return f"{self.seat} {self.level} {self.handicap}" if self.handicap else f"{self.seat} {self.level}"


def as_noted(config: Config, notes: Mapping[str, str]) -> Config:
    """Return the configuration with the partner with which a game began, by its notes."""
    friend = friend_in(notes)
    return with_robot(config, robot_in(notes)) if friend is None else with_friend(config, friend)


def robot_in(notes: Mapping[str, str]) -> Robot | None:
    """Return the robot of a game by its notes, or None if people have all seats."""
    noted = re.fullmatch(r"(\d+) (\w+)(?: (-?\d+))?", notes.get(NOTE, ""), re.ASCII)
    if noted is None or noted[2] not in LEVEL_CHOICES:
        return None
    return Robot(int(noted[1]), level_named(noted[2]), int(noted[3] or 0))


def robot_of(config: Config) -> Robot | None:
    """Return the robot of a game that begins with this configuration, or None if people have all seats."""
    chosen = config.partner
    return None if chosen.seat is None or chosen.code is not None else Robot(chosen.seat, chosen.level, chosen.handicap)


def with_robot(config: Config, robot: Robot | None) -> Config:
    """Return the configuration of a game in which the robot has its seat."""
    chosen = replace(config.partner, seat=None if robot is None else robot.seat, code=None)
    if robot is not None:
        chosen = replace(chosen, level=robot.level, handicap=robot.handicap)
    return replace(config, partner=chosen)


def named(config: Config, kind: type[GameSettings], robot: Robot, language: Language) -> Config:
    """Return the configuration with the robot's name at its seat, in place of a person's."""
    settings = config.of(kind)
    players = list(getattr(settings, "players", ()))
    name = said("Robot").rendered(language)
    if robot.seat > len(players) or name in players:
        return config
    players[robot.seat - 1] = name
    others: dict[str, Any] = {"players": tuple(players)}
    return config.with_game(replace(settings, **others))


def check_robot(robot: Robot, entry: AnyEntry, config: Config) -> None:
    """Check that the robot can have its seat.

    Raises:
        NoPartnerError: it does not play the game, or there is no such seat.
    """
    if entry.adviser is None:
        raise NoPartnerError.said("The robot does not play {game}.", game=entry.title)
    seats = 2 if entry.settings is None else len(getattr(config.of(entry.settings), "players", (1, 2)))
    if not 1 <= robot.seat <= seats:
        raise NoPartnerError.said("The robot’s seat must be from {first} to {last}.", first=1, last=seats)


class Thinking(Protocol):
    """The search for a decision, which goes on while the table does."""

    def begin(self, history: History, level: Level) -> Future[Any]:
        """Begin to think about a game, and return the future of the decision."""

    def close(self) -> None:
        """Stop thinking."""


class ThinkingAtOnce:
    """Thinking within the call, for sessions that must not depend on the machine's speed.

    Args:
        adviser: the game's.
        seed: the seed of its choices.
    """

    def __init__(self, adviser: Adviser[Any, Any], seed: int) -> None:
        self._adviser, self._seed = adviser, seed

    def begin(self, history: History, level: Level) -> Future[Any]:
        """See `Thinking`."""
        future: Future[Any] = Future()
        rng = random.Random(f"{self._seed} {len(history.decisions)}")
        future.set_result(self._adviser.advise(history.state, level, rng, None).chosen.decision)
        return future

    def close(self) -> None:
        """See `Thinking`."""


class ThinkingProcess:
    """Thinking in a process that runs `companion advise --lines`, and ends with this one even if it is killed.

    Args:
        codec: the game's.
        seconds: the time for a decision.
    """

    def __init__(self, codec: AnyCodec, seconds: float) -> None:
        self._codec, self._seconds = codec, seconds
        self._waiting = ThreadPoolExecutor(1, "partner")
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def begin(self, history: History, level: Level) -> Future[Any]:
        """See `Thinking`."""
        lines = record_lines(history.state.setup, history.decisions, self._codec)
        question = {"record": [json.loads(line) for line in lines], "time_s": self._seconds, "level": level.value}
        return self._waiting.submit(self._answer, json.dumps(question).encode() + b"\n")

    def _answer(self, question: bytes) -> Any:
        line = self._asked(question) or self._asked(question)
        if not line:
            raise CompanionError.said("The robot does not answer: decide for it, or go on without it.")
        answer = json.loads(line)
        if "error" in answer:
            raise CompanionError.said("The robot cannot decide: {fault}", fault=answer["error"])
        return self._codec.decision_from_json(answer["decision"])

    def _asked(self, question: bytes) -> bytes:
        """Return the process's answer, or nothing if it has ended or cannot be started; it is if it does not run."""
        if self._is_closed:
            return b""
        # Without memory a process cannot even be forked.
        with suppress(OSError):
            process = self._process
            if process is None or process.poll() is not None:
                self._end()
                process = self._process = _started()
            assert process.stdin is not None  # noqa: S101  # Both are pipes.
            assert process.stdout is not None  # noqa: S101
            process.stdin.write(question)
            process.stdin.flush()
            # Half a line is what a process has written that was killed.
            if (line := process.stdout.readline()).endswith(b"\n"):
                return line
        # It has ended, or is about to.
        self._end()
        return b""

    def close(self) -> None:
        """See `Thinking`."""
        # First: a question under way must not start the process again.
        self._is_closed = True
        if self._process is not None:
            self._process.kill()
        # Its answer ends at once.
        self._waiting.shutdown(cancel_futures=True)
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


def _started() -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", "companion", "advise", "--lines"]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)  # noqa: S603
    # Frames and presses come first. Not all systems have priorities.
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, 10)
    return process


class RobotPartner:
    """The robot at a table: asks for a decision when its seat is to move, and proposes it to the turn loop.

    Args:
        robot: its seat and level; an adaptive one has its level for this game.
        thinking: finds its decisions.
        book: the journal, for the note of the proposal.
        game_id: the game's number in it.
        codec: the game's.
        history: the game so far.
        inbox: the requests to the turn loop.
        say: announces a sentence at the table; the second argument as in `TableNoticed`.

    Attributes:
        seat: its seat.
        level: its level.
    """

    def __init__(
        self,
        robot: Robot,
        thinking: Thinking,
        book: Journal,
        game_id: int,
        codec: AnyCodec,
        history: History,
        inbox: Inbox,
        say: Callable[[str, object], None],
    ) -> None:
        self.seat, self.level, self._thinking = robot.seat, Level(robot.level), thinking
        self._book, self._game_id, self._codec = book, game_id, codec
        self._history, self._inbox, self._say = history, inbox, say
        self._position: object = None
        self._future: Future[Any] | None = None
        self._proposal: Propose | None = None
        self._outcome: Outcome | None = None

    def tick(self, now_s: float) -> None:
        """Think if a new position asks for it, and propose what was found; called once per frame."""
        del now_s
        position = self._history.decisions, self._history.state.setup
        if position != self._position:
            self._position, self._future, self._proposal = position, None, None
            if self._history.state.turn == self.seat:
                self._future = self._noted() or self._thinking.begin(self._history, self.level)
        if self._future is not None and self._future.done():
            self._find(self._future)
            self._future = None
        if self._proposal is not None and (self._outcome is None or was_away(self._outcome)):
            self._outcome = self._inbox.put(self._proposal)

    def _find(self, found: Future[Any]) -> None:
        try:
            decision = found.result()
        except CompanionError as error:
            self._say(error.args[0], PartnerSilence())
            return
        made = len(self._history.decisions)
        note = json.dumps([made, self._codec.decision_to_json(decision)])
        if self._book.notes(self._game_id).get(_PROPOSAL_NOTE) != note:
            self._book.note(self._game_id, _PROPOSAL_NOTE, note)
        self._proposal, self._outcome = Propose(decision, made), None

    def _noted(self) -> Future[Any] | None:
        """Return the decision that was proposed in this position before, or None."""
        with suppress(ValueError, TypeError, self._codec.errors):
            made, line = json.loads(self._book.notes(self._game_id).get(_PROPOSAL_NOTE, "null"))
            decision = self._codec.decision_from_json(line)
            if made == len(self._history.decisions) and decision.seat == self.seat:
                future: Future[Any] = Future()
                future.set_result(decision)
                return future
        return None


def partner_of(
    config: Config,
    entry: AnyEntry,
    history: History,
    book: Journal,
    game_id: int,
    inbox: Inbox,
    say: Callable[[str, object], None],
    seed: int | None,
) -> tuple[RobotPartner, Thinking] | None:
    """Return the partner of a game and its thinking, or None if people have all seats.

    They have them in a game that the robot does not play.

    Args:
        config: the game's configuration.
        entry: the game.
        history: the game so far.
        book: the journal.
        game_id: the game's number in it.
        inbox: the requests to the turn loop.
        say: announces a sentence at the table; the second argument as in `TableNoticed`.
        seed: the seed of a session that must not depend on the machine's speed; None for others.

    Raises:
        NoPartnerError: the robot cannot have its seat.
    """
    robot = robot_of(config)
    # A configured robot has its seat in the games that it plays.
    if robot is None or entry.adviser is None:
        return None
    check_robot(robot, entry, config)
    thinking: Thinking = (
        ThinkingProcess(entry.codec, config.partner.seconds) if seed is None else ThinkingAtOnce(entry.adviser(), seed)
    )
    if robot.level == ADAPTIVE:
        robot = replace(robot, level=_suiting(robot, book, game_id, say))
    return RobotPartner(robot, thinking, book, game_id, entry.codec, history, inbox, say), thinking


def _suiting(robot: Robot, book: Journal, game_id: int, say: Callable[[str, object], None]) -> Level:
    """Return the level of an adaptive robot in a game, which is chosen when the game begins, and then noted."""
    noted = book.notes(game_id).get(_LEVEL_NOTE)
    if noted in list(Level):
        return Level(noted)
    played = _played(robot, book, game_id)
    level = suiting(played)
    book.note(game_id, _LEVEL_NOTE, level.value)
    if played and level is not played[0][0]:
        is_stronger = LEVELS.index(level) > LEVELS.index(played[0][0])
        better, worse = (
            said("The robot plays better than last time."),
            said("The robot plays less well than last time."),
        )
        say(better if is_stronger else worse, None)
    return level


def _played(robot: Robot, book: Journal, game_id: int) -> list[tuple[Level, bool]]:
    """Return the level of each game that the same people have played against the robot, and whether they won.

    The latest is first.
    """
    from companion.journal import GameFilter, Status  # noqa: PLC0415  # The settings, which all commands read, use none.

    own = book.listed(game_id)
    found = book.find(GameFilter(game=own.game, status=Status.FINISHED, limit=_SEARCHED))
    notes, played = book.notes_on(found), []
    for game in found:
        noted = notes.get(game.game_id, {})
        there = robot_in(noted)
        if there is None or WATCHED_NOTE in noted or _people(game, there.seat) != _people(own, robot.seat):
            continue
        level = noted.get(_LEVEL_NOTE, there.level)
        if level in list(Level):
            played.append((Level(level), there.seat not in game.winners))
    return played


def _people(game: GameSummary, robot: int) -> list[str]:
    """Return the names of the people who play a game in which the robot has a seat."""
    return sorted(name.casefold() for seat, name in enumerate(game.players or (), start=1) if seat != robot)

"""The summaries of games for lists and statistics, and the replays that they are computed from."""

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

import msgspec

from companion.games.history import DecisionOutcome
from companion.journal.errors import ForeignSetupError, JournalError
from companion.journal.log import GameLog
from companion.languages import reason, said
from companion.record import AnyCodec, Codec, DecisionT, ForeignGameError, Games, Play, RecordError, SetupT, StateT

SUMMARY_VERSION: Final = 1
"""Increase it with every change of the rules, the scores or the figures; summaries of other versions are recomputed."""
# A companion plays one game, and may begin the next before it has finished with the first.
_PLAYS_KEPT: Final = 2
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)

TABLE_NAME: Final = "table"
"""The name of the real table: each machine has one."""
BY_HAND: Final = "virtual "
"""The beginning of the names of tables whose pieces are moved on the page."""
WATCHED: Final = "simulated "
"""The beginning of the names of tables at which nobody plays but simulated players."""


class Status(StrEnum):
    """The progress of a game."""

    UNFINISHED = "unfinished"
    FINISHED = "finished"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the list of games.

    Attributes:
        game_id: its number, from 1.
        table: the name of the table where it was played; may be empty.
        started_at: the time when it was begun.
        last_at: the time when its decisions were last changed.
        changed: a number that increases with every such change of any game.
        game: the game's name in its record; empty if that cannot be read.
        players: the players' names, by seat; None if they cannot be read.
        decisions: the number of decisions, without undone ones.
        finished: whether the game has ended by the rules.
        scores: of all seats, once it is finished.
        winners: the seats that won.
        error: the reason why it cannot be replayed; None for an undamaged game.
        whole: the number of decisions that can be replayed, if not all can.
        figures: its figures for statistics as JSON, if it was replayed and is finished.
        is_foreign: whether it was found to be of an unknown kind, which may be known later.
    """

    game_id: int
    table: str
    started_at: datetime
    last_at: datetime
    changed: int
    game: str
    players: tuple[str, ...] | None
    decisions: int
    finished: bool
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] = ()
    error: str | None = None
    whole: int = 0
    figures: str | None = field(default=None, compare=False, repr=False)
    is_foreign: bool = field(default=False, compare=False, repr=False)

    @property
    def status(self) -> Status:
        """The state of the game: unfinished, finished, or not readable."""
        if self.error is not None:
            return Status.BROKEN
        return Status.FINISHED if self.finished else Status.UNFINISHED


@dataclass(frozen=True, slots=True)
class GameFilter:
    """The conditions for the games of a list; None means no condition.

    Attributes:
        table: only games played at it.
        game: only games of this name in records.
        status: only games of this status.
        decided: only games with at least one decision, and number `also`.
        also: see `decided`.
        before: only games with lower numbers.
        limit: the greatest length of the list.
        by_change: whether the list begins with the game changed last, instead of the one begun last.
    """

    table: str | None = None
    game: str | None = None
    status: Status | None = None
    decided: bool = False
    also: int | None = None
    before: int | None = None
    limit: int | None = None
    by_change: bool = False


class Replays:
    """The computation of summaries. It caches the latest replays, so that one more decision is one step of the rules.

    Args:
        codecs: the known games.
    """

    def __init__(self, codecs: Games) -> None:
        self._codecs = codecs
        self._replays: dict[int, _Replay] = {}

    def summary(self, log: GameLog) -> GameSummary:
        """Return the summary of a game."""
        # Taken out and added again below, so that the one used longest ago is the first.
        replay = self._replays.pop(log.game_id, None)
        if replay is None or not replay.is_part_of(log):
            replay = _Replay(log.header, self._codecs)
        replay.advance(log.decisions)
        self._replays[log.game_id] = replay
        if len(self._replays) > _PLAYS_KEPT:
            del self._replays[next(iter(self._replays))]
        return replay.summary(log)

    def follow(self, log: GameLog, decision: object, outcome: DecisionOutcome) -> None:
        """Apply a game's last decision to a cached replay by its known outcome; do nothing if the game isn't cached."""
        replay = self._replays.get(log.game_id)
        if replay is not None and replay.is_part_of(log):
            replay.follow(log.decisions, decision, outcome)


class _Replay:
    """A game as far as it has been replayed; the replay stops at the first decision that cannot be."""

    def __init__(self, header: str, codecs: Games) -> None:
        self._header = header
        self._texts: list[str] = []
        self._name = name_in(header, codecs)
        self._codec: AnyCodec | None = None
        self._play: Play[Any, Any, Any] | None = None
        self._error: str | None = None
        self._is_foreign = False
        self._whole = 0
        try:
            self._codec = game_in(header, codecs)
            self._play = self._codec.begin(setup_in(header, self._codec, codecs))
        except JournalError as fault:
            self._error = reason(fault)
            self._is_foreign = isinstance(fault, ForeignSetupError)

    def is_part_of(self, log: GameLog) -> bool:
        """Return whether a game is a continuation of this one."""
        return log.header == self._header and log.decisions[: len(self._texts)] == self._texts

    def advance(self, texts: list[str]) -> None:
        """Replay the decisions added since the last call."""
        for number, text in enumerate(texts[len(self._texts) :], start=len(self._texts) + 1):
            if self._codec is not None and self._play is not None and self._error is None:
                self._error = _fault_in(self._codec, self._play, number, text)
                self._whole += self._error is None
        self._texts = list(texts)

    def follow(self, texts: list[str], decision: object, outcome: DecisionOutcome) -> None:
        """Apply the outcome of the last decision, if only that one has not been replayed."""
        if self._play is not None and self._error is None and len(texts) == len(self._texts) + 1:
            self._play.follow(decision, outcome)
            self._whole += 1
            self._texts = list(texts)

    def summary(self, log: GameLog) -> GameSummary:
        """Return the summary of the game replayed so far."""
        error, started_at = log.fault or self._error, moment(log.started_at)
        codec, play = self._codec, self._play
        scores: tuple[int, ...] | None = None
        winners: tuple[int, ...] = ()
        figures: str | None = None
        is_finished = error is None and play is not None and bool(play.state.finished)
        if is_finished and codec is not None and play is not None:
            scores, winners = codec.scores(play.state), codec.winners(play.state)
            figures = msgspec.json.encode(codec.figures(log.game_id, started_at, play)).decode()
        return GameSummary(
            log.game_id,
            log.table,
            started_at,
            moment(log.last_at, log.started_at),
            log.changed,
            self._name,
            None if play is None else play.setup.players,
            len(log.decisions),
            is_finished,
            scores,
            winners,
            error,
            0 if error is None else self._whole,
            figures,
            self._is_foreign,
        )


def _fault_in(codec: AnyCodec, play: Play[Any, Any, Any], number: int, text: str) -> str | None:
    """Apply one more decision; return its fault, or None if it has none."""
    try:
        decision = codec.decision_from_json(json.loads(text))
    except (ValueError, RecursionError, codec.errors) as error:
        return said("decision {number} cannot be read: {fault}", number=number, fault=codec.reason(error))
    try:
        play.apply(decision)
    except codec.errors as error:
        fault = codec.reason(error)
        return said("decision {number} does not follow from the rules: {fault}", number=number, fault=fault)
    return None


def moment(*texts: str) -> datetime:
    """Return the first of these that is a valid time of day, with its zone (UTC by default); 1970 if none is."""
    for text in texts:
        with suppress(ValueError):
            found = datetime.fromisoformat(text)
            return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return _NEVER


def refuse_contradicted(game_id: int, setup: object, texts: Iterable[str], games: Games) -> None:
    """Check a game's setup against the decisions made in it.

    Args:
        game_id: the game's number.
        setup: the setup to check.
        texts: the game's decisions, as lines of a game record.
        games: the known games.

    Raises:
        JournalError: if it is the setup of another kind of game, or a decision does not follow from it.
    """
    codec = games.of_setup(setup)
    play: Play[Any, Any, Any] = codec.begin(setup)
    for number, text in enumerate(texts, start=1):
        if (fault := _fault_in(codec, play, number, text)) is not None:
            raise JournalError.said("game {number} is in progress and cannot have started like this: {fault}",
                     number=game_id, fault=fault)  # fmt: skip


def decisions_in(texts: Iterable[str], codec: Codec[SetupT, DecisionT, StateT]) -> tuple[DecisionT, ...]:
    """Return the decisions in lines of a game record.

    Raises:
        JournalError: if one cannot be read.
    """
    decisions = []
    for number, text in enumerate(texts, start=1):
        try:
            decisions.append(codec.decision_from_json(json.loads(text)))
        # The JSON parser raises RecursionError for a text that is nested too deeply.
        except (ValueError, RecursionError, codec.errors) as error:
            raise JournalError.said(
                "decision {number} cannot be read: {fault}", number=number, fault=codec.reason(error)
            ) from error
    return tuple(decisions)


def game_in(header: str, games: Games) -> AnyCodec:
    """Return the codec of a header's game.

    Raises:
        JournalError: if it cannot be read.
        ForeignSetupError: if it names an unknown game.
    """
    try:
        return games.of_header(_object(header))
    except ForeignGameError as error:
        raise ForeignSetupError.said("the game’s setup cannot be read: {fault}", fault=reason(error)) from error
    except RecordError as error:
        raise JournalError.said("the game’s setup cannot be read: {fault}", fault=reason(error)) from error


def setup_in(header: str, codec: Codec[SetupT, DecisionT, StateT], games: Games) -> SetupT:
    """Return the setup in a header.

    Raises:
        JournalError: if it cannot be read, or belongs to another game.
    """
    found = game_in(header, games)
    if found is not codec:
        raise JournalError.said("this is a game of {name}, not of {other}", name=found.name, other=codec.name)
    try:
        return codec.setup_from_json(_object(header))
    except (RecordError, codec.errors) as error:
        raise JournalError.said("the game’s setup cannot be read: {fault}", fault=codec.reason(error)) from error


def name_in(header: str, games: Games) -> str:
    """Return the game's name in a header, even of an unknown game, or "" if it cannot be read."""
    try:
        name = _object(header).get("game", games.unnamed and games.unnamed.name)
    except JournalError:
        return ""
    return name if isinstance(name, str) else ""


def players_in(header: str) -> tuple[str, ...]:
    """Return the players' names in a header, by seat, even of an unknown game, or () if they cannot be read."""
    try:
        names = _object(header).get("players")
    except JournalError:
        return ()
    return tuple(names) if isinstance(names, list) and all(isinstance(name, str) for name in names) else ()


def with_players(header: str, names: Iterable[str]) -> str:
    """Return a header with the players' names replaced.

    Raises:
        JournalError: if it cannot be read.
    """
    return json.dumps({**_object(header), "players": list(names)}, ensure_ascii=False)


def _object(header: str) -> dict[str, Any]:
    try:
        found = json.loads(header)
    except (ValueError, RecursionError) as error:
        raise JournalError.said("the game’s setup cannot be read: {fault}", fault=reason(error)) from error
    if not isinstance(found, dict):
        raise JournalError.said("the game’s setup cannot be read: it is not an object")
    return found

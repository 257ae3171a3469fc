"""The summaries of games for lists and statistics, stored with each game so that lists need not replay them all."""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import msgspec

from companion.games.history import DecisionOutcome
from companion.journal.entries import ForeignSetupError, JournalError, game_in, name_in, setup_in
from companion.languages import reason, said
from companion.record import AnyCodec, Games, Play

SUMMARY_VERSION: Final = 1
"""Increase it with every change of the rules, the scores or the figures; summaries of other versions are recomputed."""
# A companion plays one game, and may begin the next before it has finished with the first.
_PLAYS_KEPT: Final = 2


class Status(StrEnum):
    """The progress of a game."""

    UNFINISHED = "unfinished"
    FINISHED = "finished"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game in its stored form.

    Attributes:
        game_id: its number, from 1.
        table: the name of the table where it was played; may be empty.
        started_at: the time when it was begun.
        last_at: the time when it was last changed.
        setup_text: the setup, in the form of `entries.setup_text`.
        texts: the decisions without undone ones, as lines of a game record.
    """

    game_id: int
    table: str
    started_at: datetime
    last_at: datetime
    setup_text: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The data derived from a game's setup and decisions.

    Attributes:
        game: the game's name in its record; empty if that cannot be read.
        players: the players' names, by seat; None if they cannot be read.
        decisions: the number of decisions, without undone ones.
        status: whether it is unfinished, finished, or cannot be replayed.
        scores: of all seats, once it is finished.
        winners: the seats that won.
        figures: the figures of a finished game for statistics, as JSON.
        error: the reason why it cannot be replayed.
        foreign: whether the reason is that its kind of game is unknown here, which may change later.
        whole: the number of decisions that can be replayed, if not all can.
    """

    game: str
    players: tuple[str, ...] | None
    decisions: int
    status: Status
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] = ()
    figures: str | None = None
    error: str | None = None
    foreign: bool = False
    whole: int = 0


class Replays:
    """The computation of summaries. It caches the latest replays, so that one more decision is one step of the rules.

    Args:
        codecs: the known games.
    """

    def __init__(self, codecs: Games) -> None:
        self._codecs = codecs
        self._replays: dict[int, _Replay] = {}

    def summary(self, stored: StoredGame) -> Summary:
        """Return the summary of a stored game."""
        # Taken out and added again below, so that the one used longest ago is the first.
        replay = self._replays.pop(stored.game_id, None)
        if replay is None or not replay.is_part_of(stored):
            replay = _Replay(stored.setup_text, self._codecs)
        replay.advance(stored.texts)
        self._replays[stored.game_id] = replay
        if len(self._replays) > _PLAYS_KEPT:
            del self._replays[next(iter(self._replays))]
        return replay.summary(stored)

    def follow(self, stored: StoredGame, decision: object, outcome: DecisionOutcome) -> None:
        """Apply a decision to a cached replay by its known outcome; do nothing if the game is not cached.

        Args:
            stored: the game, with that decision as its last.
            decision: the decision.
            outcome: its outcome by the rules.
        """
        replay = self._replays.get(stored.game_id)
        if replay is not None and replay.is_part_of(stored):
            replay.follow(stored.texts, decision, outcome)


def figures_from_json(text: str, codec: AnyCodec) -> Any:
    """Return the figures of a finished game, of its codec's type.

    Raises:
        msgspec.ValidationError: if they are of another version.
    """
    return msgspec.json.decode(text, type=codec.figures_type)


class _Replay:
    """A game as far as it has been replayed; the replay stops at the first decision that cannot be."""

    def __init__(self, setup_text: str, codecs: Games) -> None:
        self._setup_text = setup_text
        self._texts: tuple[str, ...] = ()
        self._name = name_in(setup_text, codecs)
        self._played: _Played | None = None
        self._error: str | None = None
        self._foreign = False
        self._whole = 0
        try:
            codec = game_in(setup_text, codecs)
            self._played = _Played(codec, codec.begin(setup_in(setup_text, codec, codecs)))
        except JournalError as fault:
            self._error = reason(fault)
            self._foreign = isinstance(fault, ForeignSetupError)

    def is_part_of(self, stored: StoredGame) -> bool:
        """Return whether the stored game is a continuation of this one."""
        return stored.setup_text == self._setup_text and stored.texts[: len(self._texts)] == self._texts

    def advance(self, texts: tuple[str, ...]) -> None:
        """Replay the decisions added since the last call."""
        for number, text in enumerate(texts[len(self._texts) :], start=len(self._texts) + 1):
            if self._played is not None and self._error is None:
                self._error = self._played.fault_in(number, text)
                self._whole += self._error is None
        self._texts = texts

    def follow(self, texts: tuple[str, ...], decision: object, outcome: DecisionOutcome) -> None:
        """Apply the outcome of the last decision, if only that one has not been replayed."""
        if self._played is not None and self._error is None and len(texts) == len(self._texts) + 1:
            self._played.play.follow(decision, outcome)
            self._whole += 1
            self._texts = texts

    def summary(self, stored: StoredGame) -> Summary:
        """Return the summary of the game replayed so far."""
        name, count, played = self._name, len(self._texts), self._played
        players = None if played is None else played.play.setup.players
        if played is None or self._error is not None:
            return Summary(
                name, players, count, Status.BROKEN, error=self._error, foreign=self._foreign, whole=self._whole
            )
        state, codec = played.play.state, played.codec
        if not state.finished:
            return Summary(name, players, count, Status.UNFINISHED)
        figures = msgspec.json.encode(codec.figures(stored.game_id, stored.started_at, played.play)).decode()
        return Summary(name, players, count, Status.FINISHED, codec.scores(state), codec.winners(state), figures)


@dataclass(frozen=True, slots=True)
class _Played:
    """A game in replay, and its codec."""

    codec: AnyCodec
    play: Play[Any, Any, Any]

    def fault_in(self, number: int, text: str) -> str | None:
        """Apply one more decision; return its fault, or None if it has none."""
        try:
            decision = self.codec.decision_from_json(json.loads(text))
        except (ValueError, RecursionError, self.codec.errors) as error:
            return said("decision {number} cannot be read: {fault}", number=number, fault=self.codec.reason(error))
        try:
            self.play.apply(decision)
        except self.codec.errors as error:
            return said(
                "decision {number} does not follow from the rules: {fault}",
                number=number,
                fault=self.codec.reason(error),
            )
        return None

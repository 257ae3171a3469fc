"""What lists and statistics need of a game. It is kept beside the game, so that nothing ever replays all of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import msgspec

from companion.journal.entries import JournalError, game_in, setup_in
from companion.languages import reason, said
from companion.record import PATCHWORK

if TYPE_CHECKING:
    from companion.journal.entries import AnyGame

SUMMARY_VERSION: Final = 1
"""To be raised with every change of the rules, the scores or the figures; summaries of other versions are made anew."""
_PLAYS_KEPT: Final = 2
"""A companion plays one game, and may begin the next before it has done with that."""


class Status(StrEnum):
    """How far a game has come."""

    UNFINISHED = "unfinished"
    FINISHED = "finished"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is stored.

    Attributes:
        game_id: its number, from 1.
        table: the name of the table it was played at; may be empty.
        started_at: when it was begun.
        last_at: when it was last changed.
        setup_text: the setup, as `entries.setup_text` writes it.
        texts: the decisions that stand, as lines of a game record.
    """

    game_id: int
    table: str
    started_at: datetime
    last_at: datetime
    setup_text: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What follows from a game's setup and decisions.

    Attributes:
        game: which game it is, as its record names it.
        players: their names, by seat; None if they cannot be read.
        decisions: how many stand.
        status: whether it goes on, has ended, or cannot be replayed.
        scores: of all seats, once it is finished.
        winners: the seats that have won.
        figures: what statistics keep of a finished game, as JSON.
        error: why it cannot be replayed.
    """

    game: str
    players: tuple[str, ...] | None
    decisions: int
    status: Status
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] = ()
    figures: str | None = None
    error: str | None = None


class Replays:
    """Sums games up. The games summed up last stay as they stand: one more decision is one step of the rules."""

    def __init__(self) -> None:
        self._kept: dict[int, _Replay] = {}

    def summary(self, stored: StoredGame) -> Summary:
        """Return the summary of a game as it is stored."""
        replay = self._kept.pop(stored.game_id, None)
        if replay is None or not replay.is_part_of(stored):
            replay = _Replay(stored.setup_text)
        replay.go_on(stored.texts)
        self._kept[stored.game_id] = replay
        if len(self._kept) > _PLAYS_KEPT:
            del self._kept[next(iter(self._kept))]
        return replay.summary(stored)


def figures_from_json(text: str, game: AnyGame) -> Any:
    """Return what statistics keep of a finished game, of the type that the game says.

    Raises:
        msgspec.ValidationError: if it is of another version.
    """
    return msgspec.json.decode(text, type=game.figures_type)


class _Replay:
    """A game as far as it has been replayed; it stops at what cannot be."""

    def __init__(self, setup_text: str) -> None:
        self._setup_text = setup_text
        self._texts: tuple[str, ...] = ()
        self._game: AnyGame = PATCHWORK
        self._play: Any = None
        self._error: str | None = None
        try:
            self._game = game_in(setup_text)
            self._play = self._game.begin(setup_in(setup_text, self._game))
        except JournalError as fault:
            self._error = reason(fault)

    def is_part_of(self, stored: StoredGame) -> bool:
        """Whether the game as it is stored goes on from here."""
        return stored.setup_text == self._setup_text and stored.texts[: len(self._texts)] == self._texts

    def go_on(self, texts: tuple[str, ...]) -> None:
        """Replay what was decided since."""
        for number, text in enumerate(texts[len(self._texts) :], start=len(self._texts) + 1):
            if self._error is None:
                self._error = self._applied(number, text)
        self._texts = texts

    def _applied(self, number: int, text: str) -> str | None:
        try:
            decision = self._game.decision_from_json(json.loads(text))
        except (ValueError, self._game.errors) as error:
            return said("decision {number} cannot be read: {fault}", number=number, fault=reason(error))
        try:
            self._play.apply(decision)
        except self._game.errors as error:
            return said("decision {number} does not follow from the rules: {fault}", number=number, fault=reason(error))
        return None

    def summary(self, stored: StoredGame) -> Summary:
        """Sum the game up as far as it has come."""
        name, count = self._game.name, len(self._texts)
        players = None if self._play is None else self._play.setup.players
        if self._error is not None:
            return Summary(name, players, count, Status.BROKEN, error=self._error)
        state = self._play.state
        if not state.finished:
            return Summary(name, players, count, Status.UNFINISHED)
        figures = msgspec.json.encode(self._game.figures(stored.game_id, stored.started_at, self._play)).decode()
        scores, winners = self._game.scores(state), self._game.winners(state)
        return Summary(name, players, count, Status.FINISHED, scores, winners, figures)

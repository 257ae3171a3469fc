"""The course of a game of Patchwork: both seats after every decision, the purchases, and a summary for statistics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from companion.games.patchwork import PATCHES, History, TakePatch, score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.patchwork import Decision, Setup, State

_SQUARE_POINTS = 2
"""The cost of an empty square at the end (rulebook, end of the game)."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game.

    Attributes:
        game_id: its number in the journal.
        started_at: the time at which it was begun.
        setup: its set-up.
        decisions: all decisions, in order.
    """

    game_id: int
    started_at: datetime
    setup: Setup
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """A seat's time, buttons, income and score at one moment.

    Attributes:
        time: the space of its token.
        buttons: the buttons in hand.
        income: the buttons printed on its quilt.
        empty: the number of uncovered squares.
        score: the score if the game had ended at that moment.
    """

    time: int
    buttons: int
    income: int
    empty: int
    score: int


@dataclass(frozen=True, slots=True)
class Purchase:
    """A patch that was bought.

    Attributes:
        seat: the buyer's seat.
        patch: the patch's id.
        number: the number of the decision, from 1.
        space: the space on which the token stopped.
        paydays: the number of income marks still ahead of the token.
    """

    seat: int
    patch: str
    number: int
    space: int
    paydays: int


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """The summary of a finished game for statistics, so that the game need not be replayed.

    Attributes:
        game_id: its number in the journal.
        started_at: the time at which it was begun.
        players: the players' names, by seat.
        standings: both seats at the end.
        winner: the seat that won.
        bonus: the seat that got the 7x7 tile; 0 if neither did.
        purchases: all purchases, in order.
    """

    game_id: int
    started_at: datetime
    players: tuple[str, str]
    standings: tuple[SeatStanding, SeatStanding]
    winner: int
    bonus: int
    purchases: tuple[Purchase, ...]


def course(game: PlayedGame) -> list[tuple[SeatStanding, SeatStanding]]:
    """Return both seats at the start and after every decision.

    Raises:
        IllegalDecisionError: the decisions are not a legal game.
    """
    return [_standings(state) for state in _states(game)]


def finished(game: PlayedGame) -> FinishedGame:
    """Return a game's summary for statistics; an unfinished one counts as if it had ended now.

    Raises:
        IllegalDecisionError: the decisions are not a legal game.
    """
    states = _states(game)
    end, stood = states[-1], [_standings(state) for state in states]
    bonus = next((seat for seat in (1, 2) if end.seat(seat).bonus), 0)
    bought = tuple(_purchases(game, stood))
    return FinishedGame(game.game_id, game.started_at, game.setup.players, stood[-1], end.winner or 0, bonus, bought)


def _states(game: PlayedGame) -> list[State]:
    """Return the state at the start and after every decision."""
    history = History(game.setup)
    return [history.state, *(history.apply(decision).state for decision in game.decisions)]


def _standings(state: State) -> tuple[SeatStanding, SeatStanding]:
    first, second = (
        SeatStanding(seat.time, seat.buttons, seat.income, seat.empty, score(seat)) for seat in state.seats
    )
    return first, second


def purchases(game: PlayedGame) -> list[Purchase]:
    """Return all purchases, in order.

    Raises:
        IllegalDecisionError: the decisions are not a legal game.
    """
    return list(_purchases(game, course(game)))


def _purchases(game: PlayedGame, stood: list[tuple[SeatStanding, SeatStanding]]) -> Iterator[Purchase]:
    for number, decision in enumerate(game.decisions, start=1):
        if isinstance(decision, TakePatch):
            space = stood[number][decision.seat - 1].time
            paydays = sum(mark > space for mark in game.setup.track.income)
            yield Purchase(decision.seat, decision.patch, number, space, paydays)


def worth(purchase: Purchase) -> int:
    """Return the points that a patch was worth to its buyer: squares covered, income still to come, minus its price.

    The time that it cost is not included, because its value elsewhere is unknown.
    """
    patch = PATCHES[purchase.patch]
    return _SQUARE_POINTS * len(patch.cells) + patch.income * purchase.paydays - patch.buttons

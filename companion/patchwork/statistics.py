"""The course of a game of Patchwork: both seats after every decision, the purchases, and a summary for statistics."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean
from typing import Final

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Decision, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup, State, score
from companion.record import Play
from companion.statistics import BestResult, best_results, longest_run

# The cost of an empty square at the end (rulebook, end of the game).
_SQUARE_POINTS = 2


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """A seat's time, buttons, income and score at one moment.

    Attributes:
        income: the buttons printed on its quilt.
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
        bonus: the seat that got the 7x7 tile; 0 if neither did.
    """

    game_id: int
    started_at: datetime
    players: tuple[str, str]
    standings: tuple[SeatStanding, SeatStanding]
    winner: int
    bonus: int
    purchases: tuple[Purchase, ...]


def course(setup: Setup, decisions: Iterable[Decision]) -> list[tuple[SeatStanding, SeatStanding]]:
    """Return both seats at the start and after every decision.

    Raises:
        IllegalDecisionError: the decisions are not a legal game.
    """
    history = History(setup)
    return [_standings(history.state), *(_standings(history.apply(decision).state) for decision in decisions)]


def finished(game_id: int, started_at: datetime, play: Play[Setup, Decision, State]) -> FinishedGame:
    """Return a game's summary for statistics; an unfinished one counts as if it had ended now."""
    end = play.state
    bonus = next((seat for seat in (1, 2) if end.seat(seat).bonus), 0)
    bought = tuple(purchases(play.setup, play.decisions))
    return FinishedGame(game_id, started_at, end.setup.players, _standings(end), end.winner or 0, bonus, bought)


def _standings(state: State) -> tuple[SeatStanding, SeatStanding]:
    first, second = (
        SeatStanding(seat.time, seat.buttons, seat.income, seat.empty, score(seat)) for seat in state.seats
    )
    return first, second


def purchases(setup: Setup, decisions: Sequence[Decision]) -> Iterator[Purchase]:
    """Yield all purchases, in order.

    Raises:
        IllegalDecisionError: the decisions are not a legal game.
    """
    stood = course(setup, decisions)
    for number, decision in enumerate(decisions, start=1):
        if isinstance(decision, TakePatch):
            space = stood[number][decision.seat - 1].time
            paydays = sum(mark > space for mark in setup.track.income)
            yield Purchase(decision.seat, decision.patch, number, space, paydays)


def worth(purchase: Purchase) -> int:
    """Return the points that a patch was worth to its buyer: squares covered, income still to come, minus its price.

    The time that it cost is not included, because its value elsewhere is unknown.
    """
    patch = PATCHES[purchase.patch]
    return _SQUARE_POINTS * len(patch.cells) + patch.income * purchase.paydays - patch.buttons


# The measure of each kind of record, of a seat's final standing and the other's: "buttons" is the most in hand at the
# end, "quilt" the fewest empty squares, as a negative number.
_MEASURES: Final[dict[str, Callable[[tuple[SeatStanding, SeatStanding]], int]]] = {
    "score": lambda both: both[0].score,
    "margin": lambda both: both[0].score - both[1].score,
    "income": lambda both: both[0].income,
    "buttons": lambda both: both[0].buttons,
    "quilt": lambda both: -both[0].empty,
}


def records(games: Sequence[FinishedGame]) -> list[BestResult]:
    """Return the records; see `best_results`."""
    sides = (
        ((game.standings[at], game.standings[1 - at]), game.players[at], game.game_id)
        for game in games
        for at in (0, 1)
    )
    found = best_results(sides, _MEASURES)
    return [replace(each, value=-each.value) if each.kind == "quilt" else each for each in found]


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player over all games.

    Attributes:
        empty: the mean number of empty squares at the end.
        patches: the mean number of patches bought in a game.
        bonuses: how often the player won the 7x7 tile.
    """

    name: str
    games: int
    won: int
    best: int
    mean: float
    income: float
    empty: float
    patches: float
    bonuses: int
    streak: int


def player_figures(games: Iterable[FinishedGame]) -> list[PlayerFigures]:
    """Return the figures of all players, by games in the order in which they were played; most victories first."""
    played: dict[str, list[tuple[FinishedGame, int]]] = defaultdict(list)
    for game in games:
        for seat, name in enumerate(game.players, start=1):
            played[name].append((game, seat))
    figures = [_player(name, parts) for name, parts in played.items()]
    return sorted(figures, key=lambda each: (-each.won, -each.mean, each.name))


def _player(name: str, played: list[tuple[FinishedGame, int]]) -> PlayerFigures:
    """Return the figures of a player, given each of their games with their seat in it."""
    won = [game.winner == seat for game, seat in played]
    stood = [game.standings[seat - 1] for game, seat in played]
    return PlayerFigures(
        name,
        len(played),
        sum(won),
        max(each.score for each in stood),
        fmean([each.score for each in stood]),
        fmean([each.income for each in stood]),
        fmean([each.empty for each in stood]),
        fmean([sum(each.seat == seat for each in game.purchases) for game, seat in played]),
        sum(game.bonus == seat for game, seat in played),
        longest_run(won),
    )


@dataclass(frozen=True, slots=True)
class PatchFigures:
    """One patch over many games.

    Attributes:
        won: how often its buyer won that game.
        space: the mean space on which the buyer's token stopped.
        worth: its mean worth in points (see `worth`).
        worth_a_space: this mean divided by the spaces of time that the patch takes.
    """

    patch: str
    bought: int
    won: int
    space: float
    worth: float
    worth_a_space: float


def patch_figures(games: Iterable[FinishedGame]) -> list[PatchFigures]:
    """Return the figures of all patches that were bought, the most valuable first."""
    found: dict[str, list[tuple[Purchase, bool]]] = defaultdict(list)
    for game in games:
        for purchase in game.purchases:
            found[purchase.patch].append((purchase, purchase.seat == game.winner))
    figures = [_patch(patch, bought) for patch, bought in found.items()]
    return sorted(figures, key=lambda each: (-each.worth, each.patch))


def _patch(patch: str, bought: list[tuple[Purchase, bool]]) -> PatchFigures:
    mean = fmean([worth(purchase) for purchase, _ in bought])
    return PatchFigures(
        patch,
        len(bought),
        sum(won for _, won in bought),
        fmean([purchase.space for purchase, _ in bought]),
        mean,
        mean / PATCHES[patch].time,
    )

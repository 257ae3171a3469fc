"""A position of a game for searches: what `State` holds, in small integers, and what a decision makes of it.

A search visits thousands of positions a second, so nothing is checked here and nothing is reported: `rules.apply` is
the truth, and tests hold this against it, decision by decision.
"""

from functools import cache
from typing import Final, NamedTuple, TypeAlias

from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.components import BONUS_POINTS, PATCHES, POINTS_LOST_PER_EMPTY_CELL, has_square
from companion.games.patchwork.decisions import Advance, MoveDecision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import OFFERED
from companion.games.patchwork.state import RuleProfile, State

IDS: Final = tuple(PATCHES)
"""The patches by their number in a position."""
LEATHER: Final = -1
"""The number of a leather patch in a move."""
_NUMBERS: Final = {patch: number for number, patch in enumerate(IDS)}
PRICES: Final = tuple(patch.buttons for patch in PATCHES.values())
_TIMES: Final = tuple(patch.time for patch in PATCHES.values())
_INCOMES: Final = tuple(patch.income for patch in PATCHES.values())
# A quilt with fewer covered cells has no square of 7 by 7.
_SQUARE: Final = 49

Move: TypeAlias = "tuple[int, int] | None"
"""A patch's number (`LEATHER` for a leather patch) and the cells that it covers; None advances."""


class Track(NamedTuple):
    """A time board, and what does not change in a game.

    Attributes:
        last: the last space.
        paid: how many income marks a token crosses between two spaces, `paid[start][end]`.
        on_offer: how many patches are on offer.
        turns: whether skipped patches go to the end of the circle; a circle that is unknown has no order.
        late_wins: whether equal scores go to the seat that reached the last space later.
    """

    last: int
    paid: tuple[tuple[int, ...], ...]
    on_offer: int
    turns: bool
    late_wins: bool


class Side(NamedTuple):
    """A seat's side of the table; `quilt` is a bit mask of covered cells."""

    time: int
    buttons: int
    income: int
    quilt: int
    bonus: bool

    @property
    def points(self) -> int:
        """The score, as `state.score` counts it."""
        empty = ALL_CELLS.bit_count() - self.quilt.bit_count()
        return self.buttons + (BONUS_POINTS if self.bonus else 0) - POINTS_LOST_PER_EMPTY_CELL * empty


class Position(NamedTuple):
    """A position between two decisions.

    Attributes:
        track: the time board.
        turn: the index of the side to move, 0 or 1; -1 when the game has ended.
        sides: both sides, seat 1 first.
        circle: the numbers of the patches left, clockwise from the neutral token.
        leather: the marks whose leather patch is still available.
        is_leather_due: whether the side to move must place a leather patch.
        first_home: the index of the side that reached the last space first, or -1.
    """

    track: Track
    turn: int
    sides: tuple[Side, Side]
    circle: tuple[int, ...]
    leather: tuple[int, ...]
    is_leather_due: bool
    first_home: int

    @property
    def winner(self) -> int:
        """The index of the side that has won a game that has ended."""
        lead = self.sides[0].points - self.sides[1].points
        if lead:
            return 0 if lead > 0 else 1
        return 1 - self.first_home if self.track.late_wins else self.first_home


def position_of(state: State) -> Position:
    """Return the position of a game."""
    first, second = (Side(each.time, each.buttons, each.income, each.quilt, each.bonus) for each in state.seats)
    circle = tuple(_NUMBERS[patch] for patch in state.unbought)
    turn = -1 if state.turn is None else state.turn - 1
    home = -1 if state.first_home is None else state.first_home - 1
    track = _track(
        state.setup.track.last_space,
        state.setup.track.income,
        state.setup.market is not None,
        state.setup.rules is RuleProfile.MARKER_ON_TOP,
    )
    return Position(track, turn, (first, second), circle, state.leather_left, state.leather_due, home)


@cache
def _track(last: int, income: tuple[int, ...], is_known: bool, late_wins: bool) -> Track:
    spaces = range(last + 1)
    paid = tuple(tuple(sum(start < mark <= end for mark in income) for end in spaces) for start in spaces)
    return Track(last, paid, OFFERED if is_known else len(PATCHES), is_known, late_wins)


def decision_of(position: Position, move: Move) -> MoveDecision:
    """Return a move of the side whose turn it is, as a decision."""
    seat = position.turn + 1
    if move is None:
        return Advance(seat)
    patch, cells = move
    return PlaceLeather(seat, cells) if patch == LEATHER else TakePatch(seat, IDS[patch], cells)


def affordable(position: Position) -> list[int]:
    """Return the numbers of the patches on offer that the side to move can pay for."""
    buttons = position.sides[position.turn].buttons
    return [patch for patch in position.circle[: position.track.on_offer] if PRICES[patch] <= buttons]


def play(position: Position, move: Move) -> Position:
    """Return the position after a legal move."""
    track, turn, sides, circle, leather, _, home = position
    time, buttons, income, quilt, bonus = sides[turn]
    end = time
    if move is None:
        end = min(sides[1 - turn].time + 1, track.last)
        buttons += end - time
    else:
        patch, cells = move
        quilt |= cells
        bonus = bonus or (quilt.bit_count() >= _SQUARE and not sides[1 - turn].bonus and has_square(quilt))
        if patch != LEATHER:
            buttons -= PRICES[patch]
            income += _INCOMES[patch]
            end = min(time + _TIMES[patch], track.last)
            place = circle.index(patch)
            circle = circle[place + 1 :] + circle[:place] if track.turns else circle[:place] + circle[place + 1 :]
    won = [mark for mark in leather if time < mark <= end]
    if won:
        leather = tuple(mark for mark in leather if mark not in won)
    side = Side(end, buttons + track.paid[time][end] * income, income, quilt, bonus)
    return _close(track, turn, side, sides[1 - turn], circle, leather, bool(won) and quilt != ALL_CELLS, home)


def _close(
    track: Track,
    turn: int,
    side: Side,
    other: Side,
    circle: tuple[int, ...],
    leather: tuple[int, ...],
    is_leather_due: bool,
    home: int,
) -> Position:
    """Return the position after a move of the side `turn`, with whose turn it is."""
    if home < 0 and side.time == track.last:
        home = turn
    following = turn
    if not is_leather_due:
        if side.time == other.time == track.last:
            following = -1
        elif side.time > other.time:
            following = 1 - turn
    sides = (side, other) if turn == 0 else (other, side)
    return Position(track, following, sides, circle, leather, is_leather_due, home)

"""The rules: how a game begins and what each decision brings about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.games.patchwork.cells import ALL_CELLS, SIDE
from companion.games.patchwork.components import BONUS_SIDE, PATCHES, START_BUTTONS, TIME_TRACKS, marks_crossed
from companion.games.patchwork.decisions import Advance, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.facts import (
    BonusTileTaken,
    ButtonsEarned,
    Fact,
    GameEnded,
    IncomePaid,
    LeatherPlaced,
    LeatherSetAside,
    LeatherWon,
    PatchPlaced,
    TokenMoved,
    TurnPassed,
)
from companion.games.patchwork.legality import check
from companion.games.patchwork.state import SeatState, Setup, State

if TYPE_CHECKING:
    from companion.games.patchwork.components import TimeTrack


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `apply` returns: the state after the decision, and what happened on the way, in order."""

    state: State
    facts: tuple[Fact, ...]


def new_game(setup: Setup) -> State:
    """The state before the first decision: five buttons each, both tokens on space 0, every leather patch out."""
    seat = SeatState(buttons=START_BUTTONS, income=0, time=0, quilt=0, bonus=False)
    unbought = tuple(PATCHES) if setup.market is None else setup.market
    leather = TIME_TRACKS[setup.edition].leather
    return State(setup, (seat, seat), unbought, setup.first_seat, False, leather, None, 0)


def apply(state: State, decision: Decision) -> Outcome:
    """The outcome of a decision; the given state stays as it is.

    Raises:
        IllegalDecisionError: if the rules forbid it; the error says why.
    """
    check(state, decision)
    if isinstance(decision, TakePatch):
        return _take_patch(state, decision)
    if isinstance(decision, Advance):
        return _advance(state, decision)
    return _place_leather(state, decision)


def _take_patch(state: State, decision: TakePatch) -> Outcome:
    """Pay, place (looking for the 7x7 square), move the token, resolve the marks crossed (rulebook, the five steps)."""
    patch = PATCHES[decision.patch]
    before = state.seats[decision.seat - 1]
    quilt = before.quilt | decision.cells
    bonus = _wins_bonus(state, quilt)
    facts: list[Fact] = [PatchPlaced(decision.seat, patch.id, decision.cells, patch.buttons)]
    if bonus:
        facts.append(BonusTileTaken(decision.seat))
    seat = SeatState(
        before.buttons - patch.buttons, before.income + patch.income, before.time, quilt, before.bonus or bonus
    )
    place = state.unbought.index(patch.id)
    unbought = (
        state.unbought[:place] + state.unbought[place + 1 :]
        if state.setup.market is None
        else state.unbought[place + 1 :] + state.unbought[:place]
    )
    return _move(state, seat, patch.time, unbought, facts)


def _advance(state: State, decision: Advance) -> Outcome:
    """Move to the space in front of the other token, then take one button a space (rulebook, action A)."""
    before = state.seats[decision.seat - 1]
    spaces = min(state.seats[2 - decision.seat].time + 1, state.track.last_space) - before.time
    return _move(state, before, spaces, state.unbought, [], wage=spaces)


def _place_leather(state: State, decision: PlaceLeather) -> Outcome:
    before = state.seats[decision.seat - 1]
    quilt = before.quilt | decision.cells
    bonus = _wins_bonus(state, quilt)
    facts: list[Fact] = [LeatherPlaced(decision.seat, decision.cells)]
    if bonus:
        facts.append(BonusTileTaken(decision.seat))
    seat = SeatState(before.buttons, before.income, before.time, quilt, before.bonus or bonus)
    return _close(state, _seated(state, seat), state.unbought, state.leather_left, state.first_home, facts)


def _wins_bonus(state: State, quilt: int) -> bool:
    """Whether the tile is still there and a whole 7x7 square is covered; more cover around it does no harm."""
    if quilt.bit_count() < BONUS_SIDE * BONUS_SIDE or state.seats[0].bonus or state.seats[1].bonus:
        return False
    return any(quilt & window == window for window in _WINDOWS)


def _windows() -> tuple[int, ...]:
    row = (1 << BONUS_SIDE) - 1
    corner = sum(row << SIDE * step for step in range(BONUS_SIDE))
    reach = range(SIDE - BONUS_SIDE + 1)
    return tuple(corner << SIDE * down + across for down in reach for across in reach)


_WINDOWS: Final = _windows()


def _seated(state: State, seat: SeatState) -> tuple[SeatState, SeatState]:
    """The two sides, that of the seat to move replaced."""
    return (seat, state.seats[1]) if state.turn == 1 else (state.seats[0], seat)


def _move(
    state: State, seat: SeatState, spaces: int, unbought: tuple[str, ...], facts: list[Fact], wage: int = 0
) -> Outcome:
    """Move the token of the seat to move, at most to the centre; pay the wage; resolve the marks crossed, in order."""
    number, track = state.turn or 0, state.track
    end = min(seat.time + spaces, track.last_space)
    facts.append(TokenMoved(number, seat.time, end))
    if wage:
        facts.append(ButtonsEarned(number, wage))
    paydays = marks_crossed(track.income, seat.time, end)
    won = marks_crossed(state.leather_left, seat.time, end)
    facts += [
        LeatherWon(number, mark) if mark in won else IncomePaid(number, mark, seat.income)
        for mark in sorted(paydays + won)
    ]
    buttons = seat.buttons + wage + len(paydays) * seat.income
    leather_left = tuple(mark for mark in state.leather_left if mark not in won) if won else state.leather_left
    first_home = number if end == track.last_space and state.first_home is None else state.first_home
    moved = SeatState(buttons, seat.income, end, seat.quilt, seat.bonus)
    if won and moved.quilt != ALL_CELLS:
        seats = _seated(state, moved)
        after = State(state.setup, seats, unbought, number, True, leather_left, first_home, state.decisions_made + 1)
        return Outcome(after, tuple(facts))
    if won:
        facts.append(LeatherSetAside(number))
    return _close(state, _seated(state, moved), unbought, leather_left, first_home, facts)


def _close(
    state: State,
    seats: tuple[SeatState, SeatState],
    unbought: tuple[str, ...],
    leather_left: tuple[int, ...],
    first_home: int | None,
    facts: list[Fact],
) -> Outcome:
    """End the move of the seat to move and find out whose turn it is."""
    turn = _next_turn(seats, state.turn or 0, state.track)
    after = State(state.setup, seats, unbought, turn, False, leather_left, first_home, state.decisions_made + 1)
    if after.winner is not None:
        facts.append(GameEnded(after.winner))
    elif turn is not None and turn != state.turn:
        facts.append(TurnPassed(turn))
    return Outcome(after, tuple(facts))


def _next_turn(seats: tuple[SeatState, SeatState], mover: int, track: TimeTrack) -> int | None:
    """The seat further behind; on one space the mover, whose token lies on top; nobody once both are in the centre."""
    mine, theirs = seats[mover - 1].time, seats[2 - mover].time
    if mine == theirs == track.last_space:
        return None
    return mover if mine <= theirs else 3 - mover

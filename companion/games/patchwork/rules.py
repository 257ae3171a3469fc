"""The rules: the start of a game, and the outcome of each decision."""

from dataclasses import dataclass, replace

from companion.games.patchwork.bonus import has_square
from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.components import PATCHES, START_BUTTONS, Crossing, marks_crossed
from companion.games.patchwork.decisions import Advance, AwardTile, CountButtons, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.facts import (
    BonusTileTaken,
    ButtonsCounted,
    ButtonsEarned,
    Fact,
    GameEnded,
    IncomePaid,
    LeatherPlaced,
    LeatherSetAside,
    LeatherWon,
    PatchPlaced,
    TileAwarded,
    TokenMoved,
    TurnPassed,
)
from companion.games.patchwork.legality import check
from companion.games.patchwork.state import SeatState, Setup, State


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of `apply`: the state after the decision, and the resulting facts, in order."""

    state: State
    facts: tuple[Fact, ...]


def new_game(setup: Setup) -> State:
    """Return the state before the first decision: five buttons each, tokens on space 0, all leather patches out."""
    seat = SeatState(buttons=START_BUTTONS, income=0, time=0, quilt=0, bonus=False)
    unbought = tuple(PATCHES) if setup.market is None else setup.market
    return State(setup, (seat, seat), unbought, setup.first_seat, False, setup.track.leather, None, 0)


def apply(state: State, decision: Decision) -> Outcome:
    """Return the outcome of a decision; the given state is not changed.

    Raises:
        IllegalDecisionError: if the rules forbid it; the error says why.
    """
    check(state, decision)
    if isinstance(decision, TakePatch):
        return _take_patch(state, decision)
    if isinstance(decision, Advance):
        return _advance(state, decision)
    if isinstance(decision, CountButtons):
        return _count(state, decision)
    if isinstance(decision, AwardTile):
        return _award(state, decision)
    return _place_leather(state, decision)


def _take_patch(state: State, decision: TakePatch) -> Outcome:
    """Apply a purchase: pay, place the patch, check for the 7x7 square, move the token (rulebook, the five steps)."""
    patch = PATCHES[decision.patch]
    before = state.seats[decision.seat - 1]
    quilt = before.quilt | decision.cells
    facts: list[Fact] = [PatchPlaced(decision.seat, patch.id, decision.cells, patch.buttons)]
    bonus = before.bonus or _take_bonus(state, quilt, facts)
    seat = SeatState(before.buttons - patch.buttons, before.income + patch.income, before.time, quilt, bonus)
    return _move(state, seat, patch.time, _without(state, patch.id), facts)


def _without(state: State, patch: str) -> tuple[str, ...]:
    """Return the market without a bought patch, from the neutral token's new place on; skipped patches come last."""
    place = state.unbought.index(patch)
    # Without a circle there is no token to move: the order remains that of the file.
    if state.setup.market is None:
        return state.unbought[:place] + state.unbought[place + 1 :]
    return state.unbought[place + 1 :] + state.unbought[:place]


def _advance(state: State, decision: Advance) -> Outcome:
    """Move to the space in front of the other token, then take one button a space (rulebook, action A)."""
    seat = state.seats[decision.seat - 1]
    spaces = min(state.seats[2 - decision.seat].time + 1, state.setup.track.last_space) - seat.time
    return _move(state, seat, spaces, state.unbought, [], wage=spaces)


def _place_leather(state: State, decision: PlaceLeather) -> Outcome:
    before = state.seats[decision.seat - 1]
    quilt = before.quilt | decision.cells
    facts: list[Fact] = [LeatherPlaced(decision.seat, decision.cells)]
    bonus = before.bonus or _take_bonus(state, quilt, facts)
    seat = SeatState(before.buttons, before.income, before.time, quilt, bonus)
    return _close(state, seat, state.unbought, state.leather_left, facts)


def _count(state: State, decision: CountButtons) -> Outcome:
    """Set a player's buttons to the number counted on the table, which overrides the computed one."""
    before = state.seats[decision.seat - 1]
    seat = replace(before, buttons=decision.buttons)
    seats = (seat, state.seats[1]) if decision.seat == 1 else (state.seats[0], seat)
    after = replace(state, seats=seats, decisions_made=state.decisions_made + 1)
    counted = ButtonsCounted(decision.seat, decision.buttons, before.buttons)
    # The end is stated again, because the count may have changed the winner.
    return Outcome(after, (counted, GameEnded(after.winner or 0)))


def _award(state: State, decision: AwardTile) -> Outcome:
    """Award the 7x7 tile to the seat that the decision names, regardless of who completed a square first."""
    # One of the seats has the tile: a full square, without which it is not awarded, has taken it.
    booked = 1 if state.seats[0].bonus else 2
    seats = (replace(state.seats[0], bonus=decision.seat == 1), replace(state.seats[1], bonus=decision.seat == 2))
    after = replace(state, seats=seats, decisions_made=state.decisions_made + 1)
    return Outcome(after, (TileAwarded(decision.seat, booked), GameEnded(after.winner or 0)))


def _take_bonus(state: State, quilt: int, facts: list[Fact]) -> bool:
    """Take the 7x7 tile if it is still available and a whole 7x7 square is covered."""
    if state.seats[0].bonus or state.seats[1].bonus or not has_square(quilt):
        return False
    facts.append(BonusTileTaken(state.mover))
    return True


def _move(
    state: State, seat: SeatState, spaces: int, unbought: tuple[str, ...], facts: list[Fact], wage: int = 0
) -> Outcome:
    """Move the mover's token, at most to the centre; add the buttons earned; resolve the marks crossed, in order."""
    number, track = state.mover, state.setup.track
    end = min(seat.time + spaces, track.last_space)
    facts.append(TokenMoved(number, seat.time, end))
    if wage:
        facts.append(ButtonsEarned(number, wage))
    left, earned, due = state.leather_left, wage, False
    crossing = marks_crossed(track.income, left, seat.time, end)
    if crossing is not None:
        earned += len(crossing.income) * seat.income
        left = tuple([mark for mark in left if mark not in crossing.leather])
        # A flag suffices: two leather patches in one move cannot happen in either printing (`docs/rules.md`).
        due = bool(crossing.leather) and seat.quilt != ALL_CELLS
        facts += _crossing_facts(number, seat, crossing)
    moved = SeatState(seat.buttons + earned, seat.income, end, seat.quilt, seat.bonus)
    return _close(state, moved, unbought, left, facts, due)


def _crossing_facts(number: int, seat: SeatState, crossing: Crossing) -> list[Fact]:
    """Return the facts of each mark, in the order of the track. A leather patch is set aside if no cell is empty."""
    facts: list[Fact] = []
    for mark in crossing.marks:
        if mark in crossing.income:
            facts.append(IncomePaid(number, mark, seat.income))
            continue
        facts.append(LeatherWon(number, mark))
        if seat.quilt == ALL_CELLS:
            facts.append(LeatherSetAside(number))
    return facts


def _close(
    state: State,
    seat: SeatState,
    unbought: tuple[str, ...],
    leather_left: tuple[int, ...],
    facts: list[Fact],
    leather_due: bool = False,
) -> Outcome:
    """End the move with the mover's new state `seat`, and determine whose turn it is."""
    number = state.mover
    seats = (seat, state.seats[1]) if number == 1 else (state.seats[0], seat)
    last_space = state.setup.track.last_space
    # The arrival counts from this move on, even if a leather patch must still be placed.
    first_home = number if seat.time == last_space and state.first_home is None else state.first_home
    turn = number if leather_due else _next_turn(seats, number, last_space)
    made = state.decisions_made + 1
    after = State(state.setup, seats, unbought, turn, leather_due, leather_left, first_home, made)
    if turn is None:
        # A finished game has a winner; the 0 is for the type checker alone.
        facts.append(GameEnded(after.winner or 0))
    elif turn != number:
        facts.append(TurnPassed(turn))
    return Outcome(after, tuple(facts))


def _next_turn(seats: tuple[SeatState, SeatState], mover: int, last_space: int) -> int | None:
    """Return the seat further behind, the mover if both are on one space (its token is on top), or None at the end."""
    mine, theirs = seats[mover - 1].time, seats[2 - mover].time
    if mine == theirs == last_space:
        return None
    return mover if mine <= theirs else 3 - mover

"""The rules: what is on offer, the check and the outcome of each decision, and the history of a game."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from companion.games.history import GameHistory, GameOutcome
from companion.games.patchwork.cells import ALL_CELLS
from companion.games.patchwork.components import PATCHES, Crossing, has_square, marks_crossed, placement_set, placements
from companion.games.patchwork.decisions import Advance, AwardTile, CountButtons, Decision, PlaceLeather, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError, IllegalReason
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
from companion.games.patchwork.state import SeatState, Setup, State

OFFERED: Final = 3
"""The number of patches on offer from the neutral token on (`docs/rules.md`)."""


def offers(state: State) -> tuple[str, ...]:
    """Return the patches on offer, affordable or not: the next three clockwise of the neutral token.

    Fewer if fewer are left; all unbought ones, in file order, if the circle is unknown; none while a leather patch
    must be placed and after the end of the game.
    """
    if state.leather_due or state.turn is None:
        return ()
    return state.unbought if state.setup.market is None else state.unbought[:OFFERED]


def affordable(state: State) -> tuple[str, ...]:
    """Return the offers that the seat to move can pay for, in order."""
    if state.turn is None:
        return ()
    buttons = state.seats[state.turn - 1].buttons
    return tuple([patch for patch in offers(state) if PATCHES[patch].buttons <= buttons])


def can_buy(state: State) -> bool:
    """Return whether the seat to move can pay for an offer that fits on its quilt."""
    quilt = state.seat(state.mover).quilt
    return any(not cells & quilt for patch in affordable(state) for cells in placements(patch))


def check(state: State, decision: Decision) -> None:
    """Check a decision by the rules.

    Raises:
        IllegalDecisionError: if the rules forbid it; the error says why.
    """
    # These two correct the books after the end, so they come before the check whether the game has ended.
    if isinstance(decision, CountButtons):
        if state.turn is not None:
            raise IllegalDecisionError(IllegalReason.COUNTED_EARLY)
    elif isinstance(decision, AwardTile):
        _check_award(state, decision)
    elif state.turn is None:
        raise IllegalDecisionError(IllegalReason.FINISHED)
    elif decision.seat != state.turn:
        raise IllegalDecisionError(IllegalReason.WRONG_TURN, turn=state.turn)
    elif isinstance(decision, PlaceLeather):
        _check_leather(state, decision)
    elif state.leather_due:
        raise IllegalDecisionError(IllegalReason.LEATHER_FIRST)
    elif not isinstance(decision, Advance):
        _check_purchase(state, decision)


def _check_award(state: State, decision: AwardTile) -> None:
    if state.turn is not None:
        raise IllegalDecisionError(IllegalReason.AWARDED_EARLY)
    if not has_square(state.seats[decision.seat - 1].quilt):
        raise IllegalDecisionError(IllegalReason.NO_SQUARE)


def _check_leather(state: State, decision: PlaceLeather) -> None:
    if not state.leather_due:
        raise IllegalDecisionError(IllegalReason.NO_LEATHER)
    _check_on_board(decision.cells)
    # A decision from a file covers one cell, but `resolve` returns whatever cells were named.
    if decision.cells.bit_count() != 1:
        raise IllegalDecisionError(IllegalReason.LEATHER_SHAPE, decision.cells)
    _check_free(state, decision)


def _check_purchase(state: State, decision: TakePatch) -> None:
    check_for_sale(state, decision.patch)
    _check_on_board(decision.cells)
    if decision.cells not in placement_set(decision.patch):
        raise IllegalDecisionError(IllegalReason.WRONG_SHAPE, decision.cells, decision.patch)
    _check_free(state, decision)


def check_for_sale(state: State, patch: str) -> None:
    """Check that the seat to move may buy a patch.

    Raises:
        IllegalDecisionError: if it is unknown, not on offer or too expensive.
    """
    if patch not in PATCHES:
        raise IllegalDecisionError(IllegalReason.UNKNOWN_PATCH, patch=patch)
    on_offer = offers(state)
    if patch not in on_offer:
        if patch not in state.unbought:
            raise IllegalDecisionError(IllegalReason.BOUGHT, patch=patch)
        raise IllegalDecisionError(IllegalReason.NOT_OFFERED, patch=patch, offers=on_offer)
    purse = state.seats[state.mover - 1].buttons
    if PATCHES[patch].buttons > purse:
        raise IllegalDecisionError(IllegalReason.NOT_AFFORDABLE, patch=patch, turn=state.turn, buttons=purse)


def _check_on_board(cells: int) -> None:
    if cells < 0 or cells > ALL_CELLS:
        raise IllegalDecisionError(IllegalReason.OVER_THE_EDGE, cells & ALL_CELLS)


def _check_free(state: State, decision: TakePatch | PlaceLeather) -> None:
    overlap = decision.cells & state.seats[decision.seat - 1].quilt
    if overlap:
        raise IllegalDecisionError(IllegalReason.OVERLAP, overlap)


Outcome: TypeAlias = GameOutcome[State, Fact]
"""The result of `apply`."""


def new_game(setup: Setup) -> State:
    """Return the state before the first decision: tokens on space 0, all leather patches out."""
    one, other = (SeatState(buttons=each, income=0, time=0, quilt=0, bonus=False) for each in setup.buttons)
    unbought = tuple(PATCHES) if setup.market is None else setup.market
    return State(setup, (one, other), unbought, setup.first_seat, False, setup.track.leather, None, 0)


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
    return GameOutcome(after, (counted, GameEnded(after.winner or 0)))


def _award(state: State, decision: AwardTile) -> Outcome:
    """Award the 7x7 tile to the seat that the decision names, regardless of who completed a square first."""
    # One of the seats has the tile: a full square, without which it is not awarded, has taken it.
    booked = 1 if state.seats[0].bonus else 2
    seats = (replace(state.seats[0], bonus=decision.seat == 1), replace(state.seats[1], bonus=decision.seat == 2))
    after = replace(state, seats=seats, decisions_made=state.decisions_made + 1)
    return GameOutcome(after, (TileAwarded(decision.seat, booked), GameEnded(after.winner or 0)))


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
    return GameOutcome(after, tuple(facts))


def _next_turn(seats: tuple[SeatState, SeatState], mover: int, last_space: int) -> int | None:
    """Return the seat further behind, the mover if both are on one space (its token is on top), or None at the end."""
    own, other = seats[mover - 1].time, seats[2 - mover].time
    if own == other == last_space:
        return None
    return mover if own <= other else 3 - mover


class History(GameHistory[State, Decision, Fact]):
    """The states of one game of Patchwork, from its start to now."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(new_game(setup), apply)

    @property
    def setup(self) -> Setup:
        """The setup that the game began with, including the circle of patches once it is known."""
        return self._states[0].setup

    def with_market(self, market: Sequence[str] | None) -> "History":
        """Return this game with another circle of patches, or with an unknown one.

        Raises:
            SetupError: the circle is not valid.
            IllegalDecisionError: a decision does not agree with it.
        """
        other = History(replace(self.setup, market=None if market is None else tuple(market)))
        for decision in self._decisions:
            other.apply(decision)
        return other

    def know_market(self, market: Sequence[str] | None) -> None:
        """Set the circle of patches at the start of the game, or set it to unknown.

        The decisions so far are replayed with it.

        Raises:
            SetupError: the circle is not valid.
            IllegalDecisionError: a decision does not agree with it; the history is not changed.
        """
        # The replay made the same decisions: only the states differ.
        self._states = self.with_market(market)._states

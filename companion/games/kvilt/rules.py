"""The rules: a round from the scrap tokens to its end, the outcome of each decision, and the history of a game."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from companion.games.history import GameHistory, GameOutcome
from companion.games.kvilt import colouring
from companion.games.kvilt import decisions as d
from companion.games.kvilt import facts as f
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.draft import Draft
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError, IllegalReason
from companion.games.kvilt.facts import Fact
from companion.games.kvilt.sheet import blank, ends_game, score, winners
from companion.games.kvilt.state import CUSHION_HOLDS, Cushion, OwnPencil, Phase, SeatState, Setup, State, Variant

# A turn is place and place, or place and take, or take (rulebook); a take ends it in any case.
_PENCILS_A_TURN = 2


def _take_token(draft: Draft, decision: d.TakeToken) -> None:
    """Take a scrap token; after the last player's token the pencils are shared out."""
    if decision.colour not in draft.sheet.colours:
        raise IllegalDecisionError(FaultCode.TOKEN, IllegalReason.NO_SUCH_TOKEN, colour=decision.colour)
    if any(seat.bonus == decision.colour for seat in draft.seats):
        raise IllegalDecisionError(FaultCode.TOKEN, IllegalReason.TOKEN_TAKEN, colour=decision.colour)
    draft.change(decision.seat, bonus=decision.colour)
    draft.facts.append(f.TokenTaken(decision.seat, decision.colour))
    without = [number for number, seat in enumerate(draft.seats, start=1) if seat.bonus is None]
    draft.turn = draft.next_seat(decision.seat, without)
    if draft.turn is None:
        _begin(draft, Phase.PENCILS)


def _begin(draft: Draft, phase: Phase) -> None:
    """Begin a phase with the first player."""
    draft.phase, draft.turn = phase, draft.first
    draft.facts.append(f.PhaseBegan(phase, draft.round))


def _place(draft: Draft, decision: d.PlacePencil) -> None:
    """Put a pencil drawn blind on a pincushion; the second one ends the turn."""
    cushion = _in_the_middle(draft, decision.cushion, FaultCode.PLACE)
    if len(cushion.pencils) >= CUSHION_HOLDS:
        raise IllegalDecisionError(FaultCode.PLACE, IllegalReason.CUSHION_FULL, number=decision.cushion)
    draft.draw([decision.drawn])
    draft.cushions[decision.cushion - 1] = Cushion((*cushion.pencils, decision.drawn))
    draft.facts.append(f.PencilPlaced(decision.seat, decision.drawn, decision.cushion))
    draft.placed = (*draft.placed, decision.cushion)
    if len(draft.placed) == _PENCILS_A_TURN:
        _pass_on(draft, decision.seat)


def _in_the_middle(draft: Draft, number: int, code: FaultCode) -> Cushion:
    if not 1 <= number <= len(draft.cushions):
        raise IllegalDecisionError(code, IllegalReason.NO_SUCH_CUSHION, number=number, last=len(draft.cushions))
    cushion = draft.cushions[number - 1]
    if cushion.owner is not None:
        raise IllegalDecisionError(code, IllegalReason.CUSHION_TAKEN, number=number, seats=(cushion.owner,))
    return cushion


def _take_cushion(draft: Draft, decision: d.TakeCushion) -> None:
    """Take a pincushion with its pencils; the first one taken in a round brings the first-player token with it."""
    cushion = _in_the_middle(draft, decision.cushion, FaultCode.TAKE)
    if not cushion.pencils:
        raise IllegalDecisionError(FaultCode.TAKE, IllegalReason.CUSHION_EMPTY, number=decision.cushion)
    if draft.setup.settings.take_just_filled and draft.placed and decision.cushion not in draft.placed:
        raise IllegalDecisionError(FaultCode.TAKE, IllegalReason.NOT_JUST_FILLED, number=draft.placed[0])
    draft.cushions[decision.cushion - 1] = Cushion((), decision.seat)
    draft.change(decision.seat, cushion=decision.cushion, hand=tuple(map(OwnPencil, cushion.pencils)))
    draft.facts.append(f.CushionTaken(decision.seat, decision.cushion, cushion.pencils))
    # Before the turn is passed: if this was the last pincushion, the next phase begins with the first player.
    _take_first(draft, decision.seat)
    _pass_on(draft, decision.seat)


def _take_first(draft: Draft, seat: int) -> None:
    if not draft.first_taken and draft.first != seat:
        draft.facts.append(f.FirstPlayerChanged(seat))
        draft.first = seat
    draft.first_taken = True


def _pass_on(draft: Draft, seat: int) -> None:
    """End a turn: pass it to the next seat without a pincushion, or begin the next phase if there is none."""
    draft.placed = ()
    # A new first player does not change the order in this phase: it continues clockwise (`docs/kvilt.md`).
    draft.turn = draft.next_seat(seat, [n for n, side in enumerate(draft.seats, start=1) if side.cushion is None])
    if draft.turn is None:
        full = len(draft.neutral_pencils) == CUSHION_HOLDS
        _begin(draft, Phase.COLOURING if full else Phase.NEUTRAL)


def _fill_neutral(draft: Draft, decision: d.FillNeutral) -> None:
    """Draw until the neutral pincushion holds three."""
    lacking = CUSHION_HOLDS - len(draft.neutral_pencils)
    if len(decision.drawn) != lacking:
        count = len(decision.drawn)
        raise IllegalDecisionError(FaultCode.PLACE, IllegalReason.NEUTRAL_LACKS, number=count, last=lacking)
    draft.draw(decision.drawn)
    draft.cushions[draft.neutral] = Cushion(draft.neutral_pencils + decision.drawn)
    draft.facts.append(f.NeutralFilled(draft.neutral + 1, decision.drawn))
    _begin(draft, Phase.COLOURING)


def _end_colouring(draft: Draft, decision: d.Done) -> None:
    """End a player's colouring; the last player's end closes the round."""
    side = draft.seat(decision.seat)
    if side.task is not None:
        raise IllegalDecisionError(FaultCode.TURN, IllegalReason.BONUS_FIRST, kind=side.task.kind)
    draft.change(decision.seat, done=True)
    draft.facts.append(f.ColouringEnded(decision.seat, tuple(pencil.colour for pencil in side.hand)))
    still = [number for number, seat in enumerate(draft.seats, start=1) if not seat.done]
    # From the first player, not from this seat: in simultaneous colouring any seat may be done first.
    draft.turn = next((seat for seat in draft.setup.seats_from(draft.first) if seat in still), None)
    if draft.turn is None:
        _end_round(draft)


def _end_round(draft: Draft) -> None:
    """End the round: pencils, pincushions and tokens go back; the first-player token stays with its holder."""
    draft.facts.append(f.RoundEnded(draft.round))
    draft.bag = draft.full_bag()
    draft.cushions = [Cushion()] * draft.setup.cushions
    draft.seats = [SeatState(side.marks) for side in draft.seats]
    draft.first_taken = False
    # Tested only here: the round in which the condition is met is played to its end by everyone (rulebook).
    if not any(ends_game(draft.sheet, side.marks) for side in draft.seats):
        draft.round += 1
        _begin(draft, Phase.SCRAPS)
    elif Variant.ALL_COUNTED in draft.setup.variants:
        _begin(draft, Phase.COUNTING)
    else:
        _end_game(draft)


def _negate(draft: Draft, decision: d.Negate) -> None:
    """Count two rows negative; by a setting the first player picks them for all players."""
    upper, lower = decision.rows
    if not 1 <= upper < lower <= len(draft.sheet.rows):
        raise IllegalDecisionError(FaultCode.ORDER, IllegalReason.TWO_ROWS, last=len(draft.sheet.rows))
    together = draft.setup.settings.same_rows_for_all
    for seat in draft.setup.seats_from(draft.first) if together else (decision.seat,):
        draft.change(seat, negative=decision.rows)
        draft.facts.append(f.RowsNegated(seat, decision.rows))
    draft.turn = draft.next_seat(
        decision.seat, [number for number, side in enumerate(draft.seats, start=1) if not side.negative]
    )
    if draft.turn is None:
        _end_game(draft)


def _end_game(draft: Draft) -> None:
    draft.phase, draft.turn = Phase.END, None
    draft.facts.append(f.PhaseBegan(Phase.END, draft.round))
    counts = draft.setup.settings.empty_row_counts
    scores = [score(draft.sheet, side.marks, empty_row_counts=counts, negative=side.negative) for side in draft.seats]
    draft.facts.append(f.GameEnded(winners(scores)))


Outcome: TypeAlias = GameOutcome[State, Fact]
"""The result of `apply`."""


def new_game(setup: Setup) -> State:
    """Return the state before the first decision: blank sheets, all pencils in the bag, empty pincushions."""
    bag = (setup.sets,) * len(setup.sheet.colours)
    seats = (SeatState(blank(setup.sheet)),) * setup.seats
    cushions = (Cushion(),) * setup.cushions
    first = setup.first_seat
    return State(setup, 1, Phase.SCRAPS, first, first, False, bag, cushions, (), seats, 0)


def apply(state: State, decision: Decision) -> Outcome:
    """Return the outcome of a decision; the given state is not changed.

    Bonuses without a choice are settled in it, and so are those that cannot be used.

    Raises:
        IllegalDecisionError: if the rules forbid it; the error says why.
    """
    draft = Draft(state)
    # First, because most decisions colour.
    if isinstance(decision, d.Colouring):
        draft.require_phase(Phase.COLOURING, decision.seat)
        colouring.carry_out(draft, decision)
        colouring.settle(draft, decision.seat)
    else:
        draft.require_phase(_PHASES[type(decision)], decision.seat)
        _carry_out(draft, decision)
    if draft.turn != state.turn and draft.turn is not None:
        draft.facts.append(f.TurnPassed(draft.turn))
    return GameOutcome(draft.freeze(), tuple(draft.facts))


_PHASES: Final[Mapping[type[Decision], Phase]] = {
    d.TakeToken: Phase.SCRAPS,
    d.PlacePencil: Phase.PENCILS,
    d.TakeCushion: Phase.PENCILS,
    d.FillNeutral: Phase.NEUTRAL,
    d.Done: Phase.COLOURING,
    d.Negate: Phase.COUNTING,
}


def _carry_out(draft: Draft, decision: d.Sharing | d.Done | d.Negate) -> None:
    match decision:
        case d.PlacePencil():
            _place(draft, decision)
        case d.TakeCushion():
            _take_cushion(draft, decision)
        case d.FillNeutral():
            _fill_neutral(draft, decision)
        case d.Done():
            _end_colouring(draft, decision)
        case d.TakeToken():
            _take_token(draft, decision)
        case d.Negate():
            _negate(draft, decision)


class History(GameHistory[State, Decision, Fact]):
    """The states of one game of Kvilt, from its start to now."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(new_game(setup), apply)

    @property
    def setup(self) -> Setup:
        """The setup that the game began with."""
        return self._states[0].setup

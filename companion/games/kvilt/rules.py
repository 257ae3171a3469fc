"""The rules: the start of a game, and the outcome of each decision."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt.decisions import Done, Negate
from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.facts import ColouringEnded, Fact, GameEnded, PhaseBegan, RoundEnded, RowsNegated, TurnPassed
from companion.games.kvilt.marks import blank
from companion.games.kvilt.naming import TASK_WORDS
from companion.games.kvilt.scoring import ends_game, score, winners
from companion.games.kvilt.setup import Setup, Variant
from companion.games.kvilt.state import Cushion, Phase, SeatState, State
from companion.games.kvilt.turns import sharing, tasks, uses
from companion.games.kvilt.turns.draft import Draft, refuse
from companion.games.kvilt.turns.sharing import begin
from companion.languages import said


def done(draft: Draft, decision: Done) -> None:
    """End a player's colouring; the last player's end closes the round."""
    side = draft.seat(decision.seat)
    if side.task is not None:
        refuse(FaultCode.TURN, said("first settle the bonus {kind}, or decline it", kind=TASK_WORDS[side.task.kind]))
    draft.change(decision.seat, done=True)
    draft.facts.append(ColouringEnded(decision.seat, tuple(pencil.colour for pencil in side.hand)))
    still = [number for number, seat in enumerate(draft.seats, start=1) if not seat.done]
    # From the first player, not from this seat: in simultaneous colouring any seat may be done first.
    draft.turn = next((seat for seat in draft.setup.seats_from(draft.first) if seat in still), None)
    if draft.turn is None:
        _end_round(draft)


def _end_round(draft: Draft) -> None:
    """End the round: pencils, pincushions and tokens go back; the first-player token stays with its holder."""
    draft.facts.append(RoundEnded(draft.round))
    draft.bag = draft.full_bag()
    draft.cushions = [Cushion()] * draft.setup.cushions
    draft.seats = [SeatState(side.marks) for side in draft.seats]
    draft.first_taken = False
    # Tested only here: the round in which the condition is met is played to its end by everyone (rulebook).
    if not any(ends_game(draft.sheet, side.marks) for side in draft.seats):
        draft.round += 1
        begin(draft, Phase.SCRAPS)
    elif Variant.ALL_COUNTED in draft.setup.variants:
        begin(draft, Phase.COUNTING)
    else:
        _end_game(draft)


def negate(draft: Draft, decision: Negate) -> None:
    """Count two rows negative; by a setting the first player picks them for all players."""
    upper, lower = decision.rows
    if not 1 <= upper < lower <= len(draft.sheet.rows):
        refuse(
            FaultCode.ORDER,
            said(
                "pick two different rows from {first} to {last}, the upper one first",
                first=1,
                last=len(draft.sheet.rows),
            ),
        )
    together = draft.setup.settings.same_rows_for_all
    for seat in draft.setup.seats_from(draft.first) if together else (decision.seat,):
        draft.change(seat, negative=decision.rows)
        draft.facts.append(RowsNegated(seat, decision.rows))
    draft.turn = draft.next_seat(
        decision.seat, [number for number, side in enumerate(draft.seats, start=1) if not side.negative]
    )
    if draft.turn is None:
        _end_game(draft)


def _end_game(draft: Draft) -> None:
    draft.phase, draft.turn = Phase.END, None
    draft.facts.append(PhaseBegan(Phase.END, draft.round))
    counts = draft.setup.settings.empty_row_counts
    scores = [score(draft.sheet, side.marks, empty_row_counts=counts, negative=side.negative) for side in draft.seats]
    draft.facts.append(GameEnded(winners(scores)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of `apply`: the state after the decision, and the facts on the way, in order."""

    state: State
    facts: tuple[Fact, ...]


_CARRY_OUT: Final[Mapping[type, tuple[Phase, Callable[[Draft, Any], None]]]] = {
    d.TakeToken: (Phase.SCRAPS, sharing.take_token),
    d.PlacePencil: (Phase.PENCILS, sharing.place),
    d.TakeCushion: (Phase.PENCILS, sharing.take_cushion),
    d.FillNeutral: (Phase.NEUTRAL, sharing.fill_neutral),
    d.ColourCell: (Phase.COLOURING, uses.colour_cell),
    d.ColourPatch: (Phase.COLOURING, uses.colour_patch),
    d.ColourThread: (Phase.COLOURING, uses.colour_thread),
    d.Stitch: (Phase.COLOURING, tasks.stitch),
    d.Fetch: (Phase.COLOURING, tasks.fetch),
    d.ColourBackgrounds: (Phase.COLOURING, tasks.colour_backgrounds),
    d.Swap: (Phase.COLOURING, tasks.swap),
    d.Decline: (Phase.COLOURING, tasks.decline),
    d.Done: (Phase.COLOURING, done),
    d.Negate: (Phase.COUNTING, negate),
}


def new_game(setup: Setup) -> State:
    """Return the state before the first decision: blank sheets, all pencils in the bag, empty pincushions."""
    bag = (setup.sets,) * len(setup.sheet.colours)
    seats = (SeatState(blank(setup.sheet)),) * setup.seats
    cushions = (Cushion(),) * setup.cushions
    first = setup.first_seat
    return State(setup, 1, Phase.SCRAPS, first, first, False, bag, cushions, (), seats, 0)


def apply(state: State, decision: d.Decision) -> Outcome:
    """Return the outcome of a decision; the given state is not changed.

    Bonuses without a choice are settled in it, and so are those that cannot be used.

    Raises:
        IllegalDecisionError: if the rules forbid it; the error says why.
    """
    phase, carry_out = _CARRY_OUT[type(decision)]
    draft = Draft(state)
    draft.require_phase(phase, decision.seat)
    carry_out(draft, decision)
    if phase is Phase.COLOURING:
        tasks.settle(draft, decision.seat)
    if draft.turn != state.turn and draft.turn is not None:
        draft.facts.append(TurnPassed(draft.turn))
    return Outcome(draft.freeze(), tuple(draft.facts))

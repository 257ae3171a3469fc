"""The rules: the start of a game, and the outcome of each decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.games.kvilt import decisions as d
from companion.games.kvilt.facts import TurnPassed
from companion.games.kvilt.marks import blank
from companion.games.kvilt.state import Cushion, Phase, SeatState, State
from companion.games.kvilt.turns import rounds, sharing, tasks, uses
from companion.games.kvilt.turns.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.games.kvilt.facts import Fact
    from companion.games.kvilt.setup import Setup


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
    d.Done: (Phase.COLOURING, rounds.done),
    d.Negate: (Phase.COUNTING, rounds.negate),
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

"""Resolution of a coloured region to the decision behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.kvilt.decisions import ColourBackgrounds, ColourCell, ColourPatch, ColourThread, Stitch
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError, KviltError
from companion.games.kvilt.legal import legal_decisions
from companion.games.kvilt.naming import colour_name
from companion.games.kvilt.sheet.sheet import cell_name
from companion.languages import said

if TYPE_CHECKING:
    from companion.games.kvilt.decisions import Decision
    from companion.games.kvilt.sheet.sheet import Colour
    from companion.games.kvilt.state import State


class AmbiguousDecisionError(KviltError):
    """A coloured region that more than one pencil explains.

    Attributes:
        candidates: the decisions, in the order of the sheet's colours; at least two.
    """

    def __init__(self, says: str, candidates: tuple[Decision, ...]) -> None:
        super().__init__(says)
        self.candidates = candidates


def resolve(state: State, seat: int, region: str, colour: Colour | None = None) -> Decision:
    """Return the legal decision that colours a region now, such as "r2c3.picture", "p5", "spool3.thread" or "e5.2".

    Args:
        state: the game now.
        seat: whose sheet it is.
        region: which region.
        colour: with which pencil, or None if not given.

    Raises:
        IllegalDecisionError: if no legal decision colours it.
        AmbiguousDecisionError: if no colour was given and more than one pencil may do it.
    """
    found = [it for it in legal_decisions(state) if it.seat == seat and _colours(state, it, region, colour)]
    if not found:
        says = said("{region} cannot be coloured now", region=region)
        if colour:
            says = said("{region} cannot be coloured with {colour} now", region=region, colour=colour_name(colour))
        raise IllegalDecisionError(FaultCode.NO_PENCIL, says, (region,))
    if len(found) > 1:
        raise AmbiguousDecisionError(said("with which pencil is {region} coloured?", region=region), tuple(found))
    return found[0]


def _colours(state: State, decision: Decision, region: str, colour: Colour | None) -> bool:
    """Return whether a decision colours just this region, backgrounds that come with a picture aside."""
    marks = state.seat(decision.seat).marks
    if isinstance(decision, Stitch):
        return decision.part == region
    if isinstance(decision, ColourBackgrounds):
        return [f"{cell_name(cell)}.background" for cell in decision.cells] == [region]
    if not isinstance(decision, ColourCell | ColourPatch | ColourThread) or colour not in (None, decision.colour):
        return False
    if isinstance(decision, ColourCell):
        return region == f"{cell_name((decision.row, marks.rows[decision.row - 1].cells + 1))}.picture"
    return region == (decision.patch if isinstance(decision, ColourPatch) else f"spool{len(marks.threads) + 1}.thread")

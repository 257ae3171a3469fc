"""Phases 1 and 2: scrap tokens, pencils drawn and placed, pincushions taken."""

from companion.games.kvilt.decisions import FillNeutral, PlacePencil, TakeCushion, TakeToken
from companion.games.kvilt.errors import FaultCode
from companion.games.kvilt.facts import (
    CushionTaken,
    FirstPlayerChanged,
    NeutralFilled,
    PencilPlaced,
    PhaseBegan,
    TokenTaken,
)
from companion.games.kvilt.naming import colour_name
from companion.games.kvilt.setup import CUSHION_HOLDS
from companion.games.kvilt.state import Cushion, OwnPencil, Phase
from companion.games.kvilt.turns.draft import Draft, refuse
from companion.languages import said

# A turn is place and place, or place and take, or take (rulebook); a take ends it in any case.
_PENCILS_A_TURN = 2


def take_token(draft: Draft, decision: TakeToken) -> None:
    """Take a scrap token; after the last player's token the pencils are shared out."""
    if decision.colour not in draft.sheet.colours:
        refuse(FaultCode.TOKEN, said("there is no {colour} token", colour=colour_name(decision.colour)))
    if any(seat.bonus == decision.colour for seat in draft.seats):
        refuse(FaultCode.TOKEN, said("the {colour} token is taken", colour=colour_name(decision.colour)))
    draft.change(decision.seat, bonus=decision.colour)
    draft.facts.append(TokenTaken(decision.seat, decision.colour))
    without = [number for number, seat in enumerate(draft.seats, start=1) if seat.bonus is None]
    draft.turn = draft.next_seat(decision.seat, without)
    if draft.turn is None:
        begin(draft, Phase.PENCILS)


def begin(draft: Draft, phase: Phase) -> None:
    """Begin a phase with the first player."""
    draft.phase, draft.turn = phase, draft.first
    draft.facts.append(PhaseBegan(phase, draft.round))


def place(draft: Draft, decision: PlacePencil) -> None:
    """Put a pencil drawn blind on a pincushion; the second one ends the turn."""
    cushion = _in_the_middle(draft, decision.cushion, FaultCode.PLACE)
    if len(cushion.pencils) >= CUSHION_HOLDS:
        refuse(FaultCode.PLACE, said("pincushion {number} is full", number=decision.cushion))
    draft.draw([decision.drawn])
    draft.cushions[decision.cushion - 1] = Cushion((*cushion.pencils, decision.drawn))
    draft.facts.append(PencilPlaced(decision.seat, decision.drawn, decision.cushion))
    draft.placed = (*draft.placed, decision.cushion)
    if len(draft.placed) == _PENCILS_A_TURN:
        _pass_on(draft, decision.seat)


def _in_the_middle(draft: Draft, number: int, code: FaultCode) -> Cushion:
    if not 1 <= number <= len(draft.cushions):
        refuse(
            code,
            said(
                "there is no pincushion {number}; they are {first} to {last}",
                number=number,
                first=1,
                last=len(draft.cushions),
            ),
        )
    cushion = draft.cushions[number - 1]
    if cushion.owner is not None:
        refuse(code, said("seat {seat} has taken pincushion {number}", seat=cushion.owner, number=number))
    return cushion


def take_cushion(draft: Draft, decision: TakeCushion) -> None:
    """Take a pincushion with its pencils; the first one taken in a round brings the first-player token with it."""
    cushion = _in_the_middle(draft, decision.cushion, FaultCode.TAKE)
    if not cushion.pencils:
        refuse(FaultCode.TAKE, said("pincushion {number} is empty", number=decision.cushion))
    if draft.setup.settings.take_just_filled and draft.placed and decision.cushion not in draft.placed:
        refuse(FaultCode.TAKE, said("only pincushion {number}, just filled, may be taken", number=draft.placed[0]))
    draft.cushions[decision.cushion - 1] = Cushion((), decision.seat)
    draft.change(decision.seat, cushion=decision.cushion, hand=tuple(map(OwnPencil, cushion.pencils)))
    draft.facts.append(CushionTaken(decision.seat, decision.cushion, cushion.pencils))
    # Before the turn is passed: if this was the last pincushion, the next phase begins with the first player.
    _take_first(draft, decision.seat)
    _pass_on(draft, decision.seat)


def _take_first(draft: Draft, seat: int) -> None:
    if not draft.first_taken and draft.first != seat:
        draft.facts.append(FirstPlayerChanged(seat))
        draft.first = seat
    draft.first_taken = True


def _pass_on(draft: Draft, seat: int) -> None:
    """End a turn: pass it to the next seat without a pincushion, or begin the next phase if there is none."""
    draft.placed = ()
    # A new first player does not change the order in this phase: it continues clockwise (`docs/kvilt.md`).
    draft.turn = draft.next_seat(seat, [n for n, side in enumerate(draft.seats, start=1) if side.cushion is None])
    if draft.turn is None:
        full = len(draft.neutral_pencils) == CUSHION_HOLDS
        begin(draft, Phase.COLOURING if full else Phase.NEUTRAL)


def fill_neutral(draft: Draft, decision: FillNeutral) -> None:
    """Draw until the neutral pincushion holds three."""
    lacking = CUSHION_HOLDS - len(draft.neutral_pencils)
    if len(decision.drawn) != lacking:
        refuse(
            FaultCode.PLACE,
            said("the neutral pincushion lacks {lacking}, not {count}", lacking=lacking, count=len(decision.drawn)),
        )
    draft.draw(decision.drawn)
    draft.cushions[draft.neutral] = Cushion(draft.neutral_pencils + decision.drawn)
    draft.facts.append(NeutralFilled(draft.neutral + 1, decision.drawn))
    begin(draft, Phase.COLOURING)

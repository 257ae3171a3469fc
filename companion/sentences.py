"""Events as sentences for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    Event,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    NothingToUndo,
    QuestionAnswered,
    TableNoticed,
)
from companion.games.patchwork import (
    Advance,
    BonusTileTaken,
    ButtonsEarned,
    Decision,
    Fact,
    GameEnded,
    IncomePaid,
    LeatherPlaced,
    LeatherSetAside,
    LeatherWon,
    PatchPlaced,
    PlaceLeather,
    TokenMoved,
    TurnPassed,
    names_of,
    score,
)

if TYPE_CHECKING:
    from companion.games.patchwork import State


def sentences(event: Event) -> tuple[str, ...]:
    """What the event tells, one sentence a thing; empty where there is nothing to tell."""
    match event:
        case DecisionTaken(facts=facts, state=state):
            return taken_sentences(facts, state)
        case Complained(complaint=complaint):
            return (complaint.says,)
        case Asked():
            return (_asked(event),)
        case LookStarted():
            return ()
        case DecisionForeseen() | ForesightLapsed():
            return (_foreseen(event),)
        case _:
            return (_news(event),)


def _news(
    event: GameOpened | LookCalledOff | DecisionUndone | NothingToUndo | QuestionAnswered | TableNoticed,
) -> str:
    match event:
        case GameOpened():
            return _opened(event)
        case LookCalledOff(state=state):
            return f"The look was called off. {_turn(state)}"
        case DecisionUndone(decision=decision, state=state):
            return f"Taken back: {described(decision, state)}.{_lift(decision)} {_turn(state)}"
        case NothingToUndo():
            return "There is nothing to take back."
        case QuestionAnswered(taken=taken, state=state):
            return _answered(taken, state)
        case TableNoticed(says=says):
            return says


def taken_sentences(facts: Sequence[Fact], state: State) -> tuple[str, ...]:
    """What a decision brought about, in the order in which it happened."""
    move, rest = _move(facts, state)
    return (move, *(told for fact in rest if (told := _consequence(fact, state))))


def described(decision: Decision, state: State) -> str:
    """A decision in a few words: "Anna takes corner-b1 at A1 A2 B2"."""
    name = _name(state, decision.seat)
    match decision:
        case Advance():
            return f"{name} advances"
        case PlaceLeather(cells=cells):
            return f"{name} sews the leather patch on {_cells(cells)}"
        case _:
            return f"{name} takes {decision.patch} at {_cells(decision.cells)}"


def _move(facts: Sequence[Fact], state: State) -> tuple[str, Sequence[Fact]]:
    """The sentence of the move itself, and the facts it does not tell."""
    kinds = {type(fact): fact for fact in facts}
    moved = kinds.get(TokenMoved)
    track = f"{moved.end} on the time track" if isinstance(moved, TokenMoved) else ""
    match kinds.get(PatchPlaced) or kinds.get(LeatherPlaced) or kinds.get(ButtonsEarned):
        case PatchPlaced(seat=seat, patch=patch, cells=cells, paid=paid):
            sentence = f"{_name(state, seat)} takes {patch} at {_cells(cells)} for {_buttons(paid)}; {track}."
        case LeatherPlaced(seat=seat, cells=cells):
            sentence = f"{_name(state, seat)} sews the leather patch on {_cells(cells)}."
        case ButtonsEarned(seat=seat, buttons=buttons):
            sentence = f"{_name(state, seat)} advances and earns {_buttons(buttons)}; {track}."
        case _:
            return "A decision was taken.", facts
    told = (PatchPlaced, LeatherPlaced, ButtonsEarned, TokenMoved)
    return sentence, [fact for fact in facts if not isinstance(fact, told)]


def _consequence(fact: Fact, state: State) -> str:
    match fact:
        case IncomePaid(seat=seat, mark=mark, buttons=buttons):
            return f"{_name(state, seat)} passes the button at {mark}: {_buttons(buttons)} of income."
        case LeatherWon(seat=seat, mark=mark):
            return f"{_name(state, seat)} wins the leather patch at {mark}."
        case BonusTileTaken(seat=seat):
            return f"{_name(state, seat)} is the first to fill 7x7 and takes the tile: 7 points."
        case LeatherSetAside(seat=seat):
            return f"{_name(state, seat)} has no empty square: the leather patch is set aside."
        case _:
            return _what_follows(fact, state)


def _what_follows(fact: Fact, state: State) -> str:
    match fact:
        case TurnPassed():
            return _turn(state)
        case GameEnded(winner=winner):
            return _ended(state, winner)
        case _:
            return ""


def _opened(event: GameOpened) -> str:
    state = event.state
    players = " and ".join(state.setup.players)
    if event.decisions:
        made = _count(event.decisions, "decision")
        return f"Game {event.game_id} of {players} goes on after {made}. {_turn(state)}"
    return f"Game {event.game_id}: {players} play. {_turn(state)}"


def _answered(taken: Decision | None, state: State) -> str:
    if taken is None:
        return "The answer is none of these: mend the table and press confirm again."
    return f"The answer is: {described(taken, state)}."


def _asked(event: Asked) -> str:
    question = event.question
    option = described(question.options[event.choice], event.state)
    return (
        f"{question.says} Shown is {event.choice + 1} of {len(question.options)}: {option}. "
        "Press confirm to take it, advance for the next, undo for none."
    )


def _foreseen(event: DecisionForeseen | ForesightLapsed) -> str:
    move = described(event.decision, event.state)
    match event:
        case DecisionForeseen(pause_s=pause_s):
            return f"In {pause_s:g} s: {move}. Press undo to stop it."
        case ForesightLapsed(stopped=True):
            return f"Stopped: {move}. It is not taken unless you press confirm, or lift the patch and lay it anew."
        case ForesightLapsed():
            return f"Not taken: {move}. The table did not stay as it was."


def _turn(state: State) -> str:
    if state.turn is None:
        return "The game has ended."
    if state.leather_due:
        return f"{_name(state, state.turn)} places the leather patch now."
    return f"It is {_name(state, state.turn)}'s turn."


def _ended(state: State, winner: int) -> str:
    won, lost = score(state.seat(winner)), score(state.seat(3 - winner))
    how = "wins the tie at" if won == lost else "wins"
    return f"The game has ended: {_name(state, winner)} {how} {won} to {lost}."


def _lift(decision: Decision) -> str:
    return "" if isinstance(decision, Advance) else " Lift the patch off the board."


def _name(state: State, seat: int) -> str:
    return state.setup.players[seat - 1]


def _cells(mask: int) -> str:
    return " ".join(names_of(mask))


def _buttons(count: int) -> str:
    return _count(count, "button")


def _count(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"

"""The spoken news of a game: what players must do, and what they would miss without looking at a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.patchwork import PlaceLeather, TakePatch
from companion.languages import Sentence, said
from companion.patchwork.naming import patch_name
from companion.patchwork.words import described, sentences, taken_sentences
from companion.play.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    ForesightLapsed,
    GameOpened,
    TableNoticed,
    UndoForeseen,
)

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, State
    from companion.patchwork.events import Event

_HOW: Final = said("Advance shows the next answer, confirm takes it, undo takes none of them.")


def spoken(event: Event) -> tuple[Sentence | str, ...]:
    """Return the spoken sentences for an event; empty for most events."""
    match event:
        case Complained(complaint=complaint):
            return (complaint.says,)
        case Asked(question=question, choice=choice, state=state):
            shown = described(question.options[choice], state)
            return (shown,) if choice else (question.says, shown, _HOW)
        case DecisionForeseen() | UndoForeseen():
            return (_announced(event),)
        case DecisionTaken(facts=facts, state=state):
            # Without the move itself, which the player has just made.
            return taken_sentences(facts, state)[1:]
        case GameOpened() | DecisionUndone() | ForesightLapsed() | TableNoticed():
            return sentences(event)
        case _:
            return ()


def _announced(event: DecisionForeseen | UndoForeseen) -> Sentence:
    move = _in_short(event.decision, event.state)
    return move if isinstance(event, DecisionForeseen) else said("Taken back: {move}.", move=move)


def _in_short(decision: Decision, state: State) -> Sentence:
    """Return a decision in words without its cells, which are hard to follow by ear."""
    if isinstance(decision, TakePatch):
        name = state.setup.players[decision.seat - 1]
        return said("{name} takes the {patch}", name=name, patch=patch_name(decision.patch))
    if not isinstance(decision, PlaceLeather):
        return described(decision, state)
    return said("{name} sews the leather patch on", name=state.setup.players[decision.seat - 1])

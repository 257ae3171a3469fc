"""The news of a game that are spoken: what somebody must do, and what one would miss without looking at a screen."""

from __future__ import annotations

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
    TableNoticed,
)
from companion.games.patchwork import Advance, TakePatch
from companion.languages import Language, Sentence, said, tell
from companion.sentences import described, sentences, taken_sentences

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, State
    from hardware.ports import Voice


def spoken(event: Event) -> tuple[Sentence | str, ...]:
    """What is said aloud of an event; empty for most."""
    match event:
        case Complained(complaint=complaint):
            return (complaint.says,)
        case Asked(question=question, choice=choice, state=state):
            shown = described(question.options[choice], state)
            return (shown,) if choice else (question.says, shown)
        case DecisionForeseen(decision=decision, state=state):
            return (_in_short(decision, state),)
        case DecisionTaken(facts=facts, state=state):
            return taken_sentences(facts, state)[1:]
        case GameOpened() | DecisionUndone() | ForesightLapsed() | TableNoticed():
            return sentences(event)
        case _:
            return ()


def _in_short(decision: Decision, state: State) -> Sentence:
    """A decision without its cells, which nobody can follow by ear."""
    if isinstance(decision, TakePatch):
        return said("{name} takes {patch}", name=state.setup.players[decision.seat - 1], patch=decision.patch)
    if isinstance(decision, Advance):
        return described(decision, state)
    return said("{name} sews the leather patch on", name=state.setup.players[decision.seat - 1])


class Speaker:
    """A listener for events that has the news spoken.

    Args:
        voice: speaks.
        language: in which.
    """

    def __init__(self, voice: Voice, language: Language) -> None:
        self._voice, self._language = voice, language

    def __call__(self, event: Event) -> None:
        """Have said what there is to say of an event, if anything."""
        told = [tell(each, self._language) for each in spoken(event)]
        if told:
            self._voice.say(" ".join(told), self._language.code)

"""The show: events in, frames out. It has no clock; whoever asks says what time it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    DoubtLapsed,
    Event,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    NothingToUndo,
    QuestionAnswered,
    TableNoticed,
)
from companion.games.patchwork import State
from companion.lightshow import effects
from companion.lightshow.colours import seat_colour
from companion.lightshow.layout import layout_for
from companion.lightshow.resting import resting_picture
from companion.lightshow.staged import Scene, StagedShow
from companion.verdict import Question

if TYPE_CHECKING:
    from typing import Unpack

    from companion.lightshow.staged import StripUse
    from hardware.ports import RGB


class LightShow(StagedShow[State, Question]):
    """The show at a table of Patchwork; its first pixel is at the end of seat 1.

    Args:
        pixel_count: pixels of the strip, the dark ones at its beginning included.
        strip: how it is used.

    Raises:
        ValueError: if fewer than 8 pixels are left.
    """

    def __init__(self, pixel_count: int, **strip: Unpack[StripUse]) -> None:
        super().__init__(pixel_count, **strip)
        self._layout = layout_for(self._count)

    def event(self, event: Event, now_s: float) -> None:
        """Take note of what happened at `now_s`. What was still being shown gives way."""
        if isinstance(event, TableNoticed) and self._scene is not None and self._scene.is_busy:
            return
        question = event if isinstance(event, Asked) else None
        self._scene = Scene(event.state, now_s, self._steps(event), isinstance(event, LookStarted), question)

    def _resting(self, state: State, now_s: float) -> list[RGB]:
        return resting_picture(self._layout, state, now_s)

    def _question(self, asked: Asked, since_s: float) -> list[RGB]:
        colour = seat_colour(asked.question.seat)
        options = [(block, colour) for block in self._layout.blocks(len(asked.question.options))]
        return self._options(options, asked.choice, since_s)

    def _steps(self, event: Event) -> effects.Effect:
        match event:
            case DecisionTaken(facts=facts):
                return effects.effects_of(self._layout, facts)
            case Complained() | Asked():
                return self._doubt(event)
            case DecisionUndone():
                return effects.undone(self._layout)
            case DecisionForeseen(decision=decision, pause_s=pause_s):
                return effects.foreseen(self._layout, decision.seat, pause_s)
            case QuestionAnswered() | LookStarted() | LookCalledOff() | DoubtLapsed():
                return ()
            case _:
                return self._signal(event)

    def _doubt(self, event: Asked | Complained) -> effects.Effect:
        """A complaint; before it, or before a question is shown, the players are called if they have not asked."""
        doubt = event.complaint if isinstance(event, Complained) else event.question
        called = effects.called(self._layout, doubt.seat) if event.unasked else ()
        return (*called, *effects.complaint(self._layout, doubt.seat)) if isinstance(event, Complained) else called

    def _signal(self, event: GameOpened | NothingToUndo | ForesightLapsed | TableNoticed) -> effects.Effect:
        match event:
            case GameOpened():
                return effects.opened(self._layout)
            case NothingToUndo() | ForesightLapsed():
                return effects.refused(self._layout)
            case TableNoticed():
                return effects.notice(self._layout)

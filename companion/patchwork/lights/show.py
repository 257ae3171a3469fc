"""The light show: events in, frames out. It has no clock; the caller passes the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import State
from companion.lights.colours import SEAT_COLOURS
from companion.lights.staged import LightScene, StagedShow
from companion.patchwork.lights import effects
from companion.patchwork.lights.layout import layout_for
from companion.patchwork.lights.resting import resting_picture
from companion.patchwork.reading.verdict import Question
from companion.patchwork.timeboard.marker_notices import NONE_WRONG, wrong_after
from companion.play.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    DoubtLapsed,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    NothingToUndo,
    QuestionAnswered,
    TableNoticed,
    UndoForeseen,
    UndoLapsed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from companion.lights.staged import StripUse
    from companion.lights.steps import Effect
    from companion.patchwork.events import Event
    from hardware.ports import RGB


class LightShow(StagedShow[State, Asked[Question, State]]):
    """The show at a Patchwork table; the strip's first pixel is at the end of seat 1.

    Args:
        pixel_count: the number of pixels of the strip, including the dark ones at its beginning.
        colours: the colours of seat 1 and seat 2.
        strip: the use of the strip.

    Raises:
        ValueError: fewer than 8 pixels are left.
    """

    def __init__(self, pixel_count: int, colours: Sequence[RGB] = SEAT_COLOURS, **strip: Unpack[StripUse]) -> None:
        super().__init__(pixel_count, **strip)
        self._layout = layout_for(self._count, colours)
        self._wrong_markers = NONE_WRONG

    def event(self, event: Event, now_s: float) -> None:
        """Show an event that happened at `now_s`; it replaces the effect being shown."""
        self._wrong_markers = wrong_after(self._wrong_markers, event)
        # A look needs its steady light, and a question its options, until they end; notices stand on the page, too.
        if isinstance(event, TableNoticed) and self._scene is not None and self._scene.is_busy:
            return
        question = event if isinstance(event, Asked) else None
        self._scene = LightScene(event.state, now_s, self._steps(event), isinstance(event, LookStarted), question)

    def _resting(self, state: State, now_s: float) -> list[RGB]:
        return resting_picture(self._layout, state, now_s, self._wrong_markers)

    def _question(self, asked: Asked, since_s: float) -> list[RGB]:
        colour = self._layout.colour(asked.question.seat)
        options = [(block, colour) for block in self._layout.blocks(len(asked.question.options))]
        return self._options(options, asked.choice, since_s)

    def _steps(self, event: Event) -> Effect:
        match event:
            case DecisionTaken(facts=facts):
                return effects.effects_of(self._layout, facts)
            case Complained() | Asked():
                return self._doubt(event)
            case DecisionUndone():
                return effects.undone(self._layout)
            case DecisionForeseen() | UndoForeseen():
                return effects.foreseen(self._layout, event.decision.seat, event.pause_s)
            case QuestionAnswered() | LookStarted() | LookCalledOff() | DoubtLapsed():
                return ()
            case _:
                return self._signal(event)

    def _doubt(self, event: Asked | Complained) -> Effect:
        """Return the effects of a question or a complaint; the players are called first if it was not requested."""
        doubt = event.complaint if isinstance(event, Complained) else event.question
        called = effects.called(self._layout, doubt.seat) if event.unasked else ()
        return (*called, *effects.complaint(self._layout, doubt.seat)) if isinstance(event, Complained) else called

    def _signal(self, event: GameOpened | NothingToUndo | ForesightLapsed | UndoLapsed | TableNoticed) -> Effect:
        match event:
            case GameOpened():
                return effects.opened(self._layout)
            case NothingToUndo() | ForesightLapsed() | UndoLapsed():
                return effects.refused(self._layout)
            case TableNoticed():
                return effects.notice(self._layout)

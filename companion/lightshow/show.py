"""The show: events in, frames out. It has no clock; whoever asks says what time it is."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
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
from companion.lightshow import effects
from companion.lightshow.colours import BLACK, NEUTRAL, limited, scaled, seat_colour
from companion.lightshow.layout import layout_for
from companion.lightshow.resting import CYCLE_S, resting_picture

if TYPE_CHECKING:
    from companion.games.patchwork import State
    from hardware.ports import RGB


@dataclass(frozen=True, slots=True)
class _Scene:
    """What is being shown since `start_s`: steps one after the other, and then the picture at rest."""

    state: State
    start_s: float
    steps: effects.Effect = ()
    ends_s: tuple[float, ...] = ()
    looking: bool = False
    question: Asked | None = None


class LightShow:
    """Turns events to frames; a frame depends on nothing but the events so far, their times and the time now.

    Args:
        pixel_count: pixels of the strip, the dark ones at its beginning included.
        brightness: from 0 to 1.
        max_ma: what all pixels together may draw, in mA; None for no limit.
        reversed_: whether the first pixel is at the far end, the one of seat 2.
        first_pixel: pixels to leave dark at the strip's beginning.

    Raises:
        ValueError: if fewer than 8 pixels are left.
    """

    def __init__(
        self,
        pixel_count: int,
        *,
        brightness: float = 1.0,
        max_ma: float | None = None,
        reversed_: bool = False,
        first_pixel: int = 0,
    ) -> None:
        self._layout = layout_for(pixel_count - first_pixel)
        self._dark = [BLACK] * first_pixel
        self._brightness = brightness
        self._max_ma = max_ma
        self._reversed = reversed_
        self._scene: _Scene | None = None

    def event(self, event: Event, now_s: float) -> None:
        """Take note of what happened at `now_s`. What was still being shown gives way."""
        if isinstance(event, TableNoticed) and self._is_busy():
            return
        steps = self._steps(event)
        self._scene = _Scene(
            state=event.state,
            start_s=now_s,
            steps=steps,
            ends_s=tuple(accumulate((step.duration_s for step in steps), initial=now_s))[1:],
            looking=isinstance(event, LookStarted),
            question=event if isinstance(event, Asked) else None,
        )

    def frame(self, now_s: float) -> list[RGB]:
        """The pixels at `now_s`, as many as the strip has."""
        pixels = self._picture(now_s)
        if self._reversed:
            pixels.reverse()
        return self._dark + limited(pixels, self._brightness, self._max_ma)

    @property
    def is_neutral(self) -> bool:
        """Whether the steady light is held in which the camera looks."""
        return self._scene is not None and self._scene.looking

    def is_resting(self, now_s: float) -> bool:
        """Whether nothing is being shown but the state of the game."""
        scene = self._scene
        return scene is None or not (self._is_busy() or bisect_right(scene.ends_s, now_s) < len(scene.steps))

    def _is_busy(self) -> bool:
        """Whether something is shown that only a verdict or an answer ends."""
        return self._scene is not None and (self._scene.looking or self._scene.question is not None)

    def _picture(self, now_s: float) -> list[RGB]:
        scene = self._scene
        if scene is None:
            return [BLACK] * self._layout.count
        if scene.looking:
            return [NEUTRAL] * self._layout.count
        if scene.question is not None:
            return self._question(scene.question, now_s - scene.start_s)
        canvas = resting_picture(self._layout, scene.state, now_s)
        index = bisect_right(scene.ends_s, now_s)
        return canvas if index == len(scene.steps) else scene.steps[index].paint(canvas)

    def _question(self, asked: Asked, since_s: float) -> list[RGB]:
        """A part of the strip for every option: the one on display shines long, then all others shortly and faintly."""
        canvas: list[RGB] = [BLACK] * self._layout.count
        shows_choice = since_s % CYCLE_S < CYCLE_S * 0.7
        for option, block in enumerate(self._layout.blocks(len(asked.question.options))):
            if (option == asked.choice) == shows_choice:
                for pixel in block:
                    canvas[pixel] = scaled(seat_colour(asked.question.seat), 1.0 if shows_choice else 0.25)
        return canvas

    def _steps(self, event: Event) -> effects.Effect:
        match event:
            case DecisionTaken(facts=facts):
                return effects.effects_of(self._layout, facts)
            case Complained(complaint=complaint):
                return effects.complaint(self._layout, complaint.seat)
            case DecisionUndone():
                return effects.undone(self._layout)
            case DecisionForeseen(decision=decision, pause_s=pause_s):
                return effects.foreseen(self._layout, decision.seat, pause_s)
            case QuestionAnswered() | LookStarted() | LookCalledOff() | Asked():
                return ()
            case _:
                return self._signal(event)

    def _signal(self, event: GameOpened | NothingToUndo | ForesightLapsed | TableNoticed) -> effects.Effect:
        match event:
            case GameOpened():
                return effects.opened(self._layout)
            case NothingToUndo() | ForesightLapsed():
                return effects.refused(self._layout)
            case TableNoticed():
                return effects.notice(self._layout)

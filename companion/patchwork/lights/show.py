"""The light show: events in, frames out. It has no clock; the caller passes the time."""

from collections.abc import Mapping, Sequence
from typing import Unpack

from companion.games.patchwork import TIME_TRACKS, State
from companion.lights.colours import BLACK, INCOME, LEATHER, SEAT_COLOURS, scaled
from companion.lights.staged import LightScene, StagedShow, StripUse
from companion.lights.steps import CYCLE_S, Effect, pulse
from companion.patchwork.events import Event
from companion.patchwork.lights import effects
from companion.patchwork.lights.effects import StripLayout, layout_for
from companion.patchwork.reading.verdict import Question
from companion.patchwork.timeboard.hints import NONE_WRONG, wrong_after
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
from hardware.ports import RGB

_GLOW = 0.06
_MARK = 0.14
_LEATHER_MARK = 0.45
_BLINK = 0.5
# The shortest light that players reliably notice.
_BLINK_S = 0.15


def resting_picture(
    layout: StripLayout, state: State, now_s: float, wrong: Mapping[int, int] = NONE_WRONG
) -> list[RGB]:
    """Return the strip at rest; `wrong` as for `wrong_after`: a misplaced marker's space blinks if the track is shown.

    The turn is shown in three ways: that side of the strip glows faintly and its lamp is lit (position), the token that
    moves next pulses once per cycle for seat 1 and twice for seat 2 (rhythm), and each seat has its colour.
    """
    canvas: list[RGB] = [BLACK] * layout.count
    if state.turn is None:
        _paint_winner(canvas, layout, state, now_s)
        return canvas
    _paint_turn(canvas, layout, state, now_s)
    if layout.track:
        _paint_track(canvas, layout, state, now_s)
        _paint_wrong(canvas, layout, wrong, now_s)
    else:
        _paint_segments(canvas, layout, state)
    return canvas


def _paint_turn(canvas: list[RGB], layout: StripLayout, state: State, now_s: float) -> None:
    seat, glow = state.mover, _turn_glow(layout, state, now_s)
    for pixel in layout.side(seat):
        canvas[pixel] = glow
    # After the glow, because the lamp is a part of the side.
    lit = scaled(layout.colour(seat), pulse(seat, now_s))
    for pixel in layout.lamp(seat):
        canvas[pixel] = lit


def _turn_glow(layout: StripLayout, state: State, now_s: float) -> RGB:
    """Return a faint glow or, while a leather patch waits to be placed, a strong one: long, short, long, short."""
    if not state.leather_due:
        return scaled(layout.colour(state.mover), _GLOW)
    phase = now_s % CYCLE_S / CYCLE_S
    return scaled(LEATHER, 0.8 if phase < 0.5 or 0.65 <= phase < 0.8 else _GLOW)


def _paint_track(canvas: list[RGB], layout: StripLayout, state: State, now_s: float) -> None:
    for space in TIME_TRACKS[state.setup.edition].income:
        canvas[layout.track[space]] = scaled(INCOME, _MARK)
    for space in state.leather_left:
        canvas[layout.track[space]] = scaled(LEATHER, _LEATHER_MARK)
    # The tokens last: they cover the marks of their spaces.
    for seat in _drawn_last(state, now_s):
        level = pulse(seat, now_s) if seat == state.turn else 1.0
        canvas[layout.track[state.seat(seat).time]] = scaled(layout.colour(seat), level)


def _paint_wrong(canvas: list[RGB], layout: StripLayout, wrong: Mapping[int, int], now_s: float) -> None:
    """Paint the spaces of misplaced markers with a short blink, twice per cycle."""
    if now_s % (CYCLE_S / 2) < _BLINK_S:
        for seat, space in wrong.items():
            canvas[layout.track[space]] = scaled(layout.colour(seat), _BLINK)


def _drawn_last(state: State, now_s: float) -> tuple[int, int]:
    """Return both seats, last the one visible on a shared space: the token on top or, part of the cycle, the other."""
    top = state.mover
    lower_shows = now_s % CYCLE_S / CYCLE_S >= 0.75
    return (top, 3 - top) if lower_shows else (3 - top, top)


def _paint_segments(canvas: list[RGB], layout: StripLayout, state: State) -> None:
    """Paint leather patches in the middle, and on each side, inside its lamp, one pixel per button of income."""
    marks = TIME_TRACKS[state.setup.edition].leather
    for pixel, mark in zip(layout.leather, marks, strict=True):
        if mark in state.leather_left:
            canvas[pixel] = scaled(LEATHER, _LEATHER_MARK)
    # The side shows that a leather patch is due, which pixels of income would break up.
    if state.leather_due:
        return
    for seat in (1, 2):
        room = layout.side(seat)[len(layout.lamp(seat)) :]
        for pixel in room[: state.seat(seat).income]:
            canvas[pixel] = scaled(INCOME, _MARK)


def _paint_winner(canvas: list[RGB], layout: StripLayout, state: State, now_s: float) -> None:
    """Paint the winner's side with a slow wave; the other side stays dark."""
    seat = state.winner
    if seat is None:
        return
    side = layout.side(seat)
    for place, pixel in enumerate(side):
        phase = (now_s % CYCLE_S / CYCLE_S + place / max(4, len(side))) % 1.0
        canvas[pixel] = scaled(layout.colour(seat), 0.35 + 0.45 * abs(2 * phase - 1))


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

"""The show at a table of Kvilt: every seat has its part of the strip; events in, frames out. It has no clock.

Seat 1's part begins at the strip's first pixel. Whose turn it is shows by place, by rhythm (seat 3 dips three times a
cycle) and by colour; how much of the part glows tells the phase: a third for the scraps, two thirds for the pencils,
all of it for colouring and for what comes after. The part's first pixel is white where the first-player token lies.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from companion.events import (
    Asked,
    Complained,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    LookStarted,
    NothingToUndo,
    TableNoticed,
)
from companion.games.kvilt import Phase
from companion.games.kvilt import facts as f
from companion.lightshow.colours import BLACK, COMPLAINT, NEUTRAL, NOTICE, SEAT_COLOURS, limited, scaled
from companion.lightshow.effects import Effect, Step, rhythm
from companion.lightshow.layout import FEWEST_PIXELS
from companion.lightshow.resting import CYCLE_S, pulse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.games.kvilt import Fact, State
    from companion.kvilt.choices import Choice
    from companion.kvilt.news import Event
    from hardware.ports import RGB

SEATS: Final[tuple[RGB, ...]] = (*SEAT_COLOURS, (0, 190, 90), (230, 50, 170))
"""Told apart by their brightness too, where hue is not seen."""
PENCILS: Final[dict[str, RGB]] = {
    "red": (255, 20, 10), "yellow": (255, 190, 0), "green": (0, 170, 30), "blue": (10, 60, 255),
    "violet": (140, 20, 220), "brown": (120, 50, 10),
}  # fmt: skip
"""Pencils on pixels; others are grey."""
_SHARES: Final = {Phase.SCRAPS: 1 / 3, Phase.PENCILS: 2 / 3, Phase.NEUTRAL: 2 / 3}
_GLOW: Final = 0.06


@dataclass(frozen=True, slots=True)
class _Scene:
    """What is being shown since `start_s`: steps one after the other, and then the picture at rest."""

    state: State
    start_s: float
    steps: Effect = ()
    ends_s: tuple[float, ...] = ()
    looking: bool = False
    choice: Choice | None = None
    shown: int = 0


class KviltShow:
    """Turns events to frames; a frame depends on nothing but the events so far, their times and the time now.

    Args:
        pixel_count: pixels of the strip, the dark ones at its beginning included.
        seats: how many play, 2 to 4.
        brightness: from 0 to 1.
        max_ma: what all pixels together may draw, in mA; None for no limit.
        reversed_: whether the first pixel is at the far end, that of the last seat.
        first_pixel: pixels to leave dark at the strip's beginning.

    Raises:
        ValueError: if fewer than 8 pixels are left.
    """

    def __init__(
        self,
        pixel_count: int,
        seats: int,
        *,
        brightness: float = 1.0,
        max_ma: float | None = None,
        reversed_: bool = False,
        first_pixel: int = 0,
    ) -> None:
        self._count = pixel_count - first_pixel
        if self._count < FEWEST_PIXELS:
            raise ValueError(f"a strip of {self._count} pixels is too short: {FEWEST_PIXELS} are needed")
        self._parts = _parts(self._count, seats)
        self._dark = [BLACK] * first_pixel
        self._brightness, self._max_ma, self._reversed = brightness, max_ma, reversed_
        self._scene: _Scene | None = None

    def event(self, event: Event, now_s: float) -> None:
        """Take note of what happened at `now_s`. What was still being shown gives way to something else to show."""
        if isinstance(event, TableNoticed) and self._scene is not None and self._scene.looking:
            return
        steps = self._steps(event)
        question = event.question if isinstance(event, Asked) and (event.choice or event.question.doubts) else None
        before = self._scene
        if isinstance(event, Asked) and question is None and before is not None and before.choice is None:
            # What comes next is asked at once: what has just happened is shown to its end.
            steps, start_s = before.steps, before.start_s
        else:
            start_s = now_s
        ends_s = tuple(accumulate((step.duration_s for step in steps), initial=start_s))[1:]
        shown = event.choice if isinstance(event, Asked) else 0
        self._scene = _Scene(event.state, start_s, steps, ends_s, isinstance(event, LookStarted), question, shown)

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
        shows = scene is not None and (scene.looking or scene.choice is not None)
        return not shows and (scene is None or bisect_right(scene.ends_s, now_s) == len(scene.steps))

    def _picture(self, now_s: float) -> list[RGB]:
        scene = self._scene
        if scene is None:
            return [BLACK] * self._count
        if scene.looking:
            return [NEUTRAL] * self._count
        if scene.choice is not None:
            return self._options(scene.choice, scene.shown, now_s - scene.start_s)
        canvas = self._resting(scene.state, now_s)
        index = bisect_right(scene.ends_s, now_s)
        return canvas if index == len(scene.steps) else scene.steps[index].paint(canvas)

    def _resting(self, state: State, now_s: float) -> list[RGB]:
        canvas: list[RGB] = [BLACK] * self._count
        if state.turn is None:
            for seat in state.winners:
                self._paint_wave(canvas, seat, now_s)
            return canvas
        part = self._parts[state.turn - 1]
        lit = max(1, round(len(part) * _SHARES.get(state.phase, 1.0)))
        for place, pixel in enumerate(part):
            canvas[pixel] = scaled(SEATS[state.turn - 1], pulse(state.turn, now_s) if place < lit else _GLOW)
        canvas[self._parts[state.first - 1][0]] = NOTICE
        return canvas

    def _paint_wave(self, canvas: list[RGB], seat: int, now_s: float) -> None:
        part = self._parts[seat - 1]
        for place, pixel in enumerate(part):
            phase = (now_s % CYCLE_S / CYCLE_S + place / max(4, len(part))) % 1.0
            canvas[pixel] = scaled(SEATS[seat - 1], 0.35 + 0.45 * abs(2 * phase - 1))

    def _options(self, choice: Choice, shown: int, since_s: float) -> list[RGB]:
        """A part of the strip for every option: the one on display shines long, then all others shortly and faintly."""
        canvas: list[RGB] = [BLACK] * self._count
        shows_choice = since_s % CYCLE_S < CYCLE_S * 0.7
        blocks = _parts(self._count, min(len(choice.options), self._count))
        for place, block in enumerate(blocks):
            if (place == shown % len(blocks)) == shows_choice:
                colour = _pencil(choice.options[place].colours) or SEATS[choice.seat - 1]
                for pixel in block:
                    canvas[pixel] = scaled(colour, 1.0 if shows_choice else 0.25)
        return canvas

    def _steps(self, event: Event) -> Effect:
        match event:
            case DecisionTaken(facts=facts):
                return self._effects(facts)
            case Complained(complaint=complaint):
                return 2 * rhythm(self._parts[complaint.seat - 1], COMPLAINT, (0.2, 0.2, 0.7))
            case DecisionUndone():
                half = self._count // 2
                return tuple(Step(0.1, range(half * n // 6, self._count - half * n // 6), NOTICE) for n in range(6))
            case GameOpened():
                return tuple(Step(0.08, block, NOTICE) for block in _parts(self._count, 8))
            case NothingToUndo() | TableNoticed():
                return rhythm((0, self._count - 1), NOTICE, (0.2,) if isinstance(event, NothingToUndo) else (0.6, 0.6))
            case _:
                return ()

    def _effects(self, facts: Iterable[Fact]) -> Effect:
        return tuple(step for fact in facts for step in self._effect(fact))

    def _effect(self, fact: Fact) -> Effect:
        match fact:
            case f.TokenTaken(seat=seat, colour=colour) | f.PencilPlaced(seat=seat, colour=colour):
                return (Step(0.4, self._parts[seat - 1], _pencil((colour,)) or NOTICE), Step(0.1))
            case f.CushionTaken(seat=seat, pencils=pencils):
                part = self._parts[seat - 1]
                return tuple(Step(0.3, part, _pencil((colour,)) or NOTICE) for colour in pencils)
            case f.FirstPlayerChanged(seat=seat):
                return rhythm(self._parts[seat - 1][:1], NOTICE, (0.2, 0.2))
            case _:
                return self._ending(fact)

    def _ending(self, fact: Fact) -> Effect:
        match fact:
            case f.ColouringEnded(seat=seat):
                part = self._parts[seat - 1]
                return tuple(Step(0.08, part[: len(part) * n // 6 + 1], SEATS[seat - 1]) for n in range(6))
            case f.RoundEnded():
                return tuple(Step(0.08, block, NOTICE) for block in _parts(self._count, 8))
            case f.GameEnded(winners=winners):
                lit = [pixel for seat in winners for pixel in self._parts[seat - 1]]
                filling = tuple(Step(0.12, lit[: len(lit) * n // 8 + 1], SEATS[winners[0] - 1]) for n in range(8))
                return 3 * filling
            case _:
                return ()


def _parts(count: int, number: int) -> list[Sequence[int]]:
    """The strip in `number` parts of like length, with a dark pixel between them where there is room for one."""
    bounds = [index * count // number for index in range(number + 1)]
    spans = [range(start, max(start + 1, end)) for start, end in pairwise(bounds)]
    return [span[:-1] if len(span) > 2 and span[-1] != count - 1 else span for span in spans]


def _pencil(colours: Sequence[str]) -> RGB | None:
    """The colour of one pencil; None of several, or of none."""
    return PENCILS.get(colours[0], NOTICE) if len(colours) == 1 else None

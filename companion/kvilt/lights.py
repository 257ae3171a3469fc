"""The light show at a Kvilt table: every seat has a part of the strip; events in, frames out. It has no clock.

Seat 1's part begins at the strip's first pixel. The turn is shown by place, by rhythm (seat 3 dips three times per
cycle) and by colour; the share of the part that glows shows the phase: a third for the scraps, two thirds for the
pencils, all of it from colouring on. The first pixel of the first player's part is white.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from companion.games.kvilt import facts as f
from companion.games.kvilt.facts import Fact
from companion.games.kvilt.state import Phase, State
from companion.kvilt.choices import Choice
from companion.lights import (
    BLACK,
    NOTICE,
    Effect,
    LightScene,
    LightStep,
    StagedShow,
    blocks_of,
    complained,
    opened,
    paint_wave,
    pulse,
    rhythm,
    scaled,
    undone,
    won,
)
from companion.lights import SEAT_COLOURS as SEATS
from companion.play.events import (
    Asked,
    Complained,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    LookStarted,
    NothingToUndo,
    TableNoticed,
)
from hardware.driver import StripDriver
from hardware.ports import RGB

if TYPE_CHECKING:
    from companion.kvilt.codec import Event

PENCILS: Final[dict[str, RGB]] = {
    "red": (255, 20, 10), "yellow": (255, 190, 0), "green": (0, 170, 30), "blue": (10, 60, 255),
    "violet": (140, 20, 220), "brown": (120, 50, 10),
}  # fmt: skip
"""The colours of pencils on pixels; others are grey, the colour of notices."""
_SHARES: Final = {Phase.SCRAPS: 1 / 3, Phase.PENCILS: 2 / 3, Phase.NEUTRAL: 2 / 3}
_GLOW: Final = 0.06


class KviltShow(StagedShow[State, Asked[Choice, State]]):
    """The show at a table of Kvilt.

    Args:
        pixel_count: the number of pixels of the strip, including the dark ones at its beginning.
        seats: the number of players, 2 to 4.
        strip: the settings of the strip; None to use all of it, at full brightness.

    Raises:
        ValueError: fewer than 8 pixels are left.
    """

    def __init__(self, pixel_count: int, seats: int, strip: StripDriver | None = None) -> None:
        super().__init__(pixel_count, strip)
        self._parts = blocks_of(self._count, seats)

    def event(self, event: Event, now_s: float) -> None:
        """Show an event that happened at `now_s`; it replaces the effect being shown."""
        # The look goes on, and so does its light.
        if isinstance(event, TableNoticed) and self._scene is not None and self._scene.looking:
            return
        steps = self._steps(event)
        # A choice of the game's own is shown as the turn until a player pages through its options.
        question = event if isinstance(event, Asked) and (event.choice or event.question.doubts) else None
        start_s, before = now_s, self._scene
        if isinstance(event, Asked) and question is None and before is not None and before.question is None:
            # The next choice comes at once, but the effect of the last event is shown to its end.
            steps, start_s = before.steps, before.start_s
        self._scene = LightScene(event.state, start_s, steps, isinstance(event, LookStarted), question)

    def _resting(self, state: State, now_s: float) -> list[RGB]:
        canvas: list[RGB] = [BLACK] * self._count
        if state.turn is None:
            for seat in state.winners:
                paint_wave(canvas, self._parts[seat - 1], SEATS[seat - 1], now_s)
            return canvas
        part = self._parts[state.turn - 1]
        lit = max(1, round(len(part) * _SHARES.get(state.phase, 1.0)))
        for place, pixel in enumerate(part):
            canvas[pixel] = scaled(SEATS[state.turn - 1], pulse(state.turn, now_s) if place < lit else _GLOW)
        canvas[self._parts[state.first - 1][0]] = NOTICE
        return canvas

    def _question(self, asked: Asked[Choice, State], since_s: float) -> list[RGB]:
        choice = asked.question
        blocks = blocks_of(self._count, min(len(choice.options), self._count))
        colours = [_pencil(choice.options[place].colours) or SEATS[choice.seat - 1] for place in range(len(blocks))]
        return self._options(list(zip(blocks, colours, strict=True)), asked.choice % len(blocks), since_s)

    def _steps(self, event: Event) -> Effect:
        match event:
            case DecisionTaken(facts=facts):
                return self._effects(facts)
            case Complained(complaint=complaint):
                return complained(self._parts[complaint.seat - 1])
            case DecisionUndone():
                return undone(self._count)
            case GameOpened():
                return opened(self._count)
            case NothingToUndo() | TableNoticed():
                return rhythm((0, self._count - 1), NOTICE, (0.2,) if isinstance(event, NothingToUndo) else (0.6, 0.6))
            case _:
                return ()

    def _effects(self, facts: Iterable[Fact]) -> Effect:
        return tuple(step for fact in facts for step in self._effect(fact))

    def _effect(self, fact: Fact) -> Effect:
        match fact:
            case f.TokenTaken(seat=seat, colour=colour) | f.PencilPlaced(seat=seat, colour=colour):
                return (LightStep(0.4, self._parts[seat - 1], _pencil((colour,)) or NOTICE), LightStep(0.1))
            case f.CushionTaken(seat=seat, pencils=pencils):
                part = self._parts[seat - 1]
                return tuple(LightStep(0.3, part, _pencil((colour,)) or NOTICE) for colour in pencils)
            case f.FirstPlayerChanged(seat=seat):
                return rhythm(self._parts[seat - 1][:1], NOTICE, (0.2, 0.2))
            case _:
                return self._ending(fact)

    def _ending(self, fact: Fact) -> Effect:
        match fact:
            case f.ColouringEnded(seat=seat):
                part = self._parts[seat - 1]
                return tuple(LightStep(0.08, part[: len(part) * n // 6 + 1], SEATS[seat - 1]) for n in range(6))
            case f.RoundEnded():
                return opened(self._count)
            case f.GameEnded(winners=winners):
                return won([pixel for seat in winners for pixel in self._parts[seat - 1]], SEATS[winners[0] - 1])
            case _:
                return ()


def _pencil(colours: Sequence[str]) -> RGB | None:
    """Return the colour if there is exactly one pencil, or None."""
    return PENCILS.get(colours[0], NOTICE) if len(colours) == 1 else None

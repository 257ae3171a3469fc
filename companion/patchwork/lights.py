"""The light show: events in, frames out. It has no clock; the caller passes the time.

Every effect has a distinct rhythm or place, so that it can be recognised without its colour.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.patchwork.components import TIME_TRACKS
from companion.games.patchwork.facts import (
    BonusTileTaken,
    ButtonsEarned,
    Fact,
    GameEnded,
    IncomePaid,
    LeatherPlaced,
    LeatherWon,
    PatchPlaced,
    TurnPassed,
)
from companion.games.patchwork.state import State
from companion.lights import (
    BLACK,
    BONUS,
    CYCLE_S,
    INCOME,
    LEATHER,
    NOTICE,
    SEAT_COLOURS,
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
from companion.patchwork.codec import Event
from companion.patchwork.reading.verdict import Question
from companion.patchwork.timeboard import NONE_WRONG, wrong_after
from companion.play import events
from hardware.driver import StripDriver
from hardware.ports import RGB


class LightShow(StagedShow[State, events.Asked[Question, State]]):
    """The show at a Patchwork table; the strip's first pixel is at the end of seat 1.

    Args:
        pixel_count: the number of pixels of the strip, including the dark ones at its beginning.
        colours: the colours of seat 1 and seat 2.
        strip: the settings of the strip; None to use all of it, at full brightness.

    Raises:
        ValueError: fewer than 8 pixels are left.
    """

    def __init__(
        self, pixel_count: int, colours: Sequence[RGB] = SEAT_COLOURS, strip: StripDriver | None = None
    ) -> None:
        super().__init__(pixel_count, strip)
        self._layout = layout_for(self._count, colours)
        self._wrong_markers = NONE_WRONG

    def event(self, event: Event, now_s: float) -> None:
        """Show an event that happened at `now_s`; it replaces the effect being shown."""
        self._wrong_markers = wrong_after(self._wrong_markers, event)
        # A look needs its steady light, and a question its options, until they end; notices stand on the page, too.
        if isinstance(event, events.TableNoticed) and self._scene is not None and self._scene.is_busy:
            return
        question = event if isinstance(event, events.Asked) else None
        self._scene = LightScene(
            event.state, now_s, self._steps(event), isinstance(event, events.LookStarted), question
        )

    def _resting(self, state: State, now_s: float) -> list[RGB]:
        return _resting_picture(self._layout, state, now_s, self._wrong_markers)

    def _question(self, asked: events.Asked, since_s: float) -> list[RGB]:
        colour = self._layout.colour(asked.question.seat)
        options = [(block, colour) for block in blocks_of(self._count, len(asked.question.options))]
        return self._options(options, None if asked.choice == events.NONE_SHOWN else asked.choice, since_s)

    def _steps(self, event: Event) -> Effect:
        match event:
            case events.DecisionTaken(facts=facts):
                return _effects_of(self._layout, facts)
            case events.Complained() | events.Asked():
                return self._doubt(event)
            case events.DecisionUndone():
                return undone(self._count)
            case events.DecisionForeseen() | events.UndoForeseen():
                return _foreseen(self._layout, event.decision.seat, event.pause_s)
            case events.QuestionAnswered() | events.LookStarted() | events.LookCalledOff() | events.DoubtLapsed():
                return ()
            case _:
                return self._signal(event)

    def _doubt(self, event: events.Asked | events.Complained) -> Effect:
        """Return the effects of a question or a complaint; the players are called first if it was not requested."""
        doubt = event.complaint if isinstance(event, events.Complained) else event.question
        call = _called(self._layout, doubt.seat) if event.unasked else ()
        return (*call, *complained(self._layout.side(doubt.seat))) if isinstance(event, events.Complained) else call

    def _signal(self, event: Event) -> Effect:
        """Return the effects of news; also if there was nothing to undo, or a foreseen decision lapsed."""
        if isinstance(event, events.GameOpened):
            return opened(self._count)
        if isinstance(event, events.DecisionProposed):
            return _called(self._layout, event.decision.seat)
        return _noticed(self._layout) if isinstance(event, events.TableNoticed) else _refused(self._layout)


TRACK_PIXELS = 54
"""The spaces 0 to 53 of the time track."""
LEATHER_PIXELS = 5


@dataclass(frozen=True, slots=True)
class StripLayout:
    """The parts of a strip; all are pixel indices.

    Attributes:
        count: the number of pixels.
        track: the pixel of every space of the time track; empty on a strip too short for it.
        sides: the pixels for the effects of seat 1 and of seat 2, from the end of the strip inwards; they do not
            overlap.
        lamps: the outermost part of each side, which shows the turn; may be empty on a long strip.
        leather: on a strip without a track, a pixel for each leather patch, in the order of their marks.
        colours: the colours of seat 1 and seat 2.
    """

    count: int
    track: Sequence[int]
    sides: tuple[Sequence[int], Sequence[int]]
    lamps: tuple[Sequence[int], Sequence[int]]
    leather: Sequence[int]
    colours: Sequence[RGB] = SEAT_COLOURS

    def side(self, seat: int) -> Sequence[int]:
        """Return the pixels for the effects of seat 1 or 2, from the end inwards."""
        return self.sides[seat - 1]

    def lamp(self, seat: int) -> Sequence[int]:
        """Return the pixels that show that it is the turn of seat 1 or 2."""
        return self.lamps[seat - 1]

    def colour(self, seat: int) -> RGB:
        """Return the colour of seat 1 or 2."""
        return self.colours[seat - 1]


def layout_for(count: int, colours: Sequence[RGB] = SEAT_COLOURS) -> StripLayout:
    """Return the parts of a strip of `count` pixels, at least 8, on which seat 1 and seat 2 have these colours."""
    return replace(_with_track(count) if count >= TRACK_PIXELS else _with_segments(count), colours=tuple(colours))


def _with_track(count: int) -> StripLayout:
    before = (count - TRACK_PIXELS) // 2
    track = range(before, before + TRACK_PIXELS)
    return StripLayout(
        count=count,
        track=track,
        sides=_sides(count, count // 2),
        lamps=(range(before), range(count - 1, track[-1], -1)),
        leather=(),
    )


def _with_segments(count: int) -> StripLayout:
    length = (count - LEATHER_PIXELS) // 2
    one, two = _sides(count, length)
    lamp = max(1, length // 4)
    return StripLayout(
        count=count,
        track=(),
        sides=(one, two),
        lamps=(one[:lamp], two[:lamp]),
        leather=range(length, length + LEATHER_PIXELS),
    )


def _sides(count: int, length: int) -> tuple[range, range]:
    return range(length), range(count - 1, count - 1 - length, -1)


BLINK_S = 0.36
"""Period of a blink: fewer than three flashes a second are safe for people with photosensitive epilepsy (WCAG 2.2,
criterion 2.3.1)."""
# Duration of one run of the light that calls the players.
_CALL_S = 0.8


def _effects_of(layout: StripLayout, facts: Iterable[Fact]) -> Effect:
    """Return the effects of a decision's facts, one after the other."""
    return tuple(step for fact in facts for step in _effect_of(layout, fact))


def _effect_of(layout: StripLayout, fact: Fact) -> Effect:
    match fact:
        case PatchPlaced(seat=seat) | LeatherPlaced(seat=seat):
            return _placed(layout, seat)
        case ButtonsEarned(seat=seat, buttons=buttons):
            return _earned(layout, seat, buttons)
        case IncomePaid(seat=seat, buttons=buttons):
            return _income(layout, seat, buttons)
        case _:
            return _rare_effect_of(layout, fact)


def _rare_effect_of(layout: StripLayout, fact: Fact) -> Effect:
    match fact:
        case BonusTileTaken(seat=seat):
            return _bonus(layout, seat)
        case LeatherWon(seat=seat):
            return rhythm(layout.side(seat), LEATHER, (0.6, 0.2))
        case TurnPassed(seat=seat):
            return _turn_passed(layout, seat)
        case GameEnded(winner=winner):
            return won(layout.side(winner), layout.colour(winner))
        case _:
            return ()


def _placed(layout: StripLayout, seat: int) -> Effect:
    """Light the seat's side once, briefly: the decision is in the journal."""
    return (LightStep(0.3, layout.side(seat), layout.colour(seat)), LightStep(0.1))


def _income(layout: StripLayout, seat: int, buttons: int) -> Effect:
    """Blink once per button paid; each blink is a pixel longer, if there is room."""
    side = layout.side(seat)
    lit = (LightStep(BLINK_S * 0.6, side[: count + 1], INCOME) for count in range(buttons))
    return tuple(step for on in lit for step in (on, LightStep(BLINK_S * 0.4)))


def _earned(layout: StripLayout, seat: int, buttons: int) -> Effect:
    """Grow a bar by one pixel per button, then hold it."""
    side = layout.side(seat)
    grow = tuple(LightStep(0.08, side[: count + 1], layout.colour(seat)) for count in range(buttons))
    return (*grow, LightStep(0.6, side[:buttons], layout.colour(seat)))


def _bonus(layout: StripLayout, seat: int) -> Effect:
    """Light every other pixel in turn, seven times for the seven points."""
    side = layout.side(seat)
    return tuple(LightStep(BLINK_S / 2, side[count % 2 :: 2], BONUS) for count in range(7))


def _turn_passed(layout: StripLayout, seat: int) -> Effect:
    """Run along the seat's side out to its end."""
    side = layout.side(seat)
    width = max(1, len(side) // 6)
    starts = range(len(side) - 1, -1, -width)
    return tuple(LightStep(0.09, side[max(0, start - width + 1) : start + 1], layout.colour(seat)) for start in starts)


def _called(layout: StripLayout, seat: int) -> Effect:
    """Run twice from the end of the mover's side to the middle, to call a player to the table."""
    side = layout.side(seat)
    parts = min(len(side), 8)
    blocks = [side[len(side) * part // parts : len(side) * (part + 1) // parts] for part in range(parts)]
    run = (*(LightStep(_CALL_S / parts, block, NOTICE) for block in blocks), LightStep(0.2))
    return (*run, *run)


def _foreseen(layout: StripLayout, seat: int, length_s: float) -> Effect:
    """Shrink a bar on the mover's side, evenly and without a blink, until the decision is taken."""
    side = layout.side(seat)
    parts = min(len(side), 20)
    lengths = (len(side) * (parts - part) // parts for part in range(parts))
    return tuple(LightStep(length_s / parts, side[:length], layout.colour(seat)) for length in lengths)


def _noticed(layout: StripLayout) -> Effect:
    """Light both ends twice, long."""
    ends = (*layout.side(1)[:3], *layout.side(2)[:3])
    return rhythm(ends, NOTICE, (0.6, 0.6))


def _refused(layout: StripLayout) -> Effect:
    """Light both ends once, briefly, because there was nothing to do."""
    return rhythm((layout.side(1)[0], layout.side(2)[0]), NOTICE, (0.2,))


_GLOW = 0.06
_MARK = 0.14
_LEATHER_MARK = 0.45
_BLINK = 0.5
# The shortest light that players reliably notice.
_BLINK_S = 0.15


def _resting_picture(
    layout: StripLayout, state: State, now_s: float, wrong: Mapping[int, int] = NONE_WRONG
) -> list[RGB]:
    """Return the strip at rest; `wrong` as for `wrong_after`: a misplaced marker's space blinks if the track is shown.

    The turn is shown in three ways: that side of the strip glows faintly and its lamp is lit (position), the token that
    moves next pulses once per cycle for seat 1 and twice for seat 2 (rhythm), and each seat has its colour.
    """
    canvas: list[RGB] = [BLACK] * layout.count
    if state.turn is None:
        if state.winner is not None:
            # The other side stays dark.
            paint_wave(canvas, layout.side(state.winner), layout.colour(state.winner), now_s)
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

"""Effects as rows of steps: the lit pixels, their colour and duration.

Every effect has a distinct rhythm or place, so that it can be recognised without its colour.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from companion.games.patchwork import (
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
from companion.lights.colours import BONUS, COMPLAINT, INCOME, LEATHER, NOTICE, SEAT_COLOURS
from companion.lights.staged import FEWEST_PIXELS
from companion.lights.steps import Effect, LightStep, rhythm
from hardware.ports import RGB

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

    def blocks(self, number: int) -> list[Sequence[int]]:
        """Return the strip in `number` parts of about equal length, a dark pixel between them if there is room."""
        bounds = [index * self.count // number for index in range(number + 1)]
        spans = [range(start, max(start + 1, end)) for start, end in pairwise(bounds)]
        return [span[:-1] if len(span) > 2 and span[-1] != self.count - 1 else span for span in spans]


def layout_for(count: int, colours: Sequence[RGB] = SEAT_COLOURS) -> StripLayout:
    """Return the parts of a strip of `count` pixels, on which seat 1 and seat 2 have these colours.

    Raises:
        ValueError: `count` is below 8.
    """
    if count < FEWEST_PIXELS:
        raise ValueError(f"a strip of {count} pixels is too short: {FEWEST_PIXELS} are needed")
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


def effects_of(layout: StripLayout, facts: Iterable[Fact]) -> Effect:
    """Return the effects of a decision's facts, one after the other."""
    return tuple(step for fact in facts for step in _effect_of(layout, fact))


def _effect_of(layout: StripLayout, fact: Fact) -> Effect:
    match fact:
        case PatchPlaced(seat=seat) | LeatherPlaced(seat=seat):
            return placed(layout, seat)
        case ButtonsEarned(seat=seat, buttons=buttons):
            return earned(layout, seat, buttons)
        case IncomePaid(seat=seat, buttons=buttons):
            return income(layout, seat, buttons)
        case _:
            return _rare_effect_of(layout, fact)


def _rare_effect_of(layout: StripLayout, fact: Fact) -> Effect:
    match fact:
        case BonusTileTaken(seat=seat):
            return bonus(layout, seat)
        case LeatherWon(seat=seat):
            return rhythm(layout.side(seat), LEATHER, (0.6, 0.2))
        case TurnPassed(seat=seat):
            return turn(layout, seat)
        case GameEnded(winner=winner):
            return ended(layout, winner)
        case _:
            return ()


def placed(layout: StripLayout, seat: int) -> Effect:
    """Light the seat's side once, briefly: the decision is in the journal."""
    return (LightStep(0.3, layout.side(seat), layout.colour(seat)), LightStep(0.1))


def income(layout: StripLayout, seat: int, buttons: int) -> Effect:
    """Blink once per button paid; each blink is a pixel longer, if there is room."""
    side = layout.side(seat)
    lit = (LightStep(BLINK_S * 0.6, side[: count + 1], INCOME) for count in range(buttons))
    return tuple(step for on in lit for step in (on, LightStep(BLINK_S * 0.4)))


def earned(layout: StripLayout, seat: int, buttons: int) -> Effect:
    """Grow a bar by one pixel per button, then hold it."""
    side = layout.side(seat)
    grow = tuple(LightStep(0.08, side[: count + 1], layout.colour(seat)) for count in range(buttons))
    return (*grow, LightStep(0.6, side[:buttons], layout.colour(seat)))


def bonus(layout: StripLayout, seat: int) -> Effect:
    """Light every other pixel in turn, seven times for the seven points."""
    side = layout.side(seat)
    return tuple(LightStep(BLINK_S / 2, side[count % 2 :: 2], BONUS) for count in range(7))


def turn(layout: StripLayout, seat: int) -> Effect:
    """Run along the seat's side out to its end."""
    side = layout.side(seat)
    width = max(1, len(side) // 6)
    starts = range(len(side) - 1, -1, -width)
    return tuple(LightStep(0.09, side[max(0, start - width + 1) : start + 1], layout.colour(seat)) for start in starts)


def ended(layout: StripLayout, winner: int) -> Effect:
    """Fill the winner's side from its end, three times."""
    side = layout.side(winner)
    filling = tuple(LightStep(0.12, side[: len(side) * part // 8 + 1], layout.colour(winner)) for part in range(8))
    return (*filling, *filling, *filling)


def complaint(layout: StripLayout, seat: int) -> Effect:
    """Flash short, short, long on the mover's side, twice."""
    return 2 * rhythm(layout.side(seat), COMPLAINT, (0.2, 0.2, 0.7))


def called(layout: StripLayout, seat: int) -> Effect:
    """Run twice from the end of the mover's side to the middle, to call a player to the table."""
    side = layout.side(seat)
    parts = min(len(side), 8)
    blocks = [side[len(side) * part // parts : len(side) * (part + 1) // parts] for part in range(parts)]
    run = (*(LightStep(_CALL_S / parts, block, NOTICE) for block in blocks), LightStep(0.2))
    return (*run, *run)


def foreseen(layout: StripLayout, seat: int, length_s: float) -> Effect:
    """Shrink a bar on the mover's side, evenly and without a blink, until the decision is taken."""
    side = layout.side(seat)
    parts = min(len(side), 20)
    lengths = (len(side) * (parts - part) // parts for part in range(parts))
    return tuple(LightStep(length_s / parts, side[:length], layout.colour(seat)) for length in lengths)


def undone(layout: StripLayout) -> Effect:
    """Shrink a bar from the whole strip to nothing, towards the middle."""
    half = layout.count // 2
    return tuple(LightStep(0.1, range(half * part // 6, layout.count - half * part // 6), NOTICE) for part in range(6))


def opened(layout: StripLayout) -> Effect:
    """Run over the whole strip."""
    return tuple(LightStep(0.08, block, NOTICE) for block in layout.blocks(8))


def notice(layout: StripLayout) -> Effect:
    """Light both ends twice, long."""
    ends = (*layout.side(1)[:3], *layout.side(2)[:3])
    return rhythm(ends, NOTICE, (0.6, 0.6))


def refused(layout: StripLayout) -> Effect:
    """Light both ends once, briefly, because there was nothing to do."""
    return rhythm((layout.side(1)[0], layout.side(2)[0]), NOTICE, (0.2,))

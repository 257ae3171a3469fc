"""Events turned into pixels for a strip of lights: what the shows of all games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias

from calibration.identity import TONES, USUAL
from hardware.driver import FEWEST_PIXELS, StripDriver
from hardware.ports import RGB, LightStrip

if TYPE_CHECKING:
    # Type parameters with defaults are in the standard library from Python 3.13 on; nothing needs them at run time.
    from typing_extensions import TypeVar

    EventT = TypeVar("EventT", default=Any)
    _EventT_contra = TypeVar("_EventT_contra", contravariant=True)
else:
    from typing import TypeVar

    EventT, _EventT_contra = TypeVar("EventT"), TypeVar("_EventT_contra", contravariant=True)


class Show(Protocol[_EventT_contra]):
    """A game's light show."""

    def event(self, event: _EventT_contra, now_s: float) -> None:
        """Handle an event."""

    def frame(self, now_s: float) -> Sequence[RGB]:
        """Return the pixels for this time, in seconds."""

    def refuse(self, now_s: float) -> None:
        """Blink over the current picture, as a sign that a press does not count."""

    @property
    def is_neutral(self) -> bool:
        """True while the show holds the steady light in which the camera looks."""

    def is_resting(self, now_s: float) -> bool:
        """Return whether only the state of the game is shown."""


class Lights(Generic[EventT]):
    """A listener for events, which a show converts to pixels, with a tick for every frame; `mirrors` get each, too."""

    def __init__(
        self, show: Show[EventT], strip: LightStrip, mirrors: Sequence[Callable[[Sequence[RGB]], None]] = ()
    ) -> None:
        self._show, self._strip, self._mirrors = show, strip, tuple(mirrors)
        self._now_s = 0.0
        self._shown: list[RGB] = []

    def __call__(self, event: EventT) -> None:
        """Pass on an event, at the time of the latest tick, and show its effect at once."""
        self._show.event(event, self._now_s)
        self.tick(self._now_s)

    def refuse(self) -> None:
        """Blink over the current picture, at the time of the latest tick, as a sign that a press does not count."""
        self._show.refuse(self._now_s)
        self.tick(self._now_s)

    @property
    def is_neutral(self) -> bool:
        """True while the show holds the steady light in which the camera looks."""
        return self._show.is_neutral

    def is_resting(self, now_s: float) -> bool:
        """Return whether only the state of the game is shown."""
        return self._show.is_resting(now_s)

    def tick(self, now_s: float) -> None:
        """Show the frame for this time, in seconds; an unchanged frame is not sent again."""
        self._now_s = now_s
        pixels = list(self._show.frame(now_s))
        if pixels != self._shown:
            self._shown = pixels
            self._strip.show(pixels)
            for mirror in self._mirrors:
                mirror(pixels)


SEAT_COLOURS: tuple[RGB, ...] = tuple(TONES[name].strip for name in USUAL)
"""The colours of seats 1 to 4, unless players choose others."""
LEATHER: RGB = (200, 50, 110)
INCOME: RGB = (180, 180, 150)
COMPLAINT: RGB = (255, 30, 0)
BONUS: RGB = (230, 220, 60)
NOTICE: RGB = (140, 140, 140)
NEUTRAL: RGB = (120, 120, 120)
"""The strip's colour while the camera looks: even, steady and without a tint."""
BLACK: RGB = (0, 0, 0)


def seat_colour(seat: int) -> RGB:
    """Return the default colour of a seat, 1 to 4."""
    return SEAT_COLOURS[seat - 1]


def scaled(colour: RGB, level: float) -> RGB:
    """Return the colour at a level from 0 to 1, rounded down."""
    red, green, blue = colour
    return int(red * level), int(green * level), int(blue * level)


def all_scaled(pixels: Sequence[RGB], level: float) -> list[RGB]:
    """Return the pixels, each `scaled`."""
    # A strip shows few different colours at a time.
    shown = {colour: scaled(colour, level) for colour in set(pixels)}
    return [shown[pixel] for pixel in pixels]


def neutral_picture(count: int, strip: StripDriver) -> list[RGB]:
    """Return the pixels of a strip with the neutral light for the camera."""
    lit = [NEUTRAL if index >= strip.first_pixel else BLACK for index in range(count)]
    return all_scaled(lit, strip.brightness)


CYCLE_S: Final = 2.0
"""The period of what a strip shows at rest: slow enough not to distract."""
# The factor on a resting pixel's level during an effect: low enough for the effect to stand out.
_UNLIT: Final = 0.12


@dataclass(frozen=True, slots=True)
class LightStep:
    """A step in which the `lit` pixels show `colour` for `duration_s`, and all others are dimmed."""

    duration_s: float
    lit: Sequence[int] = ()
    colour: RGB = BLACK

    def paint(self, canvas: Sequence[RGB]) -> list[RGB]:
        """Return the pixels of the step over the picture at rest."""
        painted = all_scaled(canvas, _UNLIT)
        for pixel in self.lit:
            painted[pixel] = self.colour
        return painted


Effect: TypeAlias = tuple[LightStep, ...]


def rhythm(pixels: Sequence[int], colour: RGB, lights_s: Sequence[float]) -> Effect:
    """Return an effect of lights of these durations with gaps between them."""
    return tuple(step for light_s in lights_s for step in (LightStep(light_s, pixels, colour), LightStep(0.15)))


def pulse(seat: int, now_s: float) -> float:
    """Return the level, 0.4 to 1, of the seat to move: seat 1 dips once per cycle, seat 2 twice, and so on."""
    phase = now_s % CYCLE_S / CYCLE_S * seat % 1.0
    return 1.0 - 0.6 * max(0.0, 1.0 - abs(phase - 0.5) * 4)


def blocks_of(count: int, number: int) -> list[Sequence[int]]:
    """Return a strip in `number` parts of about equal length, a dark pixel between them if there is room."""
    bounds = [index * count // number for index in range(number + 1)]
    spans = [range(start, max(start + 1, end)) for start, end in pairwise(bounds)]
    return [span[:-1] if len(span) > 2 and span[-1] != count - 1 else span for span in spans]


def opened(count: int) -> Effect:
    """Return a run over the whole strip."""
    return tuple(LightStep(0.08, block, NOTICE) for block in blocks_of(count, 8))


def undone(count: int) -> Effect:
    """Return a bar that shrinks from the whole strip to nothing, towards the middle."""
    half = count // 2
    return tuple(LightStep(0.1, range(half * part // 6, count - half * part // 6), NOTICE) for part in range(6))


def complained(side: Sequence[int]) -> Effect:
    """Return flashes, short, short, long, twice, on the side of the player who is to act."""
    return 2 * rhythm(side, COMPLAINT, (0.2, 0.2, 0.7))


def won(side: Sequence[int], colour: RGB) -> Effect:
    """Return the filling of the winner's side from its end, three times."""
    return 3 * tuple(LightStep(0.12, side[: len(side) * part // 8 + 1], colour) for part in range(8))


def paint_wave(canvas: list[RGB], side: Sequence[int], colour: RGB, now_s: float) -> None:
    """Paint a slow wave on the winner's side."""
    for place, pixel in enumerate(side):
        phase = (now_s % CYCLE_S / CYCLE_S + place / max(4, len(side))) % 1.0
        canvas[pixel] = scaled(colour, 0.35 + 0.45 * abs(2 * phase - 1))


StateT = TypeVar("StateT")
AskedT = TypeVar("AskedT")
"""The type of the event that asks a question."""
_BLINK_S: Final = 0.2
# The share of a cycle during which the option on display is lit.
_ON_DISPLAY: Final = 0.7


@dataclass(frozen=True, slots=True)
class LightScene(Generic[StateT, AskedT]):
    """The scene shown since `start_s`: a sequence of steps, then the picture at rest."""

    state: StateT
    start_s: float
    steps: Effect = ()
    looking: bool = False
    question: AskedT | None = None

    @property
    def is_busy(self) -> bool:
        """True if the scene lasts until a verdict or an answer."""
        return self.looking or self.question is not None

    def step(self, now_s: float) -> int:
        """Return the number of the current step, from 0; the number of all steps once they are over."""
        end_s = self.start_s
        for number, step in enumerate(self.steps):
            end_s += step.duration_s
            if end_s > now_s:
                return number
        return len(self.steps)


class StagedShow(ABC, Generic[StateT, AskedT]):
    """A show that converts events to frames, which depend only on the events so far, their times and the current time.

    Args:
        pixel_count: the pixels of the strip, including the dark ones at its beginning.
        strip: the settings of the strip; None to use all of it, at full brightness.

    Raises:
        ValueError: if fewer than 8 pixels remain.
    """

    def __init__(self, pixel_count: int, strip: StripDriver | None = None) -> None:
        first_pixel = 0 if strip is None else strip.first_pixel
        self._count = pixel_count - first_pixel
        if self._count < FEWEST_PIXELS:
            raise ValueError(f"a strip of {self._count} pixels is too short: {FEWEST_PIXELS} are needed")
        self._dark: list[RGB] = [BLACK] * first_pixel
        self._brightness = 1.0 if strip is None else strip.brightness
        self._reversed = strip is not None and strip.reversed
        self._scene: LightScene[StateT, AskedT] | None = None

    def frame(self, now_s: float) -> list[RGB]:
        """Return the pixels at `now_s`, as many as the strip has."""
        pixels = self._picture(now_s)
        if self._reversed:
            pixels.reverse()
        # The dark pixels are at the beginning of the strip even if it is reversed.
        return self._dark + all_scaled(pixels, self._brightness)

    def refuse(self, now_s: float) -> None:
        """Light both ends briefly once, then show the same again; the camera's steady light is not interrupted."""
        scene = self._scene
        if scene is not None and not scene.looking:
            blink = rhythm((0, self._count - 1), NOTICE, (_BLINK_S,))
            self._scene = replace(scene, start_s=now_s, steps=blink)

    @property
    def is_neutral(self) -> bool:
        """True while the show holds the steady light in which the camera looks."""
        return self._scene is not None and self._scene.looking

    def is_resting(self, now_s: float) -> bool:
        """Return whether only the state of the game is shown."""
        scene = self._scene
        return scene is None or (not scene.is_busy and scene.step(now_s) == len(scene.steps))

    def _picture(self, now_s: float) -> list[RGB]:
        scene = self._scene
        if scene is None:
            return [BLACK] * self._count
        if scene.looking:
            return [NEUTRAL] * self._count
        step = scene.step(now_s)
        if scene.question is not None and step == len(scene.steps):
            return self._question(scene.question, now_s - scene.start_s)
        canvas = self._resting(scene.state, now_s)
        return canvas if step == len(scene.steps) else scene.steps[step].paint(canvas)

    @abstractmethod
    def _resting(self, state: StateT, now_s: float) -> list[RGB]:
        """Return the pixels at rest for a state of the game."""

    @abstractmethod
    def _question(self, asked: AskedT, since_s: float) -> list[RGB]:
        """Return the pixels for a question, `since_s` seconds after it was asked."""

    def _options(self, options: Sequence[tuple[Iterable[int], RGB]], shown: int | None, since_s: float) -> list[RGB]:
        """Light a part of the strip for each option: the one on display long, then the others briefly and faintly.

        While "none of these" is on display (None) all are faint.
        """
        canvas: list[RGB] = [BLACK] * self._count
        shows_choice = shown is not None and since_s % CYCLE_S < CYCLE_S * _ON_DISPLAY
        for place, (block, colour) in enumerate(options):
            if (place == shown) == shows_choice:
                for pixel in block:
                    canvas[pixel] = scaled(colour, 1.0 if shows_choice else 0.25)
        return canvas

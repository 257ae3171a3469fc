"""The parts shared by all light shows: scenes, the steady light of a look, options that light up in turn."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypedDict, TypeVar, Unpack

from companion.lights.colours import BLACK, NEUTRAL, NOTICE, limited, scaled
from companion.lights.steps import CYCLE_S, Effect, rhythm
from hardware.ports import RGB

StateT = TypeVar("StateT")
AskedT = TypeVar("AskedT")
"""The type of the event that asks a question."""
FEWEST_PIXELS: Final = 8
"""Shorter strips have no room for the news of two seats."""
_BLINK_S: Final = 0.2
# The share of a cycle during which the option on display is lit.
_ON_DISPLAY: Final = 0.7


class StripUse(TypedDict, total=False):
    """The part and the power of the strip that a show uses; by default all of it, without a limit.

    Attributes:
        brightness: from 0 to 1.
        max_ma: the greatest current of all pixels together, in mA; None for no limit.
        reversed_: whether the first pixel is at the far end, that of the last seat.
        first_pixel: the number of pixels to leave dark at the beginning of the strip.
    """

    brightness: float
    max_ma: float | None
    reversed_: bool
    first_pixel: int


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
        strip: the use of the strip.

    Raises:
        ValueError: if fewer than 8 pixels remain.
    """

    def __init__(self, pixel_count: int, **strip: Unpack[StripUse]) -> None:
        first_pixel = strip.get("first_pixel", 0)
        self._count = pixel_count - first_pixel
        if self._count < FEWEST_PIXELS:
            raise ValueError(f"a strip of {self._count} pixels is too short: {FEWEST_PIXELS} are needed")
        self._dark: list[RGB] = [BLACK] * first_pixel
        self._brightness, self._max_ma = strip.get("brightness", 1.0), strip.get("max_ma")
        self._reversed = strip.get("reversed_", False)
        self._scene: LightScene[StateT, AskedT] | None = None

    def frame(self, now_s: float) -> list[RGB]:
        """Return the pixels at `now_s`, as many as the strip has."""
        pixels = self._picture(now_s)
        if self._reversed:
            pixels.reverse()
        # The dark pixels are at the beginning of the strip even if it is reversed.
        return self._dark + limited(pixels, self._brightness, self._max_ma)

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

    def _options(self, options: Sequence[tuple[Iterable[int], RGB]], shown: int, since_s: float) -> list[RGB]:
        """Light a part of the strip for each option: the one on display long, then the others briefly and faintly."""
        canvas: list[RGB] = [BLACK] * self._count
        shows_choice = since_s % CYCLE_S < CYCLE_S * _ON_DISPLAY
        for place, (block, colour) in enumerate(options):
            if (place == shown) == shows_choice:
                for pixel in block:
                    canvas[pixel] = scaled(colour, 1.0 if shows_choice else 0.25)
        return canvas

"""The tests of the strip's colours, of each pixel, by what the user and the camera see, and of its current."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.languages import counted, in_turn, listed, said
from companion.lights import BLACK, NEUTRAL
from companion.upkeep.hardware_test.course import SKIP, ColourWanted, CountWanted, HardwareStep, Moment, Prompt, Verdict
from hardware.ports import RGB, LightStrip
from hardware.strips import drawn_ma

TEST_WHITE: Final[RGB] = (70, 70, 70)
"""The colour of pixels to count: bright enough to see, but not dazzling."""
COLOURS: Final[Mapping[str, RGB]] = {
    said("red"): (150, 0, 0), said("green"): (0, 150, 0), said("blue"): (0, 0, 150), said("white"): (90, 90, 90),
}  # fmt: skip
GROUP: Final = 10
"""The number of pixels that can be counted at a glance."""

_OTHER: Final = (said("nothing"), said("something else"))
_DATA_WIRE: Final = said(
    "Check 5 V, ground and the data wire at the start of the strip (the arrow points away from the Pi)."
)
_ABOUT: Final = said("strip")


class ColoursStep(HardwareStep):
    """The step that shows red, green, blue and white on the whole strip, and asks for the colour.

    Args:
        strip: the strip, with its current limited.
        order: the configured order of the colours in a pixel; "" if the driver does not need it.
    """

    title = said("Colours of the strip")

    def __init__(self, strip: LightStrip, order: str) -> None:
        super().__init__()
        self._strip, self._order = strip, order
        self._left = list(COLOURS)
        self._seen: dict[str, str] = {}

    def begin(self, now_s: float) -> None:
        """Show the first colour."""
        del now_s
        self._show()

    def tick(self, moment: Moment) -> None:
        """Process the user's answer."""
        if moment.answer == SKIP:
            self._found(Verdict.SKIPPED, _ABOUT, said("Its colours were not checked."))
            self._finish()
        elif moment.answer is not None:
            self._seen[self._left.pop(0)] = _colour(moment.answer)
            if self._left:
                self._show()
            else:
                self._judge()
                self._finish()

    def _show(self) -> None:
        self._strip.show([COLOURS[self._left[0]]] * self._strip.pixel_count)
        place = len(COLOURS) - len(self._left) + 1
        says = said(
            "Check {place} of {count}: the whole strip now lights up in one colour. Which one?",
            place=place,
            count=len(COLOURS),
        )
        self.prompt = Prompt(says, ColourWanted(), (*COLOURS, *_OTHER))

    def _judge(self) -> None:
        wrong = {shown: seen for shown, seen in self._seen.items() if seen != shown}
        if not wrong:
            self._found(Verdict.OK, _ABOUT, said("Red, green, blue and white look as they should."))
        elif set(self._seen.values()) == {"nothing"}:
            self._found(Verdict.FAULT, _ABOUT, said("It stays dark."), _DATA_WIRE)
        else:
            named = listed([said("{shown} looks like {seen}", shown=shown, seen=seen) for shown, seen in wrong.items()])
            self._found(Verdict.FAULT, _ABOUT, said("Its colours are wrong: {colours}.", colours=named), self._remedy())

    def _remedy(self) -> str:
        """Return the remedy for wrong colours; if they are only permuted it names the strip's actual order."""
        names = {"R": "red", "G": "green", "B": "blue"}
        if not self._order or {self._seen[name] for name in names.values()} != set(names.values()):
            return said("The signal is disturbed: use a level shifter, a short data wire, and a common ground.")
        letters = {name: letter for letter, name in names.items()}
        # Each letter of the configured order sends a channel; the colour that was seen is the one that sits there.
        true = "".join(letters[self._seen[names[letter]]] for letter in self._order[:3]) + self._order[3:]
        return said("Set {key} under {section}.", key=f'order = "{true}"', section="[strip]")

    def _finish(self) -> None:
        self._strip.show([BLACK] * self._strip.pixel_count)
        self._end()


class PixelsStep(HardwareStep):
    """The step that shows ten pixels at a time to count, and, if one is missing, each of the ten alone.

    Args:
        strip: the strip, with its current limited.
        first: the number of pixels left dark at its beginning.
        seen: returns, when the step begins, the pixels that the camera has seen lit; the user is not asked about these.
    """

    title = said("Pixels of the strip")

    def __init__(self, strip: LightStrip, first: int = 0, seen: Callable[[], Collection[int]] = frozenset) -> None:
        super().__init__()
        self._strip, self._first, self._seen = strip, first, seen
        self._spans: list[range] = []
        self._dead: list[int] = []
        self._tried = 0

    def begin(self, now_s: float) -> None:
        """Show the first ten pixels that the camera has not seen."""
        del now_s
        count, seen = self._strip.pixel_count, self._seen()
        self._tried = len(seen)
        for start in range(self._first, count, GROUP):
            span = range(start, min(start + GROUP, count))
            unseen = [range(place, place + 1) for place in span if place not in seen]
            # A group with gaps would be hard to count.
            self._spans += [span] if len(unseen) == len(span) else unseen
        self._go_on()

    def tick(self, moment: Moment) -> None:
        """Process the number of pixels that the user counted."""
        if moment.answer == SKIP:
            self._found(Verdict.SKIPPED, _ABOUT, said("Not all of its pixels were checked."))
            self._finish()
        elif moment.answer is not None:
            self._take(self._spans.pop(0), int(moment.answer))
            self._go_on()

    def _go_on(self) -> None:
        if self._spans:
            self._show()
        else:
            self._judge()
            self._finish()

    def _show(self) -> None:
        span = self._spans[0]
        self._strip.show([TEST_WHITE if place in span else BLACK for place in range(self._strip.pixel_count)])
        where = said("pixel {number}", number=span[0] + 1)
        if len(span) > 1:
            where = said("the pixels {first} to {last}", first=span[0] + 1, last=span[-1] + 1)
        choices = tuple(str(count) for count in range(len(span) + 1))
        self.prompt = Prompt(
            said("Look at {pixels}, counted from the cable. How many light up?", pixels=where), CountWanted(), choices
        )

    def _take(self, span: range, shine: int) -> None:
        if len(span) == 1:
            self._tried += 1
            self._dead += [] if shine else [span[0]]
        elif shine == 0:
            self._tried += len(span)
            self._dead += span
        elif shine < len(span):
            # At once, while the user still looks at that part of the strip.
            self._spans = [range(place, place + 1) for place in span] + self._spans
        else:
            self._tried += len(span)

    def _judge(self) -> None:
        count = self._strip.pixel_count
        if not self._dead:
            self._found(
                Verdict.OK,
                _ABOUT,
                counted("All {count} pixels light up.", "All {count} pixels light up.", self._tried),
                figures={"pixels": self._tried},
            )
        elif len(self._dead) == self._tried:
            self._found(Verdict.FAULT, _ABOUT, said("No pixel lights up."), _DATA_WIRE)
        elif self._dead == list(range(self._dead[0], count)):
            says = counted(
                "From pixel {number} on the strip is dark ({count} pixel).",
                "From pixel {number} on the strip is dark ({count} pixels).",
                len(self._dead),
                number=self._dead[0] + 1,
            )
            do = said(
                "The signal ends at pixel {last} or {next}: solder there, or replace both. If the strip is shorter: "
                "{key}.",
                last=self._dead[0],
                next=self._dead[0] + 1,
                key=f"pixels = {self._dead[0]}",
            )
            self._found(Verdict.FAULT, _ABOUT, says, do)
        else:
            for pixel in self._dead:
                says = said(
                    "Pixel {number} stays dark, counted from the cable, where pixel {first} is.",
                    number=pixel + 1,
                    first=1,
                )
                self._found(
                    Verdict.FAULT,
                    said("pixel {number}", number=pixel + 1),
                    says,
                    said("Cut it out and solder in a new one."),
                )

    def _finish(self) -> None:
        self._strip.show([BLACK] * self._strip.pixel_count)
        self._end()


def _colour(answer: str) -> str:
    """Return the translatable choice that equals an answer, or the answer itself if there is none."""
    return next((each for each in (*COLOURS, *_OTHER) if each == answer), answer)


BRIGHT: Final[RGB] = (150, 150, 150)
DARKENING_FRAMES: Final = 4
"""The number of pictures skipped after the strip goes dark, as they may still show light."""
DARK_FRAMES: Final = 6
"""The number of pictures that show how much changes by itself."""
LATEST_FRAMES: Final = 12
"""The number of pictures after which a light must be visible; a webcam's pictures may be queued."""
LEAST: Final = 8.0
"""The least change, in grey levels averaged over `_PATCH_PX`; a visible pixel makes far more, a lamp's flicker less."""
# The least ratio to the largest change with the strip off, as a trembling camera moves every edge.
_OVER_NOISE: Final = 2.5
_PATCH_PX: Final = 5
# Between two pictures; each of them restarts it, as a long strip takes minutes.
_PATIENCE_S: Final = 10.0


class WatchedPixelsStep(HardwareStep):
    """The step that lights one pixel after the other for the camera; those that it does not see must be counted by eye.

    Args:
        strip: the strip, with its current limited.
        first: the number of pixels left dark at its beginning.

    Attributes:
        seen: the pixels that the camera has seen lit, numbered from 0.
    """

    title = said("Strip, as seen by the camera")
    wants_frames = True

    def __init__(self, strip: LightStrip, first: int = 0) -> None:
        super().__init__()
        self._strip = strip
        self._pixels = range(first, strip.pixel_count)
        self.seen: frozenset[int] = frozenset()
        self._left = list(self._pixels)
        self._phase: Callable[[NDArray[np.uint8]], None] = self._in_the_dark
        self._waited, self._late, self._latest_s = 0, 0, 0.0
        self._dark: NDArray[np.uint8] | None = None
        self._limit = LEAST

    def begin(self, now_s: float) -> None:
        """Switch every pixel off."""
        self._latest_s = now_s
        self.prompt = Prompt(
            said("The pixels light up one after another while the camera watches: leave everything where it is.")
        )
        self._show(())

    def tick(self, moment: Moment) -> None:
        """Process a picture in the current phase."""
        if moment.answer == SKIP or moment.now_s - self._latest_s >= _PATIENCE_S:
            self._give_up(said("The camera was not used to check the strip’s pixels."))
        elif moment.frame is not None:
            self._latest_s = moment.now_s
            self._waited += 1
            self._phase(_brightest(moment.frame.image))

    def _in_the_dark(self, picture: NDArray[np.uint8]) -> None:
        if self._waited <= DARKENING_FRAMES or self._dark is None:
            self._dark = picture
            return
        self._limit = max(self._limit, _OVER_NOISE * self._change(picture))
        if self._waited >= DARKENING_FRAMES + DARK_FRAMES:
            self._phase = self._all_on
            self._show(self._pixels)

    def _all_on(self, picture: NDArray[np.uint8]) -> None:
        """Measure, with all pixels lit, after how many pictures a light is visible, as pictures may be queued."""
        if self._change(picture) > self._limit:
            self._late = self._waited
            self._phase = self._one_on
            self._show(self._left[:1])
        elif self._waited >= LATEST_FRAMES:
            self._give_up(said("The camera does not see the strip’s light."))

    def _one_on(self, picture: NDArray[np.uint8]) -> None:
        if self._waited <= self._late:  # One more, as part of a picture may have been exposed under the light before.
            return
        if self._change(picture) > self._limit:
            self.seen |= {self._left[0]}
        del self._left[0]
        self._show(self._left[:1])
        if not self._left:
            self._phase = self._dark_again

    def _dark_again(self, picture: NDArray[np.uint8]) -> None:
        if self._waited <= self._late:
            return
        if self._change(picture) > self._limit:
            # Then any of the changes may have been something else.
            self.seen = frozenset()
            self._give_up(said("The picture changed by itself, so it does not show which pixels light up."))
            return
        count, seen = len(self._pixels), len(self.seen)
        says = counted(
            "The camera sees all {count} pixels light up.", "The camera sees all {count} pixels light up.", count
        )
        if seen < count:
            says = said(
                "The camera sees {seen} of {all} pixels light up; check the others by eye.", seen=seen, all=count
            )
        self._found(Verdict.OK, said("strip and camera"), says, figures={"pixels_seen": float(seen)})
        self._end()

    def _change(self, picture: NDArray[np.uint8]) -> float:
        """Return the largest difference from the dark picture, in grey levels, averaged over `_PATCH_PX`."""
        assert self._dark is not None  # noqa: S101 - it is the first that is taken
        return float(cv2.blur(cv2.absdiff(picture, self._dark), (_PATCH_PX, _PATCH_PX)).max())

    def _show(self, places: range | list[int] | tuple[int, ...]) -> None:
        self._waited = 0
        self._strip.show([BRIGHT if place in places else BLACK for place in range(self._strip.pixel_count)])

    def _give_up(self, says: str) -> None:
        self._found(Verdict.SKIPPED, said("strip and camera"), in_turn([says, said("Count them by eye.")]))
        self._show(())
        self._end()


def _brightest(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return each pixel's largest channel, shape (height, width); NumPy's maximum would take ten times as long."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


LASTS_S: Final = 3.0
WHITE: Final[RGB] = (255, 255, 255)


class CurrentStep(HardwareStep):
    """The step that lights the strip up to its current limit, and checks whether the board's supply voltage sags.

    Args:
        strip: the strip, with its current limited.
        brightness: the configured brightness, 0 to 1.
        max_ma: the current limit, in mA.
        is_weak: returns whether the board reports undervoltage now, or None if it cannot tell.
    """

    title = said("Current drawn by the strip")

    def __init__(self, strip: LightStrip, brightness: float, max_ma: int, is_weak: Callable[[], bool | None]) -> None:
        super().__init__()
        self._strip, self._brightness, self._max_ma, self._is_weak = strip, brightness, max_ma, is_weak
        self._since_s = 0.0
        self._weak: bool | None = None

    def begin(self, now_s: float) -> None:
        """Light every pixel."""
        self._since_s = now_s
        self.prompt = Prompt(said("The whole strip lights up white for a moment: do not look into it."))
        self._strip.show([WHITE] * self._strip.pixel_count)

    def tick(self, moment: Moment) -> None:
        """Check the supply until `LASTS_S` have passed."""
        # The board reports undervoltage only while it lasts: once is enough for a fault.
        weak = self._is_weak()
        self._weak = weak if self._weak is None else self._weak or bool(weak)
        if moment.now_s - self._since_s >= LASTS_S:
            self._strip.show([BLACK] * self._strip.pixel_count)
            self._judge()
            self._end()

    def _judge(self) -> None:
        count = self._strip.pixel_count
        full = drawn_ma([WHITE] * count)
        neutral = drawn_ma([NEUTRAL] * count) * self._brightness
        drawn = min(full, self._max_ma)
        says = said(
            "{count} white pixels would draw {full} mA; the limit holds them to {drawn} mA. The light under the camera "
            "draws {neutral} mA.",
            count=count,
            full=round(full),
            drawn=round(drawn),
            neutral=round(min(neutral, self._max_ma)),
        )
        figures = {"white_ma": full, "limit_ma": float(self._max_ma), "neutral_ma": min(neutral, self._max_ma)}
        if self._weak:
            do = said(
                "Give the strip a supply of its own with a common ground, or lower {key} under {section}.",
                key="max_ma",
                section="[strip]",
            )
            self._found(
                Verdict.FAULT,
                said("supply"),
                in_turn([said("The voltage drops when all lights are on."), says]),
                do,
                figures,
            )
        else:
            unknown = (
                [said("The board does not say whether the supply is strong enough.")] if self._weak is None else []
            )
            self._found(Verdict.OK, said("supply"), in_turn([says, *unknown]), figures=figures)

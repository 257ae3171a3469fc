"""The tests of the strip's colours and of each pixel, by what the user sees."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from companion.languages import counted, listed, said
from companion.upkeep.hardwaretest.step import SKIP, ColourWanted, CountWanted, HardwareStep, Moment, Prompt, Verdict
from hardware.ports import RGB, LightStrip

BLACK: Final[RGB] = (0, 0, 0)
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

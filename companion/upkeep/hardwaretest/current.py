"""The test of whether the supply can deliver the strip's estimated current."""

from collections.abc import Callable
from typing import Final

from companion.languages import in_turn, said
from companion.lights.colours import BLACK, NEUTRAL, estimated_ma
from companion.upkeep.hardwaretest.step import HardwareStep, Moment, Prompt, Verdict
from hardware.ports import RGB, LightStrip

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
        full = estimated_ma([WHITE] * count)
        neutral = estimated_ma([NEUTRAL] * count) * self._brightness
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

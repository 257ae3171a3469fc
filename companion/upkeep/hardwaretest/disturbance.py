"""The test of the strip's influence on the camera's picture."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.languages import in_turn, said
from companion.lights.colours import BLACK, NEUTRAL, limited, seat_colour
from companion.upkeep.hardwaretest.step import SKIP, HardwareStep, Moment, Prompt, Verdict
from hardware.ports import RGB, LightStrip

SETTLE_FRAMES: Final = 3
"""The number of pictures skipped after a change of the light, as they may show some of both."""
FRAMES: Final = 4
"""The number of pictures averaged under each light, against the sensor's noise."""
UNSTEADY: Final = 3.0
"""The difference between two measurements under the same light, in grey levels, above which the room is unsteady; in a
steady room the mean stays within 0.5."""
TINTED: Final = 8.0
"""The change of a picture's mean by the strip's colours, in grey levels, that is reported as poor; reading tolerates
more, and never happens under these colours."""
# For all lights together; slow cameras send one picture a second.
_PATIENCE_S: Final = 60.0
_LIGHTS: Final[tuple[tuple[str, RGB], ...]] = (
    ("neutral", NEUTRAL),
    ("dark", BLACK),
    ("seat 1", seat_colour(1)),
    ("seat 2", seat_colour(2)),
    # The same light at the end as at the beginning shows whether the room itself has changed.
    ("neutral again", NEUTRAL),
)

_ABOUT: Final = said("strip and camera")


class DisturbanceStep(HardwareStep):
    """The step that takes pictures under the neutral light, with the strip off, and under its strongest colours.

    Args:
        strip: the strip, with its current limited.
        brightness: the configured brightness, 0 to 1.
        max_ma: the current limit, in mA.
    """

    title = said("Strip and camera")
    wants_frames = True

    def __init__(self, strip: LightStrip, brightness: float, max_ma: int) -> None:
        super().__init__()
        self._strip, self._brightness, self._max_ma = strip, brightness, max_ma
        self._left = list(_LIGHTS)
        self._means: dict[str, NDArray[np.float64]] = {}
        self._taken: list[NDArray[np.float64]] = []
        self._since_s = 0.0

    def begin(self, now_s: float) -> None:
        """Show the first light."""
        self._since_s = now_s
        self.prompt = Prompt(
            said("The strip changes its light while the camera watches: leave everything where it is.")
        )
        self._show()

    def tick(self, moment: Moment) -> None:
        """Measure a picture, and go on to the next light after enough of them."""
        if moment.answer == SKIP or moment.now_s - self._since_s >= _PATIENCE_S:
            self._found(Verdict.SKIPPED, _ABOUT, said("The effect of the strip on the camera was not measured."))
            self._finish()
        elif moment.frame is not None:
            self._taken.append(np.array(cv2.mean(moment.frame.image)[:3]))
            if len(self._taken) >= SETTLE_FRAMES + FRAMES:
                self._next_light()

    def _show(self) -> None:
        wanted = [self._left[0][1]] * self._strip.pixel_count
        self._strip.show(limited(wanted, self._brightness, self._max_ma))

    def _next_light(self) -> None:
        name, _ = self._left.pop(0)
        self._means[name] = np.mean(self._taken[SETTLE_FRAMES:], axis=0)
        self._taken.clear()
        if self._left:
            self._show()
        else:
            self._judge()
            self._finish()

    def _judge(self) -> None:
        neutral = (self._means["neutral"] + self._means["neutral again"]) / 2
        drift = _greatest(self._means["neutral"] - self._means["neutral again"])
        own = float((neutral - self._means["dark"]).mean())
        show = max(_greatest(self._means[name] - neutral) for name in ("seat 1", "seat 2"))
        figures = {"drift": drift, "neutral_light": own, "show": show}
        says = said(
            "The strip’s neutral light adds {own} grey levels to the picture; its colours change it by {show}.",
            own=round(own, 1),
            show=round(show, 1),
        )
        if drift > UNSTEADY:
            do = said("Check for daylight, a flickering lamp, or an exposure that is not locked.")
            changed = said("The picture changed by {drift} grey levels under the same light.", drift=round(drift, 1))
            self._found(Verdict.POOR, _ABOUT, in_turn([changed, says]), do, figures)
        elif show > TINTED:
            do = said(
                "A game is read only under the neutral light; still, turn the strip away from the boards if you can."
            )
            self._found(Verdict.POOR, _ABOUT, says, do, figures)
        else:
            self._found(Verdict.OK, _ABOUT, says, figures=figures)

    def _finish(self) -> None:
        self._strip.show([BLACK] * self._strip.pixel_count)
        self._end()


def _greatest(difference: NDArray[np.float64]) -> float:
    return float(np.abs(difference).max())

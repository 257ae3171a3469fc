"""The steps of an effect: lit pixels, their colour and the duration."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.lights.colours import BLACK, all_scaled
from hardware.ports import RGB

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

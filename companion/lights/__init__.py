"""Events turned into pixels for a strip of lights."""

from companion.lights.colours import estimated_ma
from companion.lights.playing import Lights
from companion.lights.staged import FEWEST_PIXELS, StripUse

__all__ = ["FEWEST_PIXELS", "Lights", "StripUse", "estimated_ma"]

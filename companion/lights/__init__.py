"""Events turned into pixels for a strip of lights."""

from companion.lights.playing import Lights
from companion.lights.staged import StripUse

__all__ = ["Lights", "StripUse"]

"""Events turned into pixels for a strip of lights."""

from __future__ import annotations

from companion.lightshow.colours import estimated_ma
from companion.lightshow.kviltshow import KviltShow
from companion.lightshow.layout import FEWEST_PIXELS
from companion.lightshow.lights import Lights
from companion.lightshow.show import LightShow
from companion.lightshow.staged import StripUse

__all__ = ["FEWEST_PIXELS", "KviltShow", "LightShow", "Lights", "StripUse", "estimated_ma"]

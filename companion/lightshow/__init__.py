"""Events turned into pixels for a strip of lights."""

from __future__ import annotations

from companion.lightshow.colours import estimated_ma
from companion.lightshow.kviltshow import KviltShow
from companion.lightshow.layout import FEWEST_PIXELS
from companion.lightshow.lights import Lights
from companion.lightshow.show import LightShow

__all__ = ["FEWEST_PIXELS", "KviltShow", "LightShow", "Lights", "estimated_ma"]

"""What values in a browser's request may be, and the newest message of a topic, decoded."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.web.jsontype import Json
    from companion.web.site import Site


def is_flag(value: object) -> bool:
    """Whether it is true or false."""
    return isinstance(value, bool)


def is_between(value: object, least: float, most: float) -> bool:
    """Whether it is a number from one to another, both of them allowed."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return math.isfinite(value) and least <= value <= most


def is_whole(value: object, least: int, most: int) -> bool:
    """Whether it is a whole number, which in JSON may be written with a point."""
    return is_between(value, least, most) and float(value).is_integer()  # type: ignore[arg-type]  # it is a number


def newest_of(site: Site, topic: str) -> Json | None:
    """The newest message of a topic; None where there was none."""
    newest = site.hub.latest(topic)
    return None if newest is None else dict(json.loads(newest))

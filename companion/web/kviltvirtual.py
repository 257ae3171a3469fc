"""The virtual table of Kvilt as the page is sent it: what is coloured on the sheets, and how hard it is to see."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from companion.bootstrap.virtual import STYLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.bootstrap.virtual import SheetTabletop
    from companion.web.jsontype import Json

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "exposure": (0.15, 1.3),
    "gradient": (0.0, 0.8),
    "shadow": (0.0, 0.7),
    "turn_deg": (0.0, 30.0),
    "curl_mm": (0.0, 6.0),
}
"""How far each of the circumstances may go."""


def sheets_json(tabletop: SheetTabletop) -> Json:
    """What the page is sent of it."""
    return {
        "game": "kvilt",
        "sheets": [{"seat": seat, "marks": dict(marks)} for seat, marks in enumerate(tabletop.marks, start=1)],
        "lying": tabletop.lying,
        "conditions": asdict(tabletop.circumstances),
        "styles": [*STYLES],
    }

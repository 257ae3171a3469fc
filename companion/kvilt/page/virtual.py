"""The virtual table of Kvilt for the page: the marks on the sheets, and the circumstances that affect reading."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from companion.play.page.virtual import VirtualSide
from hardware.simulated.sheets.conditions import STYLES
from hardware.simulated.sheets.moves import SheetTabletop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.play.page.json_type import Json

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "exposure": (0.15, 1.3),
    "gradient": (0.0, 0.8),
    "shadow": (0.0, 0.7),
    "turn_deg": (0.0, 30.0),
    "curl_mm": (0.0, 6.0),
}
"""The range of each of the circumstances."""


def sheets_json(tabletop: SheetTabletop) -> Json:
    """Return the virtual table as JSON."""
    return {
        "game": "kvilt",
        "sheets": [
            {"seat": seat, "marks": dict(marks), "theme": theme}
            for seat, (marks, theme) in enumerate(zip(tabletop.marks, tabletop.themes, strict=True), start=1)
        ],
        "lying": tabletop.lying,
        "conditions": asdict(tabletop.circumstances),
        "styles": [*STYLES],
    }


VIRTUAL: Final = VirtualSide(SheetTabletop, sheets_json, RANGES)

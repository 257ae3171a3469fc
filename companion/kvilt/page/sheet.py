"""The sheet that all players colour, for the page to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.kvilt.naming import region_words
from companion.kvilt.page.table import sheet_json
from companion.languages import render, said
from companion.play.page.refusing import RefusedError
from companion.play.page.routes import WatchedJson

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.kvilt import PageLayout, Sheet
    from companion.play.page.json_type import Json
    from companion.play.page.routes import Asking


TOPIC: Final = "sheets"
"""The topic under which the theme of each seat's sheet is published."""


class SheetDesk:
    """The sheet of the evening, whose layout is not in events, and the themes of the players' sheets.

    Args:
        follow: called with the themes of all seats' sheets, from seat 1, whenever one changes.

    Attributes:
        sheet: the sheet, or None before one is chosen.
        layout: the sheet's layout, or None before one is chosen.
        drawn: the sheet as JSON, or None before one is chosen.
    """

    def __init__(self, follow: Callable[[tuple[str, ...]], None] = lambda _: None) -> None:
        self._follow = follow
        self.sheet: Sheet | None = None
        self.layout: PageLayout | None = None
        self.drawn: Json | None = None

    def lay(self, sheet: Sheet, layout: PageLayout) -> None:
        """Set the sheet that is coloured from now on."""
        self.sheet, self.drawn, self.layout = sheet, sheet_json(sheet, layout), layout

    def show_themes(self, themes: tuple[str, ...]) -> None:
        """Publish the theme of each seat's sheet, from seat 1; "" for the usual pictures."""
        self._follow(themes)

    def leave(self) -> None:
        """See EveningDesk; the sheet remains visible."""

    def close(self) -> None:
        """See EveningDesk; the sheet remains visible."""


def _sheet(asking: Asking) -> Json:
    desk: SheetDesk | None = asking.desk
    if desk is None or desk.sheet is None or desk.drawn is None:
        raise RefusedError(404, said("No game of Kvilt is on the table."))
    names = {region: render(region_words(region, desk.sheet), asking.language) for region in desk.drawn["regions"]}
    return {"sheet": desk.drawn, "names": names}


ROUTES: Final = (
    WatchedJson("/api/kvilt/sheet", "sheet", "The sheet that everybody colours, for the page to draw.", _sheet),
)

"""Kvilt's side of the page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.games.kvilt import State
from companion.kvilt.choices import Choice, ChoiceTopic
from companion.kvilt.codec import KVILT
from companion.kvilt.page import archive, figures, moves, setting_up, sheet
from companion.kvilt.page import virtual as by_hand
from companion.kvilt.page.overlay import sheet_exposure
from companion.kvilt.page.sheet import SheetDesk
from companion.kvilt.page.table import SheetTable, after, complaint_json, kvilt_json, opened, phase
from companion.kvilt.words import sentences, turn_sentence
from companion.languages import said
from companion.play.events import Asked
from companion.play.page.interface import GamePage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.journal import GameSummary
    from companion.kvilt.events import Event
    from companion.kvilt.statistics import KviltGame
    from companion.kvilt.table import SheetWatch
    from companion.languages import Language
    from companion.play.page.account import Opening, Visibility
    from companion.play.page.archived import ArchivedGame, Part, Rows
    from companion.play.page.exposure import Exposure
    from companion.play.page.interface import Publish
    from companion.play.page.json_type import Json
    from companion.play.page.routes import GameRoute
    from companion.play.page.setting_up import Form, SetupOffer
    from companion.play.page.virtual import VirtualSide


class KviltPage(GamePage[SheetTable]):
    """Kvilt's implementation of `GamePage`."""

    codec = KVILT
    title = said("Kvilt")
    state = State
    form: Form[Any] = setting_up.FORM
    routes: ClassVar[tuple[GameRoute, ...]] = (*sheet.ROUTES, *moves.ROUTES)
    player_columns = figures.PLAYER_COLUMNS
    virtual: ClassVar[VirtualSide[Any] | None] = by_hand.VIRTUAL

    def words(self, event: Event) -> Sequence[str]:
        """See GamePage."""
        return sentences(event)

    def turn_words(self, state: State) -> str:
        """See GamePage."""
        return turn_sentence(state)

    def is_news(self, event: Event) -> bool:
        """See GamePage; choices are no news, because the page shows them, and a fault was announced before."""
        question = event.question if isinstance(event, Asked) else None
        return not isinstance(question, Choice) or question.asks is ChoiceTopic.DOUBT

    def opened(self, opening: Opening[SheetTable]) -> SheetTable:
        """See GamePage."""
        return opened(opening.event.state)

    def after(self, table: SheetTable, event: Event, number: int) -> SheetTable:
        """See GamePage."""
        del number
        return after(table, event)

    def phase(self, table: SheetTable) -> str:
        """See GamePage."""
        return phase(table)

    def game(self, table: SheetTable) -> Json:
        """See GamePage."""
        return {"decisions": table.state.decisions_made}

    def snapshot(self, table: SheetTable, language: Language) -> Json:
        """See GamePage."""
        complaint = None if table.complaint is None else complaint_json(table.complaint, language)
        return {"complaint": complaint, "kvilt": kvilt_json(table, language)}

    def absent(self) -> Json:
        """See GamePage."""
        return {"kvilt": None}

    def has_ended(self, snapshot: Json) -> bool:
        """See GamePage."""
        return bool((snapshot.get("kvilt") or {}).get("result"))

    def page_visibility(self, visibility: Visibility) -> Visibility:
        """See GamePage."""
        return replace(visibility, boards_seen=True, in_view=())

    def exposure(self, watch: SheetWatch, table: SheetTable | None, desk: SheetDesk) -> Exposure | None:
        """See GamePage."""
        del desk
        return sheet_exposure(watch, table)

    def desk(self, publish: Publish) -> SheetDesk:
        """See GamePage."""
        return SheetDesk(lambda themes: publish(sheet.TOPIC, lambda _: {"themes": list(themes)}))

    def offer(self, offered: SetupOffer) -> Json:
        """See GamePage."""
        return setting_up.offer(offered)

    def details(self, archived: ArchivedGame, language: Language) -> Json:
        """See GamePage."""
        return archive.details(archived, language)

    def replay(self, archived: ArchivedGame, desk: SheetDesk | None, language: Language) -> Json:
        """See GamePage."""
        return archive.replay(archived, None if desk is None else desk.drawn, language)

    def decisions_rows(self, archived: ArchivedGame) -> Rows:
        """See GamePage."""
        return archive.decisions_rows(archived)

    def games_rows(self, listed: Iterable[GameSummary], finished: Sequence[KviltGame]) -> Rows:
        """See GamePage."""
        del listed
        return archive.games_rows(finished)

    def statistics(self, finished: Sequence[KviltGame]) -> Json:
        """See GamePage."""
        return figures.statistics_json(finished)

    def parts(self, finished: Sequence[KviltGame]) -> Iterator[Part]:
        """See GamePage."""
        return figures.parts(finished)


KVILT_PAGE: Final = KviltPage()

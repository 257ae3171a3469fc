"""What somebody at a terminal sees of an evening: a live picture, or plain lines for a log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from companion.cli.pictures import LEATHER_NAME
from companion.cli.screen import News, Shown, screen
from companion.cli.viewing import LiveScreen, PlainLines, Viewing
from companion.cli.wording import words
from companion.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    Event,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    TableNoticed,
)
from companion.games.patchwork import Advance, Decision, PlaceLeather, State, indices_of
from companion.languages import ENGLISH, counted, said
from companion.sentences import sentences

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from companion.languages import Language

_KEPT_NEWS = 12
_STYLES = {
    Complained: "bold #ff8787",
    Asked: "bold #ffd75f",
    DecisionForeseen: "bold #87d7ff",
    ForesightLapsed: "#ffd7af",
    TableNoticed: "#ffd7af",
    LookCalledOff: "#ffd7af",
}
_ACTIVITIES = {LookStarted: said("looking at the table"), DecisionForeseen: said("undo stops it")}


class View(Viewing[Event], Protocol):
    """Shows an evening of Patchwork."""

    def remember(self, decisions: Iterable[Decision]) -> None:
        """Learn of the decisions of a game that goes on, before it is opened."""


class PlainView(PlainLines[Event]):
    """One line a sentence, written at once: for logs and pipes."""

    def _sentences(self, event: Event) -> Iterable[str]:
        return sentences(event)

    def remember(self, decisions: Iterable[Decision]) -> None:
        """See `View`; lines need no memory."""


class TerminalView(LiveScreen[State]):
    """A picture of Patchwork's table: both quilts, the offers, the time track, what was said.

    Args:
        console: the terminal.
        page: the address of the page, empty where there is none.
        language: of whoever sits there.
    """

    def __init__(self, console: Console, page: str = "", language: Language = ENGLISH) -> None:
        super().__init__(console, page, language)
        self._game_id = 0
        self._activity = ""
        self._patches: tuple[dict[int, str], dict[int, str]] = ({}, {})
        self._news: deque[News] = deque(maxlen=_KEPT_NEWS)

    def __call__(self, event: Event) -> None:
        """See `View`."""
        self._state = event.state
        self._activity = _ACTIVITIES.get(type(event), "")
        if isinstance(event, GameOpened):
            self._game_id = event.game_id
            if event.decisions == 0:
                self._patches = ({}, {})
        elif isinstance(event, DecisionTaken):
            self._place(event.decision)
        style = _STYLES.get(type(event), "")
        self._news.extend(News(words(says, self._language), style) for says in sentences(event))
        self._refresh()

    def remember(self, decisions: Iterable[Decision]) -> None:
        """See `View`; without it the patches that lie already are drawn without their prints."""
        self._patches = ({}, {})
        for decision in decisions:
            self._place(decision)

    def picture(self) -> RenderableType:
        """What is shown now, for the terminal's present size; empty before the game is opened."""
        if self._state is None:
            return ""
        made = self._state.decisions_made
        shown = Shown(
            title=counted(
                "game {number} · {count} decision", "game {number} · {count} decisions", made, number=self._game_id
            ),
            state=self._state,
            patches=self._patches,
            news=tuple(self._news),
            pixels=self._pixels,
            activity=self._activity,
            page=self._page,
            language=self._language,
        )
        return screen(shown, self._console.width, self._console.height)

    def _place(self, decision: Decision) -> None:
        if isinstance(decision, Advance):
            return
        name = LEATHER_NAME if isinstance(decision, PlaceLeather) else decision.patch
        # What is taken back need not be forgotten: only covered cells are drawn, and covering them again overwrites it.
        for cell in indices_of(decision.cells):
            self._patches[decision.seat - 1][cell] = name

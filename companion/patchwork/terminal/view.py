"""The terminal's view of an evening of Patchwork: a live picture, or plain lines for a log."""

from collections import deque
from collections.abc import Iterable
from pathlib import Path

import cv2
from rich.console import Console, RenderableType

from companion.config.palette import USUAL, terminal_colours
from companion.errors import CompanionError
from companion.games.patchwork import Decision, PlaceLeather, State, TakePatch, indices_of
from companion.languages import ENGLISH, Language, counted, said, system_says
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.events import Event
from companion.patchwork.reading.study import Study, draw_study
from companion.patchwork.terminal.pictures import LEATHER_NAME
from companion.patchwork.terminal.screen import NewsLine, ScreenContent, circle_news, screen
from companion.patchwork.timeboard import NONE_WRONG, wrong_after
from companion.patchwork.words import sentences
from companion.play.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    ForesightLapsed,
    GameOpened,
    LookCalledOff,
    LookStarted,
    TableNoticed,
    UndoForeseen,
    UndoLapsed,
)
from companion.terminal.viewing import LiveScreen
from companion.terminal.wording import words


class StudyWriter:
    """A writer of studies into a folder, numbered in the order of the looks.

    Args:
        folder: the folder, created if missing.

    Raises:
        CompanionError: the folder cannot be created.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._written = folder, 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fault = system_says(error)
            raise CompanionError(said("{path}: cannot be written: {fault}", path=str(folder), fault=fault)) from error

    def write(self, study: Study) -> None:
        """Draw a look into a file of its own.

        Raises:
            CompanionError: the file cannot be written.
        """
        self._written += 1
        path = self._folder / f"{self._written:03d}-{study.observation.frame.rsplit('.', 1)[0]}.png"
        _, content = cv2.imencode(".png", draw_study(study))
        try:
            path.write_bytes(content.tobytes())
        except OSError as error:
            fault = system_says(error)
            raise CompanionError(said("{path}: cannot be written: {fault}", path=str(path), fault=fault)) from error


_MOST_LINES = 12
_STYLES = {
    Complained: "bold #ff8787",
    Asked: "bold #ffd75f",
    DecisionForeseen: "bold #87d7ff",
    ForesightLapsed: "#ffd7af",
    UndoForeseen: "bold #87d7ff",
    UndoLapsed: "#ffd7af",
    TableNoticed: "#ffd7af",
    LookCalledOff: "#ffd7af",
}
_ACTIVITIES = {LookStarted: said("looking at the table"), DecisionForeseen: said("undo stops it")}


class TerminalView(LiveScreen[State]):
    """A live picture of Patchwork's table: both quilts, the offers, the time track, the news.

    Args:
        console: the terminal.
        page: the address of the page; empty if there is none.
        language: the user's.
        desk: the desk at which a seen circle is confirmed; None if the camera never looks at it.
        colours: the colours of seat 1 and seat 2, by name.
    """

    def __init__(
        self,
        console: Console,
        page: str = "",
        language: Language = ENGLISH,
        desk: CircleDesk | None = None,
        colours: tuple[str, str] = USUAL,
    ) -> None:
        super().__init__(console, page, language)
        self._desk, self._styles = desk, terminal_colours(colours)
        if desk is not None:
            # A look at the circle progresses without events.
            desk.follow(lambda _: self._refresh())
        self._game_id = 0
        self._activity = ""
        self._wrong_markers = NONE_WRONG
        self._patches: tuple[dict[int, str], dict[int, str]] = ({}, {})
        self._latest: deque[NewsLine] = deque(maxlen=_MOST_LINES)

    def __call__(self, event: Event) -> None:
        """See `Viewing`."""
        self._state = event.state
        self._wrong_markers = wrong_after(self._wrong_markers, event)
        self._activity = _ACTIVITIES.get(type(event), "")
        if isinstance(event, GameOpened):
            self._game_id = event.game_id
            if event.decisions == 0:
                self._patches = ({}, {})
        elif isinstance(event, DecisionTaken):
            self._place(event.decision)
        style = _STYLES.get(type(event), "")
        self._latest.extend(NewsLine(words(says, self._language), style) for says in sentences(event))
        self._refresh()

    def remember(self, decisions: Iterable[Decision]) -> None:
        """See `Viewing`; without it the patches already laid are drawn without their prints."""
        self._patches = ({}, {})
        for decision in decisions:
            self._place(decision)

    def picture(self) -> RenderableType:
        """Return the present picture, for the terminal's present size; empty before a game is opened."""
        if self._state is None:
            return ""
        made = self._state.decisions_made
        shown = ScreenContent(
            title=counted(
                "game {number} · {count} decision", "game {number} · {count} decisions", made, number=self._game_id
            ),
            state=self._state,
            patches=self._patches,
            latest=tuple(self._latest),
            pixels=self._pixels,
            activity=self._activity,
            page=self._page,
            language=self._language,
            styles=self._styles,
            wrong_markers=self._wrong_markers,
            circle=None if self._desk is None else circle_news(self._desk),
        )
        return screen(shown, self._console.width, self._console.height)

    def _place(self, decision: Decision) -> None:
        if not isinstance(decision, TakePatch | PlaceLeather):
            return
        name = LEATHER_NAME if isinstance(decision, PlaceLeather) else decision.patch
        # Undone placements stay: only covered cells are drawn, and covering them again overwrites the name.
        for cell in indices_of(decision.cells):
            self._patches[decision.seat - 1][cell] = name

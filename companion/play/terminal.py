"""The events of a game in the terminal: a line for each sentence, and the table as it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.languages import ENGLISH, Language, harmless, render
from companion.play.events import (
    Asked,
    Complained,
    DecisionForeseen,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    UndoForeseen,
)
from companion.terminal.output import put

if TYPE_CHECKING:
    from rich.console import Console

    from companion.config import Config
    from companion.play.game import TerminalParts

# What needs an answer or a hand at once stands out; all else is plain.
_STYLES: Final = {Complained: "bold red", Asked: "bold yellow", DecisionForeseen: "cyan", UndoForeseen: "cyan"}


class EventPrinter:
    """A listener that prints every sentence about an event on its own line, and on a terminal the table as it changes.

    Args:
        game: the game's part of the terminal.
        config: the game's configuration.
        language: the user's language.
        console: the terminal, at least 80 columns wide; None for a log or a pipe, which gets the sentences alone.
        answering: whether a user may answer questions here, who needs to see each option that is on display.
    """

    def __init__(
        self,
        game: TerminalParts[Any],
        config: Config,
        language: Language = ENGLISH,
        console: Console | None = None,
        *,
        answering: bool = False,
    ) -> None:
        self._game, self._config, self._language = game, config, language
        self._console, self._answering = console, answering
        self._decisions: list[Any] = []

    def __call__(self, event: Any) -> None:
        """Print the event."""
        if isinstance(event, GameOpened):
            self._decisions = list(event.decisions)
        elif isinstance(event, DecisionTaken):
            self._decisions.append(event.decision)
        elif isinstance(event, DecisionUndone):
            del self._decisions[-event.count :]
        if isinstance(event, Asked) and event.choice > 0 and not self._answering:
            return
        for sentence in self._game.lines(event):
            self._put(harmless(render(sentence, self._language)), _STYLES.get(type(event), ""))
        if self._console is not None:
            picture = self._game.picture(event, self._decisions, self._config, self._language)
            if picture is not None:
                self._console.print()
                self._console.print(picture)
                self._console.print()

    def _put(self, line: str, style: str) -> None:
        if self._console is None:
            put(line + "\n")
        else:
            self._console.print(line, style=style, markup=False, highlight=False)

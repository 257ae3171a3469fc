"""The interface of a game for the command line and the terminal."""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.errors import CompanionError
from companion.languages import ENGLISH, Language, Sentence, harmless, render, said
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
    from rich.console import Console, RenderableType

    from companion.config import Config
    from companion.play.at_table import Desk

# What needs an answer or a hand at once stands out; all else is plain.
_STYLES: Final = {Complained: "bold red", Asked: "bold yellow", DecisionForeseen: "cyan", UndoForeseen: "cyan"}


class UsageError(CompanionError):
    """Raised for options that cannot be combined."""


class GameTerminal(ABC):
    """The part of the command line that belongs to a game.

    Attributes:
        play_options: options of `companion play` that this game takes, by their names in the parsed arguments; an
            option that several games take is listed for each of them.
        score_options: the same for `companion score`.
    """

    play_options: ClassVar[Mapping[str, str]]
    score_options: ClassVar[Mapping[str, str]]

    def add_play_options(self, parser: argparse.ArgumentParser) -> None:  # noqa: B027  # most games have none
        """Add the options of `companion play` that only this game has."""

    def configured(self, args: argparse.Namespace, config: Config) -> Config:
        """Return the configuration with the options applied.

        Raises:
            CompanionError: no game can begin with them.
        """
        del args
        return config

    def tempers(self, given: Sequence[str] | None, config: Config) -> tuple[str, ...]:
        """Return the tempers of the simulated players, from the command line or otherwise from the configuration.

        Raises:
            CompanionError: the tempers do not fit the number of seats.
        """
        return config.simulation.temper if given is None else tuple(given)

    def before_game(self, args: argparse.Namespace, config: Config, seed: int | None, language: Language) -> Config:
        """Show at the terminal how to lay out a new game, and return its configuration.

        Args:
            args: the command line.
            config: the configuration.
            seed: the seed of all randomness, or None for system randomness.
            language: the user's language.
        """
        del args, seed, language
        return config

    @abstractmethod
    def lines(self, event: Any) -> tuple[Sentence | str, ...]:
        """Return the sentences about an event; empty if there is nothing to say."""

    def picture(
        self, event: Any, decisions: Sequence[Any], config: Config, language: Language
    ) -> RenderableType | None:
        """Return the table after an event, or None if nothing on it has changed.

        Args:
            event: the event.
            decisions: all decisions of the game, from its start.
            config: the game's configuration.
            language: the user's language.
        """
        del event, decisions, config, language
        return None

    @abstractmethod
    def score_sheet(self, printed: dict[str, Any], language: Language) -> str:
        """Return a game's score sheet as text, from the JSON of `companion replay --json`."""

    def unreadable_json(self) -> dict[str, Any]:
        """Return the JSON for a game whose header cannot be read."""
        return {"finished": False, "winner": None, "turn": None, "seats": [], "market": None, "moves": 0}

    def desk(self) -> Desk | None:
        """Return the desk for doubts of the camera at the terminal, or None if there is none."""
        return None

    def add_score_options(self, parser: argparse.ArgumentParser) -> None:  # noqa: B027  # most games have none
        """Add the options of `companion score` that only this game has."""

    def score(self, args: argparse.Namespace, language: Language) -> int:
        """Read photographs, print their scores, and return the exit status.

        Raises:
            CompanionError: this game is not scored from photographs, or the picture cannot be read.
        """
        del args, language
        raise CompanionError(said("This game cannot be scored from photographs."))


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
        game: GameTerminal,
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
            del self._decisions[-1:]
        if isinstance(event, Asked) and event.choice and not self._answering:
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

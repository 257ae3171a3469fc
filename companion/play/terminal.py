"""The interface of a game for the command line and the terminal."""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from companion.errors import CompanionError
from companion.languages import ENGLISH, Language, Sentence, said

if TYPE_CHECKING:
    from rich.console import Console

    from companion.config import Config
    from companion.play.at_table import Desk
    from companion.terminal.viewing import Viewing


@dataclass(frozen=True, slots=True)
class TerminalDisplay:
    """The terminal on which an evening is watched.

    Attributes:
        console: the terminal.
        page: the address of the page; empty if there is none.
        language: the user's language.
        desk: the place to settle the camera's doubts, of the game's own type; None if there is none.
    """

    console: Console
    page: str = ""
    language: Language = ENGLISH
    desk: Any = None


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
    def live(self, place: TerminalDisplay, setup: Any, config: Config) -> Viewing[Any]:
        """Return the live display of the table, which follows every event."""

    @abstractmethod
    def lines(self, event: Any) -> tuple[Sentence | str, ...]:
        """Return the lines of an event for a log."""

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

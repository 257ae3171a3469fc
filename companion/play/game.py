"""The interface of a game: everything that the companion needs to keep its history."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.errors import CompanionError
from companion.languages import Sentence, said

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.config import Config
    from companion.journal import Book
    from companion.play.arrangement import GameArrangement
    from companion.play.at_table import People
    from companion.play.evening import Evening, EveningResult, Transcript
    from companion.play.loop import TurnLoop
    from companion.play.page.side import GamePage
    from companion.play.simulation import Simulation
    from companion.play.terminal import GameTerminal
    from companion.record import Codec
    from hardware.ports import Camera, Clock, Controls, Frame, LightStrip


class CannotResumeError(CompanionError):
    """Raised for a game in the journal that cannot be continued, now or later.

    Attributes:
        in_short: the message for users away from the command line, or None for the message itself.
        remedy: what users can do at the table to go on with it after all, or None if they can do nothing.
    """

    in_short: Sentence | None = None
    remedy: Sentence | None = None


class NotRecordedError(CompanionError):
    """Raised for a game that has no table recordings."""


class Clearing(Protocol):
    """A watch over a table that is being cleared, frame by frame."""

    says: Sentence
    """The sentence that asks the players to clear the table."""

    def see(self, frame: Frame) -> bool:
        """Take the next frame; return whether the table lies cleared, and has been at rest for a while."""


class SimulatedParts(NamedTuple):
    """The twins of a simulated table, and the people at it.

    Attributes:
        clock: the frames' clock.
        camera: sees the table.
        controls: the buttons.
        strip: the lights.
        people: those at the table.
        setup: how the game begins, as far as the companion knows it.
        truth: returns what the table's recordings tell besides of what the latest frame shows; None if nothing.
    """

    clock: Clock
    camera: Camera
    controls: Controls
    strip: LightStrip
    people: People
    setup: Any
    truth: Callable[[], Mapping[str, Any]] | None = None


class Game(ABC):
    """One game that is played at the table.

    Slow imports stand in the methods, so that commands that only list or export games stay quick.

    Attributes:
        title: its name for people.
        codec: its rules and how it stands in records.
    """

    title: str
    codec: Codec[Any, Any, Any]

    @property
    def name(self) -> str:
        """The game as records and the command line name it."""
        return self.codec.name

    # Before a game.

    @abstractmethod
    def arrangement(self, config: Config) -> GameArrangement:
        """Return the arrangement that the configuration describes, for people to change.

        Raises:
            ArrangementError: no game can begin like that.
        """

    @abstractmethod
    def setup(self, config: Config) -> Any:
        """Return how a game begins by the configuration, as the rules have it.

        Raises:
            CompanionError: no game can begin like that.
        """

    def begin(self, book: Book, table: str, setup: Any, config: Config, seed: int | None) -> int:
        """Begin a game in the journal and return its number.

        Args:
            book: the journal.
            table: the table's name in it.
            setup: how the game begins.
            config: the configuration.
            seed: of all randomness, or None for system randomness.

        Raises:
            JournalError: it cannot be written.
        """
        return book.new_game(setup, table, self.first_notes(setup, config, seed))

    def first_notes(self, setup: Any, config: Config, seed: int | None) -> dict[str, str]:
        """Return what the setup does not say of a new game and is needed to go on with it, for the journal's notes."""
        del setup, config, seed
        return {}

    def clearing(self, config: Config) -> Clearing | None:
        """Return a watch for a cleared table, if that begins the next game, or None if people begin it.

        Raises:
            CompanionError: the configuration's table cannot be used.
        """
        del config
        return None

    @property
    def begin_says(self) -> Sentence:
        """The sentence on how to begin the next game at a table that waits."""
        return said("Press confirm: a new game of {game} begins.", game=self.title)

    # At the table.

    def camera(self, config: Config, camera: Camera) -> Camera:
        """Return the camera with this game's corrections to its pictures."""
        del config
        return camera

    def recording_head(self, config: Config, setup: Any) -> str:
        """Return the head of a table recording.

        Raises:
            NotRecordedError: this game has none.
        """
        del config, setup
        raise NotRecordedError(said("Table recordings are not written of {game}.", game=self.title))

    @abstractmethod
    def transcript(self) -> Transcript:
        """Return a listener that keeps questions and complaints."""

    @abstractmethod
    def table(self, evening: Evening) -> TurnLoop[Any]:
        """Put the game's table together."""

    @abstractmethod
    def whose_turn(self, state: Any) -> str:
        """Return a sentence that says whose turn it is, or who has won."""

    def spoken(self, event: Any) -> tuple[Sentence | str, ...]:
        """Return what is said aloud of an event; empty for most."""
        del event
        return ()

    def replay(
        self, folder: Path, config: Config, *, explain: Path | None = None, hands_free: bool = False
    ) -> EveningResult:
        """Play a table recording again and return its result.

        Args:
            folder: the recording.
            config: how pictures become decisions.
            explain: the folder for one picture of each look; None for none.
            hands_free: whether its presses of `confirm` are left out, and what lies there is taken after a pause.

        Raises:
            NotRecordedError: there are no recordings of this game.
            RecordError: the recording cannot be used.
        """
        del folder, config, explain, hands_free
        raise NotRecordedError(said("Table recordings are not written of {game}.", game=self.title))

    # At a simulated table.

    @abstractmethod
    def simulated(self, simulation: Simulation, config: Config, book: Book, game_id: int | None) -> SimulatedParts:
        """Return a simulated table with its people; `game_id` is the game to go on with, or None for a new one.

        Raises:
            CompanionError: there is no such table, or no such people.
        """

    @abstractmethod
    def simulated_name(self, simulation: Simulation, config: Config) -> str:
        """Return the name of a simulated table in the journal; the same evening finds its unfinished game by it."""

    # For people who look at it elsewhere.

    @property
    @abstractmethod
    def page(self) -> GamePage[Any]:
        """The game's side of the page."""

    @property
    @abstractmethod
    def terminal(self) -> GameTerminal:
        """The game's part in the command line and the terminal."""

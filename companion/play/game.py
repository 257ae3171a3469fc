"""The interface of a game: everything that the companion needs to keep its history."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.errors import CompanionError
from companion.languages import Sentence, said
from companion.play.arrangement import GameArrangement
from companion.play.terminal import GameTerminal
from companion.settings import GameSettings
from hardware.ports import Camera, Clock, Controls, Frame, LightStrip

if TYPE_CHECKING:
    from companion.config import Config
    from companion.journal import Journal
    from companion.play.at_table import People
    from companion.play.evening import Evening, EveningResult, Transcript
    from companion.play.loop import TurnLoop
    from companion.play.page.interface import GamePage
    from companion.play.simulation import Simulation
    from companion.record import Codec


class CannotResumeError(CompanionError):
    """Raised for a game in the journal that cannot be resumed, now or ever.

    Attributes:
        in_short: the message for users away from the command line, or None for the message itself.
        remedy: the action at the table that makes it resumable after all, or None if there is none.
    """

    in_short: Sentence | None = None
    remedy: Sentence | None = None


class NotRecordedError(CompanionError):
    """Raised for a game without table recordings."""


class Clearing(Protocol):
    """The observation of a table that is being cleared, frame by frame."""

    says: Sentence
    """The sentence that asks the players to clear the table."""

    def see(self, frame: Frame) -> bool:
        """Process the next frame; return whether the table has been cleared and at rest for a while."""


class SimulatedParts(NamedTuple):
    """The simulated devices of a table, and the people at it.

    Attributes:
        clock: the frames' clock.
        camera: the camera.
        controls: the buttons.
        strip: the lights.
        people: the people at the table.
        setup: the setup that the game begins with, as far as the companion knows it.
        truth: returns additional facts for the table's recordings about the latest frame; None if there are none.
    """

    clock: Clock
    camera: Camera
    controls: Controls
    strip: LightStrip
    people: People
    setup: Any
    truth: Callable[[], Mapping[str, Any]] | None = None


class Game(ABC):
    """A game that can be played at the table.

    Slow imports are inside the methods, so that commands that only list or export games stay fast.

    Attributes:
        title: its display name.
        codec: its rules and the codec of its records.
        settings: its section of the configuration; None if it has none.
        has_profiles: whether resuming a game needs its file in the folder `profiles`, the look of its empty boards.
    """

    title: str
    codec: Codec[Any, Any, Any]
    settings: type[GameSettings] | None = None
    has_profiles: bool = False

    @property
    def name(self) -> str:
        """The game's name in records and on the command line."""
        return self.codec.name

    # Before a game.

    @abstractmethod
    def arrangement(self, config: Config) -> GameArrangement:
        """Return the arrangement that the configuration describes, for players to change.

        Raises:
            ArrangementError: no game can begin with it.
        """

    @abstractmethod
    def setup(self, config: Config) -> Any:
        """Return the setup of a game by the configuration.

        Raises:
            CompanionError: no game can begin with it.
        """

    def begin(self, book: Journal, table: str, setup: Any, config: Config, seed: int | None) -> int:
        """Begin a game in the journal and return its number.

        Args:
            book: the journal.
            table: the table's name in it.
            setup: the setup that the game begins with.
            config: the configuration.
            seed: the seed of all randomness, or None for system randomness.

        Raises:
            JournalError: the journal cannot be written.
        """
        return book.new_game(setup, table, self.first_notes(setup, config, seed))

    def first_notes(self, setup: Any, config: Config, seed: int | None) -> dict[str, str]:
        """Return the data about a new game, beyond its setup, that resuming it needs, for the journal's notes."""
        del setup, config, seed
        return {}

    def clearing(self, config: Config) -> Clearing | None:
        """Return an observer for a cleared table if clearing it begins the next game, or None if players begin it.

        Raises:
            CompanionError: the configuration's table cannot be used.
        """
        del config
        return None

    @property
    def begin_says(self) -> Sentence:
        """The sentence on how to begin the next game at a waiting table."""
        return said("Press confirm to start a new game of {game}.", game=self.title)

    # At the table.

    def camera(self, config: Config, camera: Camera) -> Camera:
        """Return the camera with this game's corrections to its pictures."""
        del config
        return camera

    def recording_head(self, config: Config, setup: Any) -> str:
        """Return the header of a table recording.

        Raises:
            NotRecordedError: this game has no recordings.
        """
        del config, setup
        raise NotRecordedError(said("{game} cannot be recorded as a table recording.", game=self.title))

    @abstractmethod
    def transcript(self) -> Transcript:
        """Return a listener that collects questions and complaints."""

    @abstractmethod
    def table(self, evening: Evening) -> TurnLoop[Any, Any]:
        """Return the turn loop of the game, assembled from its parts."""

    @abstractmethod
    def whose_turn(self, state: Any) -> str:
        """Return the sentence for whose turn it is, or who has won."""

    def spoken(self, event: Any) -> tuple[Sentence | str, ...]:
        """Return the sentences spoken for an event; empty for most."""
        del event
        return ()

    def replay(
        self, folder: Path, config: Config, *, explain: Path | None = None, hands_free: bool = False
    ) -> EveningResult:
        """Replay a table recording and return its result.

        Args:
            folder: the recording.
            config: the configuration for reading pictures and taking decisions.
            explain: the folder for one picture of each look; None for none.
            hands_free: whether its presses of `confirm` are ignored and a decision is taken after a pause instead.

        Raises:
            NotRecordedError: this game has no recordings.
            RecordError: the recording cannot be used.
        """
        del folder, config, explain, hands_free
        raise NotRecordedError(said("{game} cannot be recorded as a table recording.", game=self.title))

    # At a simulated table.

    @abstractmethod
    def simulated(self, simulation: Simulation, config: Config, book: Journal, game_id: int | None) -> SimulatedParts:
        """Return a simulated table with its people; `game_id` is the game to resume, or None for a new one.

        Raises:
            CompanionError: the table or the people cannot be simulated.
        """

    @abstractmethod
    def simulated_name(self, simulation: Simulation, config: Config) -> str:
        """Return the name of a simulated table in the journal, by which the same evening finds its unfinished game."""

    # For remote viewers.

    @property
    @abstractmethod
    def page(self) -> GamePage[Any]:
        """The game's side of the page."""

    @property
    @abstractmethod
    def terminal(self) -> GameTerminal:
        """The game's part in the command line and the terminal."""

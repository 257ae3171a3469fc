"""A game as a value: everything that the companion needs to play it, functions and parts, and its entry in the list.

An entry is light: commands that only list, export or replay games load no cameras, pages or drawings. The game itself
is loaded as a whole, once, when a table or a page needs it.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from companion.errors import CompanionError
from companion.games.strategy import Advice, Judged, Level
from companion.languages import Language, Sentence
from companion.play.arrangement import GameArrangement
from companion.record import Codec
from companion.settings import GameSettings
from hardware.ports import Camera, Clock, Controls, Frame, LightStrip

if TYPE_CHECKING:
    from rich.console import RenderableType

    from companion.config import Config
    from companion.journal import Journal
    from companion.play.loop import TurnLoop
    from companion.play.page import GamePage
    from companion.play.photographs import AnyKind
    from companion.play.session import Desk, GameResult, People, Session, Simulation, Transcript


class CannotResumeError(CompanionError):
    """Raised for a game in the journal that cannot be resumed, now or ever.

    Attributes:
        in_short: the message for users away from the command line, or None for the message itself.
        remedy: the action at the table that makes it resumable after all, or None if there is none.
    """

    in_short: Sentence | None = None
    remedy: Sentence | None = None


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


SetupT = TypeVar("SetupT")
DecisionT = TypeVar("DecisionT")
StateT = TypeVar("StateT")

Sentences: TypeAlias = "tuple[Sentence | str, ...]"
Options: TypeAlias = Callable[[argparse.ArgumentParser], None]


class UsageError(CompanionError):
    """Raised for options that cannot be combined."""


def no_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing to a parser: the game has no options of its own."""
    del parser


def _as_configured(args: argparse.Namespace, config: Config) -> Config:
    del args
    return config


def _any_tempers(given: Sequence[str] | None, config: Config) -> tuple[str, ...]:
    return config.simulation.temper if given is None else tuple(given)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCommands:
    """The part of the command line that belongs to a game.

    Attributes:
        score_sheet: returns a game's score sheet as text, from the JSON of `companion replay --json`.
        play_options: the options of `companion play` that this game takes, by their names in the parsed arguments; an
            option that several games take is listed for each of them.
        add_play_options: adds those of them that only this game has.
        configured: returns the configuration with the options applied, or raises CompanionError if no game can begin
            with them.
        tempers: returns the tempers of the simulated players, from the command line or otherwise from the
            configuration, or raises CompanionError if they do not fit the number of seats.
        score_options: the options of `companion score`, like `play_options`.
        add_score_options: adds those of them that only this game has.
    """

    score_sheet: Callable[[dict[str, Any], Language], str]
    play_options: Mapping[str, str] = field(default_factory=dict)
    add_play_options: Options = no_options
    configured: Callable[[argparse.Namespace, Config], Config] = _as_configured
    tempers: Callable[[Sequence[str] | None, Config], tuple[str, ...]] = _any_tempers
    score_options: Mapping[str, str] = field(default_factory=dict)
    add_score_options: Options = no_options


@dataclass(frozen=True, slots=True)
class Coach(Generic[StateT, DecisionT]):
    """The judgement of decisions that were taken.

    Attributes:
        judge: returns a decision that was taken in a state beside the best, or None if there was nothing to decide.
        explain: returns the sentence on a judged decision in its state: what would have been better, and why.
    """

    judge: Callable[[StateT, DecisionT], Judged[DecisionT] | None]
    explain: Callable[[Judged[DecisionT], StateT], Sentence]


@dataclass(frozen=True, slots=True)
class Adviser(Generic[StateT, DecisionT]):
    """The search for good decisions of a game.

    Attributes:
        advise: returns what a player of a level would decide in a state of a game that goes on, from the source of all
            randomness and the seconds that it may take (None for as long as the level needs); raises CompanionError if
            the state tells too little.
        describe: returns a decision in that state in a few words.
        coach: judges the decisions of finished games; None if nothing does.
    """

    advise: Callable[[StateT, Level, random.Random, float | None], Advice[DecisionT]]
    describe: Callable[[DecisionT, StateT], Sentence | str]
    coach: Coach[StateT, DecisionT] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry(Generic[SetupT, DecisionT, StateT]):
    """A game in the list of games, without what it takes to play it.

    Attributes:
        title: its display name.
        codec: its rules and the codec of its records.
        commands: its part of the command line.
        settings: its section of the configuration; None if it has none.
        has_profiles: whether resuming a game needs its file in the folder `profiles`, the look of its empty boards.
        adviser: loads what gives advice on it; None if nothing does.
        at_two_tables: whether friends at two tables can play it together.
    """

    title: str
    codec: Codec[SetupT, DecisionT, StateT]
    commands: GameCommands
    settings: type[GameSettings] | None = None
    has_profiles: bool = False
    adviser: Callable[[], Adviser[StateT, DecisionT]] | None = None
    at_two_tables: bool = False

    @property
    def name(self) -> str:
        """The game's name in records and on the command line."""
        return self.codec.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Recordings(Generic[SetupT]):
    """A game's part in table recordings.

    Attributes:
        head: returns the header of a recording, from the configuration and the setup.
        replay: replays the recording in a folder and returns its result, or raises RecordError. Its other arguments are
            the configuration, the folder for one picture of each look (None for none), and whether the recording's
            presses of `confirm` are ignored and a decision is taken after a pause instead.
    """

    head: Callable[[Config, SetupT], str]
    replay: Callable[[Path, Config, Path | None, bool], GameResult]


def _no_notes(setup: Any, config: Config, seed: int | None) -> dict[str, str]:
    del setup, config, seed
    return {}


def _begun_by_players(config: Config) -> Clearing | None:
    del config
    return None


def _uncorrected(config: Config, camera: Camera) -> Camera:
    del config
    return camera


def _silent(event: Any) -> Sentences:
    del event
    return ()


def _nothing_to_lay_out(args: argparse.Namespace, config: Config, seed: int | None, language: Language) -> Config:
    del args, seed, language
    return config


def _not_drawn(event: Any, decisions: Sequence[Any], config: Config, language: Language) -> RenderableType | None:
    del event, decisions, config, language
    return None


def _no_desk() -> Desk | None:
    return None


def _not_scored(args: argparse.Namespace, config: Config, language: Language) -> int:
    del args, config, language
    raise CompanionError.said("This game cannot be scored from photographs.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalParts(Generic[DecisionT]):
    """A game's part in the terminal.

    Attributes:
        lines: returns the sentences about an event; empty if there is nothing to say.
        picture: returns the table after an event, or None if nothing on it has changed, from the event, all decisions
            since the start, the game's configuration and the user's language.
        before_game: shows how to lay out a new game, and returns its configuration, from the command line, the
            configuration, the seed of all randomness (None for system randomness) and the user's language.
        desk: returns a desk for doubts of the camera at the terminal, or None if the game has none.
        score: reads photographs, prints their scores and returns the exit status, or raises CompanionError.
    """

    lines: Callable[[Any], Sentences]
    picture: Callable[[Any, Sequence[DecisionT], Config, Language], RenderableType | None] = _not_drawn
    before_game: Callable[[argparse.Namespace, Config, int | None, Language], Config] = _nothing_to_lay_out
    desk: Callable[[], Desk | None] = _no_desk
    score: Callable[[argparse.Namespace, Config, Language], int] = _not_scored


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[SetupT, DecisionT, StateT]):
    """A game that can be played at the table.

    Attributes:
        entry: its entry in the list of games.
        page: its side of the page.
        terminal: its part in the terminal.
        arrangement: returns the arrangement that the configuration describes, for players to change, or raises
            ArrangementError if no game can begin with it.
        setup: returns the setup of a game by the configuration, or raises CompanionError if none can begin with it.
        table: returns the turn loop of the game, assembled from its parts.
        transcript: returns a listener that collects questions and complaints.
        whose_turn: returns the sentence for whose turn it is, or who has won.
        simulated: returns a simulated table with its people, for a game to resume, or None for a new one; raises
            CompanionError if the table or the people cannot be simulated.
        simulated_name: returns the name of a simulated table in the journal, by which the same session finds its
            unfinished game.
        begin_says: the sentence on how to begin the next game at a waiting table.
        first_notes: returns the data about a new game, beyond its setup, that resuming it needs, for the journal's
            notes, from the setup, the configuration and the seed of all randomness (None for system randomness).
        clearing: returns an observer for a cleared table if clearing it begins the next game, or None if players begin
            it; raises CompanionError if the configuration's table cannot be used.
        camera: returns the camera with this game's corrections to its pictures.
        recordings: its part in table recordings; None if it has none.
        spoken: returns the sentences spoken for an event; empty for most.
        photographs: what the game reads from photographs that people send.
    """

    entry: GameEntry[SetupT, DecisionT, StateT]
    page: GamePage[Any]
    terminal: TerminalParts[DecisionT]
    arrangement: Callable[[Config], GameArrangement]
    setup: Callable[[Config], SetupT]
    table: Callable[[Session], TurnLoop[Any, Any]]
    transcript: Callable[[], Transcript]
    whose_turn: Callable[[StateT], str]
    simulated: Callable[[Simulation, Config, Journal, int | None], SimulatedParts]
    simulated_name: Callable[[Simulation, Config], str]
    begin_says: Sentence
    first_notes: Callable[[SetupT, Config, int | None], dict[str, str]] = _no_notes
    clearing: Callable[[Config], Clearing | None] = _begun_by_players
    camera: Callable[[Config, Camera], Camera] = _uncorrected
    recordings: Recordings[SetupT] | None = None
    spoken: Callable[[Any], Sentences] = _silent
    photographs: tuple[AnyKind, ...] = ()

    @property
    def name(self) -> str:
        """The game's name in records and on the command line."""
        return self.entry.codec.name

    @property
    def title(self) -> str:
        """The game's display name."""
        return self.entry.title

    @property
    def codec(self) -> Codec[SetupT, DecisionT, StateT]:
        """The game's rules and the codec of its records."""
        return self.entry.codec

    @property
    def recorded(self) -> Recordings[SetupT]:
        """Its part in table recordings.

        Raises:
            CompanionError: this game has none.
        """
        if self.recordings is None:
            raise CompanionError.said("{game} cannot be recorded as a table recording.", game=self.title)
        return self.recordings


AnyGame: TypeAlias = Game[Any, Any, Any]
AnyEntry: TypeAlias = GameEntry[Any, Any, Any]
"""A game of any kind, for code that plays whichever it is given."""

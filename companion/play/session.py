"""One game at one table: its parts, and its result."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, ParamSpec, Protocol, TypeVar

from companion.config import Config, SimulationConfig
from companion.journal import BY_HAND, Journal
from companion.languages import Sentence
from companion.lights import Lights
from companion.play.devices import FramePace, Notices
from companion.play.events import History, Listener
from companion.play.friend import FarTable, FriendLine
from companion.play.inbox import Inbox
from companion.play.loop import TableParts, Tick, TurnLoop
from companion.play.speaker import VoiceChoice
from companion.record import Codec
from hardware.clock import Tempo
from hardware.ports import RGB, Camera, Clock, Controls, LightStrip
from hardware.recorded import Instruction, RecordingWriter
from hardware.strips import ResilientStrip
from hardware.voices import SwitchedVoice

# Frames per simulated second of an unwatched session: enough for every rest to be seen.
_FAST_FPS: Final = 5.0
WATCHED_FPS: Final = 10.0
"""Frames per simulated second of a watched table: those of a real camera, by default."""


class MovedByHand(Protocol):
    """A table that remote users move by hand."""

    def take_over(self, kinds: tuple[type, ...]) -> Any:
        """Return the queue of moves of these kinds; moves of other kinds are refused from now on."""

    def show(self, tabletop: Any) -> None:
        """Publish the table's contents; called from the thread of the turn loop."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The parameters of a simulated session.

    Attributes:
        seed: the seed of the table, the players and all other randomness.
        tempers: the tempers of the seats; the last one applies to all further seats.
        fast: whether to run as fast as possible, with only the frames that matter; otherwise at a watchable pace.
        record: the folder of the table recording to write; None for none.
        by_hand: the table that remote users move by hand; None if it has simulated players.
        watched_fps: the number of frames per simulated second while users watch.
        tempo: the tempo while users watch.
    """

    seed: int
    tempers: tuple[str, ...] = ("tidy",)
    fast: bool = False
    record: Path | None = None
    by_hand: MovedByHand | None = None
    watched_fps: float = WATCHED_FPS
    tempo: Tempo = field(default_factory=Tempo)

    @property
    def fps(self) -> float:
        """The number of frames per simulated second."""
        return _FAST_FPS if self.fast and self.by_hand is None else self.watched_fps

    @property
    def paced(self) -> Tempo | None:
        """The tempo if frames come no faster than the wall clock, else None."""
        return None if self.fast else self.tempo

    @property
    def stages_slip(self) -> bool:
        """True if the players make a mistake on purpose, for people who watch and want to see what happens then."""
        return not self.fast and self.record is None and set(self.tempers) == {"tidy"}


def by_hand_name(seed: int, config: Config) -> str:
    """Return the name in the journal of a table that remote users move by hand, the same for every game."""
    return f"{BY_HAND}{seed}{table_traits(config)}"


def table_traits(config: Config) -> str:
    """Return the part of a table's name that describes its traits, because a calibration holds for one table only."""
    table = config.simulation.table
    traits = "" if table == SimulationConfig().table else f" {table}"
    return traits if config.table.boards == "mats" else f"{traits} without mats"


P = ParamSpec("P")
T = TypeVar("T")


class AtOnce(Executor):
    """An executor that runs each call within `submit`, so that a session does not depend on the machine's speed."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Executor.submit`."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@dataclass(frozen=True, slots=True)
class DeviceFactory:
    """The functions that open the devices of a real table; tests pass their own.

    Attributes:
        clock: the frames' clock.
        camera: opens the camera; given the callback that reports its absence and the one called during the absence.
        controls: opens the push-buttons.
        strip: opens the strip; given the callback that reports its absence.
        background: creates the executor of one game's work that takes longer than a frame.
        voice: opens the speech output.
    """

    clock: Clock
    camera: Callable[[Callable[[str], None], Callable[[], None]], Camera]
    controls: Callable[[], Controls]
    strip: Callable[[Callable[[str], None]], ResilientStrip]
    background: Callable[[], Executor] = AtOnce
    voice: Callable[[], SwitchedVoice] = lambda: SwitchedVoice({})


class Desk(Protocol):
    """The part of a terminal at which users settle doubts of the camera while the game continues."""

    def read(self, lines: Callable[[], Sequence[str]]) -> None:
        """Also take typed lines; `lines` returns those since its last call, without waiting."""


@dataclass(frozen=True, slots=True)
class RemoteParticipant:
    """A participant in a session beside the people at the table, such as a page.

    Attributes:
        inbox: the queue of its presses and commands.
        observe: called once per frame, after everything else, from the thread of the turn loop, with the observer of
            the table (of a type of each game's own) and the frame's time.
        desks: the desks of single games, by the game's name, such as a circle of patches to confirm.
        voice: the choice of the voice at the table; None if there is no choice.
    """

    inbox: Inbox
    observe: Callable[[Any, float], None]
    desks: Mapping[str, Any] = field(default_factory=dict)
    voice: VoiceChoice | None = None


@dataclass(frozen=True, slots=True)
class Participants:
    """The outside participants in a session.

    Attributes:
        listeners: called with every event, in order.
        mirrors: called with every frame of the strip.
        remote: the participant beside the people at the table; None if there is none.
        desk: the place to settle doubts of the camera at a terminal; None for the desk of `remote`.
        friend: the connection to a friend's table; None in other games.
    """

    listeners: tuple[Listener, ...] = ()
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = ()
    remote: RemoteParticipant | None = None
    desk: Desk | None = None
    friend: FriendLine | None = None


@dataclass(frozen=True, slots=True)
class DeviceTasks:
    """The tasks of a table's devices during a game.

    Attributes:
        first: ticks called before everything else in a frame.
        ticks: ticks called after the lights.
        last: ticks called after everything else.
        listeners: called with every event, after all others.
    """

    first: tuple[Tick, ...] = ()
    ticks: tuple[Tick, ...] = ()
    last: tuple[Tick, ...] = ()
    listeners: tuple[Listener, ...] = ()


class People(Protocol):
    """The people at a simulated table: simulated players, or remote users who move the material by hand."""

    def on_event(self, event: Any) -> None:
        """Handle an event that people at a table would see or hear."""

    def resume(self, history: Any) -> None:
        """Continue an interrupted game: lay out the table as its decisions have left it."""

    def settle(self, desk: Any) -> None:
        """Settle doubts of the camera from now on at the desk, of the game's own type; None if the game has none."""

    def tick(self, now_s: float) -> None:
        """Do what people do beside the game; called once per frame."""

    @property
    def gave_up(self) -> bool:
        """True if the players gave up because the companion never accepted their moves."""

    def complaint(self, history: Any, complaints: list[dict[str, Any]]) -> Sentence:
        """Return the reason for giving up."""

    def truth(self, table: Any) -> dict[str, Any]:
        """Return the true contents of the table, as JSON, for comparison with those that the turn loop believes."""


class Partner(Protocol):
    """A partner at one of the seats, whose decisions people at the table carry out."""

    @property
    def seat(self) -> int:
        """The seat."""

    def tick(self, now_s: float) -> None:
        """Decide, and propose through the inbox; called once per frame."""


TasksFor = Callable[["History", "Lights[Any]", Inbox], DeviceTasks]
"""A function of the game, its lights, and the table's inbox; returns the devices' tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTable:
    """The open devices of one session; the code that opened them closes them.

    Attributes:
        name: the table's name in the journal.
        setup: the setup that the game begins with, as far as the companion knows it, or None for the configuration's.
        clock: the frames' clock.
        camera: the camera, with the game's corrections to its pictures.
        controls: the push-buttons.
        strip: the strip of lights.
        tasks_for: returns the tasks of these devices during a game, or None if they have none.
        voice: the speech output for the news.
        background: the executor of work that takes longer than a frame.
        notices: the queue of the devices' sentences.
        lit_by_strip: whether the strip's light falls on the camera's field of view.
        writer: the writer of a table recording; None if nothing is recorded.
        instructions: returns a recording's commands, or None at a table that is not a recording.
        pace: reduces the frame rate while nothing moves, or None to take every frame.
        people: the people at a simulated table, or None at other tables.
        seed: the seed of all randomness at a simulated table, or None for system randomness.
        is_watched: whether nobody plays but simulated players.
    """

    name: str
    clock: Clock
    camera: Camera
    controls: Controls
    strip: LightStrip
    setup: Any = None
    tasks_for: TasksFor | None = None
    voice: SwitchedVoice = field(default_factory=lambda: SwitchedVoice({}))
    background: Executor = field(default_factory=AtOnce)
    notices: Notices = field(default_factory=Notices)
    lit_by_strip: bool = False
    writer: RecordingWriter | None = None
    instructions: Callable[[], Iterable[Instruction]] | None = None
    pace: FramePace | None = None
    people: People | None = None
    seed: int | None = None
    is_watched: bool = False

    @property
    def is_live(self) -> bool:
        """True if the table has people who can be asked."""
        return self.instructions is None

    def tasks(self, history: History, lights: Lights[Any], inbox: Inbox) -> DeviceTasks:
        """Return the tasks of these devices during this game."""
        return DeviceTasks() if self.tasks_for is None else self.tasks_for(history, lights, inbox)


def truth_at(at: AtTable, table: TurnLoop[Any, Any]) -> dict[str, Any] | None:
    """Return the true contents of a simulated table, as JSON; None at other tables."""
    return None if at.people is None else at.people.truth(table)


class Transcript(Protocol):
    """A listener that collects questions and complaints, as JSON."""

    questions: list[dict[str, Any]]
    complaints: list[dict[str, Any]]

    def __call__(self, event: Any) -> None:
        """Handle an event."""


class ShownLights(Protocol):
    """The lights of a game, or a wrapper around them."""

    def __call__(self, event: Any) -> None:
        """Handle an event."""

    def tick(self, now_s: float) -> None:
        """Show the frame for this time, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The parts of a game's table.

    Attributes:
        config: the configuration at the start of this game.
        at: the devices.
        book: the journal.
        game_id: the game's number in it.
        history: the game so far, of the game's own type.
        folder: the folder of the journal and of all files of its games.
        transcript: the collector of questions and complaints.
        participants: the outside participants.
        whose_turn: returns the sentence for whose turn it is in a state.
        inbox: the requests to the turn loop: those of the remote participant, if there is one.
        desk: this game's own desk for the session, of its own type, or None.
        partner: the partner at one of the seats, or None.
        friend: the same if it is a friend at another table, or None.
        soon: as for `TableParts`.
        is_again: as for `GameOpened`.
    """

    config: Config
    at: AtTable
    book: Journal
    game_id: int
    history: Any
    folder: Path
    transcript: Transcript
    participants: Participants
    whose_turn: Callable[[Any], str]
    inbox: Inbox = field(default_factory=Inbox)
    desk: Any = None
    partner: Partner | None = None
    friend: FarTable | None = None
    soon: list[Tick] = field(default_factory=list)
    is_again: bool = False

    def say(self, sentence: str, about: object = None) -> None:
        """Announce a sentence to all at the table, at the end of this frame; `about` as in `TableNoticed`."""
        self.at.notices.say(sentence, about)

    def parts(
        self,
        lights: Lights[Any],
        watch: object,
        *,
        show: ShownLights | None = None,
        listeners: Sequence[Listener] = (),
        ticks: Sequence[Tick] = (),
        is_expected: Callable[[Any], bool] = lambda _: False,
    ) -> TableParts:
        """Return the parts of the turn loop, in the order in which they are called.

        Args:
            lights: the strip.
            watch: the observer of the table, for remote participants.
            show: a wrapper around the lights, or None for the lights themselves.
            listeners: the game's own.
            ticks: the game's own, called once per frame after the lights.
            is_expected: as for `TableParts`.
        """
        at, show = self.at, show or lights
        tasks = at.tasks(self.history, lights, self.inbox)
        return TableParts(
            camera=at.camera,
            controls=at.controls,
            book=self.book,
            game_id=self.game_id,
            history=self.history,
            # Lights first: their verdict is seen before any text is read. The people of a simulated table come last,
            # with the devices: their next actions follow from events that all others have received.
            listeners=(show, self.transcript, *self.participants.listeners, *listeners, *tasks.listeners),
            # After an outage the lights are restored before they show this frame.
            ticks=(*tasks.first, show.tick, *tasks.ticks, *ticks, *self._last_ticks(watch), *tasks.last),
            soon=self.soon,
            inbox=self.inbox,
            pace=at.pace,
            notices=at.notices,
            # Presses of a recording answered the questions of that time.
            now=at.clock.now if at.is_live else None,
            refuse=lights.refuse,
            is_expected=is_expected,
            whose_turn=self.whose_turn,
            partner=None if self.partner is None else self.partner.seat,
            friend=self.friend,
            is_again=self.is_again,
        )

    def _last_ticks(self, watch: object) -> Sequence[Tick]:
        """Return the ticks after the game's own: sentences are delivered after all their sources."""
        remote = self.participants.remote
        return (
            *(() if self.partner is None else (self.partner.tick,)),
            self.at.notices.deliver,
            # Remote participants see the whole frame.
            *(() if remote is None else (partial(remote.observe, watch),)),
        )


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a session.

    Attributes:
        codec: the rules and the codec of the game's records.
        history: the game with the decisions taken.
        transcript: the questions and complaints.
        error: the fault that ended it early, or None if it was completed.
        truth: the true contents of a simulated table, as JSON; None at other tables.
        gave_up: whether it ended early because the simulated players could not continue; `error` gives the reason.
    """

    codec: Codec[Any, Any, Any]
    history: History
    transcript: Transcript
    error: str | None = None
    truth: Mapping[str, Any] | None = None
    gave_up: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the JSON that `companion play --json` and `companion replay FOLDER --json` print."""
        return {
            **self.codec.summary(self.history.state),
            **({} if self.error is None else {"error": self.error}),
            "record": [self.codec.decision_to_json(decision) for decision in self.history.decisions],
            "questions": self.transcript.questions,
            "complaints": self.transcript.complaints,
            **(self.truth or {}),
        }

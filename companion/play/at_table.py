"""The open devices of a table: real ones, simulated ones with simulated people, or a recording in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar

from companion.languages import Sentence
from companion.lights import Lights
from companion.play.devices import FramePace, Notices
from companion.play.events import History, Listener
from companion.play.inbox import Inbox
from companion.play.loop import TurnLoop
from companion.play.speaker import VoiceChoice
from hardware.ports import RGB, Camera, Clock, Controls, LightStrip
from hardware.recorded import Instruction, RecordingWriter
from hardware.voices import SwitchedVoice

Tick: TypeAlias = Callable[[float], None]

P = ParamSpec("P")
T = TypeVar("T")


class AtOnce(Executor):
    """An executor that runs each call within `submit`, so that an evening does not depend on the machine's speed."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See `Executor.submit`."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Desk(Protocol):
    """The part of a terminal at which users settle doubts of the camera while the game continues."""

    def read(self, lines: Callable[[], Sequence[str]]) -> None:
        """Also take typed lines; `lines` returns those since its last call, without waiting."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A participant in an evening beside the people at the table, such as a page.

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
class Company:
    """The outside participants in an evening.

    Attributes:
        listeners: called with every event, in order.
        mirrors: called with every frame of the strip.
        attached: the participant beside the people at the table; None if there is none.
        desk: the place to settle doubts of the camera at a terminal; None for the desk of `attached`.
    """

    listeners: tuple[Listener, ...] = ()
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = ()
    attached: Attached | None = None
    desk: Desk | None = None


@dataclass(frozen=True, slots=True)
class Attendance:
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


Attend = Callable[["History", "Lights[Any]", Inbox], Attendance]
"""A function of the game, its lights, and the table's inbox; returns the devices' tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTable:
    """The open devices of one evening; the code that opened them closes them.

    Attributes:
        name: the table's name in the journal.
        setup: the setup that the game begins with, as far as the companion knows it, or None for the configuration's.
        clock: the frames' clock.
        camera: the camera, with the game's corrections to its pictures.
        controls: the push-buttons.
        strip: the strip of lights.
        attend: returns the tasks of these devices during a game, or None if they have none.
        voice: the speech output for the news.
        background: the executor of work that takes longer than a frame.
        notices: the queue of the devices' sentences.
        lit_by_strip: whether the strip's light falls on the camera's field of view.
        writer: the writer of a table recording; None if nothing is recorded.
        instructions: returns a recording's commands, or None at a table that is not a recording.
        pace: reduces the frame rate while nothing moves, or None to take every frame.
        people: the people at a simulated table, or None at other tables.
        seed: the seed of all randomness at a simulated table, or None for system randomness.
    """

    name: str
    clock: Clock
    camera: Camera
    controls: Controls
    strip: LightStrip
    setup: Any = None
    attend: Attend | None = None
    voice: SwitchedVoice = field(default_factory=lambda: SwitchedVoice({}))
    background: Executor = field(default_factory=AtOnce)
    notices: Notices = field(default_factory=Notices)
    lit_by_strip: bool = False
    writer: RecordingWriter | None = None
    instructions: Callable[[], Iterable[Instruction]] | None = None
    pace: FramePace | None = None
    people: People | None = None
    seed: int | None = None

    @property
    def is_live(self) -> bool:
        """True if the table has people who can be asked."""
        return self.instructions is None

    def attendance(self, history: History, lights: Lights[Any], inbox: Inbox) -> Attendance:
        """Return the tasks of these devices during this game."""
        return Attendance() if self.attend is None else self.attend(history, lights, inbox)


def truth_at(at: AtTable, table: TurnLoop[Any, Any]) -> dict[str, Any] | None:
    """Return the true contents of a simulated table, as JSON; None at other tables."""
    return None if at.people is None else at.people.truth(table)

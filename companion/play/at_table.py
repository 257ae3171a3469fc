"""The open devices of a table: real ones, their simulated twins with people, or a recording in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from companion.play.at_once import AtOnce
from companion.play.devices.notices import Notices
from hardware.switched import SwitchedVoice

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from companion.languages import Sentence
    from companion.lights import Lights
    from companion.play.devices.pace import FramePace
    from companion.play.events import Listener
    from companion.play.history import History
    from companion.play.loop import TurnLoop
    from hardware.ports import Camera, Clock, Controls, LightStrip
    from hardware.recorded import Instruction, RecordingWriter

    Tick = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Attendance:
    """The tasks of a table's devices during a game.

    Attributes:
        controls: the buttons, as they count in this game.
        first: ticks that come before everything else in a frame.
        ticks: ticks that come after the lights.
        last: ticks that come after everything else; they may end the evening.
        listeners: called with every event, after all others.
    """

    controls: Controls
    first: tuple[Tick, ...] = ()
    ticks: tuple[Tick, ...] = ()
    last: tuple[Tick, ...] = ()
    listeners: tuple[Listener, ...] = ()


class People(Protocol):
    """The people at a simulated table: simulated players, or remote ones who move things by hand."""

    def hear(self, event: Any) -> None:
        """Take an event that people at a table would see or hear."""

    def resume(self, history: Any) -> None:
        """Continue an interrupted game: lay the table as its decisions have left it."""

    def settle(self, desk: Any) -> None:
        """Answer from now on what the camera leaves in doubt at a desk of the game's own type; None if it has none."""

    def tick(self, now_s: float) -> None:
        """Do what is done beside the game; called once a frame."""

    @property
    def gave_up(self) -> bool:
        """True if the players gave up because the companion never accepted what they did."""

    def complaint(self, history: Any, complaints: list[dict[str, Any]]) -> Sentence:
        """Return why they gave up."""

    def truth(self, table: Any) -> dict[str, Any]:
        """Return what really lies on the table, as JSON, for comparison with what the turn loop believes."""


Attend = Callable[["History", "Lights[Any]", Callable[[Any], str]], Attendance]
"""Given the game, its lights, and what says whose turn it is in a state: what the devices need done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTable:
    """The open devices of one evening; the code that opened them closes them.

    Attributes:
        name: the table's name in the journal.
        setup: how the game begins, as far as the companion knows it, or None for the configuration's.
        clock: the frames' clock.
        camera: the camera, with the game's corrections to its pictures.
        controls: the push-buttons.
        strip: the strip of lights.
        attend: returns the tasks of these devices during a game, or None if they have none.
        voice: speaks the news.
        background: does what takes longer than a frame.
        notices: announces the devices' sentences.
        lit_by_strip: whether the strip's light falls on what the camera sees.
        writer: writes a table recording; None if nothing is recorded.
        instructions: returns a recording's commands, or None at a table that is no recording.
        pace: takes fewer frames while nothing stirs, or None to take every one.
        people: the people at a simulated table, or None at other tables.
        seed: of all randomness at a simulated table, or None for system randomness.
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
        """True if people are at the table and can be asked."""
        return self.instructions is None

    def attendance(self, history: History, lights: Lights[Any], whose_turn: Callable[[Any], str]) -> Attendance:
        """Return the tasks of these devices during this game."""
        return Attendance(self.controls) if self.attend is None else self.attend(history, lights, whose_turn)


def truth_at(at: AtTable, table: TurnLoop[Any]) -> dict[str, Any] | None:
    """Return what really lies on a simulated table, as JSON; None at other tables."""
    return None if at.people is None else at.people.truth(table)

"""The outside participants in an evening, such as a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.play.events import Listener
    from companion.play.history import History
    from companion.play.inbox import Inbox
    from companion.play.speaker import VoiceChoice
    from hardware.ports import RGB, Camera, Controls


class Onlooker(Protocol):
    """A participant that begins other games; it may end the one on the table by closing the camera."""

    def look_on(self, history: History, camera: Camera, now_s: float) -> None:
        """Look at the game once a frame, after everything else."""


class Desk(Protocol):
    """The place where users at a terminal settle doubts of the camera, while the game goes on."""

    def read(self, lines: Callable[[], Sequence[str]]) -> None:
        """Take typed lines as well; `lines` returns those that came since its last call, without waiting."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A participant in an evening beside the people at the table, such as a page.

    Attributes:
        controls: its buttons; they count like those on the table.
        inbox: where it leaves its commands.
        look_on: called once a frame, after everything else, with what watches the table (of a type of each game's own)
            and the frame's time; from the thread of the turn loop.
        host: begins other games at the table; None if there is one game only.
        desks: the desks of single games, by the game's name, such as a circle that people confirm.
        voice: where people choose the voice at the table; None if they cannot.
    """

    controls: Controls
    inbox: Inbox
    look_on: Callable[[Any, float], None]
    host: Onlooker | None = None
    desks: Mapping[str, Any] = field(default_factory=dict)
    voice: VoiceChoice | None = None


@dataclass(frozen=True, slots=True)
class Company:
    """The outside participants in an evening.

    Attributes:
        listeners: called with every event.
        mirrors: called with every frame of the strip.
        attached: takes part beside the people at the table; None if nothing does.
        desk: where doubts of the camera are settled at a terminal; None for that of what is attached.
    """

    listeners: tuple[Listener, ...] = ()
    mirrors: Sequence[Callable[[Sequence[RGB]], None]] = ()
    attached: Attached | None = None
    desk: Desk | None = None

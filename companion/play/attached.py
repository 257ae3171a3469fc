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
    """A participant that can begin other games; it may end the current one by closing the camera."""

    def observe(self, history: History, camera: Camera, now_s: float) -> None:
        """Observe the game; called once per frame, after everything else."""


class Desk(Protocol):
    """The part of a terminal at which users settle doubts of the camera while the game continues."""

    def read(self, lines: Callable[[], Sequence[str]]) -> None:
        """Also take typed lines; `lines` returns those since its last call, without waiting."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A participant in an evening beside the people at the table, such as a page.

    Attributes:
        controls: its buttons; they count like those on the table.
        inbox: the queue of its commands.
        observe: called once per frame, after everything else, from the thread of the turn loop, with the observer of
            the table (of a type of each game's own) and the frame's time.
        host: begins other games at the table; None if there is only one game.
        desks: the desks of single games, by the game's name, such as a circle of patches to confirm.
        voice: the choice of the voice at the table; None if there is no choice.
    """

    controls: Controls
    inbox: Inbox
    observe: Callable[[Any, float], None]
    host: Onlooker | None = None
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

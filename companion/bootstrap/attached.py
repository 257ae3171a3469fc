"""What may be attached to a table from outside, such as a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bootstrap.circledesk import CircleDesk
    from companion.bootstrap.host import Host
    from companion.inbox import Inbox
    from companion.kvilttable import SheetWatch
    from companion.reader.watch import TableWatch
    from hardware.ports import RGB, Controls

EventT = TypeVar("EventT")


@dataclass(frozen=True, slots=True)
class Attached:
    """Something that takes part in an evening beside the people at the table.

    Attributes:
        controls: its buttons; they count like those on the table.
        inbox: where it leaves its commands.
        look_on: called once a frame, after everything else, with what sees the quilts and the frame's time; from the
            thread of the turn loop.
        host: begins other games at the table; None where there is one game only.
        look_on_sheets: as `look_on`, at a table of Kvilt; None where nothing looks on.
        circle: where people confirm a circle that was seen; None where they do not do it there.
    """

    controls: Controls
    inbox: Inbox
    look_on: Callable[[TableWatch, float], None]
    host: Host | None = None
    look_on_sheets: Callable[[SheetWatch, float], None] | None = None
    circle: CircleDesk | None = None


@dataclass(frozen=True, slots=True)
class Company(Generic[EventT]):
    """Who takes part in an evening from outside.

    Attributes:
        listeners: told of every event.
        mirrors: told of every frame of the strip.
        attached: takes part beside the people at the table; None where nothing does.
    """

    listeners: tuple[Callable[[EventT], None], ...]
    mirrors: Sequence[Callable[[Sequence[RGB]], None]]
    attached: Attached | None


@dataclass(frozen=True, slots=True)
class DeskCompany(Company[EventT]):
    """Likewise, where a circle may be confirmed.

    Attributes:
        desk: where that is done.
    """

    desk: CircleDesk

"""What may be attached to a table from outside, such as a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.bootstrap.circledesk import CircleDesk
    from companion.bootstrap.host import Host
    from companion.inbox import Inbox
    from companion.kvilttable import SheetWatch
    from companion.reader.watch import TableWatch
    from hardware.ports import Controls


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

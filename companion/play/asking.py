"""The identity of a question: an answer says which one it answers, and reaches no other."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final

from companion.languages import said
from companion.play import events

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.ports import Controls, Press

NOTHING_ASKED: Final = 0
"""In place of a question's number while none is open."""
QUESTION_CHANGED: Final = said("Meanwhile something else is asked: look at it, and answer again.")
_NUMBERS: Final = 1 << 32
"""Numbers begin somewhere among so many, so that a page from before a restart knows none of them."""


class QuestionCount:
    """The numbers of a turn loop's questions, one after the other.

    Attributes:
        number: of the question that was asked last.
    """

    def __init__(self) -> None:
        self.number = 1 + secrets.randbelow(_NUMBERS)

    def another(self) -> int:
        """Return the number of a question that is asked now."""
        self.number += 1
        return self.number


def asked_after(before: int, event: Any) -> int:
    """Return the number of the question that is open after an event, `before` having been it until then."""
    if isinstance(event, events.Asked):
        return event.number
    return before if isinstance(event, events.TableNoticed) else NOTHING_ASKED


class AfterAsking:
    """Push-buttons without those presses that were made before the latest question was asked.

    A picture is read for a second or two. Who presses `confirm` again meanwhile has not seen the question that comes
    of it, and must not have answered it. It listens to events.

    Args:
        controls: the push-buttons.
        now: the clock of their presses, in seconds.
    """

    def __init__(self, controls: Controls, now: Callable[[], float]) -> None:
        self._controls, self._now = controls, now
        self._number, self._asked_s = NOTHING_ASKED, float("-inf")

    def hear(self, event: Any) -> None:
        """Take an event."""
        if isinstance(event, events.Asked) and event.number != self._number:
            self._number, self._asked_s = event.number, self._now()

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call."""
        return tuple(press for press in self._controls.presses() if press.t_s >= self._asked_s)

    def close(self) -> None:
        """Release the push-buttons; may be called more than once."""
        self._controls.close()

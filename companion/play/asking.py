"""The identity of a question: an answer gives the number of its question, and cannot reach another one."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final

from companion.languages import said
from companion.play import events
from hardware.ports import Button

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.ports import Controls, Press

NOTHING_ASKED: Final = 0
"""The number for no open question."""
QUESTION_CHANGED: Final = said("The question has changed in the meantime: look at the new one and answer again.")
READING_S: Final = 0.5
"""The least time to read a question and decide: a `confirm` pressed earlier is taken for an accidental double press.
Chromium ignores clicks in a prompt that has just appeared for the same time."""
_NUMBERS: Final = 1 << 32
"""The range of the first number, which is random so that a page from before a restart cannot know a later number."""


class QuestionCount:
    """The counter of a turn loop's questions.

    Attributes:
        number: the number of the latest question.
    """

    def __init__(self) -> None:
        self.number = 1 + secrets.randbelow(_NUMBERS)

    def another(self) -> int:
        """Return the number of a new question."""
        self.number += 1
        return self.number


def asked_after(before: int, event: Any) -> int:
    """Return the number of the open question after an event, given the number `before` it."""
    if isinstance(event, events.Asked):
        return event.number
    # A notice leaves the question open; any other event has settled it.
    return before if isinstance(event, events.TableNoticed) else NOTHING_ASKED


class AfterAsking:
    """The push-buttons without the presses made before the latest question was asked.

    A picture is read for a second or two. A player who presses `confirm` again meanwhile has not seen the resulting
    question and must not answer it; nor has one who presses it right after the question. `on_event` must get all
    events.

    Args:
        controls: the push-buttons.
        now: the clock of their presses, in seconds.
        too_soon: called for a `confirm` that is dropped because it comes within `READING_S` after the question; None
            if any press after a question answers it.
        is_expected: returns whether a question is a choice of the game, which players expect and answer at once.
    """

    def __init__(
        self,
        controls: Controls,
        now: Callable[[], float],
        too_soon: Callable[[], None] | None = None,
        is_expected: Callable[[Any], bool] = lambda _: False,
    ) -> None:
        self._controls, self._now, self._too_soon, self._is_expected = controls, now, too_soon, is_expected
        self._reading_s = 0.0
        self._number, self._asked_s = NOTHING_ASKED, float("-inf")

    def on_event(self, event: Any) -> None:
        """Handle an event."""
        # The same question is announced again for each option on display; its answer needs no further reading time.
        if isinstance(event, events.Asked) and event.number != self._number:
            self._number, self._asked_s = event.number, self._now()
            self._reading_s = 0.0 if self._is_expected(event.question) else READING_S

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call."""
        return tuple(press for press in self._controls.presses() if self._counts(press))

    def _counts(self, press: Press) -> bool:
        since_s = press.t_s - self._asked_s
        if self._too_soon is None or press.button is not Button.CONFIRM or not 0.0 <= since_s < self._reading_s:
            return since_s >= 0.0
        self._too_soon()
        return False

    def close(self) -> None:
        """Release the push-buttons; may be called more than once."""
        self._controls.close()

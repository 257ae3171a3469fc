"""One turn on the table's own buttons and lights, over a simulated picture: press, look, decide, show, take back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from companion.hardwaretest.step import SKIP, HardwareStep, Moment, PressWanted, Prompt, Verdict
from companion.languages import Sentence, in_turn, said
from companion.play.events import Complained, DecisionTaken, DecisionUndone, LookStarted
from hardware.ports import Button
from hardware.pushbuttons import button_word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.hardwaretest.buttons import ButtonToTry
    from companion.play.events import Event
    from hardware.ports import Press

PATIENCE_S: Final = 35.0
_REPORT: Final = said("Report this with the report.")


class Rehearsal(Protocol):
    """A game over simulated pictures; its lights are the table's."""

    @property
    def ready(self) -> bool:
        """True if both boards have been seen, so that a patch can be read."""

    def lay(self) -> str:
        """Lay a patch that the seat to move can buy onto its simulated board, and say so in a sentence."""

    def step(self, presses: Sequence[Press]) -> Sequence[Event]:
        """Take a picture, with the presses until then, and return the sentences announced."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A press, its expected result, and what is then to be seen."""

    button: Button
    brings: type[Event]
    seen: str


_TASKS: Final = (
    _Task(Button.CONFIRM, DecisionTaken, said("The patch was read off the picture and taken; the turn passed on.")),
    _Task(Button.ADVANCE, DecisionTaken, said("The token was moved, and buttons were earned.")),
    _Task(Button.UNDO, DecisionUndone, said("The last decision was taken back.")),
)


class TurnStep(HardwareStep):
    """The step that plays a turn.

    Args:
        rehearsal: the game.
        sound: asked when the step begins: the push-buttons that answer.
    """

    title = said("A turn")

    def __init__(self, rehearsal: Rehearsal, sound: Callable[[], Sequence[ButtonToTry]]) -> None:
        super().__init__()
        self._rehearsal, self._sound = rehearsal, sound
        self._places: tuple[ButtonToTry, ...] = ()
        self._left: list[_Task] = []
        self._asked_s = 0.0
        self._laid = ""

    def begin(self, now_s: float) -> None:
        """Wait for the boards to be seen."""
        self._asked_s, self._places = now_s, tuple(self._sound())
        there = {place.button for place in self._places}
        if Button.CONFIRM not in there:
            self._found(
                Verdict.SKIPPED, said("a turn"), said("Without a confirm button that answers none can be played.")
            )
            self._end()
            return
        self._left = [task for task in _TASKS if task.button in there]
        self.prompt = Prompt(said("A simulated table is looked at; watch the lights."))

    def tick(self, moment: Moment) -> None:
        """Let the game go on."""
        events = self._rehearsal.step(moment.presses)
        if not self._left:
            self._end()
        elif not self._laid:
            self._prepare(moment.now_s)
        elif moment.answer == SKIP:
            self._found(Verdict.SKIPPED, said("a turn"), said("It was not played to its end."))
            self._end()
        else:
            self._watch(events, moment.now_s)

    def _prepare(self, now_s: float) -> None:
        if self._rehearsal.ready:
            self._laid = self._rehearsal.lay()
            self._ask(now_s)
        elif now_s - self._asked_s >= PATIENCE_S:
            self._found(Verdict.FAULT, said("a turn"), said("The simulated boards were not found."), _REPORT)
            self._end()

    def _ask(self, now_s: float) -> None:
        self._asked_s = now_s
        if not self._left:
            self._end()
            return
        # Where each seat has buttons of its own, the first one's are asked for; the rehearsal hears them all.
        place = next(place for place in self._places if place.button is self._left[0].button)
        lead = [self._laid] if self._left[0].button is Button.CONFIRM else []
        says = said("Press the {button} and watch the lights.", button=place.name)
        self.prompt = Prompt(in_turn([*lead, says]), PressWanted(place.button, place.seat))

    def _watch(self, events: Sequence[Event], now_s: float) -> None:
        task = self._left[0]
        if any(isinstance(event, task.brings) for event in events):
            self._found(Verdict.OK, _part(task), task.seen)
            self._left.pop(0)
            self._ask(now_s)
        elif any(isinstance(event, Complained) for event in events):
            says = said("The simulated picture was not read.")
            self._found(Verdict.FAULT, _part(task), says, _REPORT)
            self._end()
        elif any(isinstance(event, LookStarted) for event in events):
            self._asked_s = now_s
        elif now_s - self._asked_s >= PATIENCE_S:
            says = said("Nothing came of it: no press was heard.")
            self._found(Verdict.FAULT, _part(task), says, said("See what is said of the push-buttons."))
            self._left.pop(0)
            self._ask(now_s)


def _part(task: _Task) -> Sentence:
    """Return the part of the turn that a task is, as a subject."""
    return said("a turn: {button}", button=button_word(task.button))

"""The test of one turn with the table's buttons and lights over simulated pictures, from a press to an undo."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from companion.languages import Sentence, in_turn, said
from companion.play.events import Complained, DecisionTaken, DecisionUndone, Event, LookStarted
from companion.upkeep.hardwaretest.buttons import ButtonToTry
from companion.upkeep.hardwaretest.step import SKIP, HardwareStep, Moment, PressWanted, Prompt, Verdict
from hardware.ports import Button, Press
from hardware.pushbuttons import button_word

PATIENCE_S: Final = 35.0
_REPORT: Final = said("Please report this as a bug, with the report attached.")


class Rehearsal(Protocol):
    """A game with simulated pictures on the table's real lights."""

    @property
    def ready(self) -> bool:
        """True once both boards have been found, so that a patch can be read."""

    def lay(self) -> str:
        """Place an affordable patch on the simulated board of the seat to move, and return a sentence about it."""

    def step(self, presses: Sequence[Press]) -> Sequence[Event]:
        """Process one picture and the presses until then, and return the events that follow."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A press, the event that it must lead to, and the sentence for its success."""

    button: Button
    brings: type[Event]
    seen: str


_TASKS: Final = (
    _Task(
        Button.CONFIRM,
        DecisionTaken,
        said("The patch was read from the picture and taken; the turn passed to the other player."),
    ),
    _Task(Button.ADVANCE, DecisionTaken, said("The token was moved, and buttons were earned.")),
    _Task(Button.UNDO, DecisionUndone, said("The last decision was taken back.")),
)


class TurnStep(HardwareStep):
    """The step that plays one turn.

    Args:
        rehearsal: the game.
        sound: returns, when the step begins, the push-buttons that respond.
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
        """Begin to wait until the boards are found."""
        self._asked_s, self._places = now_s, tuple(self._sound())
        there = {place.button for place in self._places}
        if Button.CONFIRM not in there:
            self._found(
                Verdict.SKIPPED, said("a turn"), said("Without a working confirm button no turn can be played.")
            )
            self._end()
            return
        self._left = [task for task in _TASKS if task.button in there]
        self.prompt = Prompt(said("The camera looks at a simulated table; watch the lights."))

    def tick(self, moment: Moment) -> None:
        """Advance the game by one picture, and check its events."""
        events = self._rehearsal.step(moment.presses)
        if not self._left:
            self._end()
        elif not self._laid:
            self._prepare(moment.now_s)
        elif moment.answer == SKIP:
            self._found(Verdict.SKIPPED, said("a turn"), said("It was not played to the end."))
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
        # If each seat has its own buttons, seat 1's are asked for; the rehearsal accepts all of them.
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
        # The press arrived; reading takes time on a small board, which is no fault of the button.
        elif any(isinstance(event, LookStarted) for event in events):
            self._asked_s = now_s
        elif now_s - self._asked_s >= PATIENCE_S:
            says = said("Nothing happened: no press was noticed.")
            self._found(Verdict.FAULT, _part(task), says, said("See the result for the push-buttons."))
            self._left.pop(0)
            self._ask(now_s)


def _part(task: _Task) -> Sentence:
    """Return an outcome's subject for a task."""
    return said("a turn: {button}", button=button_word(task.button))

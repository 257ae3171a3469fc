"""The tests of each push-button for no response, swapped wires, bouncing and sticking, and of one turn with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from companion.languages import Sentence, in_turn, said
from companion.play.events import Complained, DecisionTaken, DecisionUndone, Event, LookStarted
from companion.upkeep.hardware_test.course import SKIP, HardwareStep, Moment, PressWanted, Prompt, Verdict
from hardware.ports import Button, Press
from hardware.pushbuttons import button_word

PATIENCE_S: Final = 35.0
"""The time-out for a press, longer than the half minute after which a driver reports a stuck button."""
_CONTROLS: Final = "[controls]"
LISTENS_S: Final = 0.6
"""The time after a press during which further presses count as bouncing; too short for a second press by hand."""


@dataclass(frozen=True, slots=True)
class ButtonToTry:
    """A push-button to test.

    Attributes:
        button: the button's function.
        seat: the seat that it belongs to, or None for a set in the middle.
        name: the display name, with its pin.
        is_key: whether it is a key of an input device, without wires.
    """

    button: Button
    seat: int | None
    name: str
    is_key: bool = False

    def is_of(self, press: Press) -> bool:
        """Return whether a press came from this button."""
        return (press.button, press.seat) == (self.button, self.seat)


class ButtonsStep(HardwareStep):
    """The step that asks for a press of each push-button, and checks which one responds.

    Args:
        places: the push-buttons to test.
    """

    title = said("Push-buttons")

    def __init__(self, places: Sequence[ButtonToTry]) -> None:
        super().__init__()
        self._left = list(places)
        self._places = tuple(places)
        self._stuck = set[ButtonToTry]()
        self._asked_s = 0.0
        self._pressed_s: float | None = None
        self._presses = 0

    def sound(self) -> tuple[ButtonToTry, ...]:
        """Return the push-buttons that have responded."""
        good = {each.subject for each in self.outcomes if each.verdict in {Verdict.OK, Verdict.POOR}}
        return tuple(place for place in self._places if place.name in good)

    def begin(self, now_s: float) -> None:
        """Ask for the first button."""
        self._ask(now_s)

    def tick(self, moment: Moment) -> None:
        """Process the presses since the last call."""
        for place in self._places:
            if (place.button, place.seat) in moment.stuck and place not in self._stuck:
                self._take_stuck(place)
        if not self._left or self.prompt is None:
            self._ask(moment.now_s)
        elif self._pressed_s is not None:
            # All presses, not only this button's: wires that touch make two buttons respond at once.
            self._presses += len(moment.presses)
            if moment.now_s - self._pressed_s >= LISTENS_S:
                self._judge(moment.now_s)
        elif moment.presses:
            self._take_press(moment)
        elif moment.answer == SKIP:
            self._found(Verdict.SKIPPED, self._left[0].name, said("It was not tested."))
            self._next(moment.now_s)
        elif moment.now_s - self._asked_s >= PATIENCE_S:
            self._give_up(moment.now_s)

    def _ask(self, now_s: float) -> None:
        if not self._left:
            self._end()
            return
        self._asked_s, self._pressed_s, self._presses = now_s, None, 0
        place = self._left[0]
        self.prompt = Prompt(
            said("Press the {button} once, briefly.", button=place.name), PressWanted(place.button, place.seat)
        )

    def _next(self, now_s: float) -> None:
        self._left.pop(0)
        self._ask(now_s)

    def _take_press(self, moment: Moment) -> None:
        place, press = self._left[0], moment.presses[0]
        if place.is_of(press):
            self._pressed_s, self._presses = moment.now_s, len(moment.presses)
            return
        other = next(
            (each.name for each in self._places if each.is_of(press)),
            said("{button} button", button=button_word(press.button)),
        )
        self._found(
            Verdict.FAULT,
            place.name,
            said("You pressed it, but the {button} responded.", button=other),
            _learn_anew()
            if place.is_key
            else said("Swap the two wires at the Pi, or the two pins under {section}.", section=_CONTROLS),
        )
        self._next(moment.now_s)

    def _judge(self, now_s: float) -> None:
        place = self._left[0]
        if self._presses == 1:
            self._found(Verdict.OK, place.name, said("It responds."))
        else:
            says = said("One press counted as {count} presses.", count=self._presses)
            do = said(
                "Press only once. If you did, raise {key} under {section} or use another button.",
                key="debounce_s",
                section=_CONTROLS,
            )
            self._found(Verdict.POOR, place.name, says, do, {"presses": self._presses})
        self._next(now_s)

    def _give_up(self, now_s: float) -> None:
        place = self._left[0]
        wires = said(
            "Check both of its wires: one goes to its pin, the other to ground; and the pin under {section}.",
            section=_CONTROLS,
        )
        self._found(
            Verdict.FAULT,
            place.name,
            said("It did not respond for {seconds} s.", seconds=round(PATIENCE_S)),
            _learn_anew() if place.is_key else wires,
        )
        self._next(now_s)

    def _take_stuck(self, place: ButtonToTry) -> None:
        """Record a stuck button, which is then not asked for."""
        self._stuck.add(place)
        do = said("Remove anything lying on it. If there is nothing, its wire touches ground: check the solder joints.")
        self._found(Verdict.FAULT, place.name, said("It is stuck: it has been down for a long time."), do)
        if place in self._left:
            # The next tick asks for the button after it.
            if place is self._left[0]:
                self.prompt = None
            self._left.remove(place)


def _learn_anew() -> Sentence:
    return said(
        "Is its device plugged in, switched on and awake? If it is, {command} learns its keys again.",
        command="companion controls learn",
    )


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

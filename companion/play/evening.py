"""One game at one table: its parts, and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.config import Config
from companion.lights import Lights, StripUse
from companion.play.at_table import AtTable, Company
from companion.play.events import History, Listener
from companion.play.inbox import Inbox
from companion.play.loop import TableParts
from companion.record import Codec
from hardware.driver import StripDriver

if TYPE_CHECKING:
    from companion.journal import Journal


class Transcript(Protocol):
    """A listener that collects questions and complaints, as JSON."""

    questions: list[dict[str, Any]]
    complaints: list[dict[str, Any]]

    def __call__(self, event: Any) -> None:
        """Handle an event."""


class ShownLights(Protocol):
    """The lights of a game, or a wrapper around them."""

    def __call__(self, event: Any) -> None:
        """Handle an event."""

    def tick(self, now_s: float) -> None:
        """Show the frame for this time, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The parts of a game's table.

    Attributes:
        config: the configuration at the start of this game.
        at: the devices.
        book: the journal.
        game_id: the game's number in it.
        history: the game so far, of the game's own type.
        folder: the folder of the journal and of all files of its games.
        transcript: the collector of questions and complaints.
        company: the outside participants.
        whose_turn: returns the sentence for whose turn it is in a state.
        inbox: the requests to the turn loop: those of the remote participant, if there is one.
        desk: this game's own desk for the evening, of its own type, or None.
    """

    config: Config
    at: AtTable
    book: Journal
    game_id: int
    history: Any
    folder: Path
    transcript: Transcript
    company: Company
    whose_turn: Callable[[Any], str]
    inbox: Inbox = field(default_factory=Inbox)
    desk: Any = None

    @property
    def strip_use(self) -> StripUse:
        """The settings with which a light show uses the strip."""
        return strip_use(self.config.strip)

    def say(self, sentence: str, about: object = None) -> None:
        """Announce a sentence to all at the table, at the end of this frame; `about` as in `TableNoticed`."""
        self.at.notices.say(sentence, about)

    def parts(
        self,
        lights: Lights[Any],
        watch: object,
        *,
        show: ShownLights | None = None,
        listeners: Sequence[Listener] = (),
        ticks: Sequence[Callable[[float], None]] = (),
        is_expected: Callable[[Any], bool] = lambda _: False,
    ) -> TableParts:
        """Return the parts of the turn loop, in the order in which they are called.

        Args:
            lights: the strip.
            watch: the observer of the table, for attached participants.
            show: a wrapper around the lights, or None for the lights themselves.
            listeners: the game's own.
            ticks: the game's own, called once per frame after the lights.
            is_expected: as for `TableParts`.
        """
        at, attached, show = self.at, self.company.attached, show or lights
        attendance = at.attendance(self.history, lights, self.inbox)
        return TableParts(
            camera=at.camera,
            controls=at.controls,
            book=self.book,
            game_id=self.game_id,
            history=self.history,
            # Lights first: their verdict is seen before any text is read. The people of a simulated table come last,
            # with the devices: their next actions follow from events that all others have received.
            listeners=(show, self.transcript, *self.company.listeners, *listeners, *attendance.listeners),
            # After an outage the lights are restored before they show this frame. Sentences are delivered after all
            # their sources. Remote participants see the whole frame.
            ticks=(
                *attendance.first,
                show.tick,
                *attendance.ticks,
                *ticks,
                at.notices.deliver,
                *(() if attached is None else (partial(attached.observe, watch),)),
                *attendance.last,
            ),
            inbox=self.inbox,
            pace=at.pace,
            notices=at.notices,
            # Presses of a recording answered the questions of that time.
            now=at.clock.now if at.is_live else None,
            refuse=lights.refuse,
            is_expected=is_expected,
            whose_turn=self.whose_turn,
        )


def strip_use(config: StripDriver) -> StripUse:
    """Return the settings with which a light show uses the strip."""
    return {
        "brightness": config.brightness,
        "reversed_": config.reversed,
        "first_pixel": config.first_pixel,
    }


@dataclass(frozen=True, slots=True)
class EveningResult:
    """The result of an evening.

    Attributes:
        codec: the rules and the codec of the game's records.
        history: the game with the decisions taken.
        transcript: the questions and complaints.
        error: the fault that ended it early, or None if it was completed.
        truth: the true contents of a simulated table, as JSON; None at other tables.
        gave_up: whether it ended early because the simulated players could not continue; `error` gives the reason.
    """

    codec: Codec[Any, Any, Any]
    history: History
    transcript: Transcript
    error: str | None = None
    truth: Mapping[str, Any] | None = None
    gave_up: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the JSON that `companion play --json` and `companion replay FOLDER --json` print."""
        return {
            **self.codec.summary(self.history.state),
            **({} if self.error is None else {"error": self.error}),
            "record": [self.codec.decision_to_json(decision) for decision in self.history.decisions],
            "questions": self.transcript.questions,
            "complaints": self.transcript.complaints,
            **(self.truth or {}),
        }

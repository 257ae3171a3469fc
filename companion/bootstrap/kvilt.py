"""Puts a table of Kvilt together: parts that every one has, simulated or real."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.bootstrap.assembling import strip_use
from companion.bootstrap.played import played_json
from companion.errors import CompanionError
from companion.events import Asked, Complained
from companion.games.kvilt import History, decision_to_json, load_layout, summary
from companion.kvilt.choices import Asks
from companion.languages import said
from companion.lightshow import KviltShow, Lights
from companion.record import KVILT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.bootstrap.attached import Attached
    from companion.config import KviltConfig, StripConfig
    from companion.games.kvilt import Layout, Setup
    from companion.games.kvilt.sheet import Colour
    from companion.journal import Book
    from companion.kvilt.choices import Choice, SheetComplaint
    from companion.kvilt.news import Event
    from companion.kvilttable import SheetWatch
    from hardware.ports import RGB, Camera, LightStrip


def kvilt_history(book: Book, game_id: int) -> History:
    """The game as the journal has it."""
    history = History(book.setup(game_id, KVILT))
    for decision in book.decisions(game_id, KVILT):
        history.apply(decision)
    return history


class OtherSheetError(CompanionError):
    """A game is played on a sheet that the configuration does not name."""


def sheet_layout(config: KviltConfig, setup: Setup) -> Layout:
    """Where everything lies on a game's sheet.

    Raises:
        OtherSheetError: the configuration names another sheet.
        SheetError: the sheet's file cannot be used.
    """
    for layout in (config.layout(), load_layout()):
        if layout.sheet == setup.sheet.id:
            return layout
    says = said("This game is played on the sheet {sheet}: name its file in [kvilt] sheet.", sheet=setup.sheet.id)
    raise OtherSheetError(says)


def kvilt_lights(
    config: StripConfig, strip: LightStrip, seats: int, mirrors: Sequence[Callable[[Sequence[RGB]], None]]
) -> Lights[Event]:
    """The light show on a strip."""
    return Lights(KviltShow(strip.pixel_count, seats, **strip_use(config)), strip, mirrors)


def clear_circle(attached: Attached | None) -> None:
    """Put away the circle of a game of Patchwork that was on the table before: nobody confirms it in one of Kvilt."""
    if attached is not None and attached.circle is not None:
        attached.circle.leave()


def sheet_onlookers(
    attached: Attached | None, watch: SheetWatch, history: History, camera: Camera
) -> tuple[Callable[[float], None], ...]:
    """What is attached and looks on, as ticks; its host may end the game by closing the camera."""
    if attached is None:
        return ()
    looks_on = () if attached.look_on_sheets is None else (partial(attached.look_on_sheets, watch),)
    return looks_on if attached.host is None else (*looks_on, partial(attached.host.look_on, history, camera))


class KviltTranscript:
    """A listener that writes down what was asked of doubtful sheets, and what was complained of."""

    def __init__(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self.complaints: list[dict[str, Any]] = []

    def __call__(self, event: Event) -> None:
        """Take one event."""
        if isinstance(event, Asked) and event.question.asks is Asks.DOUBT and event.choice == 0:
            self.questions.append(_question(event.question))
        elif isinstance(event, Complained):
            self.complaints.append(_complaint(event.complaint))


def _question(choice: Choice) -> dict[str, Any]:
    states = [next(iter(option.colours), None) for option in choice.options]
    return {"frame": choice.frame, "seat": choice.seat, "region": choice.regions[0], "states": states}


def _complaint(complaint: SheetComplaint) -> dict[str, Any]:
    return {
        "frame": complaint.frame,
        "seat": complaint.seat,
        "codes": list(complaint.codes),
        "regions": list(complaint.regions),
        "says": complaint.says,
    }


@dataclass(frozen=True, slots=True)
class PlayedKvilt:
    """What came of an evening of Kvilt.

    Attributes:
        history: the decisions that were taken.
        transcript: the doubts and complaints.
        error: the fault that ended it early, None where it came to its end.
        read: by seat from 1, the marks as they were last read off its sheet.
        coloured: likewise as they really are; known of a simulated table only.
        gave_up: whether it ended early because the simulated players could not go on; `error` says why.
    """

    history: History
    transcript: KviltTranscript
    error: str | None = None
    read: Mapping[int, Mapping[str, Colour]] = field(default_factory=dict)
    coloured: tuple[Mapping[str, Colour], ...] | None = None
    gave_up: bool = False

    def to_json(self) -> dict[str, Any]:
        """What `companion play --game kvilt --json` prints."""
        record = [decision_to_json(decision) for decision in self.history.decisions]
        printed = played_json(summary(self.history.state), self.error, record, self.transcript)
        if self.coloured is not None:
            printed["table"] = [dict(sorted(marks.items())) for marks in self.coloured]
            printed["read"] = [dict(sorted(self.read.get(seat, {}).items())) for seat, _ in enumerate(self.coloured, 1)]
            printed["equal"] = printed["table"] == printed["read"]
        return printed

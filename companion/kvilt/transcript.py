"""The transcript of questions about doubtful sheets and of complaints, in the form that `--json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.kvilt.choices import ChoiceTopic
from companion.play.events import Asked, Complained

if TYPE_CHECKING:
    from companion.kvilt.choices import Choice, SheetComplaint
    from companion.kvilt.events import Event


class KviltTranscript:
    """A listener that collects the questions about doubtful sheets, and the complaints."""

    def __init__(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self.complaints: list[dict[str, Any]] = []

    def __call__(self, event: Event) -> None:
        """Handle an event."""
        if isinstance(event, Asked) and event.question.asks is ChoiceTopic.DOUBT and event.choice == 0:
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

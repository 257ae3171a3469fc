"""The transcript of an evening's questions and complaints, in the form of `companion replay --json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.patchwork import CountButtons, PlaceLeather, TakePatch, names_of
from companion.patchwork.reading.verdict import Question, QuestionTopic
from companion.play import events

if TYPE_CHECKING:
    from companion.games.patchwork import Decision
    from companion.patchwork.reading.verdict import Complaint


class PatchworkTranscript:
    """A listener that collects questions and complaints."""

    def __init__(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self.complaints: list[dict[str, Any]] = []

    def __call__(self, event: events.Event) -> None:
        """Handle an event."""
        if isinstance(event, events.QuestionAnswered):
            self.questions.append(_question(event.question, event.taken))
        elif isinstance(event, events.DoubtLapsed) and isinstance(event.doubt, Question):
            self.questions.append(_question(event.doubt, None))
        elif isinstance(event, events.Complained):
            self.complaints.append(_complaint(event.complaint))


def _question(question: Question, taken: Decision | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"frame": question.frame, "seat": question.seat, "asks": question.asks.value}
    if question.asks is QuestionTopic.WHICH_PATCH:
        entry["candidates"] = [option.patch for option in question.options if isinstance(option, TakePatch)]
        entry["taken"] = taken.patch if isinstance(taken, TakePatch) else None
    elif question.asks is QuestionTopic.BUTTONS:
        entry["candidates"] = [option.buttons for option in question.options if isinstance(option, CountButtons)]
        entry["taken"] = taken.buttons if isinstance(taken, CountButtons) else None
    elif question.asks is QuestionTopic.TILE:
        entry["candidates"] = [option.seat for option in question.options]
        entry["taken"] = None if taken is None else taken.seat
    else:
        entry["cells"] = list(question.cells)
        covered = names_of(taken.cells) if isinstance(taken, TakePatch | PlaceLeather) else ()
        entry["taken"] = [cell for cell in question.cells if cell in covered]
    return entry


def _complaint(complaint: Complaint) -> dict[str, Any]:
    return {
        "frame": complaint.frame,
        "seat": complaint.seat,
        "reason": complaint.reason.value,
        "cells": list(complaint.cells),
        "says": complaint.says,
    }

"""The reader's verdicts: a decision, a question or a complaint."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from companion.play.events import NONE_SHOWN

if TYPE_CHECKING:
    from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch


class Reason(StrEnum):
    """The reasons for complaints, in the words of the table recording's format."""

    NOTHING_PLACED = "nothing-placed"
    OVERLAP = "overlap"
    OVER_THE_EDGE = "over-the-edge"
    NOT_OFFERED = "not-offered"
    NOT_AFFORDABLE = "not-affordable"
    MOVED = "moved"
    WRONG_SEAT = "wrong-seat"
    OBJECT = "object"
    UNCLEAR = "unclear"


class QuestionTopic(StrEnum):
    """The subject of a question."""

    WHICH_PATCH = "which-patch"
    CELLS = "cells"
    PARTNER = "partner"
    BUTTONS = "buttons"
    TILE = "tile"


AT_THE_END: Final = frozenset({QuestionTopic.BUTTONS, QuestionTopic.TILE})
"""The topics of questions about a game that has ended, which do not concern a quilt."""


class NextStep(StrEnum):
    """The step that follows once players have corrected a fault.

    PLACEMENT: announce the placement. PLACEMENT_OR_ADVANCE: that, or advance. NAMED: the complaint states the step.
    ANY: it states all ways to continue.
    """

    PLACEMENT = "placement"
    PLACEMENT_OR_ADVANCE = "placement-or-advance"
    NAMED = "named"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Reading:
    """A decision that the picture shows with certainty.

    Attributes:
        frame: the name of the frame it was read from.
        confidence: posterior probability of the decision among all that the reader considered.
    """

    decision: Decision
    frame: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Question:
    """The smallest question whose answer lets the reader continue.

    Attributes:
        asks: the topic: which patch, which cells or, at the end, a player's number of buttons or the owner of the 7x7
            tile.
        options: the decisions to choose from, the most likely first; at least one. Answering "no" to all is allowed.
        cells: names of the cells in doubt (empty if the patch is in doubt).
        says: the question in the players' words.
        frame: the name of the frame that caused it.
        else_wrong: the complaint if none of the options is right, or None if the reader cannot tell.
        otherwise: all decisions that the picture may show, including `options`, the likeliest first; empty if unknown.
        none_first: whether "none of these" is on display first, because it is the likelier answer: repeated
            presses of `confirm` alone must not take a decision.
    """

    asks: QuestionTopic
    seat: int
    options: tuple[Decision, ...]
    cells: tuple[str, ...]
    says: str
    frame: str
    else_wrong: Complaint | None = None
    otherwise: tuple[TakePatch | PlaceLeather, ...] = ()
    none_first: bool = False

    @property
    def first_shown(self) -> int:
        """The index of the option on display first, or `NONE_SHOWN`."""
        return NONE_SHOWN if self.none_first else 0

    def shown_after(self, choice: int) -> int:
        """Return the index of the option to display after another one, or `NONE_SHOWN`."""
        return choice + 1 if choice + 1 < len(self.options) else self.first_shown


@dataclass(frozen=True, slots=True)
class Complaint:
    """A fault of the table: the rules forbid it, or it cannot be read.

    Attributes:
        seat: the seat to move.
        cells: names of the cells concerned, row by row; may be empty.
        says: the sentence that players read, without the next step.
        frame: the name of the frame that caused it.
        otherwise: the decisions that the picture may show if the complaint is unfounded, the most likely first; empty
            if the rules allow no placement, or the quilt was not seen.
        then: the next step after the correction, which differs between tables; see `complaints`.
    """

    reason: Reason
    seat: int
    cells: tuple[str, ...]
    says: str
    frame: str
    otherwise: tuple[TakePatch | PlaceLeather, ...] = ()
    then: NextStep = NextStep.PLACEMENT

    @property
    def quilt(self) -> int:
        """The seat on whose quilt the cells are."""
        return 3 - self.seat if self.reason is Reason.WRONG_SEAT else self.seat


Verdict: TypeAlias = Reading | Question | Complaint

"""The reader's verdicts: a decision, a question or a complaint."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, PlaceLeather, TakePatch


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
    BUTTONS = "buttons"
    TILE = "tile"


AT_THE_END: Final = frozenset({QuestionTopic.BUTTONS, QuestionTopic.TILE})
"""The topics of questions about a game that has ended, which are not about a quilt."""


class NextStep(StrEnum):
    """The step that follows once players have corrected the fault.

    PLACEMENT: announce the placement. PLACEMENT_OR_ADVANCE: that, or advance. NAMED: the complaint names the step.
    """

    PLACEMENT = "placement"
    PLACEMENT_OR_ADVANCE = "placement-or-advance"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class Reading:
    """A decision that the picture shows beyond doubt.

    Attributes:
        decision: what was read.
        frame: the name of the frame it was read from.
        confidence: posterior probability of the decision among all that the reader considered.
    """

    decision: Decision
    frame: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Question:
    """The smallest question that the reader needs answered to go on.

    Attributes:
        asks: which patch it is, which cells it covers, or, at the end, how many buttons a player has
            or whose the 7x7 tile is.
        seat: the quilt's seat.
        options: the decisions to choose from, the most likely first; at least one. Answering "no" to all is allowed.
        cells: names of the cells in doubt (empty where the patch is in doubt).
        says: the question in the players' words.
        frame: the name of the frame that caused it.
        else_wrong: what is wrong on the table if none of the options is right, or None if the reader cannot tell.
        otherwise: all that the picture may show, the options among it, the likeliest first; empty if nothing is known.
    """

    asks: QuestionTopic
    seat: int
    options: tuple[Decision, ...]
    cells: tuple[str, ...]
    says: str
    frame: str
    else_wrong: Complaint | None = None
    otherwise: tuple[TakePatch | PlaceLeather, ...] = ()


@dataclass(frozen=True, slots=True)
class Complaint:
    """A fault of the table: the rules do not allow it, or it cannot be read.

    Attributes:
        reason: the kind.
        seat: the seat to move.
        cells: names of the cells it is about, row by row; may be empty.
        says: the sentence the players read, but for the next step.
        frame: the name of the frame that caused it.
        otherwise: the decisions that the picture may show if there is nothing to complain of, the most likely first;
            empty if the rules allow nothing to be laid, or the quilt was not seen.
        then: what players do once it is put right, which differs between tables; see `complaints`.
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

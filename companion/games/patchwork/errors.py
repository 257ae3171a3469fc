"""Errors of the rules core: malformed and illegal are two different things, ambiguous is a third (`resolving`)."""

from __future__ import annotations

from enum import StrEnum


class PatchworkError(Exception):
    """Root of everything that the rules core raises."""


class SetupError(PatchworkError):
    """A game cannot be set up like this; the message says what is wrong and what is allowed."""


class MalformedDecisionError(PatchworkError):
    """Something is no decision at all, whatever the state of the game."""


class NothingToUndoError(PatchworkError):
    """The history stands at the very start."""


class IllegalReason(StrEnum):
    """Why a well-formed decision is not allowed now."""

    FINISHED = "finished"
    WRONG_TURN = "wrong-turn"
    LEATHER_FIRST = "leather-first"
    NO_LEATHER = "no-leather"
    UNKNOWN_PATCH = "unknown-patch"
    NOT_OFFERED = "not-offered"
    NOT_AFFORDABLE = "not-affordable"
    OVER_THE_EDGE = "over-the-edge"
    WRONG_SHAPE = "wrong-shape"
    OVERLAP = "overlap"


class IllegalDecisionError(PatchworkError):
    """A decision that the rules forbid in this state.

    Attributes:
        reason: the kind.
        cells: the offending cells as a bit mask (for an overlap the cells covered twice); 0 where no cell is at fault.
        patch: the patch that it is about; None where it is about none.
    """

    def __init__(self, reason: IllegalReason, says: str, cells: int = 0, patch: str | None = None) -> None:
        super().__init__(says)
        self.reason = reason
        self.cells = cells
        self.patch = patch

"""Errors of the rules core: malformed and illegal decisions are different errors; ambiguous ones are in `resolving`."""

from enum import StrEnum


class PatchworkError(Exception):
    """The base class of all errors of the rules core."""


class GameOverError(PatchworkError):
    """Raised if the seat to move is requested after the end of the game."""


class SetupError(PatchworkError):
    """Raised for an impossible setup; the message names the error and the allowed values."""


class MalformedDecisionError(PatchworkError):
    """Raised for input that is not a decision in any state of the game."""


class NothingToUndoError(PatchworkError):
    """Raised if there is no decision to undo."""


class IllegalReason(StrEnum):
    """The reasons why a well-formed decision is not allowed now."""

    FINISHED = "finished"
    NOT_FINISHED = "not-finished"
    WRONG_TURN = "wrong-turn"
    LEATHER_FIRST = "leather-first"
    NO_LEATHER = "no-leather"
    UNKNOWN_PATCH = "unknown-patch"
    NOT_OFFERED = "not-offered"
    NOT_AFFORDABLE = "not-affordable"
    OVER_THE_EDGE = "over-the-edge"
    WRONG_SHAPE = "wrong-shape"
    OVERLAP = "overlap"
    NO_SQUARE = "no-square"


class IllegalDecisionError(PatchworkError):
    """A decision that the rules forbid in this state.

    Attributes:
        reason: the kind.
        cells: the offending cells as a bit mask (for an overlap the cells covered twice); 0 if no cell is at fault.
        patch: the patch at fault, or None.
    """

    def __init__(self, reason: IllegalReason, says: str, cells: int = 0, patch: str | None = None) -> None:
        super().__init__(says)
        self.reason = reason
        self.cells = cells
        self.patch = patch

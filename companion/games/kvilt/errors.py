"""Errors of the rules core: malformed and illegal decisions are different errors."""

from enum import StrEnum


class KviltError(Exception):
    """The base class of all errors of the rules core."""


class GameOverError(KviltError):
    """Raised if the seat to move is requested after the end of the game."""


class SetupError(KviltError):
    """Raised for an impossible setup; the message names the error and the allowed values."""


class SheetError(KviltError):
    """Raised for an unusable sheet; the message is "FILE: [table] key: error; allowed values"."""


class MalformedDecisionError(KviltError):
    """Raised for input that is not a decision in any state of the game."""


class FaultCode(StrEnum):
    """The kinds of faults of a decision or of a mark on a sheet."""

    TURN = "E_TURN"
    TOKEN = "E_TOKEN"  # noqa: S105 - a scrap token
    BAG = "E_BAG"
    PLACE = "E_PLACE"
    TAKE = "E_TAKE"
    ORDER = "E_ORDER"
    ROW_COLOUR = "E_ROW_COLOUR"
    COLOUR_TAKEN = "E_COLOUR_TAKEN"
    PATCH_LATE = "E_PATCH_LATE"
    LOCKED = "E_LOCKED"
    BACKGROUND = "E_BACKGROUND"
    STITCH = "E_STITCH"
    UNLOCK = "E_UNLOCK"
    NO_PENCIL = "E_NO_PENCIL"
    ERASED = "E_ERASED"


class IllegalDecisionError(KviltError):
    """A decision that the rules forbid in this state.

    Attributes:
        code: the kind.
        regions: names of the sheet's regions that are at fault; may be empty.
    """

    def __init__(self, code: FaultCode, says: str, regions: tuple[str, ...] = ()) -> None:
        super().__init__(says)
        self.code = code
        self.regions = regions

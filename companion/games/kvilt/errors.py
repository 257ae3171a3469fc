"""Errors of the rules: codes and values; the sentences for people are in `companion.kvilt.refusals`.

Malformed and illegal decisions are different errors.
"""

from enum import StrEnum


class KviltError(Exception):
    """The base class of all errors of the rules."""


class GameOverError(KviltError):
    """Raised if the seat to move is requested after the end of the game."""


class SetupReason(StrEnum):
    """The reasons why no game can begin with a setup."""

    NUMBER_OF_NAMES = "number-of-names"
    EMPTY_NAME = "empty-name"
    UNPRINTABLE_NAME = "unprintable-name"
    FIRST_SEAT = "first-seat"
    FOUR_PLAYERS = "four-players"


class SetupError(KviltError):
    """Raised for an impossible setup.

    Attributes:
        reason: the kind.
        players: the number of players.
    """

    def __init__(self, reason: SetupReason, players: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.players = reason, players


class MalformedReason(StrEnum):
    """The reasons why input is not a decision in any state of the game."""

    NOT_AN_OBJECT = "not-an-object"
    MOVE = "move"
    NUMBER = "number"
    TEXT = "text"
    LONG_TEXT = "long-text"
    TEXTS = "texts"
    FLAG = "flag"
    SOURCE = "source"
    CELLS = "cells"
    ROWS = "rows"


class MalformedDecisionError(KviltError):
    """Raised for input that is not a decision in any state of the game.

    Attributes:
        reason: the kind.
        key: the key at fault; empty if none is.
        most: the greatest number, or the number of characters, that is allowed there; otherwise 0.
    """

    def __init__(self, reason: MalformedReason, key: str = "", most: int = 0) -> None:
        super().__init__(f"{reason} {key}".strip())
        self.reason, self.key, self.most = reason, key, most


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


class IllegalReason(StrEnum):
    """The reasons why a well-formed decision is not allowed now, more finely than by its code."""

    FINISHED = "finished"
    OTHER_PHASE = "other-phase"
    WRONG_TURN = "wrong-turn"
    NO_SUCH_TOKEN = "no-such-token"  # noqa: S105 - a scrap token
    TOKEN_TAKEN = "token-taken"  # noqa: S105 - a scrap token
    NOT_IN_BAG = "not-in-bag"
    NOT_NEUTRAL = "not-neutral"
    NO_SUCH_CUSHION = "no-such-cushion"
    CUSHION_FULL = "cushion-full"
    CUSHION_EMPTY = "cushion-empty"
    CUSHION_TAKEN = "cushion-taken"
    NOT_JUST_FILLED = "not-just-filled"
    NEUTRAL_LACKS = "neutral-lacks"
    BONUS_FIRST = "bonus-first"
    NO_BONUS = "no-bonus"
    NOT_DUE = "not-due"
    TWO_ROWS = "two-rows"
    NO_SUCH_ROW = "no-such-row"
    ROW_COMPLETE = "row-complete"
    ROW_COLOUR = "row-colour"
    COLOUR_OF_ROW = "colour-of-row"
    NO_BONUS_COLOUR = "no-bonus-colour"
    BACKGROUND_REQUIRED = "background-required"
    NO_SUCH_PATCH = "no-such-patch"
    PATCH_COLOURED = "patch-coloured"
    COLUMN_BEGUN = "column-begun"
    EVERY_THREAD = "every-thread"
    SPOOL_LOCKED = "spool-locked"
    NO_OWN_PENCIL = "no-own-pencil"
    OTHER_PENCIL = "other-pencil"
    NO_SUCH_PART = "no-such-part"
    PART_COLOURED = "part-coloured"
    REPEATED_CELL = "repeated-cell"
    NO_BACKGROUND = "no-background"
    AS_MANY = "as-many"
    NOT_EXCHANGEABLE = "not-exchangeable"
    EXCHANGES_FIRST = "exchanges-first"


class IllegalDecisionError(KviltError):
    """A decision that the rules forbid in this state.

    Attributes:
        code: the kind of fault.
        reason: the kind, more finely.
        regions: names of the sheet's regions that are at fault; may be empty.
        number: the pincushion, row, column, spool or seat concerned, or the pencils given; otherwise 0.
        last: the greatest number allowed, or the pencils that are lacking; otherwise 0.
        seats: the seats that may decide, for a seat that may not; otherwise empty.
        colour: the colour of the pencil or token concerned, or None.
        other: the row's colour, for another pencil; otherwise None.
        name: the cell, patch or part concerned, which may be any text; otherwise empty.
        names: names that would be allowed; otherwise empty.
        kind: the task or the phase that the decision belongs to, as in `TaskKind` or `Phase`; otherwise empty.
        phase: the present phase, for a decision of another one; otherwise empty.
    """

    def __init__(
        self,
        code: FaultCode,
        reason: IllegalReason,
        *regions: str,
        number: int = 0,
        last: int = 0,
        seats: tuple[int, ...] = (),
        colour: str | None = None,
        other: str | None = None,
        name: str = "",
        names: tuple[str, ...] = (),
        kind: str = "",
        phase: str = "",
    ) -> None:
        super().__init__(" ".join([code, reason, *regions]))
        self.code, self.reason, self.regions = code, reason, regions
        self.number, self.last, self.seats = number, last, seats
        self.colour, self.other = colour, other
        self.name, self.names = name, names
        self.kind, self.phase = kind, phase

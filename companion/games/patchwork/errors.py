"""Errors of the rules: codes and values; the sentences for people are in `companion.patchwork.naming`.

Malformed and illegal decisions are different errors; ambiguous ones are in `legal`.
"""

from enum import StrEnum


class PatchworkError(Exception):
    """The base class of all errors of the rules."""


class GameOverError(PatchworkError):
    """Raised if the seat to move is requested after the end of the game."""


class SetupReason(StrEnum):
    """The reasons why no game can begin with a setup."""

    RULES = "rules"
    EDITION = "edition"
    FIRST_SEAT = "first-seat"
    BUTTONS = "buttons"
    NOT_TWO_NAMES = "not-two-names"
    EMPTY_NAME = "empty-name"
    UNPRINTABLE_NAME = "unprintable-name"
    MARKET = "market"
    UNKNOWN_PATCH = "unknown-patch"
    REPEATED_PATCH = "repeated-patch"
    MISSING_PATCHES = "missing-patches"
    SMALLEST_NOT_LAST = "smallest-not-last"


class SetupError(PatchworkError):
    """Raised for an impossible setup.

    Attributes:
        reason: the kind.
        patches: the unknown, repeated or missing patches of the circle, or its last one; may be any texts.
    """

    def __init__(self, reason: SetupReason, *patches: str) -> None:
        super().__init__(" ".join([reason, *(repr(patch[:40]) for patch in patches)]))
        self.reason, self.patches = reason, patches


class MalformedReason(StrEnum):
    """The reasons why input is not a decision in any state of the game."""

    NOT_AN_OBJECT = "not-an-object"
    MOVE = "move"
    SEAT = "seat"
    BUTTONS = "buttons"
    PATCH = "patch"
    UNKNOWN_PATCH = "unknown-patch"
    CELLS = "cells"
    UNKNOWN_CELL = "unknown-cell"
    REPEATED_CELL = "repeated-cell"
    LEATHER_CELLS = "leather-cells"


class MalformedDecisionError(PatchworkError):
    """Raised for input that is not a decision in any state of the game.

    Attributes:
        reason: the kind.
        value: the patch or the cell at fault, which may be any text; otherwise empty.
    """

    def __init__(self, reason: MalformedReason, value: str = "") -> None:
        # Quoted and cut, because an error is one line, whatever a file contains.
        super().__init__(f"{reason} {value[:40]!r}" if value else reason)
        self.reason, self.value = reason, value


class IllegalReason(StrEnum):
    """The reasons why a well-formed decision is not allowed now."""

    FINISHED = "finished"
    COUNTED_EARLY = "counted-early"
    AWARDED_EARLY = "awarded-early"
    WRONG_TURN = "wrong-turn"
    LEATHER_FIRST = "leather-first"
    NO_LEATHER = "no-leather"
    UNKNOWN_PATCH = "unknown-patch"
    BOUGHT = "bought"
    NOT_OFFERED = "not-offered"
    NOT_AFFORDABLE = "not-affordable"
    OVER_THE_EDGE = "over-the-edge"
    WRONG_SHAPE = "wrong-shape"
    NO_SUCH_SHAPE = "no-such-shape"
    LEATHER_SHAPE = "leather-shape"
    OVERLAP = "overlap"
    NO_SQUARE = "no-square"


class IllegalDecisionError(PatchworkError):
    """A decision that the rules forbid in this state.

    Attributes:
        reason: the kind.
        cells: the offending cells as a bit mask (for an overlap the cells covered twice); 0 if no cell is at fault.
        patch: the patch at fault, or None.
        turn: the seat to move, or None after the end.
        buttons: the buttons of the seat to move, for a patch that it cannot afford; otherwise 0.
        offers: the patches on offer, for a patch that is not; otherwise empty.
    """

    def __init__(
        self,
        reason: IllegalReason,
        cells: int = 0,
        patch: str | None = None,
        *,
        turn: int | None = None,
        buttons: int = 0,
        offers: tuple[str, ...] = (),
    ) -> None:
        super().__init__(reason if patch is None else f"{reason} {patch}")
        self.reason, self.cells, self.patch = reason, cells, patch
        self.turn, self.buttons, self.offers = turn, buttons, offers

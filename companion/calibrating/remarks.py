"""Obstacles to a calibration, as sentences with instructions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from companion.errors import CompanionError
from companion.languages import counted, listed, said

if TYPE_CHECKING:
    from collections.abc import Sequence

CORNER_NAMES: Final = (said("top left"), said("top right"), said("bottom right"), said("bottom left"))


class CalibrationRefusedError(CompanionError):
    """Raised if the camera's picture is too poor for a calibration; the message gives the reason and the remedy.

    Args:
        says: the sentence; also an attribute.
        command: the command to name before it in the message, for a terminal.
    """

    def __init__(self, says: str, command: str = "") -> None:
        super().__init__(said("{command}: {fault}", command=command, fault=says) if command else says)
        self.says = says


class RemarkCode(StrEnum):
    """The subject of a remark, for programs."""

    NO_MATS = "no-mats"
    NO_MAT = "no-mat"
    NO_MARKER = "no-marker"
    MARKER_OUTSIDE = "marker-outside"
    BOARD_OUTSIDE = "board-outside"
    NO_BOARD = "no-board"
    NO_LINES = "no-lines"
    NOT_EMPTY = "not-empty"
    MOVING = "moving"
    RESTLESS = "restless"
    DARK = "dark"
    DIM = "dim"
    BRIGHT = "bright"
    UNEVEN = "uneven"
    BLURRED = "blurred"
    SOFT = "soft"
    FAR = "far"
    SMALL = "small"
    SCALE = "scale"
    RESIDUAL = "residual"
    CHART = "chart"


@dataclass(frozen=True, slots=True)
class Remark:
    """A fault of the set-up that the user should know of or correct.

    Attributes:
        code: its subject.
        says: the sentence.
        blocks: whether the calibration waits for its correction.
        seat: the seat of the mat or board; None for the whole table.
    """

    code: RemarkCode
    says: str
    blocks: bool = True
    seat: int | None = None


def refusal(remarks: Sequence[Remark], otherwise: str) -> CalibrationRefusedError:
    """Return the error for the first blocking remark, with the number of further ones."""
    blocking = [remark for remark in remarks if remark.blocks]
    if not blocking:
        return CalibrationRefusedError(otherwise, "calibrate")
    first, more = blocking[0].says, len(blocking) - 1
    says = counted("{first} ({count} more)", "{first} ({count} more)", more, first=first) if more else first
    return CalibrationRefusedError(says, "calibrate")


def no_mats() -> Remark:
    """Return the remark that no marker is seen at all."""
    says = said("The camera sees no mat: print the mats with companion print mats and put them under the camera.")
    return Remark(RemarkCode.NO_MATS, says)


def no_mat(seat: int) -> Remark:
    """Return the remark that none of one mat's markers is seen."""
    says = said("The camera does not see seat {seat}’s mat: put it under the camera, uncovered.", seat=seat)
    return Remark(RemarkCode.NO_MAT, says, seat=seat)


def no_marker(seat: int, index: int, *, outside: bool) -> Remark:
    """Return the remark that one of a mat's markers is not seen, although others are."""
    corner = CORNER_NAMES[index]
    if outside:
        says = said(
            "Seat {seat}’s mat: its {corner} marker is outside the picture: move the mat or the camera.",
            seat=seat,
            corner=corner,
        )
        return Remark(RemarkCode.MARKER_OUTSIDE, says, seat=seat)
    says = said(
        "Seat {seat}’s mat: the camera does not see its {corner} marker: remove whatever covers it, or move the "
        "lamp that glares on it.",
        seat=seat,
        corner=corner,
    )
    return Remark(RemarkCode.NO_MARKER, says, seat=seat)


def board_outside(seat: int, corner: str) -> Remark:
    """Return the remark that a part of the board is outside the picture."""
    says = said(
        "Seat {seat}’s board: its corner {corner} is outside the picture: move the mat or the camera.",
        seat=seat,
        corner=corner,
    )
    return Remark(RemarkCode.BOARD_OUTSIDE, says, seat=seat)


def no_board(seat: int) -> Remark:
    """Return the remark that no printed grid is seen on a mat."""
    says = said("The camera does not see seat {seat}’s board on its mat: put the empty board on the frame.", seat=seat)
    return Remark(RemarkCode.NO_BOARD, says, seat=seat)


def no_lines(seat: int) -> Remark:
    """Return the remark that there are no printed lines at the corners that the user has set."""
    says = said(
        "There is no printed grid at seat {seat}’s corners: move them onto the outer lines of the empty board.",
        seat=seat,
    )
    return Remark(RemarkCode.NO_LINES, says, seat=seat)


def board_not_found(seat: int) -> Remark:
    """Return the remark that a board without a mat is not found."""
    says = said(
        "Seat {seat}’s board was not found: put the empty board in view, or move its corners into place.", seat=seat
    )
    return Remark(RemarkCode.NO_BOARD, says, seat=seat)


def not_empty(seat: int, cells: Sequence[str]) -> Remark:
    """Return the remark that something lies on a board."""
    named = listed(cells[:6])
    if len(cells) > 6:
        named = said("{cells} and {count} more", cells=named, count=len(cells) - 6)
    says = said(
        "Something is lying on seat {seat}’s board at {cells}: the board must be empty.", seat=seat, cells=named
    )
    return Remark(RemarkCode.NOT_EMPTY, says, seat=seat)


def moving(seat: int) -> Remark:
    """Return the remark that there is a hand in the picture, or a board that is still being put down."""
    says = said("Something is moving at seat {seat}’s board: take your hands away.", seat=seat)
    return Remark(RemarkCode.MOVING, says, seat=seat)


def restless() -> Remark:
    """Return the remark that the picture has been moving for too long to be caused by a hand."""
    says = said("The picture does not settle: it is dark and noisy, or a lamp flickers; more light helps.")
    return Remark(RemarkCode.RESTLESS, says)

"""Obstacles to a calibration, as sentences with instructions."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion.errors import CompanionError
from companion.languages import counted, listed, said

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
        fault: the sentence that names it.
        do: the sentence that says what to do; empty if the first one does.
        blocks: whether the calibration waits for its correction.
        seat: the seat of the mat or board; None for the whole table.
    """

    code: RemarkCode
    fault: str
    do: str = ""
    blocks: bool = True
    seat: int | None = None

    @property
    def says(self) -> str:
        """Both sentences."""
        return said("{fault} {do}", fault=self.fault, do=self.do) if self.do else self.fault


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
    do = said("Print the mats with companion print mats and put them under the camera.")
    return Remark(RemarkCode.NO_MATS, said("The camera sees no mat."), do)


def no_mat(seat: int) -> Remark:
    """Return the remark that none of one mat's markers is seen."""
    fault = said("The camera does not see seat {seat}’s mat.", seat=seat)
    return Remark(RemarkCode.NO_MAT, fault, said("Put it under the camera, uncovered."), seat=seat)


def no_marker(seat: int, index: int, *, outside: bool) -> Remark:
    """Return the remark that one of a mat's markers is not seen, although others are."""
    corner = CORNER_NAMES[index]
    if outside:
        fault = said("Seat {seat}’s mat: its {corner} marker is outside the picture.", seat=seat, corner=corner)
        return Remark(RemarkCode.MARKER_OUTSIDE, fault, said("Move the mat or the camera."), seat=seat)
    fault = said("Seat {seat}’s mat: the camera does not see its {corner} marker.", seat=seat, corner=corner)
    do = said("Remove whatever covers it, or move the lamp that glares on it.")
    return Remark(RemarkCode.NO_MARKER, fault, do, seat=seat)


def board_outside(seat: int, corner: str) -> Remark:
    """Return the remark that a part of the board is outside the picture."""
    fault = said("Seat {seat}’s board: its corner {corner} is outside the picture.", seat=seat, corner=corner)
    return Remark(RemarkCode.BOARD_OUTSIDE, fault, said("Move the mat or the camera."), seat=seat)


def no_board(seat: int) -> Remark:
    """Return the remark that no printed grid is seen on a mat."""
    fault = said("The camera does not see seat {seat}’s board on its mat.", seat=seat)
    return Remark(RemarkCode.NO_BOARD, fault, said("Put the empty board on the frame."), seat=seat)


def no_lines(seat: int) -> Remark:
    """Return the remark that there are no printed lines at the corners that the user has set."""
    fault = said("There is no printed grid at seat {seat}’s corners.", seat=seat)
    return Remark(RemarkCode.NO_LINES, fault, said("Move them onto the outer lines of the empty board."), seat=seat)


def board_not_found(seat: int) -> Remark:
    """Return the remark that a board without a mat is not found."""
    fault = said("Seat {seat}’s board was not found.", seat=seat)
    do = said("Put the empty board in view, or move its corners into place.")
    return Remark(RemarkCode.NO_BOARD, fault, do, seat=seat)


def not_empty(seat: int, cells: Sequence[str]) -> Remark:
    """Return the remark that something lies on a board."""
    named = listed(cells[:6])
    if len(cells) > 6:
        named = said("{cells} and {count} more", cells=named, count=len(cells) - 6)
    fault = said("Something is lying on seat {seat}’s board at {cells}.", seat=seat, cells=named)
    return Remark(RemarkCode.NOT_EMPTY, fault, said("The board must be empty."), seat=seat)


def moving(seat: int) -> Remark:
    """Return the remark that there is a hand in the picture, or a board that is still being put down."""
    fault = said("Something is moving at seat {seat}’s board.", seat=seat)
    return Remark(RemarkCode.MOVING, fault, said("Take your hands away."), seat=seat)


def restless() -> Remark:
    """Return the remark that the picture has been moving for too long to be caused by a hand."""
    fault = said("The picture does not settle: it is dark and noisy, or a lamp flickers.")
    return Remark(RemarkCode.RESTLESS, fault, said("More light helps."))

"""Obstacles to a calibration, as sentences with instructions."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import CompanionError
from companion.languages import counted, listed, said


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

    NOTHING = "nothing"
    MIRRORED = "mirrored"
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
    OVEREXPOSED = "overexposed"
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


def not_empty(seat: int, cells: Sequence[str]) -> Remark:
    """Return the remark that something lies on a board."""
    named = listed(cells[:6])
    if len(cells) > 6:
        named = said("{cells} and {count} more", cells=named, count=len(cells) - 6)
    fault = said("Something is lying on seat {seat}’s board at {cells}.", seat=seat, cells=named)
    return Remark(RemarkCode.NOT_EMPTY, fault, said("The board must be empty."), seat=seat)

"""The head of a table recording: the game's setup, and how the quilts are found in its frames."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from calibration.boards import FoundLocator, Seating, Side
from calibration.locator import CornerLocator, MatLocator, QuiltLocator
from calibration.mat import load_mats
from calibration.stored import CalibratedLocator, CalibrationError, TableCalibration, calibration_of
from companion.calibrating.configured import Quad, quads, read_corners, read_toml
from companion.games.patchwork.decisions import decision_to_json
from companion.games.patchwork.state import Setup
from companion.languages import Sentence, all_of, any_of, said
from companion.patchwork.codec import header_from_json, header_to_json
from companion.patchwork.commands import Plan
from companion.record import RecordError
from hardware.ports import Press
from hardware.recorded import Instruction, RecordingWriter
from hardware.recorded.writer import HEADER_NAME


class Recorder:
    """A writer of presses and commands before they are carried out."""

    def __init__(self, writer: RecordingWriter) -> None:
        self._writer = writer

    def press(self, press: Press, *, answers: bool) -> None:
        """Write a press; `answers` tells whether it answers a question."""
        self._writer.press(press, answers)

    def command(self, plan: Plan, now_s: float, *, answers: bool) -> None:
        """Write a command's plan, with its time on the frames' clock."""
        decision = None if plan.decision is None else decision_to_json(plan.decision)
        self._writer.instruction(Instruction(now_s, decision, answers, plan.takes_back, plan.looks, plan.insists))


_WAYS: Final = {"fiducials", "corners", "file", "boards"}


@dataclass(frozen=True, slots=True, eq=False)
class RecordingHead:
    """The contents of `recording.toml`.

    Attributes:
        corners: by seat in order, the grids' corners in the first frame, or None if not given.
        seating: the players' places at the table, if the boards are to be located without mats.
        calibration: the result of `companion calibrate`; with none of the three, mats lie on the table.
    """

    setup: Setup
    corners: tuple[Quad, Quad] | None
    seating: Seating | None = None
    calibration: TableCalibration | None = None

    def locator(self) -> QuiltLocator:
        """Return a locator of the quilts in the recording's frames."""
        if self.seating is not None:
            return FoundLocator(self.seating)
        if self.calibration is not None:
            return CalibratedLocator(self.calibration)
        return MatLocator(*load_mats()) if self.corners is None else CornerLocator(self.corners)


def read_head(folder: Path) -> RecordingHead:
    """Read the head of the recording in a folder.

    Raises:
        RecordError: the head is missing or incomplete; the message names the file and the key.
    """
    path = folder / HEADER_NAME
    table = read_toml(path)
    try:
        setup = header_from_json(table)
    except RecordError as error:
        # The reader of headers does not know the file.
        raise RecordError(error.reason, path) from error
    calibration = table.get("calibration")
    if not isinstance(calibration, dict) or len(_WAYS & calibration.keys()) != 1:
        raise RecordError(
            said(
                "{section} must have exactly one of {names}",
                section="[calibration]",
                names=all_of(["fiducials", "corners", "file", "boards"]),
            ),
            path,
        )
    if "boards" in calibration:
        return RecordingHead(setup, None, _seating(path, calibration))
    if "file" in calibration:
        return _by_file(setup, path, calibration["file"])
    return RecordingHead(setup, _corners(path, calibration))


def head_text(setup: Setup, corners: tuple[Quad, Quad] | None = None, seating: Seating | None = None) -> str:
    """Return the text of `recording.toml`; without corners and seating it declares mats on the table."""
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in header_to_json(setup).items()]
    if seating is not None:
        where = _seating_lines(seating)
    elif corners is not None:
        where = [f"corners = {[np.round(quad, 2).tolist() for quad in corners]}"]
    else:
        where = ["fiducials = true"]
    return "\n".join([*lines, "", "[calibration]", *where, ""])


def _seating_lines(seating: Seating) -> list[str]:
    lines = ["boards = true"]
    if seating.sides is not None:
        lines.append(f"sides = {json.dumps(seating.sides)}")
    return [*lines, "swap = true"] if seating.swap else lines


def _instead(key: str) -> Sentence:
    return said(
        "{key} must be {value}, or give {other} instead", key=f"[calibration] {key}", value="true", other="corners"
    )


def _seating(path: Path, calibration: dict[str, Any]) -> Seating:
    if calibration["boards"] is not True:
        raise RecordError(_instead("boards"), path)
    sides, swap = calibration.get("sides"), calibration.get("swap", False)
    if not isinstance(swap, bool):
        raise RecordError(
            said("{key} must be {names}", key="[calibration] swap", names=any_of(["true", "false"])), path
        )
    if sides is None:
        return Seating(swap=swap)
    if not isinstance(sides, list) or len(sides) != 2 or any(side not in list(Side) for side in sides):
        raise RecordError(
            said(
                "{key} must be two of {names}: where seat {first} and seat {last} sit",
                key="[calibration] sides",
                names=", ".join(Side),
                first=1,
                last=2,
            ),
            path,
        )
    return Seating((Side(sides[0]), Side(sides[1])), swap)


def _by_file(setup: Setup, path: Path, name: object) -> RecordingHead:
    """Return a head with the calibration that `companion calibrate` wrote, or with the corners of a file of corners."""
    if not isinstance(name, str):
        raise RecordError(said("{key} must be the name of a file", key="[calibration] file"), path)
    file = path.parent / name
    table = read_toml(file)
    if "board" not in table:
        return RecordingHead(setup, read_corners(file))
    try:
        return RecordingHead(setup, None, calibration=calibration_of(table, file))
    except CalibrationError as error:
        raise RecordError(error.fault, file) from error


def _corners(path: Path, calibration: dict[str, Any]) -> tuple[Quad, Quad] | None:
    if "corners" in calibration:
        return quads(path, calibration["corners"])
    if calibration["fiducials"] is not True:
        raise RecordError(_instead("fiducials"), path)
    return None

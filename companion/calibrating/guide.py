"""The steps of a calibration: lay the mats, lay the empty boards, hands off; frames decide when a step is complete."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from calibration.lensfit import LensFit
from calibration.locator import SEATS
from calibration.mat import load_mats
from companion.calibrating.boards import SeenBoard, board_remarks, emptiness_remarks, mat_remarks, see_board, survey
from companion.calibrating.remarks import Remark, RemarkCode, refusal
from companion.calibrating.result import Calibrated, StillLook, calibrated, look_at_still
from companion.languages import said
from hardware.ports import Frame
from vision.fiducials import FiducialDetector
from vision.stillness import StabilityGate


class CalibrationStep(StrEnum):
    """The step that a calibration has reached.

    MATS: the mats are being laid. BOARDS: the empty boards are being laid. REST: hands are withdrawn, and the strip
    shows its neutral light. DONE: everything is measured.
    """

    MATS = "mats"
    BOARDS = "boards"
    REST = "rest"
    DONE = "done"


INSTRUCTIONS: Final = {
    CalibrationStep.MATS: said("Put the two printed mats under the camera, with all eight markers in view."),
    CalibrationStep.BOARDS: said("Put the two empty quilt boards on their mats, inside the frames."),
    CalibrationStep.REST: said("Now take your hands away and leave everything where it is."),
    CalibrationStep.DONE: said("Done: the table is calibrated."),
}
REST_FRAMES: Final = 5
"""The number of frames at rest that are measured and averaged."""
# The number of consecutive frames after which a hand in view is ruled out as the cause.
_STIRRED: Final = 25


@dataclass(frozen=True, slots=True)
class Progress:
    """The instructions and findings to display after a frame.

    Attributes:
        step: the current step.
        says: the current instruction, one sentence.
        remarks: the obstacles and possible improvements.
        share: the completed part of the step, 0..1.
    """

    step: CalibrationStep
    says: str
    remarks: tuple[Remark, ...]
    share: float


class Guide:
    """An observer of a table that is being set up, which measures it once it is at rest.

    Args:
        lens: the fitted lens, or None if unknown; frames must be undistorted by it.
        rest_frames: the number of frames at rest to average; with 1 a single photograph suffices.

    Attributes:
        step: the step that has been reached.
        boards: the boards seen in the latest frame, by seat.
    """

    def __init__(self, lens: LensFit | None = None, rest_frames: int = REST_FRAMES) -> None:
        self._mats = load_mats()
        self._detector = FiducialDetector(self._mats[0].dictionary)
        self._lens, self._rest_frames = lens, rest_frames
        self._gates = {seat: StabilityGate(2) for seat in SEATS}
        self.step = CalibrationStep.MATS
        self._rest: list[tuple[Frame, Mapping[int, SeenBoard]]] = []
        self._said: tuple[Remark, ...] = ()
        self.boards: Mapping[int, SeenBoard] = {}
        self._moved = self._watched = 0
        self._still: StillLook | None = None

    def see(self, frame: Frame) -> Progress:
        """Process the next frame; the step may advance, or go back if something was removed again."""
        if self.step is not CalibrationStep.DONE:
            self._said = tuple(self._look(frame))
        share = len(self._rest) / self._rest_frames
        return Progress(self.step, INSTRUCTIONS[self.step], self._said, min(1.0, share))

    def refine(self, still: Frame) -> bool:
        """Refine the measurement by a still of the table at rest, undistorted like the frames.

        Returns:
            Whether the still is used: not before the last step, nor if the table differs in it, nor if it is no larger.
        """
        if self.step is CalibrationStep.DONE:
            self._still = look_at_still(still, *self._rest[-1])
        return self._still is not None

    def result(self, taken: datetime) -> Calibrated:
        """Return the calibration measured, stored as `taken` at a time with its zone.

        Raises:
            CalibrationRefusedError: it is not finished; the message names the obstacle.
        """
        if self.step is not CalibrationStep.DONE:
            raise refusal(self._said, said("Calibration failed: {what}", what=INSTRUCTIONS[self.step]))
        return calibrated(self._rest, self._lens, taken, self._still)

    def _look(self, frame: Frame) -> Sequence[Remark]:
        seen = survey(frame.image, self._mats, self._detector.detect(frame.image))
        faults = mat_remarks(seen, frame.image)
        if any(remark.blocks for remark in faults):
            placed = [mat for mat in seen.values() if mat.mat_to_image is not None]
            # A hand over a marker does not mean that a mat was removed.
            return self._back(self.step if len(placed) == len(SEATS) else CalibrationStep.MATS, faults)
        boards = {seat: see_board(frame.image, mat) for seat, mat in seen.items()}
        missing = [board for board in boards.values() if isinstance(board, Remark)]
        self.boards = found = {seat: board for seat, board in boards.items() if isinstance(board, SeenBoard)}
        if missing:
            return self._back(CalibrationStep.BOARDS, [*faults, *missing])
        return self._at_rest(frame, found, faults)

    def _at_rest(self, frame: Frame, boards: Mapping[int, SeenBoard], faults: list[Remark]) -> Sequence[Remark]:
        self._enter_rest()
        self._watched += 1
        stirring = [seat for seat, board in boards.items() if not self._is_still(seat, board)]
        self._moved = self._moved + 1 if stirring else 0
        if stirring:
            self._rest.clear()
            return [*faults, *self._motion_remarks(stirring)]
        wrong = [remark for board in boards.values() for remark in board_remarks(board)]
        if not self._rest:  # An object that is present in the first of them is present in the others too.
            wrong += [remark for board in boards.values() for remark in emptiness_remarks(board)]
        if any(remark.blocks for remark in wrong):
            self._rest.clear()
            return [*faults, *wrong]
        self._rest.append((frame, boards))
        if len(self._rest) >= self._rest_frames:
            self.step = CalibrationStep.DONE
        return [*faults, *wrong]

    def _motion_remarks(self, stirring: Sequence[int]) -> Sequence[Remark]:
        """Return the remarks on movement in the picture.

        The first frame of a rest has nothing to be compared with, so it never counts as a hand. Many consecutive frames
        without rest do not indicate a hand either.
        """
        if self._moved > _STIRRED:
            fault = said("The picture does not settle: it is dark and noisy, or a lamp flickers.")
            return [Remark(RemarkCode.RESTLESS, fault, said("More light helps."))]
        hands = {seat: said("Something is moving at seat {seat}’s board.", seat=seat) for seat in stirring}
        do = said("Take your hands away.")
        return [Remark(RemarkCode.MOVING, each, do, seat=seat) for seat, each in hands.items() if self._watched > 1]

    def _enter_rest(self) -> None:
        if self.step is not CalibrationStep.REST:
            self.step, self._moved = CalibrationStep.REST, 0

    def _is_still(self, seat: int, board: SeenBoard) -> bool:
        """Return whether a board looks the same as in the previous frame."""
        # A single photograph has no previous frame to be compared with.
        return self._gates[seat].watch(board.view) or self._rest_frames == 1

    def _back(self, step: CalibrationStep, faults: Sequence[Remark]) -> Sequence[Remark]:
        self.step, self._watched = step, 0
        self._rest.clear()
        for gate in self._gates.values():
            gate.forget()
        return faults

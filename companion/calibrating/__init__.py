"""Calibrating a table step by step: frames in, sentences and a calibration out. No terminal and no page is known."""

from companion.calibrating.desk import CalibrationDesk, View
from companion.calibrating.guide import Guide, Progress, Step
from companion.calibrating.lensguide import LensGuide, LensProgress
from companion.calibrating.remarks import CalibrationRefusedError, Remark
from companion.calibrating.result import Calibrated, keep_calibrated

__all__ = [
    "Calibrated",
    "CalibrationDesk",
    "CalibrationRefusedError",
    "Guide",
    "LensGuide",
    "LensProgress",
    "Progress",
    "Remark",
    "Step",
    "View",
    "keep_calibrated",
]

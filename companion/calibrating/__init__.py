"""Step-by-step calibration of a table: frames in, sentences and a calibration out; independent of terminal and page."""

from companion.calibrating.desk import CalibrationDesk, View
from companion.calibrating.guide import CalibrationStep, Guide, Progress
from companion.calibrating.lensguide import LensGuide, LensProgress
from companion.calibrating.remarks import CalibrationRefusedError, Remark
from companion.calibrating.result import Calibrated, save_calibrated

__all__ = [
    "Calibrated",
    "CalibrationDesk",
    "CalibrationRefusedError",
    "CalibrationStep",
    "Guide",
    "LensGuide",
    "LensProgress",
    "Progress",
    "Remark",
    "View",
    "save_calibrated",
]

"""`companion photo`: a picture of the table, as large as the camera takes it, and straightened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from calibration.calibrated import straightened
from companion.bootstrap import TABLE_NAME, as_calibrated, calibration_path
from companion.bootstrap.devices import open_camera
from companion.bootstrap.locating import calibration_of
from companion.cli.options import config_of, config_option, data_option, journal_path
from companion.cli.output import put
from companion.errors import CompanionError
from hardware.clock import SystemClock
from hardware.ports import StillCamera

if TYPE_CHECKING:
    import argparse

    from calibration.stored import TableCalibration
    from companion.cli.subparsers import Subparsers
    from companion.config import Config
    from hardware.ports import Frame

FORMATS = (".jpg", ".jpeg", ".png")
_JPEG_QUALITY = 95


class PhotoFileError(CompanionError):
    """The picture cannot be written."""


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "photo",
        parents=[config_option(), data_option()],
        help="take a photograph with the camera over the table",
        description="Take one photograph with the camera over the table, for companion score or to see what it sees. "
        "What the lens bends is straightened, where companion calibrate --lens has found it out.",
    )
    parser.add_argument("--raw", action="store_true", help="leave it as the lens bends it")
    parser.add_argument("file", type=Path, metavar="FILE", help="where to write it: a .jpg or .png")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Take it and say how large it is."""
    path: Path = args.file
    if path.suffix.lower() not in FORMATS:
        raise PhotoFileError(f"{path}: has no ending of a picture; choose one of {', '.join(FORMATS)}")
    config = config_of(args)
    calibration = None if args.raw else _calibration(args, config)
    frame = _taken(config, calibration)
    _write(frame, path)
    height, width = frame.image.shape[:2]
    straight = "" if calibration is None or calibration.lens is None else ", straightened"
    put(f"{path}: {width}x{height} pixels{_exposed(frame)}{straight}\n")
    return 0


def _calibration(args: argparse.Namespace, config: Config) -> TableCalibration | None:
    """The table's: the one that is configured, or the one that was made on the page."""
    kept = calibration_path(journal_path(args, config).parent, TABLE_NAME)
    return calibration_of(as_calibrated(config, kept).table)


def _taken(config: Config, calibration: TableCalibration | None) -> Frame:
    camera = straightened(open_camera(config, SystemClock()), calibration)
    try:
        return camera.still() if isinstance(camera, StillCamera) else camera.capture()
    finally:
        camera.close()


def _write(frame: Frame, path: Path) -> None:
    _, data = cv2.imencode(path.suffix.lower(), frame.image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise PhotoFileError(f"{path}: cannot be written: {error.strerror}") from error


def _exposed(frame: Frame) -> str:
    """How it was taken, where the camera says so."""
    exposure_us, gain = frame.metadata.get("ExposureTime"), frame.metadata.get("AnalogueGain")
    if not isinstance(exposure_us, int | float) or not isinstance(gain, int | float):
        return ""
    return f", exposed for {exposure_us / 1000:.1f} ms at gain {gain:.1f}"

"""`companion photo`: a picture of the table at the camera's full resolution, undistorted if the lens is known."""

import argparse
from pathlib import Path

import cv2

from calibration.stored import TableCalibration, straightened
from companion.calibrating.configured import calibration_of, calibration_path, with_own_calibration
from companion.cli.options import add_shared, config_of, journal_path, language_of
from companion.compose.devices import open_camera
from companion.config import Config
from companion.errors import CompanionError
from companion.journal import TABLE_NAME
from companion.languages import Sentence, any_of, listed, render, said
from companion.terminal.output import put
from companion.terminal.photograph import write_picture
from hardware.clock import SystemClock
from hardware.ports import Frame, StillCamera

FORMATS = (".jpg", ".jpeg", ".png")
# High, as the picture may be scored: compression blurs the printed lines.
_JPEG_QUALITY = 95


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--data", "--language")
    parser.description = said(
        "Take one photograph with the camera over the table, for {command} or to check what the camera sees. "
        "The lens’s distortion is corrected if {other} has measured it.",
        command="companion score",
        other="companion calibrate --lens",
    )
    parser.add_argument("--raw", action="store_true", help=said("do not correct the lens’s distortion"))
    parser.add_argument(
        "file", type=Path, metavar="FILE", help=said("the file to write: a {endings}", endings=any_of([".jpg", ".png"]))
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Take a photograph and print its size."""
    path: Path = args.file
    if path.suffix.lower() not in FORMATS:
        raise CompanionError.said(
            "{path}: does not end like a picture file; choose one of {names}", path=str(path), names=any_of(FORMATS)
        )
    config = config_of(args)
    calibration = None if args.raw else _calibration(args, config)
    frame = _taken(config, calibration)
    _, content = cv2.imencode(path.suffix.lower(), frame.image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    write_picture(path, content.tobytes(), str(path))
    height, width = frame.image.shape[:2]
    straight = [] if calibration is None or calibration.lens is None else [said("straightened")]
    taken = said("{path}: {size} pixels", path=str(path), size=f"{width}x{height}")
    where = [said("of the simulated table")] if config.camera.driver == "simulated" else []
    put(render(listed([taken, *where, *_exposed(frame), *straight]), language_of(args, config)) + "\n")
    return 0


def _calibration(args: argparse.Namespace, config: Config) -> TableCalibration | None:
    """Return the table's calibration: the configured one, or the one made on the page."""
    kept = calibration_path(journal_path(args, config).parent, TABLE_NAME)
    return calibration_of(with_own_calibration(config, kept).table)


def _taken(config: Config, calibration: TableCalibration | None) -> Frame:
    camera = straightened(open_camera(config, SystemClock()), calibration)
    try:
        return camera.still() if isinstance(camera, StillCamera) else camera.capture()
    finally:
        camera.close()


def _exposed(frame: Frame) -> list[Sentence]:
    """Return the exposure settings, if the camera reports them."""
    exposure_us, gain = frame.metadata.get("ExposureTime"), frame.metadata.get("AnalogueGain")
    if not isinstance(exposure_us, int | float) or not isinstance(gain, int | float):
        return []
    ms = round(exposure_us / 1000, 1)
    return [said("exposed for {ms} ms at gain {gain}", ms=ms, gain=round(gain, 1))]

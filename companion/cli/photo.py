"""`companion photo`: one picture of the table, as large as the camera can take it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from companion.bootstrap.devices import open_camera
from companion.cli.options import config_of, config_option
from companion.cli.output import put
from companion.errors import CompanionError
from hardware.clock import SystemClock

if TYPE_CHECKING:
    import argparse

    from companion.cli.commands import Subparsers
    from hardware.ports import Frame

FORMATS = (".jpg", ".jpeg", ".png")
_JPEG_QUALITY = 95


class PhotoFileError(CompanionError):
    """The picture cannot be written."""


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "photo",
        parents=[config_option()],
        help="take a photograph with the camera over the table",
        description="Take one photograph with the camera over the table, for companion score or to see what it sees.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="where to write it: a .jpg or .png")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Take it and say how large it is."""
    path: Path = args.file
    if path.suffix.lower() not in FORMATS:
        raise PhotoFileError(f"{path}: has no ending of a picture; choose one of {', '.join(FORMATS)}")
    camera = open_camera(config_of(args), SystemClock())
    try:
        frame = camera.still()
    finally:
        camera.close()
    _write(frame, path)
    height, width = frame.image.shape[:2]
    put(f"{path}: {width}x{height} pixels{_exposed(frame)}\n")
    return 0


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

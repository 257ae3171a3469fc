"""The program on this machine as a service to install, and a default configuration for the board."""

import sys
from dataclasses import replace
from pathlib import Path

import companion
from companion.config import Config
from companion.configuration import config_text
from companion.upkeep.install import Destination
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.neopixel import NeoPixelDriver
from hardware.drivers.none import NoControlsDriver, NoStripDriver
from hardware.drivers.pi import PiCameraDriver
from hardware.drivers.webcam import WebcamDriver
from hardware.environment import PiBoard, read_board


def place_of(root: Path, board: PiBoard | None = None) -> Destination:
    """Return the destination for installing this program as a service.

    Args:
        root: the root folder of the system to install it in.
        board: the Raspberry Pi's model; None to detect this machine's.
    """
    config = service_config(board or read_board())
    command = Path(sys.prefix) / "bin" / "companion"
    source = Path(companion.__file__).resolve().parents[1]
    booted = Path("/run/systemd/system").is_dir()
    return Destination(command, config_text(config), config.page.port, root, (Path(sys.prefix), source), booted)


def service_config(board: PiBoard | None) -> Config:
    """Return a service's initial configuration: all of a Pi's devices, or, elsewhere, a webcam and the page."""
    if board is None:
        config = Config(camera=WebcamDriver(), controls=NoControlsDriver(), strip=NoStripDriver())
    else:
        config = Config(camera=_pi_camera(board), controls=GpioDriver(), strip=NeoPixelDriver())
    # A service's machine often has no screen of its own: without this, nobody could see its page.
    return replace(config, page=replace(config.page, lan=True))


def _pi_camera(board: PiBoard) -> PiCameraDriver:
    """Return the camera's configuration with a size and frame rate that a board can handle; see docs/performance.md."""
    if board.generation > 3:
        return PiCameraDriver()
    return PiCameraDriver(size=(1280, 720), fps=5.0) if board.is_zero else PiCameraDriver(fps=8.0)

"""Libraries that drive a strip of NeoPixels on each Raspberry Pi, and checks of their requirements.

Pi 1 to 4: rpi_ws281x, by SPI on GPIO10 without root, by PWM (GPIO 12, 13, 18, 19) or PCM (GPIO21) as root only. From
Pi 5 on a separate chip has the pins: its programmable I/O drives any of them, through /dev/pio0.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.languages import any_of, said
from hardware.environment import this_environment
from hardware.pi.board import PiBoard
from hardware.ports import HardwareError

SPI_PIN: Final = 10
_BETTER: Final = said(
    "connect its data wire to {pin} (pin {number} of the header) and set {key} under {section}",
    pin=f"GPIO{SPI_PIN}",
    number=19,
    key=f"pin = {SPI_PIN}",
    section="[strip]",
)
# Default buffer size of the kernel's spidev, in bytes: 339 pixels.
_SPI_ROOM: Final = 4096
_ROOT_PINS: Final = (12, 13, 18, 19, 21)


@dataclass(frozen=True, slots=True)
class Backend:
    """A library that drives the strip.

    Attributes:
        module: name of its Python module.
        package: name of its package in pip.
        device: file that must exist and be writable, None if root accesses the memory instead.
        enable: instruction to enable the device.
        group: group with write access to it.
    """

    module: str
    package: str
    device: str | None
    enable: str = ""
    group: str = ""

    @property
    def needs_root(self) -> bool:
        """True if it requires root."""
        return self.device is None

    @property
    def mend(self) -> str:
        """The command that installs it into the current environment."""
        return this_environment().pip("adafruit-circuitpython-neopixel", self.package)


SPI: Final = Backend(
    "_rpi_ws281x",
    "rpi_ws281x>=4",
    "/dev/spidev0.0",
    said("{command}, then restart the Pi", command="sudo raspi-config nonint do_spi 0"),
    "spi",
)
MEMORY: Final = Backend("_rpi_ws281x", "rpi_ws281x>=4", None)
PIO: Final = Backend(
    "adafruit_raspberry_pi5_neopixel_write",
    "Adafruit-Blinka-Raspberry-Pi5-Neopixel>=1.0.0rc2",
    "/dev/pio0",
    said("{command}, then restart the Pi", command="sudo apt full-upgrade, sudo rpi-eeprom-update -a"),
    "gpio",
)


def backend_for(board: PiBoard | None, pin: int) -> Backend:
    """Return the library that drives a strip whose data wire is at GPIO `pin`.

    Raises:
        HardwareError: there is none: this is no Raspberry Pi, or the pin is unsuitable.
    """
    if board is None:
        raise HardwareError(
            said(
                "a NeoPixel strip needs a Raspberry Pi, and this is not one; choose {key} = {names} under {section}",
                key="driver",
                names=any_of(['"wled"', '"none"']),
                section="[strip]",
            )
        )
    if board.generation >= 5:
        return PIO
    if pin == SPI_PIN:
        return SPI
    if pin in _ROOT_PINS:
        return MEMORY
    raise HardwareError(
        said("{pin} cannot drive a strip on a {model}; {do}", pin=f"GPIO{pin}", model=board.model, do=_BETTER)
    )


def spi_bytes(pixel_count: int) -> int:
    """Return the number of bytes that rpi_ws281x sends by SPI for a strip, by the formula of its PCM_BYTE_COUNT.

    Four colours of 8 bits a pixel, three bits of SPI for each, and 55 microseconds of rest at 2.4 MHz.
    """
    bits = pixel_count * 4 * 8 * 3 + 55 * 24 // 10
    return (bits // 8 & ~7) + 8


def fault_of(
    backend: Backend, pin: int, pixel_count: int, root: Path = Path("/"), user_id: int | None = None
) -> str | None:
    """Return why a strip cannot be driven in this way, and the remedy, or None if it can.

    Args:
        backend: the library.
        pin: the GPIO of its data wire.
        pixel_count: number of pixels.
        root: the root of the file system.
        user_id: ID of the user, None for the effective one.
    """
    if backend.device is None:
        if (os.geteuid() if user_id is None else user_id) == 0:
            return None
        return said("only root can drive a strip at {pin}; {do}", pin=f"GPIO{pin}", do=_BETTER)
    path = root / backend.device.lstrip("/")
    if not path.exists():
        return said("{device} is missing; {do}", device=backend.device, do=backend.enable)
    if not os.access(path, os.W_OK):
        return said(
            "{device} cannot be written to by this user; {command}, then log in again",
            device=backend.device,
            command=f"sudo usermod -aG {backend.group} {_user()}",
        )
    return _too_long(pixel_count, root) if backend is SPI else None


def _too_long(pixel_count: int, root: Path) -> str | None:
    room = _spi_room(root)
    if spi_bytes(pixel_count) <= room:
        return None
    longest = max(count for count in range(pixel_count) if spi_bytes(count) <= room)
    return said(
        "{count} pixels are more than SPI has room for ({longest}); add {setting} at the end of the line in "
        "{file}, then restart the Pi",
        count=pixel_count,
        longest=longest,
        setting="spidev.bufsiz=32768",
        file="/boot/firmware/cmdline.txt",
    )


def _spi_room(root: Path) -> int:
    try:
        return int((root / "sys/module/spidev/parameters/bufsiz").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return _SPI_ROOM


def _user() -> str:
    # The service has a user of this name, but not always the variable.
    return os.environ.get("USER", "quilt-companion")

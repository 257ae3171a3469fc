"""A strip of NeoPixels on a Raspberry Pi, by Adafruit's library.

Pixels include their brightness; this driver only adds the order of the colours in a pixel.

Pi 1 to 4: rpi_ws281x, by SPI on GPIO10 without root, by PWM (GPIO 12, 13, 18, 19) or PCM (GPIO21) as root only. From
Pi 5 on a separate chip has the pins: its programmable I/O drives any of them, through /dev/pio0.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.languages import Sentence, any_of, reason, said
from companion.settings import one_of, setting, whole
from hardware.diagnosis import Finding, Machine, fault, note, ok
from hardware.driver import ABOUT_STRIP, OpenContext, StripDriver
from hardware.drivers.gpio import button_at
from hardware.environment import PiBoard, first_line, read_board, this_environment, vendor_module
from hardware.ports import RGB, HardwareError
from hardware.strips import CountedStrip

ORDERS: Final = ("GRB", "RGB", "BRG", "BGR", "GBR", "RBG", "GRBW", "RGBW")
"""Possible orders of a pixel's colours; most strips are GRB."""
SPI_PIN: Final = 10
# The pins that the kernel's SPI occupies once it is enabled: two chip selects, MISO, MOSI, clock.
_SPI_PINS: Final = (7, 8, 9, 10, 11)
# The firmware's settings since bookworm, and before.
_BOOT_FILES: Final = ("/boot/firmware/config.txt", "/boot/config.txt")
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
    def install(self) -> str:
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
        raise HardwareError.said(
            "a NeoPixel strip needs a Raspberry Pi, and this is not one; choose {key} = {names} under {section}",
            key="driver",
            names=any_of(['"wled"', '"none"']),
            section="[strip]",
        )
    if board.generation >= 5:
        return PIO
    if pin == SPI_PIN:
        return SPI
    if pin in _ROOT_PINS:
        return MEMORY
    raise HardwareError.said(
        "{pin} cannot drive a strip on a {model}; {do}", pin=f"GPIO{pin}", model=board.model, do=_BETTER
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


# The error of a failed start of rpi_ws281x, which crashes the whole process if it is called again after one.
_REFUSED: list[str] = []


@dataclass(frozen=True, slots=True)
class NeoPixelDriver(StripDriver):
    """A strip of NeoPixels on a Raspberry Pi."""

    driver = "neopixel"
    summary = said("NeoPixels on a pin of a Raspberry Pi")
    needs_pi = True
    is_linear = True

    pin: int = setting(
        SPI_PIN,
        whole(0, 27),
        said("The GPIO number (BCM) of the data wire; {usual} works without root.", usual=SPI_PIN),
    )
    order: str = setting(
        "GRB", one_of(*ORDERS), said("The order of the colours in a pixel; most strips are {usual}.", usual="GRB")
    )

    @property
    def wiring(self) -> Sentence:
        """A description of its connection for the report of a hardware test."""
        return said(
            "data at {pin}, {pixels} pixels {order}, at most {current} mA",
            pin=f"GPIO{self.pin}",
            pixels=self.pixels,
            order=self.order,
            current=self.max_ma,
        )

    def open(self, context: OpenContext) -> "NeoPixelStrip":
        """Open the strip."""
        del context
        return NeoPixelStrip(self.pixels, pin=self.pin, order=self.order)

    def group_on(self, machine: Machine) -> str:
        """Return the group that may write to the strip's device on this board; empty for none."""
        try:
            return backend_for(machine.board, self.pin).group
        except HardwareError:
            # `examine` reports why this board cannot drive it.
            return ""

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the findings on whether this board can drive the strip, and with a constant clock."""
        board = machine.board
        try:
            trouble = fault_of(backend_for(board, self.pin), self.pin, self.pixels, machine.root)
        except HardwareError as error:
            trouble = reason(error)
        if trouble is not None:
            yield self.undrivable(trouble)
        else:
            yield ok(ABOUT_STRIP, said("A strip at {pin} can be driven on this board.", pin=f"GPIO{self.pin}"))
        if board is not None and self.pin == SPI_PIN and board.core_clock is not None:
            yield _core_clock(machine, *board.core_clock, board.filters)

    def examine_pins(self, used: frozenset[int]) -> Iterator[Finding]:
        """Yield the finding on push-buttons at pins that the strip needs."""
        taken = sorted(used & ({self.pin} | (set(_SPI_PINS) if self.pin == SPI_PIN else set())))
        if taken:
            spi = said("The strip is driven by SPI, which uses {first} to {last}.", first="GPIO7", last="GPIO11")
            says = spi if self.pin == SPI_PIN else said("The strip uses that pin.")
            do = said("Connect it to another pin and change {section}.", section="[controls]")
            yield fault(ABOUT_STRIP, button_at(taken), says, do)


def _core_clock(machine: Machine, key: str, value: int, filters: Sequence[str]) -> Finding:
    """Return the finding on the core clock, from which the SPI clock is derived, and which must not vary with the load.

    `key` and `value` are the setting that fixes it, in MHz.
    """
    file, wanted = next((name for name in _BOOT_FILES if machine.path(name).exists()), None), f"{key}={value}"
    says = said("The SPI clock depends on it, so colours flicker or are wrong whenever the load changes.")
    if file is None:
        title = said("{file} does not exist, so it is not known whether the core clock is fixed.", file=_BOOT_FILES[0])
        return note(
            ABOUT_STRIP, title, says, said("Set {setting} where this system keeps such settings.", setting=wanted)
        )
    if boot_settings(machine.text(file) or "", filters).get(key) == str(value):
        return ok(ABOUT_STRIP, said("The core clock is fixed: {setting}.", setting=wanted))
    command = f"printf '[all]\\n{wanted}\\n' | sudo tee -a {file}"
    do = said("{command}, then restart the Pi", command=command)
    return fault(ABOUT_STRIP, said("The core clock is not fixed: {setting} is missing.", setting=wanted), says, do)


def boot_settings(text: str, filters: Sequence[str]) -> dict[str, str]:
    """Return the settings in a `config.txt` for a board with these sections; later ones win, as in the firmware."""
    settings: dict[str, str] = {}
    # Settings before the first section apply to all boards.
    holds = True
    for line in (line.partition("#")[0].strip() for line in text.splitlines()):
        if line.startswith("["):
            holds = line.strip("[]").lower() in {"all", *filters}
        elif holds and "=" in line:
            key, _, value = line.partition("=")
            settings[key.strip()] = value.strip()
    return settings


class NeoPixelStrip(CountedStrip):
    """A strip at one pin; opening it switches all pixels off.

    Args:
        pixel_count: number of pixels.
        pin: the GPIO (BCM) of its data wire.
        order: one of `ORDERS`.
        board: the Raspberry Pi; None to detect it.
        root: root of the file system, for checks of devices.

    Raises:
        HardwareError: it cannot be driven here; the message contains the remedy.
        ValueError: fewer than one pixel, or no such order.
    """

    def __init__(
        self,
        pixel_count: int,
        *,
        pin: int = 10,
        order: str = "GRB",
        board: PiBoard | None = None,
        root: Path | None = None,
    ) -> None:
        super().__init__(pixel_count)
        if order not in ORDERS:
            raise ValueError(f"{order!r} is no order of colours; there are {', '.join(ORDERS)}")
        self._pin = pin
        self._pixels: Any = None
        backend = backend_for(board or read_board(), pin)
        fault = fault_of(backend, pin, pixel_count, root or Path("/"))
        if fault is not None:
            raise HardwareError.said("strip: {fault}", fault=fault)
        if _REFUSED:
            raise HardwareError.said("{fault}; fix that and restart the companion", fault=_REFUSED[0])
        self._pixels = _neopixels(backend, pixel_count, pin, order)
        self._begin(backend)

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels."""
        self.check(pixels)
        if self._pixels is None:
            raise HardwareError.said("strip: it was closed")
        try:
            self._pixels[:] = list(pixels)
            self._pixels.show()
        except (RuntimeError, OSError) as error:
            raise HardwareError.said(
                "strip: {pin} does not send: {fault}", pin=f"GPIO{self._pin}", fault=first_line(error)
            ) from error

    def close(self) -> None:
        """Switch all pixels off and release the pin; may be called more than once."""
        pixels, self._pixels = self._pixels, None
        if pixels is not None:
            try:
                pixels.deinit()
            except (RuntimeError, OSError):
                # Black could not be shown, either; the pin must be free for the next opening.
                pixels.pin.deinit()

    def _begin(self, backend: Backend) -> None:
        try:
            self.show([(0, 0, 0)] * self.pixel_count)
        except HardwareError as error:
            pixels, self._pixels = self._pixels, None
            # Not the strip's `deinit`: it shows black, and would start the library a second time.
            pixels.pin.deinit()
            if backend.module == "_rpi_ws281x":
                _REFUSED.append(reason(error))
            raise


def _neopixels(backend: Backend, pixel_count: int, pin: int, order: str) -> Any:
    # Blinka would ask on the terminal whether to install missing dependencies.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    vendor_module(backend.module, backend.install)
    neopixel, board = vendor_module("neopixel", backend.install), vendor_module("board", backend.install)
    try:
        # A single buffer, because rpi_ws281x restarts for each new one.
        return neopixel.NeoPixel(getattr(board, f"D{pin}"), pixel_count, auto_write=False, pixel_order=order)
    except AttributeError as error:
        raise HardwareError.said(
            "strip: this board has no {pin}; choose another pin under {section}",
            pin=f"GPIO{pin}",
            section="[strip]",
        ) from error
    except (RuntimeError, OSError, ValueError) as error:
        raise HardwareError.said(
            "strip: {pin} cannot be used: {fault}", pin=f"GPIO{pin}", fault=first_line(error)
        ) from error

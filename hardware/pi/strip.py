"""A strip of NeoPixels on a Raspberry Pi, by Adafruit's library.

Pixels include their brightness; this driver only adds the order of the colours in a pixel.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from companion.languages import reason, said
from hardware.pi.backends import Backend, backend_for, fault_of
from hardware.pi.board import PiBoard, read_board
from hardware.ports import RGB, HardwareError
from hardware.vendors import vendor_module

ORDERS: Final = ("GRB", "RGB", "BRG", "BGR", "GBR", "RBG", "GRBW", "RGBW")
"""Possible orders of a pixel's colours; most strips are GRB."""

# The error of a failed start of rpi_ws281x, which crashes the whole process if it is called again after one.
_REFUSED: list[str] = []


class NeoPixelStrip:
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
        if pixel_count < 1:
            raise ValueError(f"a strip needs at least one pixel, not {pixel_count}")
        if order not in ORDERS:
            raise ValueError(f"{order!r} is no order of colours; there are {', '.join(ORDERS)}")
        self._count, self._pin = pixel_count, pin
        self._pixels: Any = None
        backend = backend_for(board or read_board(), pin)
        fault = fault_of(backend, pin, pixel_count, root or Path("/"))
        if fault is not None:
            raise HardwareError(said("strip: {fault}", fault=fault))
        if _REFUSED:
            raise HardwareError(said("{fault}; fix that and restart the companion", fault=_REFUSED[0]))
        self._pixels = _neopixels(backend, pixel_count, pin, order)
        self._begin(backend)

    @property
    def pixel_count(self) -> int:
        """The number of pixels."""
        return self._count

    def show(self, pixels: Sequence[RGB]) -> None:
        """Show pixels.

        Raises:
            ValueError: another number of pixels than the strip has.
            HardwareError: they cannot be sent, or the strip was closed.
        """
        if len(pixels) != self._count:
            raise ValueError(f"the strip has {self._count} pixels, not {len(pixels)}")
        if self._pixels is None:
            raise HardwareError(said("strip: it was closed"))
        try:
            self._pixels[:] = list(pixels)
            self._pixels.show()
        except (RuntimeError, OSError) as error:
            raise HardwareError(
                said("strip: {pin} does not send: {fault}", pin=f"GPIO{self._pin}", fault=_first_line(error))
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
            self.show([(0, 0, 0)] * self._count)
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
    vendor_module(backend.module, backend.mend)
    neopixel, board = vendor_module("neopixel", backend.mend), vendor_module("board", backend.mend)
    try:
        # A single buffer, because rpi_ws281x restarts for each new one.
        return neopixel.NeoPixel(getattr(board, f"D{pin}"), pixel_count, auto_write=False, pixel_order=order)
    except AttributeError as error:
        raise HardwareError(
            said(
                "strip: this board has no {pin}; choose another pin under {section}",
                pin=f"GPIO{pin}",
                section="[strip]",
            )
        ) from error
    except (RuntimeError, OSError, ValueError) as error:
        raise HardwareError(
            said("strip: {pin} cannot be used: {fault}", pin=f"GPIO{pin}", fault=_first_line(error))
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]

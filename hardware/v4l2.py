"""Video4Linux's own interface, for what OpenCV does not offer: names and modes of cameras, and the mains frequency.

https://docs.kernel.org/userspace-api/media/v4l/user-func.html describes the requests and their structures.
"""

import errno
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

Ioctl: TypeAlias = Callable[[int, int, bytearray], object]
"""Carries out a request on an open device, in place; raises OSError if the device refuses it."""

# The request's number, with the size of its structure: _IOR for the capabilities, _IOWR for all others.
_CAPABILITIES: Final = 0x80685600
_FORMAT: Final = 0xC0405602
_FRAME_SIZE: Final = 0xC02C564A
_FRAME_INTERVAL: Final = 0xC034564B
_SET_CONTROL: Final = 0xC008561C

_POWER_LINE_FREQUENCY: Final = 0x00980918
_POWER_LINE: Final = {50: 1, 60: 2}
_VIDEO_CAPTURE: Final = 1
_HAS_DEVICE_CAPABILITIES: Final = 0x80000000
_CAPTURES: Final = 0x1
_DISCRETE: Final = 1
# Drivers that answer every index would be asked forever.
_MOST: Final = 200


class Mode(NamedTuple):
    """A mode of a camera.

    Attributes:
        width: in pixels.
        height: in pixels.
        fps: its greatest number of pictures per second; 0 if the camera does not tell.
        compressed: whether its pictures are compressed as JPEG.
    """

    width: int
    height: int
    fps: float
    compressed: bool


@dataclass(frozen=True, slots=True)
class VideoDevice:
    """A camera that Video4Linux knows.

    Attributes:
        path: its file, such as "/dev/video0"; the number may change when it is plugged in again.
        lasting: its file that keeps its name, such as "/dev/v4l/by-id/usb-…"; empty if there is none.
        name: the name that its driver reports.
        driver: the kernel's driver, such as "uvcvideo" for USB cameras.
        modes: its modes, largest first.
    """

    path: str
    lasting: str
    name: str
    driver: str
    modes: tuple[Mode, ...]


def set_mains_hz(path: str, mains_hz: int, ioctl: Ioctl | None = None) -> bool:
    """Set a camera's filter against flickering lamps to the mains frequency; return False if it has none."""
    try:
        with _opened(path) as device:
            _ioctl(ioctl)(
                device, _SET_CONTROL, bytearray(struct.pack("=Ii", _POWER_LINE_FREQUENCY, _POWER_LINE[mains_hz]))
            )
    except OSError:
        return False
    return True


def video_devices(root: Path = Path("/"), ioctl: Ioctl | None = None) -> list[VideoDevice]:
    """Return the cameras from which pictures can be taken, in the order of their numbers.

    Files of the same camera that deliver no pictures, such as metadata, are left out.
    """
    files = [path for path in (root / "dev").glob("video*") if path.name.removeprefix("video").isdecimal()]
    lasting = {path.resolve(): path for path in sorted((root / "dev/v4l/by-id").glob("*"))}
    found = []
    for path in sorted(files, key=lambda each: int(each.name.removeprefix("video"))):
        # Another user's, or unplugged at this moment.
        try:
            with _opened(str(path)) as device:
                seen = _device(_ioctl(ioctl), device, str(path), str(lasting.get(path.resolve(), "")))
        except OSError:
            continue
        found += [] if seen is None else [seen]
    return found


@contextmanager
def _opened(path: str) -> Iterator[int]:
    # Not blocking: opening does not wait, and does not disturb another program's stream.
    device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield device
    finally:
        os.close(device)


def _ioctl(given: Ioctl | None) -> Ioctl:
    if given is not None:
        return given
    import fcntl  # noqa: PLC0415  # There is none on Windows, where recordings can be replayed all the same.

    return fcntl.ioctl


def _device(ioctl: Ioctl, device: int, path: str, lasting: str) -> VideoDevice | None:
    """Return what an open device tells about itself, or None if it delivers no pictures."""
    told = bytearray(104)
    ioctl(device, _CAPABILITIES, told)
    everything, own = struct.unpack_from("=II", told, 84)
    if not (own if everything & _HAS_DEVICE_CAPABILITIES else everything) & _CAPTURES:
        return None
    modes = sorted(_modes(ioctl, device), key=lambda mode: (mode.width * mode.height, mode.fps), reverse=True)
    return VideoDevice(path, lasting, _text(told[16:48]), _text(told[:16]), tuple(modes))


def _modes(ioctl: Ioctl, device: int) -> Iterator[Mode]:
    for index in range(_MOST):
        told = bytearray(struct.pack("=II56x", index, _VIDEO_CAPTURE))
        if not _answers(ioctl, device, _FORMAT, told):
            return
        pixel_format = bytes(told[44:48])
        for width, height in _sizes(ioctl, device, pixel_format):
            fps = _greatest_fps(ioctl, device, pixel_format, (width, height))
            yield Mode(width, height, fps, pixel_format in (b"MJPG", b"JPEG"))


def _sizes(ioctl: Ioctl, device: int, pixel_format: bytes) -> Iterator[tuple[int, int]]:
    for index in range(_MOST):
        told = bytearray(struct.pack("=I4s36x", index, pixel_format))
        if not _answers(ioctl, device, _FRAME_SIZE, told):
            return
        kind, *values = struct.unpack_from("=7I", told, 8)
        if kind != _DISCRETE:
            # Any size in steps up to the largest.
            yield values[1], values[4]
            return
        yield values[0], values[1]


def _greatest_fps(ioctl: Ioctl, device: int, pixel_format: bytes, size: tuple[int, int]) -> float:
    rates: list[float] = []
    for index in range(_MOST):
        told = bytearray(struct.pack("=I4sII36x", index, pixel_format, *size))
        if not _answers(ioctl, device, _FRAME_INTERVAL, told):
            break
        kind, seconds, of_seconds = struct.unpack_from("=III", told, 16)
        # The shortest interval comes first where they have steps.
        rates.append(of_seconds / seconds if seconds else 0.0)
        if kind != _DISCRETE:
            break
    return round(max(rates, default=0.0), 1)


def _answers(ioctl: Ioctl, device: int, request: int, told: bytearray) -> bool:
    """Carry out a request of a list, and return False at its end."""
    try:
        ioctl(device, request, told)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOTTY):
            return False
        raise
    return True


def _text(told: Sequence[int]) -> str:
    return bytes(told).partition(b"\0")[0].decode("utf-8", "replace").strip()

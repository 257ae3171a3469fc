from __future__ import annotations

import errno
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import pytest

from hardware.v4l2 import Mode, VideoDevice, set_mains_hz, video_devices

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

T = TypeVar("T")

_NAME = "HD Pro Webcam C920"
SIZES: dict[bytes, dict[tuple[int, int], tuple[int, ...]]] = {
    b"YUYV": {(640, 480): (30,), (1920, 1080): (5,)},
    b"MJPG": {(1280, 720): (30, 15), (1920, 1080): (30,)},
}


def _nth(values: Sequence[T], index: int) -> T:
    if index >= len(values):
        raise OSError(errno.EINVAL, "the end of the list")
    return values[index]


@dataclass
class Kernel:
    """The answers of the UVC driver; the second file of a camera delivers metadata."""

    controls: dict[int, int] = field(default_factory=dict)
    has_filter: bool = True
    asked: list[int] = field(default_factory=list)

    def __call__(self, device: int, request: int, told: bytearray) -> int:
        assert device > 0
        self.asked.append(request)
        # By the number alone: direction and size are checked against the structures' lengths.
        assert (request >> 16) & 0x3FFF == len(told)
        assert request >> 30 == (2 if request & 0xFF == 0 else 3)
        {0: self._capabilities, 2: self._format, 74: self._size, 75: self._interval, 28: self._control}[request & 0xFF](
            told
        )
        return 0

    def _capabilities(self, told: bytearray) -> None:
        captures = 0x04200001 if self.asked.count(self.asked[0]) % 2 else 0x04A00000
        told[:] = struct.pack("=16s32s32sIII12x", b"uvcvideo", _NAME.encode(), b"usb-1.3", 6, 0x84A00001, captures)

    def _format(self, told: bytearray) -> None:
        index, kind = struct.unpack_from("=II", told)
        assert kind == 1
        told[44:48] = _nth(list(SIZES), index)

    def _size(self, told: bytearray) -> None:
        index, pixel_format = struct.unpack_from("=I4s", told)
        struct.pack_into("=III", told, 8, 1, *_nth(list(SIZES[pixel_format]), index))

    def _interval(self, told: bytearray) -> None:
        index, pixel_format, width, height = struct.unpack_from("=I4sII", told)
        struct.pack_into("=III", told, 16, 1, 1, _nth(SIZES[pixel_format][width, height], index))

    def _control(self, told: bytearray) -> None:
        number, value = struct.unpack("=Ii", told)
        if not self.has_filter:
            raise OSError(errno.EINVAL, "no such control")
        self.controls[number] = value


def machine(root: Path) -> Path:
    (root / "dev/v4l/by-id").mkdir(parents=True)
    for name in ("video0", "video1", "video-none"):
        (root / "dev" / name).touch()
    (root / "dev/v4l/by-id/usb-046d_C920-video-index0").symlink_to("../../video0")
    return root


def test_a_camera_is_listed_with_its_lasting_name_and_modes_and_without_its_metadata(tmp_path: Path) -> None:
    root = machine(tmp_path)
    modes = (
        Mode(1920, 1080, 30, True),
        Mode(1920, 1080, 5, False),
        Mode(1280, 720, 30, True),
        Mode(640, 480, 30, False),
    )
    lasting = str(root / "dev/v4l/by-id/usb-046d_C920-video-index0")
    assert video_devices(root, Kernel()) == [VideoDevice(str(root / "dev/video0"), lasting, _NAME, "uvcvideo", modes)]


def test_a_machine_without_cameras_has_none(tmp_path: Path) -> None:
    assert video_devices(tmp_path, Kernel()) == []


def test_other_devices_than_cameras_are_left_out(tmp_path: Path) -> None:
    assert video_devices(machine(tmp_path)) == [], "ordinary files, asked through the real ioctl"


@pytest.mark.parametrize(("mains_hz", "value"), [(50, 1), (60, 2)])
def test_the_filter_against_flicker_is_set(tmp_path: Path, mains_hz: int, value: int) -> None:
    kernel = Kernel()
    assert set_mains_hz(str(machine(tmp_path) / "dev/video0"), mains_hz, kernel)
    assert kernel.controls == {0x00980918: value}


def test_a_camera_without_a_filter_and_a_missing_one_are_no_error(tmp_path: Path) -> None:
    assert not set_mains_hz(str(machine(tmp_path) / "dev/video0"), 50, Kernel(has_filter=False))
    assert not set_mains_hz(str(tmp_path / "dev/video7"), 50, Kernel())

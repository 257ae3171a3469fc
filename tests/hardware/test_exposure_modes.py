from __future__ import annotations

from typing import Any

import pytest

from hardware.exposure import crop_of, full_view_mode


def mode(size: tuple[int, int], crop: tuple[int, int, int, int], fps: float) -> dict[str, Any]:
    return {"format": "P", "unpacked": "SBGGR10", "size": size, "crop_limits": crop, "fps": fps}


WHOLE = (0, 0, 4608, 2592)
# Camera Module 3 (IMX708): the mode of 1536x864 shows the middle only.
IMX708 = [
    mode((1536, 864), (768, 432, 3072, 1728), 120.0),
    mode((2304, 1296), WHOLE, 56.0),
    mode((4608, 2592), WHOLE, 14.0),
]


@pytest.mark.parametrize(
    ("size", "fps", "chosen"),
    [
        ((1536, 864), 10, (2304, 1296)),
        ((2304, 1296), 30, (2304, 1296)),
        ((4000, 2000), 10, (4608, 2592)),
        ((4000, 2000), 30, (4608, 2592)),
        ((1280, 720), 100, (4608, 2592)),
    ],
)
def test_the_smallest_that_shows_everything(size: tuple[int, int], fps: float, chosen: tuple[int, int]) -> None:
    assert full_view_mode(IMX708, size, fps) == {"size": chosen, "format": "SBGGR10"}


@pytest.mark.parametrize("modes", [[], [{"format": "YUYV"}]])
def test_a_camera_without_modes_chooses_itself(modes: list[dict[str, Any]]) -> None:
    assert full_view_mode(modes, (1536, 864), 10) is None


@pytest.mark.parametrize(
    ("raw", "size", "piece"),
    [
        ({"size": (2304, 1296)}, (1536, 864), (0.0, 0.0, 4608.0, 2592.0)),
        ({"size": (2304, 1296)}, (640, 480), (576.0, 0.0, 3456.0, 2592.0)),
        ({"size": (1536, 864)}, (1536, 1536), (1440.0, 432.0, 1728.0, 1728.0)),
        (None, (4608, 2000), (0.0, 296.0, 4608.0, 2000.0)),
    ],
)
def test_a_picture_of_another_shape_shows_the_middle_of_its_mode(
    raw: dict[str, Any] | None, size: tuple[int, int], piece: tuple[float, ...]
) -> None:
    assert crop_of({}, IMX708, raw, size) == pytest.approx(piece)


def test_the_reported_crop_counts() -> None:
    assert crop_of({"ScalerCrop": (4, 2, 4600, 2588)}, IMX708, None, (640, 480)) == (4.0, 2.0, 4600.0, 2588.0)
    assert crop_of({"ScalerCrop": (0, 0, 0, 0)}, IMX708, None, (640, 480)) is None


def test_of_a_sensor_that_does_not_tell_nothing_is_known() -> None:
    assert crop_of({}, [{"format": "YUYV"}], None, (640, 480)) is None
    assert crop_of({}, IMX708, {"size": (10, 10)}, (640, 480)) is None

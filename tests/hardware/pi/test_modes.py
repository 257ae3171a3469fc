from __future__ import annotations

from typing import Any

import pytest

from hardware.pi.modes import full_view_mode


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

"""Which of a sensor's modes shows the whole table.

Left to itself, libcamera takes the mode whose size is nearest to the picture's; on several sensors that one shows the
middle of the view only, so that frames and stills would not show the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WHOLE = 0.98


def full_view_mode(
    modes: Sequence[Mapping[str, Any]], size: tuple[int, int], fps: float
) -> dict[str, Any] | None:
    """The smallest mode with the sensor's whole view that is large and fast enough, as `raw` of a configuration.

    Args:
        modes: as picamera2's `sensor_modes` lists them.
        size: width and height of the frames.
        fps: frames a second.

    Returns:
        None where the sensor does not tell. If no mode is large and fast enough, the largest of the whole view.
    """
    told = [mode for mode in modes if "crop_limits" in mode and "size" in mode]
    if not told:
        return None
    widest = max(_area(mode["crop_limits"][2:]) for mode in told)
    whole = [mode for mode in told if _area(mode["crop_limits"][2:]) >= _WHOLE * widest]
    enough = [mode for mode in whole if _is_enough(mode, size, fps)]
    mode = min(enough, key=_preference) if enough else max(whole, key=lambda mode: _area(mode["size"]))
    return {"size": tuple(mode["size"]), "format": str(mode.get("unpacked", mode["format"]))}


def _is_enough(mode: Mapping[str, Any], size: tuple[int, int], fps: float) -> bool:
    width, height = mode["size"]
    return bool(width >= size[0] and height >= size[1] and mode.get("fps", fps) >= fps)


def _preference(mode: Mapping[str, Any]) -> tuple[int, int]:
    return _area(mode["size"]), -int(mode.get("bit_depth", 0))


def _area(size: Sequence[int]) -> int:
    return int(size[0]) * int(size[1])

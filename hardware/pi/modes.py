"""Selection of a sensor's mode with the whole view, and the part of the sensor that a picture shows.

By default, libcamera takes the mode with the size nearest to the picture's; on several sensors that mode covers only
the middle of the view, so that frames and stills would differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Piece = tuple[float, float, float, float]
"""Left, top, width and height, in the sensor's own pixels."""

_WHOLE: Final = 0.98
"""Share of the widest mode's view from which a mode has the whole view: binned modes drop a few rows and columns."""


def full_view_mode(modes: Sequence[Mapping[str, Any]], size: tuple[int, int], fps: float) -> dict[str, Any] | None:
    """Return the smallest mode with the sensor's whole view that is large and fast enough, as `raw` of a configuration.

    Args:
        modes: picamera2's `sensor_modes`.
        size: width and height of the frames.
        fps: frames a second.

    Returns:
        The mode; if none is large and fast enough, the largest with the whole view; None if the sensor reports no
        modes.
    """
    reported = [mode for mode in modes if "crop_limits" in mode and "size" in mode]
    if not reported:
        return None
    widest = max(_area(mode["crop_limits"][2:]) for mode in reported)
    whole = [mode for mode in reported if _area(mode["crop_limits"][2:]) >= _WHOLE * widest]
    enough = [mode for mode in whole if _is_enough(mode, size, fps)]
    # The whole view counts more than the rate: a part of the table is of no use at any rate.
    mode = min(enough, key=_preference) if enough else max(whole, key=lambda mode: _area(mode["size"]))
    return {"size": tuple(mode["size"]), "format": str(mode.get("unpacked", mode["format"]))}


def crop_of(
    metadata: Mapping[str, Any],
    modes: Sequence[Mapping[str, Any]],
    raw: Mapping[str, Any] | None,
    size: tuple[int, int],
) -> Piece | None:
    """Return the part of the sensor that a picture shows.

    Args:
        metadata: of the picture; libcamera reports the part as ScalerCrop, in pixels of the whole sensor.
        modes: picamera2's `sensor_modes`.
        raw: the picture's mode, as returned by `full_view_mode`; None for the largest.
        size: width and height of the picture.

    Returns:
        The part; if the metadata lack it, the middle of the mode's view with the picture's aspect ratio, which is
        libcamera's choice; None if the sensor reports no modes either.
    """
    reported = metadata.get("ScalerCrop")
    if reported is not None:
        left, top, width, height = (float(each) for each in reported)
        return (left, top, width, height) if width > 0 and height > 0 else None
    views = {tuple(mode["size"]): mode["crop_limits"] for mode in modes if "crop_limits" in mode and "size" in mode}
    if not views:
        return None
    used = max(views, key=_area) if raw is None else tuple(raw["size"])
    return None if used not in views else _middle(views[used], size)


def _middle(view: Sequence[float], size: tuple[int, int]) -> Piece:
    """Return the largest part in the middle of a view that has the picture's aspect ratio."""
    left, top, width, height = (float(each) for each in view)
    scale = min(width / size[0], height / size[1])
    wide, high = scale * size[0], scale * size[1]
    return left + (width - wide) / 2, top + (height - high) / 2, wide, high


def _is_enough(mode: Mapping[str, Any], size: tuple[int, int], fps: float) -> bool:
    width, height = mode["size"]
    return bool(width >= size[0] and height >= size[1] and mode.get("fps", fps) >= fps)


def _preference(mode: Mapping[str, Any]) -> tuple[int, int]:
    return _area(mode["size"]), -int(mode.get("bit_depth", 0))


def _area(size: Sequence[int]) -> int:
    return int(size[0]) * int(size[1])

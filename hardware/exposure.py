"""The settings that determine a picture's appearance, and how they are fixed: exposure, gain, colour gains, focus.

A quilt is compared with its earlier appearance. A camera that chooses its settings anew for every picture would add
its own changes to each comparison; so they are chosen automatically once, and then fixed.

By default, libcamera takes the mode with the size nearest to the picture's; on several sensors that mode covers only
the middle of the view, so that frames and stills would differ.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

Piece = tuple[float, float, float, float]
"""Left, top, width and height, in the sensor's own pixels."""

# Share of the widest mode's view from which a mode has the whole view: binned modes drop a few rows and columns.
_WHOLE: Final = 0.98


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


Controls = dict[str, Any]
"""libcamera's controls by name, as picamera2 takes them."""

SETTLED_FRAMES: Final = 6
"""The number of consecutive frames that must agree before the camera counts as settled."""
_AGREE: Final = 0.02
_AF_MANUAL: Final = 0
_AF_AUTO: Final = 1
_AF_START: Final = 0
# libcamera's AfModeManual, AfModeAuto, AfTriggerStart; AfStateFocused and AfStateFailed.
_AF_DONE: Final = (2, 3)
_AF_FAILED: Final = 3


def flicker_us(mains_hz: int) -> float:
    """Return the period of lamps' flicker, in microseconds; its frequency is twice that of the mains."""
    return 1e6 / (2 * mains_hz)


def free_controls(fps: float, offered: Mapping[str, Any], lens_position: float | None) -> Controls:
    """Return the controls for automatic exposure and colours; autofocus is not started yet.

    Args:
        fps: frames a second.
        offered: the controls that this camera supports, by name.
        lens_position: focus in dioptres, None for autofocus.
    """
    wanted = {"AeEnable": True, "AwbEnable": True, **_frame_duration(fps)}
    if lens_position is None:
        wanted |= {"AfMode": _AF_AUTO}
    else:
        wanted |= {"AfMode": _AF_MANUAL, "LensPosition": lens_position}
    return _of_offered(wanted, offered)


def is_settled(seen: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether automatic settings have settled, by the metadata of the frames so far."""
    latest = seen[-SETTLED_FRAMES:]
    return len(latest) == SETTLED_FRAMES and all(_agrees(frame, latest[-1]) for frame in latest)


def focus_controls(offered: Mapping[str, Any], lens_position: float | None) -> Controls | None:
    """Return the controls that start autofocus, or None if the camera has none or its focus is given."""
    if "AfMode" not in offered or "AfTrigger" not in offered or lens_position is not None:
        return None
    return {"AfMode": _AF_AUTO, "AfTrigger": _AF_START}


def has_ended_focusing(seen: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether autofocus has ended, by the metadata of the frames since it was started.

    The first of them may still report the previous search.
    """
    return len(seen) > SETTLED_FRAMES and seen[-1].get("AfState") in _AF_DONE


def is_in_focus(metadata: Mapping[str, Any]) -> bool:
    """Return whether autofocus succeeded."""
    return metadata.get("AfState") in _AF_DONE and metadata.get("AfState") != _AF_FAILED


def held_controls(
    chosen: Mapping[str, Any],
    offered: Mapping[str, Any],
    fps: float,
    mains_hz: int,
    lens_position: float | None,
    wanted_us: float | None = None,
) -> Controls:
    """Return the controls that fix the camera to its choice, with an exposure without flicker.

    Args:
        chosen: the metadata of a frame with automatic settings.
        offered: the controls that this camera supports; numbers as (least, greatest, default).
        fps: frames a second, which limits the exposure.
        mains_hz: the frequency of the mains, 50 or 60.
        lens_position: focus in dioptres, None for that of autofocus.
        wanted_us: exposure in microseconds, None for the camera's choice; its gain is the camera's in any case, so
            that a shorter exposure is a darker picture.
    """
    held: Controls = dict(_frame_duration(fps))
    if "ExposureTime" in chosen:
        greatest = (offered.get("AnalogueGain") or (1.0, 16.0, 1.0))[1]
        exposure_us, gain = steady_exposure(chosen["ExposureTime"], _gain(chosen), mains_hz, 1e6 / fps, greatest)
        held |= {"AeEnable": False, "ExposureTime": round(wanted_us or exposure_us), "AnalogueGain": gain}
    if "ColourGains" in chosen:
        held |= {"AwbEnable": False, "ColourGains": tuple(chosen["ColourGains"])}
    focus = chosen.get("LensPosition") if lens_position is None else lens_position
    if focus is not None:
        held |= {"AfMode": _AF_MANUAL, "LensPosition": focus}
    return _of_offered(held, offered)


def steady_exposure(
    exposure_us: float, gain: float, mains_hz: int, longest_us: float, greatest_gain: float
) -> tuple[int, float]:
    """Return an exposure of whole flicker periods, and the gain that preserves the brightness.

    Args:
        exposure_us: exposure that the camera chose.
        gain: gain that the camera chose.
        mains_hz: the frequency of the mains.
        longest_us: the longest exposure allowed.
        greatest_gain: the greatest gain allowed.

    Returns:
        The exposure in microseconds and the gain, at least 1. Light that is too bright for one whole period is
        sunlight: the exposure is then shorter than a period.
    """
    light, wave_us = exposure_us * gain, flicker_us(mains_hz)
    if light < wave_us:
        return max(1, round(light)), 1.0
    # No more periods than this light needs without gain, or than the frame rate leaves time for.
    waves = max(1, min(round(exposure_us / wave_us), int(light / wave_us), int(longest_us / wave_us)))
    # Fewer would need more gain than the sensor has, and the picture would be darker.
    least = -(-light // (wave_us * greatest_gain))
    waves = min(max(waves, int(least)), max(1, int(longest_us / wave_us)))
    exposure = round(waves * wave_us)
    return exposure, min(greatest_gain, max(1.0, light / exposure))


def is_held(metadata: Mapping[str, Any], held: Mapping[str, Any]) -> bool:
    """Return whether a frame was taken with the given controls; those missing from its metadata count as matching."""
    reported = {"ExposureTime": metadata.get("ExposureTime"), "AnalogueGain": _gain(metadata) or None}
    reported |= {"ColourGains": metadata.get("ColourGains"), "LensPosition": metadata.get("LensPosition")}
    return all(_is_near(reported[name], held[name]) for name in reported if name in held and reported[name] is not None)


def _gain(metadata: Mapping[str, Any]) -> float:
    # Gain beyond the sensor's is digital; the control of that name sets both.
    return float(metadata.get("AnalogueGain", 0.0)) * float(metadata.get("DigitalGain", 1.0))


def _agrees(frame: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    names = ("ExposureTime", "AnalogueGain", "DigitalGain", "ColourGains", "LensPosition")
    return all(_is_near(frame[name], other[name]) for name in names if name in frame and name in other)


def _is_near(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple | list):
        return all(_is_near(one, other) for one, other in zip(value, wanted, strict=True))
    # A sensor's exposure has steps of lines, and its gain has steps, too.
    return bool(abs(value - wanted) <= max(_AGREE * abs(wanted), 0.02))


def _frame_duration(fps: float) -> Controls:
    duration_us = round(1e6 / fps)
    return {"FrameDurationLimits": (duration_us, duration_us)}


def _of_offered(wanted: Controls, offered: Mapping[str, Any]) -> Controls:
    return {name: value for name, value in wanted.items() if name in offered}

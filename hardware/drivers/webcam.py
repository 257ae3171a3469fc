"""Any USB camera, by OpenCV and Video4Linux.

It chooses exposure, colours and focus automatically for a moment, and is then fixed to them, each as far as its picture
stays the same: some cameras report other values than those in use while they choose.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from companion.languages import listed, said
from companion.settings import number, setting, whole, word
from hardware.diagnosis import Finding, Machine, fault
from hardware.driver import ABOUT_CAMERA, ExposedCameraDriver, OpenContext, device_findings
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame
from hardware.v4l2 import set_mains_hz

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOG: Final = logging.getLogger(__name__)
# Number of frames in which a camera chooses its exposure, colours and focus by itself: at least, and at most.
_SETTLE_FRAMES: Final = 20
_LONGEST_FRAMES: Final = 120
# Number of frames that must be alike before the camera counts as settled.
_STEADY_FRAMES: Final = 8
# Number of attempts to fix a setting: a hand over the table makes a difference, too.
_ATTEMPTS: Final = 2
# Number of pictures that cannot be decoded, one after the other, from which the camera counts as absent.
_SPOILT_FRAMES: Final = 5
# Difference from which a time stamp is of another clock.
_STALE_S: Final = 5.0
# Age from which a frame is passed over: it was buffered while none was requested.
_OLDEST_S: Final = 0.3
# The number of frames that the system may have buffered before a request.
_KEPT_FRAMES: Final = 6
# V4L2_EXPOSURE_MANUAL, _APERTURE_PRIORITY and _AUTO; a camera has one of the two automatic modes.
_MANUAL_EXPOSURE: Final = 1.0
_AUTO_EXPOSURES: Final = (3.0, 0.0)
# The unit of V4L2_CID_EXPOSURE_ABSOLUTE.
_EXPOSURE_UNIT_US: Final = 100.0
# Factor on the size for which a camera returns its largest one.
_BEYOND: Final = 16
# Largest relative difference of a mode's aspect ratio from the frames'; other modes have another field of view.
_SHAPE: Final = 0.01
# Ratio of the sizes requested in turn; a coarser one could miss a mode in between.
_LESS: Final = 0.9
# The largest factor on the configured size up to which a larger mode is used.
_MORE: Final = 2.0
# Number of pictures after a change of mode that may still have another exposure.
_CHANGED_FRAMES: Final = 4
# The same after a change of a setting; a focus motor takes a second.
_HELD_FRAMES: Final = 12


@dataclass(frozen=True, slots=True)
class WebcamDriver(ExposedCameraDriver):
    """A USB camera."""

    driver = "webcam"
    summary = said("a USB camera")
    group = "video"
    reopens = True

    device: str = setting(
        "0",
        word,
        said(
            "Which camera: its number, or its file, such as {example}; {command} lists them.",
            example='"/dev/v4l/by-id/usb-…"',
            command="companion camera",
        ),
    )
    white_balance_k: float | None = setting(
        None,
        number(1000, 15000),
        said("The light’s colour temperature in kelvins; absent: chosen at the start."),
        "4000",
    )
    focus: int | None = setting(
        None, whole(0, 4095), said("The focus in the camera’s own steps; absent: chosen at the start."), "30"
    )

    def open(self, context: OpenContext) -> Webcam:
        """Open the camera."""
        return Webcam(self, context.clock)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the findings on whether the camera is there and free to use."""
        device = _file_of(self.device)
        if machine.path(device).exists():
            yield from device_findings(machine, [device])
            return
        title = said(
            "{device} does not exist; video devices: {others}.",
            device=device,
            others=listed(machine.devices("video*") or [said("none")]),
        )
        do = said(
            "Plug in the webcam, or set {key} to one that exists ({command}).",
            key="[camera] device",
            command="companion camera",
        )
        yield fault(ABOUT_CAMERA, title, said("No picture can be taken."), do)


def _file_of(device: str) -> str:
    return f"/dev/video{device}" if device.isdecimal() else device


class Capture(Protocol):
    """The used part of `cv2.VideoCapture`."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Return whether the camera is open."""

    def grab(self) -> bool:
        """Wait for the next picture, and return False if none comes."""

    def retrieve(self) -> tuple[bool, Any]:
        """Return the picture that was grabbed last, if it can be decoded."""

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """Return a property."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Set a property, and return whether the camera supports it."""

    def release(self) -> None:
        """Close it."""


class _Look(NamedTuple):
    """Measures of a picture that a change of the camera's settings would change.

    Attributes:
        colour: mean blue, green and red, 0..255.
        sharpness: variance of the Laplacian over the mean squared, which does not depend on the exposure.
    """

    colour: tuple[float, float, float]
    sharpness: float

    def is_like(self, other: _Look) -> bool:
        """Return whether two pictures may be of the same settings.

        The wrong values that cameras report change the brightness by half and the sharpness by a hundred times; noise
        and flickering lamps by a tenth.
        """
        brightness, others = sum(self.colour), sum(other.colour)
        tints = zip(self.colour, other.colour, strict=True)
        return (
            _is_near(brightness, others, 0.15)
            and all(_is_near(one / (brightness + 1), two / (others + 1), 0.08) for one, two in tints)
            and self.sharpness >= 0.6 * other.sharpness
        )


class _Hold(NamedTuple):
    """A setting that a camera chooses and can be fixed.

    Attributes:
        name: for the log.
        switch: OpenCV's property that switches between automatic and manual.
        automatic: the values of the switch for automatic, the usual one first.
        manual: its value for manual.
        value: the property of the setting.
        wanted: its configured value, or None for the camera's choice.
    """

    name: str
    switch: int
    automatic: Sequence[float]
    manual: float
    value: int
    wanted: float | None


class Webcam:
    """A USB camera.

    Args:
        options: its settings; the camera uses its mode nearest to the size, above it if it has one that is fast enough.
        clock: for frames without a usable time stamp.
        make: function that opens the device; None for OpenCV.
        set_mains: function that sets the mains frequency of a device's filter against flicker.

    Raises:
        CameraError: there is no such camera, or it delivers no pictures.
    """

    def __init__(
        self,
        options: WebcamDriver,
        clock: Clock,
        make: Callable[[str], Capture] | None = None,
        set_mains: Callable[[str, int], bool] = set_mains_hz,
    ) -> None:
        self._options, self._device, self._clock = options, options.device, clock
        self._taken, self._latest_s = 0, float("-inf")
        self._held: list[tuple[int, float]] = []
        self._largest: tuple[int, int] | None = None
        self._capture: Capture | None = (_opened if make is None else make)(self._device)
        try:
            self._set_up(self._capture, set_mains)
        except CameraError:
            self.close()
            raise

    def capture(self) -> Frame:
        """Return the next frame; its image is read-only."""
        image, t_s = self._read()
        for _ in range(_KEPT_FRAMES):
            if self._clock.now() - t_s <= _OLDEST_S:
                break
            image, t_s = self._read()
        image.setflags(write=False)
        self._latest_s = max(self._latest_s, t_s)
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        return Frame(image, self._latest_s, name)

    def still(self) -> Frame:
        """Return a picture in the largest mode of the frames' shape, with their exposure, colours and focus."""
        if self._capture is None:
            raise EndOfFramesError.said("the camera was closed")
        watching = _size(self._capture)
        if self._largest is None:
            self._largest = _largest(self._capture, watching)
        if self._largest == watching:
            return self.capture()
        try:
            self._change(self._capture, self._largest)
            return self.capture()
        finally:
            # Even after a failure: frames of another size would not match the boards' places.
            self._change(self._capture, watching)

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _set_up(self, capture: Capture, set_mains: Callable[[str, int], bool]) -> None:
        import cv2  # noqa: PLC0415  # Every command reads the configuration, and few see pictures.

        if not capture.isOpened():
            raise CameraError.said(
                "webcam {device} cannot be opened: is it plugged in, is another program using it, and are you in "
                "the group video? v4l2-ctl --list-devices lists all devices",
                device=self._device,
            )
        # USB 2 carries only a few large uncompressed pictures a second.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        _choose_mode(capture, self._options.size, self._options.fps)
        # Not all drivers obey; therefore `capture` passes over old frames.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        set_mains(_file_of(self._device), self._options.mains_hz)
        holds = _holds(self._options)
        for hold in holds:
            # A camera keeps its settings until it is unplugged: it may still be fixed to yesterday's light.
            _set_automatic(capture, hold)
        self._settle()
        held = [hold.name for hold in holds if self._hold(capture, hold)]
        _LOG.info("webcam %s is held to its %s", self._device, ", ".join(held) or "nothing: it knows no such setting")

    def _settle(self) -> None:
        """Take frames until the camera has chosen its settings."""
        looks: list[_Look] = []
        while len(looks) < _LONGEST_FRAMES:
            looks.append(_look(self._read()[0]))
            if len(looks) >= _SETTLE_FRAMES and all(looks[-1].is_like(look) for look in looks[-_STEADY_FRAMES:]):
                return

    def _hold(self, capture: Capture, hold: _Hold) -> bool:
        """Fix a setting to its configured value, or to the camera's choice, and return whether that is possible."""
        for _ in range(_ATTEMPTS):
            before = _look(self._read()[0])
            chosen = capture.get(hold.value) if hold.wanted is None else hold.wanted
            if not capture.set(hold.switch, hold.manual):
                return False
            is_set = capture.set(hold.value, chosen)
            after = self._look_after(_HELD_FRAMES) if is_set else before
            if is_set and (hold.wanted is not None or after.is_like(before)):
                self._held += [(hold.switch, hold.manual), (hold.value, chosen)]
                return True
            _set_automatic(capture, hold)
            if not is_set:
                return False
            _LOG.info("webcam %s is not like before with the %s %g that it reports", self._device, hold.name, chosen)
            self._settle()
        return False

    def _look_after(self, frames: int) -> _Look:
        for _ in range(frames):
            self._read()
        return _look(self._read()[0])

    def _change(self, capture: Capture, size: tuple[int, int]) -> None:
        """Change to another mode, and fix the camera's settings there, too."""
        if _ask(capture, size) != size:
            raise CameraError.said(
                "webcam {device} does not change to {width} x {height} pixels; unplug it and plug it in again",
                device=self._device,
                width=size[0],
                height=size[1],
            )
        for key, value in self._held:
            capture.set(key, value)
        for _ in range(_CHANGED_FRAMES):
            self._read()

    def _read(self) -> tuple[NDArray[np.uint8], float]:
        """Return a picture and its time."""
        import cv2  # noqa: PLC0415
        import numpy as np  # noqa: PLC0415

        if self._capture is None:
            raise EndOfFramesError.said("the camera was closed")
        for _ in range(_SPOILT_FRAMES):
            if not self._capture.grab():
                raise CameraError.said("webcam {device} sends no pictures: is it plugged in?", device=self._device)
            good, image = self._capture.retrieve()
            if good and image is not None and image.size:
                break
        else:
            raise CameraError.said(
                "webcam {device} sends pictures that cannot be decoded; use another cable, or plug it in without a hub",
                device=self._device,
            )
        now_s = self._clock.now()
        stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return np.asarray(image, np.uint8), stamp_s if 0 <= now_s - stamp_s <= _STALE_S else now_s


def _opened(device: str) -> Capture:
    import cv2  # noqa: PLC0415

    path = Path(_file_of(device))
    if not path.exists():
        # It is retried repeatedly, and OpenCV would log a warning every time.
        raise CameraError.said(
            "there is no webcam {device}: is it plugged in? v4l2-ctl --list-devices lists all devices", device=device
        )
    return cv2.VideoCapture(int(device) if device.isdecimal() else device, cv2.CAP_V4L2)


def _size(capture: Capture) -> tuple[int, int]:
    import cv2  # noqa: PLC0415

    return round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))


def _ask(capture: Capture, size: tuple[int, int]) -> tuple[int, int]:
    """Request a size, and return the one that the camera uses instead."""
    import cv2  # noqa: PLC0415

    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    return _size(capture)


def _largest(capture: Capture, watching: tuple[int, int]) -> tuple[int, int]:
    """Return the largest mode with the aspect ratio of the frames' mode, which is restored.

    OpenCV does not list a camera's modes; but a camera uses the one nearest to the request.
    """
    width, height = watching
    if not width * height:  # unknown
        return watching
    wide, high = _ask(capture, (_BEYOND * width, _BEYOND * height))
    # The largest mode may have another aspect ratio; then smaller sizes that fit into it are requested.
    across = min(wide, high * width / height)
    while not _is_alike((wide, high), watching) and across > width:
        wide, high = _ask(capture, (round(across), round(across * height / width)))
        across *= _LESS
    _ask(capture, watching)
    return (wide, high) if wide > width and _is_alike((wide, high), watching) else watching


def _is_alike(size: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(size[0] * other[1] - size[1] * other[0]) <= _SHAPE * size[1] * other[0]


def _holds(options: WebcamDriver) -> Sequence[_Hold]:
    """Return the settings that a camera chooses, the exposure first: all others depend on how bright it is."""
    import cv2  # noqa: PLC0415

    units = None if options.exposure_us is None else max(1.0, round(options.exposure_us / _EXPOSURE_UNIT_US))
    exposure = (cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO_EXPOSURES, _MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE, units)
    white = (cv2.CAP_PROP_AUTO_WB, (1.0,), 0.0, cv2.CAP_PROP_WB_TEMPERATURE, options.white_balance_k)
    focus = (cv2.CAP_PROP_AUTOFOCUS, (1.0,), 0.0, cv2.CAP_PROP_FOCUS, options.focus)
    return _Hold("exposure", *exposure), _Hold("white balance", *white), _Hold("focus", *focus)


def _set_automatic(capture: Capture, hold: _Hold) -> None:
    any(capture.set(hold.switch, value) for value in hold.automatic)


def _choose_mode(capture: Capture, size: tuple[int, int], fps: float) -> None:
    """Set the camera's mode nearest above a size, or the nearest of all if none above it is fast enough.

    A driver that has not the size itself often takes a smaller one, in which patches are harder to tell apart.
    """
    import cv2  # noqa: PLC0415

    nearest = _ask(capture, size)
    capture.set(cv2.CAP_PROP_FPS, fps)
    above, factor = nearest, 1.0
    # No size at all: the driver does not tell.
    while nearest[0] and not _covers(above, size) and factor < _MORE:
        factor /= _LESS
        above = _ask(capture, (round(factor * size[0]), round(factor * size[1])))
    if above != nearest:
        capture.set(cv2.CAP_PROP_FPS, fps)
        is_fast = not 0 < capture.get(cv2.CAP_PROP_FPS) < fps
        if not (is_fast and _covers(above, size) and above[0] <= _MORE * size[0]):
            _ask(capture, nearest)
            capture.set(cv2.CAP_PROP_FPS, fps)


def _covers(size: tuple[int, int], other: tuple[int, int]) -> bool:
    return size[0] >= other[0] and size[1] >= other[1]


def _look(image: NDArray[np.uint8]) -> _Look:
    import cv2  # noqa: PLC0415

    blue, green, red, _ = cv2.mean(image)
    _, spread = cv2.meanStdDev(cv2.Laplacian(image[:, :, 1], cv2.CV_32F))
    return _Look((blue, green, red), (float(spread[0, 0]) / (green + 1)) ** 2)


def _is_near(value: float, other: float, share: float) -> bool:
    return abs(value - other) <= share * max(value, other)

"""A Raspberry Pi's camera, by picamera2.

It chooses exposure, colours and focus once, when it is opened; all frames and stills until it is closed are taken so.
"""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from companion.languages import said
from hardware.pi import exposure
from hardware.pi.modes import full_view_mode, shown_piece
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame, HardwareError
from hardware.vendors import vendor_module

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

MEND: Final = "sudo apt install python3-picamera2 --no-install-recommends"

_LIST: Final = "rpicam-hello --list-cameras"
_LOG: Final = logging.getLogger(__name__)
_SETTLE_FRAMES: Final = 120
"""So long the camera may take for its choice; an autofocus takes some seconds."""
_HOLD_FRAMES: Final = 30
"""Controls reach the sensor some frames late."""
_STALE_S: Final = 5.0
"""A time stamp that is further away than this is on another clock."""
_CLOSE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class PiCameraOptions:
    """How a Pi's camera is used.

    Attributes:
        size: width and height of a frame, in pixels.
        fps: frames a second.
        number: which camera, as `rpicam-hello --list-cameras` numbers them.
        mains_hz: the frequency of the mains, for lamps flicker with it.
        lens_position: the focus in dioptres (1 / metres), None for what the autofocus finds.
        pixel_format: of the stream, "RGB888" (which is blue, green, red in memory) or "NV12".
        timeout_s: how long to wait for a frame.
    """

    size: tuple[int, int]
    fps: float
    number: int = 0
    mains_hz: int = 50
    lens_position: float | None = None
    pixel_format: str = "RGB888"
    timeout_s: float = 5.0


class PiCamera:
    """The camera, opened, focused and exposed.

    Args:
        options: how it is used.
        clock: for frames whose own time stamp cannot be used.
        make: makes a Picamera2 of a camera's number, the library's own class where None.

    Raises:
        CameraError: there is no such camera, another program has it, or it gives no pictures.
        HardwareError: picamera2 is missing.
    """

    def __init__(self, options: PiCameraOptions, clock: Clock, make: Callable[[int], Any] | None = None) -> None:
        self._options, self._clock = options, clock
        self._taken, self._latest_s = 0, float("-inf")
        self._camera: Any = _opened(options.number, make)
        try:
            self._offered: Mapping[str, Any] = self._camera.camera_controls
            self._modes: Sequence[Mapping[str, Any]] = self._camera.sensor_modes
            self._mode = full_view_mode(self._modes, options.size, options.fps)
            self._held = self._choose()
            self._hold(self._stream(self._held))
        except CameraError:
            self.close()
            raise
        except Exception as error:
            # picamera2 and libcamera raise whatever they like.
            self.close()
            raise CameraError(
                said("camera {number} cannot be set up: {fault}", number=options.number, fault=_first_line(error))
            ) from error

    @property
    def held(self) -> Mapping[str, Any]:
        """The controls that it is held to."""
        return dict(self._held)

    def capture(self) -> Frame:
        """The next frame; its image is read-only, its time is the end of its exposure.

        Raises:
            EndOfFramesError: the camera was closed.
            CameraError: it gives no frames.
        """
        return self._frame(*self._take(), raw=self._mode)

    def still(self) -> Frame:
        """A picture of the sensor's full size, with the exposure, colours and focus of the frames.

        Raises:
            EndOfFramesError: the camera was closed.
            CameraError: it gives no picture.
        """
        if self._camera is None:
            raise EndOfFramesError(said("the camera was closed"))
        size = tuple(self._camera.sensor_resolution)
        wanted = {"size": size, "format": self._options.pixel_format}
        self._hold(self._camera.create_still_configuration(main=wanted, controls=self._held, buffer_count=1))
        try:
            return self._frame(*self._take(), raw=None)
        finally:
            self._hold(self._stream(self._held))

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        # With a loose cable libcamera waits for the sensor for ever.
        closing = threading.Thread(target=_release, args=(camera,), daemon=True)
        closing.start()
        closing.join(_CLOSE_S)
        if closing.is_alive():
            _LOG.error("the camera cannot be closed; start the companion anew if it stays away")

    def _choose(self) -> exposure.Controls:
        """Let the camera choose, and return what holds it to its choice."""
        options, offered = self._options, self._offered
        self._camera.configure(self._stream(exposure.free_controls(options.fps, offered, options.lens_position)))
        self._camera.start()
        seen: list[Mapping[str, Any]] = []
        while len(seen) < _SETTLE_FRAMES and not exposure.is_settled(seen, offered, options.lens_position):
            seen.append(self._take()[1])
        if seen[-1].get("AfState") == exposure.AF_FAILED:
            _LOG.warning("the camera found no focus; lay something with print on the table, or set lens_position")
        return exposure.held_controls(seen[-1], offered, options.fps, options.mains_hz, options.lens_position)

    def _stream(self, controls: exposure.Controls) -> Any:
        """The configuration for watching. It carries its controls, for a change of mode forgets all others."""
        wanted = {"size": self._options.size, "format": self._options.pixel_format}
        # Without a queue a frame is never older than the wish for it.
        return self._camera.create_video_configuration(
            main=wanted, raw=self._mode, controls=controls, buffer_count=4, queue=False
        )

    def _hold(self, configuration: Any) -> None:
        """Change to a configuration, and wait until frames are taken as it says."""
        self._await(lambda done: self._camera.switch_mode(configuration, signal_function=done))
        for _ in range(_HOLD_FRAMES):
            if exposure.is_held(self._take()[1], self._held):
                return
        _LOG.warning("the camera does not keep to %s", self._held)

    def _take(self) -> tuple[NDArray[np.uint8], Mapping[str, Any]]:
        """A picture and its metadata."""
        if self._camera is None:
            raise EndOfFramesError(said("the camera was closed"))
        request = self._await(lambda done: self._camera.capture_request(signal_function=done))
        try:
            return request.make_array("main"), request.get_metadata()
        finally:
            request.release()

    def _await(self, begin: Callable[[Callable[[Any], None]], Any]) -> Any:
        """What a job of picamera2's comes to; `begin` starts it and takes what it shall call at its end."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        timeout_s = self._options.timeout_s
        try:
            begin(done.put)
            return self._camera.wait(done.get(timeout=timeout_s))
        except queue.Empty:
            number = self._options.number
            says = said(
                "camera {number} has given no picture for {seconds} s; check both ends of its ribbon cable",
                number=number,
                seconds=f"{timeout_s:g}",
            )
            raise CameraError(says) from None
        except Exception as error:
            says = said("camera {number} failed: {fault}", number=self._options.number, fault=_first_line(error))
            raise CameraError(says) from error

    def _frame(self, array: NDArray[np.uint8], metadata: Mapping[str, Any], raw: Mapping[str, Any] | None) -> Frame:
        # Packed colours come as they are; what else a camera offers has its brightness and colours apart.
        image = array if array.ndim == 3 else np.asarray(cv2.cvtColor(array, cv2.COLOR_YUV2BGR_NV12), np.uint8)
        image.setflags(write=False)
        self._latest_s = max(self._latest_s, _end_of_exposure_s(metadata, self._clock.now()))
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        shown = shown_piece(metadata, self._modes, raw, (image.shape[1], image.shape[0]))
        return Frame(image, self._latest_s, name, dict(metadata), shown)


def _opened(number: int, make: Callable[[int], Any] | None) -> Any:
    try:
        return (_one_of_those_there(number) if make is None else make)(number)
    except HardwareError:
        raise
    except Exception as error:
        # picamera2 wraps the cause: "Camera __init__ sequence did not complete."
        cause = error.__cause__ or error
        if "acquire" in str(cause) or "busy" in str(cause):
            raise CameraError(
                said(
                    "camera {number} is busy: another program has it; end that one ({command} names it)",
                    number=number,
                    command="sudo fuser -v /dev/video* /dev/media*",
                )
            ) from error
        raise CameraError(
            said("camera {number} cannot be opened: {fault}", number=number, fault=_first_line(cause))
        ) from error


def _one_of_those_there(number: int) -> Callable[[int], Any]:
    """picamera2's class, once it has said that it has such a camera."""
    kind: Any = vendor_module("picamera2", MEND).Picamera2
    count = len(kind.global_camera_info())
    if count == 0:
        raise CameraError(
            said("there is no camera: check both ends of its ribbon cable, then {command}", command=_LIST)
        )
    if number >= count:
        raise CameraError(
            said(
                "there is no camera {number}, only {count}; {command} numbers them from {first}",
                number=number,
                count=count,
                command=_LIST,
                first=0,
            )
        )
    made: Callable[[int], Any] = kind
    return made


def _release(camera: Any) -> None:
    try:
        camera.stop()
    finally:
        camera.close()


def _end_of_exposure_s(metadata: Mapping[str, Any], now_s: float) -> float:
    stamp_ns = metadata.get("SensorTimestamp")
    if stamp_ns is None:
        return now_s
    ended_s = stamp_ns / 1e9 + metadata.get("ExposureTime", 0) / 1e6
    return ended_s if abs(now_s - ended_s) <= _STALE_S else now_s


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]

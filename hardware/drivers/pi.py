"""A Raspberry Pi's camera, by picamera2.

Exposure, colours and focus are chosen automatically once, when it is opened, and then fixed until it is closed.
"""

from __future__ import annotations

import logging
import queue
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.languages import all_of, listed, said
from companion.settings import number, setting, word
from hardware import exposure
from hardware.diagnosis import Finding, Machine, fault, note, ok
from hardware.driver import ABOUT_CAMERA, ExposedCameraDriver, OpenContext, device_findings
from hardware.environment import camera_command, first_line, is_clash, this_environment, vendor_module
from hardware.exposure import crop_of, full_view_mode
from hardware.ports import CameraError, Clock, EndOfFramesError, Frame, HardwareError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LISTERS: Final = ("rpicam-hello", "libcamera-hello")
_LIST: Final = f"{_LISTERS[0]} --list-cameras"
_LISTED: Final = re.compile(r"^\s*(\d+)\s*:\s*(\S+)", re.MULTILINE)
_LIBCAMERA: Final = "libcamera"
_LOG: Final = logging.getLogger(__name__)
# The greatest number of frames to wait for the camera to settle.
_SETTLE_FRAMES: Final = 120
# The greatest number of frames of a search for focus, which takes some seconds.
_FOCUS_FRAMES: Final = 60
# Number of searches for focus: a hand over the table, or a lamp being switched on, spoils one.
_FOCUS_ATTEMPTS: Final = 3
# The greatest number of frames until controls take effect in the sensor.
_HOLD_FRAMES: Final = 30
# Difference from which a time stamp is of another clock.
_STALE_S: Final = 5.0
# The longest wait for the camera to close at the end of the program.
_CLOSE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class PiCameraDriver(ExposedCameraDriver):
    """The Raspberry Pi's own camera."""

    driver = "pi"
    summary = said("the Raspberry Pi’s own camera")
    group = "video"
    needs_pi = needs_system = has_finer_stills = reopens = True

    device: str = setting("0", word, said("Which camera: its number, as {command} lists it.", command=_LIST))
    lens_position: float | None = setting(
        None, number(0, 32), said("The focus in dioptres (1 / metres); absent: set by the autofocus."), "1.2"
    )

    def check(self) -> None:
        """Check that the camera is named by its number."""
        if not self.device.isdecimal():
            raise ValueError(
                said(
                    "{key}: {value} is not valid; allowed: with the driver {driver}, a number from {least}",
                    key="device",
                    value=repr(self.device),
                    driver='"pi"',
                    least=0,
                )
            )

    def open(self, context: OpenContext) -> PiCamera:
        """Open the camera, focus it and fix its exposure."""
        return PiCamera(self, context.clock, say=context.say)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the findings on its libraries, and on whether the camera is there and free to use."""
        yield _libraries(machine)
        devices = [*machine.devices("media*"), *machine.devices("video*")]
        if not devices:
            yield fault(
                ABOUT_CAMERA,
                said("There is no camera device."),
                said("The kernel has not found a camera on the connector."),
                said(
                    "Switch the Pi off, check both ends of the ribbon cable (contacts facing contacts), and switch on. "
                    "For a camera that is not from Raspberry Pi: its {setting} in {file}.",
                    setting="dtoverlay",
                    file="/boot/firmware/config.txt",
                ),
            )
            return
        yield from device_findings(machine, devices)
        yield self._listed(machine)

    def _listed(self, machine: Machine) -> Finding:
        """Return the finding on whether libcamera lists the camera."""
        # The program was renamed with bookworm.
        listing = next((text for text in (machine.run([name, "--list-cameras"]) for name in _LISTERS) if text), None)
        if listing is None:
            title = said("{program} is missing or fails, so the cameras cannot be listed.", program=_LISTERS[0])
            return note(ABOUT_CAMERA, title, do="sudo apt install rpicam-apps-lite")
        there = dict(_LISTED.findall(listing))
        if self.device in there:
            title = said("Camera {number} was found: {name}.", number=self.device, name=there[self.device])
            return ok(ABOUT_CAMERA, title)
        others = [said("{number} ({name})", number=number, name=name) for number, name in there.items()]
        return fault(
            ABOUT_CAMERA,
            said(
                "Camera {number} was not found; libcamera lists {cameras}.",
                number=self.device,
                cameras=listed(others or [said("none")]),
            ),
            said("No picture can be taken."),
            said(
                "Switch the Pi off and check the ribbon cable, or set {key} to one of the numbers listed.",
                key="[camera] device",
            ),
        )


def _libraries(machine: Machine) -> Finding:
    """Return the finding on the libraries of the Pi's camera, picamera2 and libcamera."""
    command = camera_command(machine.environment)
    reason = _import_fault(machine, "libcamera")
    if reason is not None:
        title = said("libcamera’s Python bindings cannot be imported: {fault}", fault=reason)
        says = said("The Pi’s camera cannot be opened. libcamera is not available from pip: it comes with the system.")
        return fault(_LIBCAMERA, title, says, command)
    reason = _import_fault(machine, "picamera2")
    if reason is None:
        return ok(_LIBCAMERA, said("{modules} can be imported.", modules=all_of(["picamera2", "libcamera"])))
    # On bookworm, pip's NumPy 2 breaks the system's simplejpeg, which was built for NumPy 1.
    if is_clash(reason):
        title = said(
            "{ours} and the system’s {theirs} are not compatible.",
            ours=f"numpy {machine.version('numpy') or '?'}",
            theirs=f"simplejpeg {machine.version('simplejpeg') or '?'}",
        )
        says = said(
            "picamera2 was built for the numpy that comes with the system, and pip has installed a different one that "
            "is used instead."
        )
        return fault(_LIBCAMERA, title, says, machine.environment.numpy_fitting())
    title = said("{module} cannot be imported: {fault}", module="picamera2", fault=reason)
    return fault(_LIBCAMERA, title, said("The Pi’s camera cannot be opened."), command)


def _import_fault(machine: Machine, module: str) -> str | None:
    try:
        machine.load(module)
    # What broken binary packages raise: a missing library, or NumPy's "dtype size changed", which is a ValueError.
    except (ImportError, OSError, RuntimeError, ValueError, NotImplementedError) as error:
        return first_line(error).rstrip(".") + "."
    return None


class PiCamera:
    """A Raspberry Pi's camera, opened, focused and exposed.

    Args:
        options: its settings.
        clock: for frames without a usable time stamp.
        make: factory of a Picamera2 from a camera's number, None for the library's class.
        say: called with warnings for the user, None for the log.
        pixel_format: of the stream, "RGB888" (which is blue, green, red in memory) or "NV12".
        timeout_s: the longest wait for a frame.

    Raises:
        CameraError: there is no such camera, another program uses it, or it delivers no pictures.
        HardwareError: picamera2 is missing.
    """

    def __init__(
        self,
        options: PiCameraDriver,
        clock: Clock,
        make: Callable[[int], Any] | None = None,
        say: Callable[[str], None] | None = None,
        *,
        pixel_format: str = "RGB888",
        timeout_s: float = 5.0,
    ) -> None:
        self._options, self._clock, self._say = options, clock, say or _LOG.warning
        self._number, self._pixel_format, self._timeout_s = int(options.device), pixel_format, timeout_s
        self._taken, self._latest_s = 0, float("-inf")
        self._camera: Any = _opened(self._number, make)
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
            # picamera2 and libcamera raise arbitrary exceptions.
            self.close()
            raise CameraError.said(
                "camera {number} cannot be set up: {fault}", number=self._number, fault=first_line(error)
            ) from error

    @property
    def held(self) -> Mapping[str, Any]:
        """The controls that the camera is fixed to."""
        return dict(self._held)

    def capture(self) -> Frame:
        """Return the next frame; its image is read-only, its time is the end of its exposure."""
        return self._frame(*self._take(), raw=self._mode)

    def still(self) -> Frame:
        """Return a picture of the sensor's full size, with the exposure, colours and focus of the frames."""
        if self._camera is None:
            raise EndOfFramesError.said("the camera was closed")
        size = tuple(self._camera.sensor_resolution)
        wanted = {"size": size, "format": self._pixel_format}
        try:
            # One buffer: even one of the sensor's full size may be more than a small Pi has room for.
            self._hold(self._camera.create_still_configuration(main=wanted, controls=self._held, buffer_count=1))
            frame = self._frame(*self._take(), raw=None)
        except CameraError:
            self._recover()
            raise
        self._hold(self._stream(self._held))
        return frame

    def close(self) -> None:
        """Release the camera; may be called more than once."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        # With a loose cable libcamera waits for the sensor indefinitely.
        closing = threading.Thread(target=_release, args=(camera,), daemon=True)
        closing.start()
        closing.join(_CLOSE_S)
        if closing.is_alive():
            _LOG.error("the camera cannot be closed; start the companion anew if it stays away")

    def _choose(self) -> exposure.Controls:
        """Let the camera choose its settings, and return the controls that fix them."""
        options, offered = self._options, self._offered
        self._camera.configure(self._stream(exposure.free_controls(options.fps, offered, options.lens_position)))
        self._camera.start()
        chosen = self._watch(exposure.is_settled, _SETTLE_FRAMES)
        focusing = exposure.focus_controls(offered, options.lens_position)
        if focusing is not None:
            # Not earlier: while the exposure changes, autofocus finds a wrong position, or none.
            self._focus(focusing)
            chosen = self._watch(exposure.is_settled, _SETTLE_FRAMES)
        return exposure.held_controls(
            chosen, offered, options.fps, options.mains_hz, options.lens_position, options.exposure_us
        )

    def _focus(self, controls: exposure.Controls) -> None:
        """Run the autofocus, repeatedly if it fails."""
        for _ in range(_FOCUS_ATTEMPTS):
            self._camera.set_controls(controls)
            if exposure.is_in_focus(self._watch(exposure.has_ended_focusing, _FOCUS_FRAMES)):
                return
        self._say(
            said(
                "The camera cannot focus: put something printed under it and start again, or set {key}.",
                key="[camera] lens_position",
            )
        )

    def _watch(self, is_enough: Callable[[Sequence[Mapping[str, Any]]], bool], longest: int) -> Mapping[str, Any]:
        """Take frames until their metadata suffice, and return those of the last one."""
        seen = [self._take()[1]]
        while len(seen) < longest and not is_enough(seen):
            seen.append(self._take()[1])
        return seen[-1]

    def _recover(self) -> None:
        """Return to frames after a failed still; if that fails too, the next frame raises the error."""
        stream = self._stream(self._held)
        with suppress(Exception):
            # A failed change of mode leaves the camera stopped, and a stopped camera takes no jobs.
            if self._camera.started:
                self._hold(stream)
            else:
                self._camera.configure(stream)
                self._camera.start()
                self._await_held()

    def _stream(self, controls: exposure.Controls) -> Any:
        """Return the configuration for frames, including its controls, as a change of mode discards all others."""
        wanted = {"size": self._options.size, "format": self._pixel_format}
        # Without a queue a frame is never older than the request for it.
        return self._camera.create_video_configuration(
            main=wanted, raw=self._mode, controls=controls, buffer_count=4, queue=False
        )

    def _hold(self, configuration: Any) -> None:
        """Change to a configuration, and wait until its controls have taken effect."""
        self._await(lambda done: self._camera.switch_mode(configuration, signal_function=done))
        self._await_held()

    def _await_held(self) -> None:
        for _ in range(_HOLD_FRAMES):
            if exposure.is_held(self._take()[1], self._held):
                return
        _LOG.warning("the camera does not keep to %s", self._held)

    def _take(self) -> tuple[NDArray[np.uint8], Mapping[str, Any]]:
        """Return a picture and its metadata."""
        if self._camera is None:
            raise EndOfFramesError.said("the camera was closed")
        request = self._await(lambda done: self._camera.capture_request(signal_function=done))
        try:
            # A copy, which remains valid after the release.
            return request.make_array("main"), request.get_metadata()
        finally:
            # A request that is not released keeps its buffer, and without buffers no frames come.
            request.release()

    def _await(self, begin: Callable[[Callable[[Any], None]], Any]) -> Any:
        """Return the result of a picamera2 job; `begin` starts it and takes the completion callback."""
        # A frozen camera never completes a job: hence a queue, which is waited for with a timeout.
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        try:
            begin(done.put)
            return self._camera.wait(done.get(timeout=self._timeout_s))
        except queue.Empty:
            raise CameraError.said(
                "camera {number} has sent no picture for {seconds} s; switch the Pi off, and check both ends of the "
                "camera’s ribbon cable",
                number=self._number,
                seconds=f"{self._timeout_s:g}",
            ) from None
        except Exception as error:
            raise CameraError.said(
                "camera {number} failed: {fault}", number=self._number, fault=first_line(error)
            ) from error

    def _frame(self, array: NDArray[np.uint8], metadata: Mapping[str, Any], raw: Mapping[str, Any] | None) -> Frame:
        # Packed colours need no conversion; the other format offered has separate brightness and colour planes.
        image = array if array.ndim == 3 else _from_planes(array)
        image.setflags(write=False)
        # The two sources of times differ a little, and the time of frames must not decrease.
        self._latest_s = max(self._latest_s, _end_of_exposure_s(metadata, self._clock.now()))
        name = f"{self._taken:06d}.jpg"
        self._taken += 1
        crop = crop_of(metadata, self._modes, raw, (image.shape[1], image.shape[0]))
        return Frame(image, self._latest_s, name, dict(metadata), crop)


def _opened(number: int, make: Callable[[int], Any] | None) -> Any:
    try:
        return (_one_of_those_there(number) if make is None else make)(number)
    except HardwareError:
        raise
    except Exception as error:
        # picamera2 wraps the cause: "Camera __init__ sequence did not complete."
        cause = error.__cause__ or error
        if "acquire" in str(cause) or "busy" in str(cause):
            raise CameraError.said(
                "camera {number} is in use by another program; close that program ({command} names it)",
                number=number,
                command="sudo fuser -v /dev/video* /dev/media*",
            ) from error
        raise CameraError.said(
            "camera {number} cannot be opened: {fault}", number=number, fault=first_line(cause)
        ) from error


def _one_of_those_there(number: int) -> Callable[[int], Any]:
    """Return picamera2's class, after checking that the camera exists."""
    kind: Any = vendor_module("picamera2", camera_command(this_environment())).Picamera2
    count = len(kind.global_camera_info())
    if count == 0:
        raise CameraError.said(
            "there is no camera: switch the Pi off, check both ends of the ribbon cable, switch on, then {command}",
            command=_LIST,
        )
    if number >= count:
        raise CameraError.said(
            "there is no camera {number}, only {count}; {command} numbers them from {first}",
            number=number,
            count=count,
            command=_LIST,
            first=0,
        )
    made: Callable[[int], Any] = kind
    return made


def _from_planes(array: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture in the format NV12 as BGR."""
    import cv2  # noqa: PLC0415  # Every command reads the configuration, and few see pictures.
    import numpy as np  # noqa: PLC0415

    return np.asarray(cv2.cvtColor(array, cv2.COLOR_YUV2BGR_NV12), np.uint8)


def _release(camera: Any) -> None:
    try:
        try:
            camera.stop()
        finally:
            camera.close()
    except Exception as error:
        # A thread's own traceback would be printed on the terminal.
        _LOG.error("the camera could not be closed properly: %s", first_line(error))


def _end_of_exposure_s(metadata: Mapping[str, Any], now_s: float) -> float:
    stamp_ns = metadata.get("SensorTimestamp")
    if stamp_ns is None:
        return now_s
    ended_s = stamp_ns / 1e9 + metadata.get("ExposureTime", 0) / 1e6
    return ended_s if abs(now_s - ended_s) <= _STALE_S else now_s

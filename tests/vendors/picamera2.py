"""A fake of the module `picamera2`: one camera over a table, with the behaviour of the real one.

Jobs end by a signal; requests must be released, or frames stop coming; a change of mode forgets controls that its
configuration does not carry; controls reach the sensor some frames late; one program has the camera at a time.
"""

from __future__ import annotations

from collections import deque
from types import ModuleType
from typing import Any

import numpy as np

CONTROLS_DELAY = 3
AF_MANUAL, AF_IDLE, AF_SCANNING, AF_FOCUSED, AF_FAILED = 0, 0, 1, 2, 3
CONTROLS = {
    "AeEnable": (False, True, True),
    "AwbEnable": (False, True, True),
    "ExposureTime": (30, 120000, 20000),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "ColourGains": (0.0, 32.0, None),
    "FrameDurationLimits": (17000, 120000, 33333),
    "AfMode": (0, 2, 0),
    "AfTrigger": (0, 1, 0),
    "LensPosition": (0.0, 32.0, 1.0),
}
MODES = [
    {"format": "SRGGB10_CSI2P", "unpacked": "SRGGB10", "size": size, "fps": fps, "crop_limits": crop}
    for size, fps, crop in (
        ((160, 90), 120.0, (80, 45, 160, 90)),
        ((240, 135), 60.0, (0, 0, 320, 180)),
        ((320, 180), 14.0, (0, 0, 320, 180)),
    )
]


class Sensor:
    """The state that all programs share: the camera itself and its surroundings."""

    def __init__(self) -> None:
        self.count = 1
        self.owner: FakePicamera2 | None = None
        self.frozen = False
        self.light_us = 23500.0
        self.focus = 2.5
        self.now_s = 1000.0
        self.focus_failures = 0
        self.offered = dict(CONTROLS)
        self.modes = [dict(mode) for mode in MODES]
        self.opened = self.closed = 0


class Job:
    """A completed job."""

    def __init__(self, result: Any) -> None:
        self.result = result


class Request:
    """A completed request; its release returns the buffer to the camera."""

    def __init__(self, camera: FakePicamera2, metadata: dict[str, Any]) -> None:
        self._camera, self._metadata = camera, metadata
        camera.held_requests += 1

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._metadata)

    def make_array(self, name: str) -> Any:
        width, height = self._camera.configuration[name]["size"]
        level = self._metadata["ExposureTime"] * self._metadata["AnalogueGain"] / self._camera.sensor.light_us * 100
        grey = np.full((height, width), min(255, round(level)), np.uint8)
        if self._camera.configuration[name]["format"] == "NV12":
            return np.vstack([grey, np.full((height // 2, width), 128, np.uint8)])
        return np.dstack([grey, grey, np.full_like(grey, self._camera.frames % 256)])

    def release(self) -> None:
        self._camera.held_requests -= 1


class FakePicamera2:
    """One program's view of the camera."""

    sensor: Sensor

    def __init__(self, camera_num: int = 0) -> None:
        if self.sensor.owner is not None:
            acquired = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from acquired
        self.sensor.owner = self
        self.sensor.opened += 1
        self.camera_num = camera_num
        self.camera_controls = self.sensor.offered
        self.sensor_modes = self.sensor.modes
        self.sensor_resolution = (320, 180)
        self.configuration: dict[str, Any] = {}
        self.configurations: list[dict[str, Any]] = []
        self.started = False
        self.frames = self.held_requests = 0
        self._pending: deque[dict[str, Any]] = deque()
        self._active: dict[str, Any] = {}
        self._exposure, self._gain, self._lens = 1000.0, 1.0, 1.0
        self._af_state, self._fails = AF_IDLE, False

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [{"Num": number} for number in range(cls.sensor.count)]

    def create_video_configuration(self, **options: Any) -> dict[str, Any]:
        return {"use": "video", "raw": None, **options}

    def create_still_configuration(self, **options: Any) -> dict[str, Any]:
        return {"use": "still", "raw": None, **options}

    def configure(self, configuration: dict[str, Any]) -> None:
        assert not self.started, "a running camera cannot be configured"
        unknown = set(configuration["controls"]) - set(self.sensor.offered)
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.configuration = configuration
        self.configurations.append(configuration)
        # Controls of an earlier configuration are lost.
        self._pending = deque([{}] * CONTROLS_DELAY + [dict(configuration["controls"])])
        self._active = {}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self._pending.extend([{}] * max(0, CONTROLS_DELAY - len(self._pending)) + [dict(controls)])

    def start(self) -> None:
        self.started = True

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        assert self.sensor.owner is self
        self.sensor.owner = None
        self.sensor.closed += 1

    def switch_mode(self, configuration: dict[str, Any], signal_function: Any) -> None:
        # A stopped camera has no frames to complete jobs.
        if self.sensor.frozen or not self.started:
            return
        self.stop()
        try:
            self.configure(configuration)
        except RuntimeError as error:
            signal_function(Job(error))
            return
        self.start()
        signal_function(Job(configuration))

    def capture_request(self, signal_function: Any) -> None:
        assert self.started
        if self.sensor.frozen or self.held_requests >= self.configuration["buffer_count"]:
            return
        signal_function(Job(Request(self, self._metadata())))

    def wait(self, job: Job) -> Any:
        if isinstance(job.result, Exception):
            raise job.result
        return job.result

    def _metadata(self) -> dict[str, Any]:
        self.frames += 1
        self.sensor.now_s += 0.1
        if self._pending:
            told = self._pending.popleft()
            self._active |= told
            self._trigger(told)
        self._converge()
        metadata = {
            "SensorTimestamp": round(self.sensor.now_s * 1e9),
            "ExposureTime": round(self._exposure),
            "AnalogueGain": self._gain,
            "DigitalGain": 1.0,
            "ColourGains": (1.5 + 0.3 / self.frames, 2.0),
        }
        if not self._active.get("AwbEnable", True):
            metadata["ColourGains"] = self._active["ColourGains"]
        if "AfMode" in self.sensor.offered:
            metadata |= {"LensPosition": self._lens, "AfState": self._af_state}
        return metadata

    def _converge(self) -> None:
        """Move exposure and focus by half of the way, as in each frame, unless they are fixed."""
        if self._active.get("AeEnable", True):
            self._exposure += (self.sensor.light_us / 1.5 - self._exposure) / 2
            self._gain = 1.5
        else:
            self._exposure, self._gain = self._active["ExposureTime"] - 7, self._active["AnalogueGain"]
        if self._active.get("AfMode") == AF_MANUAL:
            self._lens = self._active["LensPosition"]
        elif self._af_state == AF_SCANNING:
            self._lens += (self.sensor.focus - self._lens) / 2
            if abs(self._lens - self.sensor.focus) < 0.05:
                self._af_state = AF_FAILED if self._fails else AF_FOCUSED

    def _trigger(self, told: dict[str, Any]) -> None:
        """Start a search for focus if triggered; it fails while the exposure still changes."""
        if "AfTrigger" in told:
            self._af_state, self._lens = AF_SCANNING, 0.0
            unsettled = abs(self._exposure - self.sensor.light_us / 1.5) > 0.01 * self._exposure
            self._fails = unsettled or self.sensor.focus_failures > 0
            self.sensor.focus_failures -= self.sensor.focus_failures > 0


def fake_module() -> ModuleType:
    """Return a module `picamera2` with a sensor of its own, as `module.sensor`."""
    module = ModuleType("picamera2")
    sensor = Sensor()
    module.__dict__.update(sensor=sensor, Picamera2=type("Picamera2", (FakePicamera2,), {"sensor": sensor}))
    return module

"""The look through a camera before a game: is it the right one, and would the boards be found in its picture?"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final, NamedTuple

from companion.calibrating.configured import seating_of
from companion.calibrating.desk import CalibrationDesk, View
from companion.compose.devices import open_camera
from companion.config import Config
from companion.config.text import ConfigError
from companion.languages import reason, said
from hardware.clock import SystemClock
from hardware.ports import EndOfFramesError, Frame, HardwareError

_WEBCAMS: Final = "video4linux"
# The time without a request after which the camera is released: a page asks every second.
_PATIENCE_S: Final = 5.0


_NONE: Final = said("No camera is chosen yet.")


class ConnectedCamera(NamedTuple):
    """A camera that is connected to this machine.

    Attributes:
        driver: the driver for it.
        device: its name for that driver.
        name: what it calls itself.
    """

    driver: str
    device: str
    name: str


def connected_cameras(system: Path = Path("/sys/class")) -> list[ConnectedCamera]:
    """Return the cameras that are connected: those of a Raspberry Pi first, then webcams."""
    return [*_pi_cameras(), *_webcams(system / _WEBCAMS)]


def _webcams(folder: Path) -> list[ConnectedCamera]:
    """Return the webcams; of the files of one camera, the first has its pictures."""
    found: dict[str, ConnectedCamera] = {}
    for file in sorted(folder.glob("video*"), key=lambda path: int(path.name[5:] or 0)):
        name = (file / "name").read_text(errors="replace").strip() if (file / "name").exists() else file.name
        device = str((file / "device").resolve())
        found.setdefault(device, ConnectedCamera("webcam", f"/dev/{file.name}", name))
    return list(found.values())


def _pi_cameras() -> list[ConnectedCamera]:
    try:
        from picamera2 import Picamera2  # noqa: PLC0415  # Only on a Raspberry Pi.
    except ImportError:
        return []
    infos = [info for info in Picamera2.global_camera_info() if "usb" not in str(info.get("Id", "")).lower()]
    return [ConnectedCamera("pi", str(info["Num"]), str(info.get("Model", "pi"))) for info in infos]


class Preview:
    """The configured camera, open for as long as a page asks for its picture.

    Args:
        config: returns the configuration at present.
        show: called with every picture.
        clock: monotonic, in seconds.
    """

    def __init__(self, config: Callable[[], Config], show: Callable[[Frame], None], now: Callable[[], float]) -> None:
        self._config, self._show, self._now = config, show, now
        self._lock = Lock()
        self._thread: Thread | None = None
        self._until_s, self._fault = 0.0, ""
        self._is_other = Event()
        self._desk: CalibrationDesk | None = None
        self._frame: Frame | None = None

    def look(self) -> tuple[str, View | None]:
        """Return why there is no picture, or "", and what is seen in the newest one; opens the camera if necessary."""
        with self._lock:
            self._until_s = self._now() + _PATIENCE_S
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="preview", daemon=True)
                self._thread.start()
            desk, frame, fault = self._desk, self._frame, self._fault
        return fault, None if desk is None or frame is None else desk.see(frame)

    def reopen(self) -> None:
        """Look through the camera that is configured by now, in place of the one that was."""
        self._frame, self._fault = None, ""
        self._is_other.set()

    def close(self) -> None:
        """Release the camera and wait until it is released; may be called more than once."""
        with self._lock:
            self._until_s, thread = 0.0, self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        try:
            while self._now() < self._until_s:
                self._is_other.clear()
                self._look_through(self._config())
        except (HardwareError, EndOfFramesError, ConfigError) as error:
            self._fault = reason(error)
        finally:
            self._frame = None

    def _look_through(self, config: Config) -> None:
        """Show a camera's pictures as long as they are asked for and no other camera is chosen."""
        if config.camera.driver == "simulated":
            raise HardwareError(_NONE)
        # Nothing is saved by it: the desk only says what it sees.
        self._desk = CalibrationDesk(Path("unsaved"), seating_of(config.table))
        with closing(open_camera(config, SystemClock())) as camera:
            self._fault = ""
            while self._now() < self._until_s:
                frame = camera.capture()
                if self._is_other.is_set():
                    self._frame = None
                    return
                self._frame = frame
                self._show(frame)

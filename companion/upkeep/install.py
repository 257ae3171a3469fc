"""Installation of this program as a systemd service, and its removal, step by step.

Files are written below a root folder, so that a system that is not running can be prepared; commands for the running
system are then left out.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import companion
from companion.config import Config
from companion.configuration import config_text
from companion.durable import take_place, write_beside
from companion.errors import CompanionError
from companion.languages import said, system_says
from hardware.drivers.gpio import GpioDriver
from hardware.drivers.neopixel import NeoPixelDriver
from hardware.drivers.none import NoControlsDriver, NoStripDriver
from hardware.drivers.pi import PiCameraDriver
from hardware.drivers.webcam import WebcamDriver
from hardware.environment import PiBoard, read_board

Execute: TypeAlias = Callable[[Sequence[str]], int]
"""A function that runs a command and returns its exit status; the command's output goes to the user."""


class InstallStep(Protocol):
    """One step of an installation."""

    @property
    def says(self) -> str:
        """A line that describes the step."""

    def is_done(self) -> bool:
        """Return whether nothing is left to do."""

    def do(self, execute: Execute) -> None:
        """Do the step.

        Raises:
            CompanionError: it fails.
        """


@dataclass(frozen=True, slots=True)
class WriteFile:
    """The step that writes a file.

    Attributes:
        path: the file's path.
        text: the file's content.
        keep: whether an existing file is left unchanged, whatever its content.
        mode: the file's permissions.
    """

    path: Path
    text: str
    keep: bool = False
    mode: int = 0o644

    @property
    def says(self) -> str:
        """A line that describes the step."""
        return said("write {path}", path=str(self.path))

    def is_done(self) -> bool:
        """Return whether the file has this text, or exists and is to be kept."""
        try:
            return (self.keep and self.path.exists()) or self.path.read_text(encoding="utf-8") == self.text
        except OSError:
            return False

    def do(self, execute: Execute) -> None:
        """Write the file atomically."""
        del execute
        with _explained(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary = write_beside(self.path, self.text.encode())
            # Before it takes its place, so that it is never there with other permissions.
            temporary.chmod(self.mode)
            take_place(temporary, self.path)


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """The step that removes a file; with `only_if`, a file that was changed stays.

    Attributes:
        path: the file's path.
        only_if: the content with which it is deleted; None to delete it whatever its content.
    """

    path: Path
    only_if: str | None = None

    @property
    def says(self) -> str:
        """A line that describes the step."""
        return said("delete {path}", path=str(self.path))

    def is_done(self) -> bool:
        """Return whether the file is gone, or has another content than `only_if`."""
        if not self.path.exists():
            return True
        try:
            return self.only_if is not None and self.path.read_text(encoding="utf-8") != self.only_if
        except OSError:
            return False

    def do(self, execute: Execute) -> None:
        """Delete the file, and its folder if that is the companion's and empty."""
        del execute
        with _explained(self.path):
            self.path.unlink(missing_ok=True)
            folder = self.path.parent
            if folder.name == "quilt-companion" and not any(folder.iterdir()):
                folder.rmdir()


@dataclass(frozen=True, slots=True)
class RunCommand:
    """The step that runs a command.

    Attributes:
        command: the command.
        done: returns whether the command is unnecessary.
        needed: whether a failure ends the installation.
    """

    command: tuple[str, ...]
    done: Callable[[], bool] = lambda: False
    needed: bool = True

    @property
    def says(self) -> str:
        """A line that describes the step."""
        return said("run {command}", command=" ".join(self.command))

    def is_done(self) -> bool:
        """Return whether the command is unnecessary."""
        return self.done()

    def do(self, execute: Execute) -> None:
        """Run the command."""
        status = execute(self.command)
        if status != 0 and self.needed:
            raise CompanionError.said(
                "{command}: failed with status {status}; fix that and install again",
                command=" ".join(self.command),
                status=status,
            )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Convert an OSError into a CompanionError about a path."""
    try:
        yield
    except OSError as error:
        do = (
            said("run it as root ({command})", command="sudo")
            if isinstance(error, PermissionError)
            else said("fix that and install again")
        )
        raise CompanionError.said("{path}: {fault}; {do}", path=str(path), fault=system_says(error), do=do) from error


UNIT: Final = "quilt-companion.service"
HALL_UNIT: Final = "quilt-companion-hall.service"
CONFIG: Final = "/etc/quilt-companion/config.toml"
STATE: Final = "/var/lib/quilt-companion"
USER: Final = "quilt-companion"
LINK: Final = "/usr/local/bin/companion"
"""The link to the program in the PATH of all users, made by packaging/first-boot.sh or by the owner."""

_UNITS: Final = "/etc/systemd/system"
UNIT_FOLDERS: Final = (_UNITS, "/usr/lib/systemd/system", "/lib/systemd/system")
"""The folders in which `companion install` and a Debian package place the unit."""
_SHARED: Final = {
    "sysusers.conf": "/etc/sysusers.d/quilt-companion.conf",
    "tmpfiles.conf": "/etc/tmpfiles.d/quilt-companion.conf",
}
# The files of each unit, and where they belong.
_PLACES: Final = {
    UNIT: {
        UNIT: f"{_UNITS}/{UNIT}",
        **_SHARED,
        "udev.rules": "/etc/udev/rules.d/70-quilt-companion.rules",
        "avahi.service": "/etc/avahi/services/quilt-companion.service",
    },
    HALL_UNIT: {HALL_UNIT: f"{_UNITS}/{HALL_UNIT}", **_SHARED},
}
# The name of the sysusers and tmpfiles configuration, which systemd's tools find in any root.
_CONF: Final = "quilt-companion.conf"
# Folders that the unit's ProtectHome and PrivateTmp hide from the service.
_HIDDEN: Final = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")  # noqa: S108 - nothing is put there


@dataclass(frozen=True, slots=True)
class Destination:
    """The system and program that are installed as a service.

    Attributes:
        command: the absolute path of the program.
        config: the text of the configuration, written if there is none yet.
        port: the port of the page.
        root: the root folder of the system.
        sources: the folders from which the program is imported.
        booted: whether this machine was booted with systemd (sd_booted(3)), unlike some containers and chroots.
    """

    command: Path
    config: str
    port: int
    root: Path = Path("/")
    sources: tuple[Path, ...] = ()
    booted: bool = True

    @property
    def runs(self) -> bool:
        """True if it is the running system."""
        return self.booted and self.root == Path("/")

    def path(self, path: str) -> Path:
        """Return the path of one of the system's files."""
        return self.root / path.lstrip("/")

    def check(self) -> None:
        """Check that the service's user can reach the program.

        Raises:
            CompanionError: it is in a folder hidden from the service.
        """
        for path in (self.command, *self.sources):
            hidden = next((folder for folder in _HIDDEN if path.is_relative_to(folder)), None)
            if hidden is not None:
                raise CompanionError.said(
                    "install: {path} is in {hidden}, which the service’s own user is not allowed to read: "
                    "install the companion into {folder} ({command} does this) and run its command from there",
                    path=str(path),
                    hidden=hidden,
                    folder="/opt/quilt-companion",
                    command="sudo make install",
                )


def installation(place: Destination, unit: str = UNIT) -> Iterator[InstallStep]:
    """Yield the steps that install a service, the table's or a club's hall; some may be done already."""
    # Before the files are written, as none of them differs afterwards.
    unchanged = all(step.is_done() for step in _files(place, unit))
    yield from _files(place, unit)
    yield configuration(place)
    state = place.path(STATE)
    yield RunCommand(("systemd-sysusers", *_rooted(place), _CONF), lambda: unchanged and has_user(place))
    yield RunCommand(("systemd-tmpfiles", *_rooted(place), "--create", _CONF), lambda: unchanged and state.is_dir())
    if place.runs and unit == UNIT:
        yield RunCommand(("udevadm", "control", "--reload"), lambda: unchanged, needed=False)
        yield RunCommand(("udevadm", "trigger"), lambda: unchanged, needed=False)
    if place.runs:
        yield RunCommand(("systemctl", "daemon-reload"), lambda: unchanged)
    yield RunCommand(("systemctl", *_rooted(place), "enable", unit), lambda: _is_enabled(place, unit))
    if place.runs:
        # After an update, installing again must start the new program even if no file has changed. A hall's start may
        # fail, as the configuration may not name a broker yet; the service retries until it does.
        yield RunCommand(("systemctl", "restart", unit), needed=unit == UNIT)


def configuration(place: Destination) -> InstallStep:
    """Return the step that writes the configuration if there is none yet."""
    return WriteFile(place.path(CONFIG), place.config, keep=True)


def removal(place: Destination) -> Iterator[InstallStep]:
    """Yield the steps that remove the service, and a hall's.

    Games, the service's user, and a changed configuration are left in place.
    """
    there = {unit: place.path(f"{_UNITS}/{unit}").exists() for unit in _PLACES}
    for unit in _PLACES:
        if place.runs:
            yield RunCommand(("systemctl", "stop", unit), partial(bool, not there[unit]), needed=False)
        yield RunCommand(("systemctl", *_rooted(place), "disable", unit), partial(bool, not _is_enabled(place, unit)))
    for path in (*_PLACES[UNIT].values(), _PLACES[HALL_UNIT][HALL_UNIT]):
        yield RemoveFile(place.path(path))
    # A configuration that was changed is the owner's work.
    yield RemoveFile(place.path(CONFIG), only_if=place.config)
    if place.runs:
        yield RunCommand(("systemctl", "daemon-reload"), lambda: not any(there.values()))
        yield RunCommand(("udevadm", "control", "--reload"), lambda: not any(there.values()), needed=False)


def _files(place: Destination, unit: str) -> Iterator[WriteFile]:
    for name, path in _PLACES[unit].items():
        template = files("companion.upkeep").joinpath("units", name).read_text(encoding="utf-8")
        text = template.replace("@COMMAND@", str(place.command)).replace("@PORT@", str(place.port))
        yield WriteFile(place.path(path), text)


def has_user(place: Destination) -> bool:
    """Return whether the service's user exists."""
    try:
        passwd = place.path("/etc/passwd").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(line.startswith(f"{USER}:") for line in passwd.splitlines())


def _rooted(place: Destination) -> tuple[str, ...]:
    return () if place.root == Path("/") else (f"--root={place.root}",)


def _is_enabled(place: Destination, unit: str) -> bool:
    # What `systemctl enable` makes of the unit's WantedBy; a system that is not running cannot be asked.
    return place.path(f"{_UNITS}/multi-user.target.wants/{unit}").is_symlink()


def place_of(root: Path, board: PiBoard | None = None) -> Destination:
    """Return the destination for installing this program as a service.

    Args:
        root: the root folder of the system to install it in.
        board: the Raspberry Pi's model; None to detect this machine's.
    """
    config = service_config(board or read_board())
    command = Path(sys.prefix) / "bin" / "companion"
    source = Path(companion.__file__).resolve().parents[1]
    booted = Path("/run/systemd/system").is_dir()
    return Destination(command, config_text(config), config.page.port, root, (Path(sys.prefix), source), booted)


def service_config(board: PiBoard | None) -> Config:
    """Return a service's initial configuration: all of a Pi's devices, or, elsewhere, a webcam and the page."""
    if board is None:
        config = Config(camera=WebcamDriver(), controls=NoControlsDriver(), strip=NoStripDriver())
    else:
        config = Config(camera=_pi_camera(board), controls=GpioDriver(), strip=NeoPixelDriver())
    # A service's machine often has no screen of its own: without this, nobody could see its page.
    return replace(config, page=replace(config.page, lan=True))


def _pi_camera(board: PiBoard) -> PiCameraDriver:
    """Return the camera's configuration with a size and frame rate that a board can handle; see docs/performance.md."""
    if board.generation > 3:
        return PiCameraDriver()
    return PiCameraDriver(size=(1280, 720), fps=5.0) if board.is_zero else PiCameraDriver(fps=8.0)

"""The plan of an installation.

Files go below a root folder, so that a system can be prepared that does not run; commands that reach the running
system are left out then.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.errors import CompanionError
from companion.install.steps import InstallStep, RemoveFile, RunCommand, WriteFile
from companion.languages import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNIT: Final = "quilt-companion.service"
HALL_UNIT: Final = "quilt-companion-hall.service"
CONFIG: Final = "/etc/quilt-companion/config.toml"
STATE: Final = "/var/lib/quilt-companion"
USER: Final = "quilt-companion"
LINK: Final = "/usr/local/bin/companion"
"""Makes the program a command for everybody, where the first start or its owner has put it."""

_UNITS: Final = "/etc/systemd/system"
_SHARED: Final = {
    "sysusers.conf": "/etc/sysusers.d/quilt-companion.conf",
    "tmpfiles.conf": "/etc/tmpfiles.d/quilt-companion.conf",
}
_PLACES: Final = {
    UNIT: f"{_UNITS}/{UNIT}",
    **_SHARED,
    "udev.rules": "/etc/udev/rules.d/70-quilt-companion.rules",
    "avahi.service": "/etc/avahi/services/quilt-companion.service",
}
_HALL_PLACES: Final = {HALL_UNIT: f"{_UNITS}/{HALL_UNIT}", **_SHARED}
_CONF: Final = "quilt-companion.conf"
"""The name by which systemd's tools find their files in any root."""
_HIDDEN: Final = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")  # noqa: S108 - nothing is put there
"""What the unit's ProtectHome and PrivateTmp keep from the service."""


class InstallError(CompanionError):
    """The service cannot be installed in this way."""


@dataclass(frozen=True, slots=True)
class Destination:
    """The place where the service is installed.

    Attributes:
        command: the program that it runs, an absolute path.
        config: what stands in its configuration, where there is none yet.
        port: of its page.
        root: the root of the system that it is installed in.
        sources: the folders that the program is imported from.
        booted: whether systemd runs this machine (sd_booted(3)); in a container or a chroot it may not.
    """

    command: Path
    config: str
    port: int
    root: Path = Path("/")
    sources: tuple[Path, ...] = ()
    booted: bool = True

    @property
    def runs(self) -> bool:
        """True if it is the system that runs."""
        return self.booted and self.root == Path("/")

    def path(self, path: str) -> Path:
        """Return where a file of the system lies."""
        return self.root / path.lstrip("/")

    def check(self) -> None:
        """Refuse a program that the service's own user could not reach.

        Raises:
            InstallError: it lies where the service must not look.
        """
        for path in (self.command, *self.sources):
            hidden = next((folder for folder in _HIDDEN if path.is_relative_to(folder)), None)
            if hidden is not None:
                raise InstallError(
                    said(
                        "install: {path} lies in {hidden}, where the service's own user may not look: install the "
                        "companion into {folder} ({command} does) and run that one's command",
                        path=str(path),
                        hidden=hidden,
                        folder="/opt/quilt-companion",
                        command="sudo make install",
                    )
                )


def installation(place: Destination) -> Iterator[InstallStep]:
    """Yield the steps that install the service; each may be done already."""
    changed = [step for step in _files(place) if not step.is_done()]
    yield from _files(place)
    yield configuration(place)
    unchanged = not changed
    yield from _accounts(place, unchanged=unchanged)
    if place.runs:
        yield RunCommand(("udevadm", "control", "--reload"), lambda: unchanged, needed=False)
        yield RunCommand(("udevadm", "trigger"), lambda: unchanged, needed=False)
        yield RunCommand(("systemctl", "daemon-reload"), lambda: unchanged)
    yield _enabling(place, UNIT)
    if place.runs:
        # A user who installs again after an update expects the new program to run, though no file has changed.
        yield RunCommand(("systemctl", "restart", UNIT))


def hall_installation(place: Destination) -> Iterator[InstallStep]:
    """Yield the steps that install a club's hall as a service; each may be done already."""
    changed = [step for step in _files(place, _HALL_PLACES) if not step.is_done()]
    yield from _files(place, _HALL_PLACES)
    yield configuration(place)
    yield from _accounts(place, unchanged=not changed)
    if place.runs:
        yield RunCommand(("systemctl", "daemon-reload"), lambda: not changed)
    yield _enabling(place, HALL_UNIT)
    if place.runs:
        # The configuration may not name a broker yet: the service tries again until it does.
        yield RunCommand(("systemctl", "restart", HALL_UNIT), needed=False)


def configuration(place: Destination) -> InstallStep:
    """Return the step that writes the configuration, where there is none yet."""
    return WriteFile(place.path(CONFIG), place.config, keep=True)


def removal(place: Destination) -> Iterator[InstallStep]:
    """Yield the steps that take the service away, and a hall's.

    Games, the user, and a configuration that was changed stay.
    """
    there = any(_is_there(place, unit) for unit in (UNIT, HALL_UNIT))
    for unit in (UNIT, HALL_UNIT):
        if place.runs:
            yield _stopping(unit, there=_is_there(place, unit))
        yield _disabling(place, unit)
    for path in (*_PLACES.values(), _HALL_PLACES[HALL_UNIT]):
        yield RemoveFile(place.path(path))
    yield RemoveFile(place.path(CONFIG), only_if=place.config)
    if place.runs:
        yield RunCommand(("systemctl", "daemon-reload"), lambda: not there)
        yield RunCommand(("udevadm", "control", "--reload"), lambda: not there, needed=False)


def unit_text(command: Path, unit: str = UNIT) -> str:
    """Return the unit file of a service that runs `command`."""
    return _template(unit).replace("@COMMAND@", str(command))


def _accounts(place: Destination, *, unchanged: bool) -> Iterator[RunCommand]:
    """Yield the steps that make the service's user, and the folder of its games."""
    state = place.path(STATE)
    yield RunCommand(("systemd-sysusers", *_rooted(place), _CONF), lambda: unchanged and has_user(place))
    yield RunCommand(("systemd-tmpfiles", *_rooted(place), "--create", _CONF), lambda: unchanged and state.is_dir())


def _enabling(place: Destination, unit: str) -> RunCommand:
    return RunCommand(("systemctl", *_rooted(place), "enable", unit), lambda: _wanted(place, unit).is_symlink())


def _stopping(unit: str, *, there: bool) -> RunCommand:
    return RunCommand(("systemctl", "stop", unit), lambda: not there, needed=False)


def _is_there(place: Destination, unit: str) -> bool:
    return place.path(f"{_UNITS}/{unit}").exists()


def _disabling(place: Destination, unit: str) -> RunCommand:
    return RunCommand(("systemctl", *_rooted(place), "disable", unit), lambda: not _wanted(place, unit).is_symlink())


def _files(place: Destination, places: Mapping[str, str] = _PLACES) -> Iterator[WriteFile]:
    for name, path in places.items():
        text = _template(name).replace("@COMMAND@", str(place.command)).replace("@PORT@", str(place.port))
        yield WriteFile(place.path(path), text)


def _template(name: str) -> str:
    return files("companion.install").joinpath("files", name).read_text(encoding="utf-8")


def has_user(place: Destination) -> bool:
    """Return whether the service's user is there."""
    try:
        passwd = place.path("/etc/passwd").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(line.startswith(f"{USER}:") for line in passwd.splitlines())


def _rooted(place: Destination) -> tuple[str, ...]:
    return () if place.root == Path("/") else (f"--root={place.root}",)


def _wanted(place: Destination, unit: str) -> Path:
    return place.path(f"{_UNITS}/multi-user.target.wants/{unit}")

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
    from collections.abc import Iterator

UNIT: Final = "quilt-companion.service"
CONFIG: Final = "/etc/quilt-companion/config.toml"
STATE: Final = "/var/lib/quilt-companion"
USER: Final = "quilt-companion"

_PLACES: Final = {
    "quilt-companion.service": f"/etc/systemd/system/{UNIT}",
    "sysusers.conf": "/etc/sysusers.d/quilt-companion.conf",
    "tmpfiles.conf": "/etc/tmpfiles.d/quilt-companion.conf",
    "udev.rules": "/etc/udev/rules.d/70-quilt-companion.rules",
    "avahi.service": "/etc/avahi/services/quilt-companion.service",
}
_CONF: Final = "quilt-companion.conf"
"""By this name systemd's tools find their files in whichever root."""
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
    yield RunCommand(("systemd-sysusers", *_rooted(place), _CONF), lambda: unchanged and _has_user(place))
    state = place.path(STATE)
    yield RunCommand(("systemd-tmpfiles", *_rooted(place), "--create", _CONF), lambda: unchanged and state.is_dir())
    if place.runs:
        yield RunCommand(("udevadm", "control", "--reload"), lambda: unchanged, needed=False)
        yield RunCommand(("udevadm", "trigger"), lambda: unchanged, needed=False)
        yield RunCommand(("systemctl", "daemon-reload"), lambda: unchanged)
    yield RunCommand(("systemctl", *_rooted(place), "enable", UNIT), lambda: _wanted(place).is_symlink())
    if place.runs:
        # A user who installs again after an update expects the new program to run, though no file has changed.
        yield RunCommand(("systemctl", "restart", UNIT))


def configuration(place: Destination) -> InstallStep:
    """Return the step that writes the configuration, where there is none yet."""
    return WriteFile(place.path(CONFIG), place.config, keep=True)


def removal(place: Destination) -> Iterator[InstallStep]:
    """Yield the steps that take the service away. Games, the user, and a configuration that was changed stay."""
    there = place.path(_PLACES[UNIT]).exists()
    if place.runs:
        yield RunCommand(("systemctl", "stop", UNIT), lambda: not there, needed=False)
    yield RunCommand(("systemctl", *_rooted(place), "disable", UNIT), lambda: not _wanted(place).is_symlink())
    for path in _PLACES.values():
        yield RemoveFile(place.path(path))
    yield RemoveFile(place.path(CONFIG), only_if=place.config)
    if place.runs:
        yield RunCommand(("systemctl", "daemon-reload"), lambda: not there)
        yield RunCommand(("udevadm", "control", "--reload"), lambda: not there, needed=False)


def unit_text(command: Path) -> str:
    """Return the unit file of a service that runs `command`."""
    return _template(UNIT).replace("@COMMAND@", str(command))


def _files(place: Destination) -> Iterator[WriteFile]:
    for name, path in _PLACES.items():
        text = _template(name).replace("@COMMAND@", str(place.command)).replace("@PORT@", str(place.port))
        yield WriteFile(place.path(path), text)


def _template(name: str) -> str:
    return files("companion.install").joinpath("files", name).read_text(encoding="utf-8")


def _has_user(place: Destination) -> bool:
    try:
        passwd = place.path("/etc/passwd").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(line.startswith(f"{USER}:") for line in passwd.splitlines())


def _rooted(place: Destination) -> tuple[str, ...]:
    return () if place.root == Path("/") else (f"--root={place.root}",)


def _wanted(place: Destination) -> Path:
    return place.path(f"/etc/systemd/system/multi-user.target.wants/{UNIT}")

"""The steps of an update. Until the new version has started, each failure leads back to the old one."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion import __version__
from companion.backup import back_up
from companion.backup.contents import BACKUPS_NAME
from companion.errors import CompanionError
from companion.install.plan import UNIT
from companion.languages import reason, said
from companion.update.source import UpdateError, wheel_version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from companion.backup import Places
    from companion.update.program import Program
    from companion.update.source import UpdateSource

_KEPT_BACKUPS: Final = 5
_ON_DISK: Final = Path("/var/tmp")  # noqa: S108 - a folder of an unguessable name is made in it
_PIP: Final = ("-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")


class CommandResult(NamedTuple):
    """The exit status and the output of a command.

    Attributes:
        status: of the command.
        says: the last line that it has written on standard error; may be empty.
    """

    status: int
    says: str


@dataclass(frozen=True, slots=True)
class Update:
    """An update of an installed program.

    Attributes:
        program: what is updated.
        places: the games and the configuration that it works with.
        run: runs a command.
        say: told each step.
        extras: which optional parts of the program are installed, such as "[pi]".
        constraints: versions of other packages that this system needs, as pip writes them.
        has_service: whether systemd runs it as a service here.
    """

    program: Program
    places: Places
    run: Callable[[Sequence[str]], CommandResult]
    say: Callable[[str], None]
    extras: str = ""
    constraints: tuple[str, ...] = ()
    has_service: bool = False

    def carry_out(self, source: UpdateSource, now: datetime) -> str:
        """Install another version and return which; the old one is in place again if this raises.

        Raises:
            UpdateError: the update cannot be made, or the new version does not start.
            BackupError: no backup can be made before.
            JournalError: the same, for the journal cannot be used.
        """
        self.program.check()
        with tempfile.TemporaryDirectory(prefix="companion-update-", dir=_roomy()) as folder:
            wheel = None if source.installer else self._wheel(source, Path(folder))
            version = source.version if wheel is None else wheel_version(wheel)
            self._back_up(now)
            self.say(said("Keep version {version}", version=__version__))
            self.program.keep()
            self._stop()
            try:
                self.say(said("Install version {version}", version=version))
                if wheel is None:
                    # As `make install` does.
                    self._must("sh", source.installer or "", self.program.base_python, self.program.prefix)
                else:
                    self._install(wheel, Path(folder) / "constraints.txt")
                self._start()
            except BaseException as error:
                self._give_up()
                if not isinstance(error, CompanionError):
                    raise
                raise UpdateError(
                    said(
                        "update: version {version} was taken back, {old} is in place again: {fault}",
                        version=version,
                        old=__version__,
                        fault=reason(error),
                    )
                ) from error
        self.program.settle()
        return version

    def take_back(self, now: datetime) -> None:
        """Put the version before in place again, and keep this one in its stead; this one stays if that does not start.

        Raises:
            UpdateError: there is none, or it does not start.
            BackupError: as `carry_out`.
            JournalError: as `carry_out`.
        """
        self.program.check()
        self.program.check_kept()
        self._back_up(now)
        self._stop()
        self.program.exchange()
        try:
            self._start()
        except BaseException as error:
            self._return(self.program.exchange)
            if not isinstance(error, CompanionError):
                raise
            says = said(
                "update: the version before does not start, {version} is in place again: {fault}",
                version=__version__,
                fault=reason(error),
            )
            raise UpdateError(says) from error

    def _wheel(self, source: UpdateSource, folder: Path) -> Path:
        """Return the wheel of an update, built where the source is none."""
        if source.is_wheel:
            return source.path
        self.say(said("Build {path}", path=str(source.path)))
        built = folder / "wheel"
        self._must(self.program.python, *_PIP, "wheel", "--no-deps", "--wheel-dir", built, source.buildable(folder))
        wheels = sorted(built.glob("*.whl"))
        if not wheels:
            raise UpdateError(said("{path}: nothing could be built from it", path=str(source.path)))
        return wheels[0]

    def _back_up(self, now: datetime) -> None:
        if not self.places.data.is_dir():
            return
        folder = self.places.data / BACKUPS_NAME
        target = folder / f"before-update-{now:%Y%m%d-%H%M%S}.zip"
        self.say(said("Back up into {path}", path=str(target)))
        folder.mkdir(mode=0o750, exist_ok=True)
        back_up(self.places, target, now)
        for old in sorted(folder.glob("before-update-*.zip"))[:-_KEPT_BACKUPS]:
            old.unlink()
        _hand_over(self.places.data, (folder, target))

    def _stop(self) -> None:
        if self.has_service:
            self.say(said("Stop the service"))
            self._must("systemctl", "stop", UNIT)

    def _install(self, wheel: Path, constraints: Path) -> None:
        install = (self.program.python, *_PIP, "install")
        # Of the same version as what is there, too: a clone's changes from commit to commit.
        self._must(*install, "--no-deps", "--force-reinstall", wheel)
        constraints.write_text("".join(f"{line}\n" for line in self.constraints), encoding="utf-8")
        self._must(*install, "--constraint", constraints, f"{wheel}{self.extras}")

    def _start(self) -> None:
        """See that the installed version starts, reads the configuration and the games, and runs as the service."""
        self.say(said("Try whether it starts"))
        command, data = self.program.command, self.places.data
        self._must(command, "--version")
        self._must(command, "serve", "--help")
        if self.places.config is not None and self.places.config.exists():
            self._must(command, "config", "--config", self.places.config)
        self._must(command, "games", "--limit", "1", "--data", data)
        if self.has_service:
            self.say(said("Start the service"))
            # systemd waits until the service says that it is ready.
            self._must(command, "install")

    def _give_up(self) -> None:
        self.say(said("Go back to version {version}", version=__version__))
        self._return(self.program.give_up)

    def _return(self, put_in_place: Callable[[], None]) -> None:
        """Put the old version in place; its games too, if it cannot read what the new one has made of them."""
        put_in_place()
        command = self.program.command
        # An installer that was ended in the middle may have left nothing that could be stopped.
        with suppress(CompanionError):
            self._stop()
        if self.run([command, "games", "--limit", "1", "--data", str(self.places.data)]).status != 0:
            backups = sorted((self.places.data / BACKUPS_NAME).glob("before-update-*.zip"))
            if backups:
                data = ("--data", str(self.places.data))
                self.run([command, "restore", str(backups[-1]), "--replace", "--without-config", *data])
        if self.has_service:
            self.run([command, "install"])

    def _must(self, *command: str | Path) -> None:
        """Run a command that must succeed.

        Raises:
            UpdateError: it has failed.
        """
        line = [str(part) for part in command]
        outcome = self.run(line)
        if outcome.status != 0:
            shown = " ".join(line)
            fault = outcome.says or said("status {status}", status=outcome.status)
            raise UpdateError(said("{command}: failed: {fault}", command=shown, fault=fault))


def _roomy() -> Path | None:
    """Return where there is room to build: small boards keep /tmp in their memory."""
    return _ON_DISK if os.access(_ON_DISK, os.W_OK) else None


def _hand_over(data: Path, paths: Sequence[Path]) -> None:
    """Give what root has made to the owner of the data folder."""
    if os.geteuid() == 0:
        owner = data.stat()
        for path in paths:
            os.chown(path, owner.st_uid, owner.st_gid)

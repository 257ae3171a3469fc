"""The steps of an update; any failure before the new version has started is rolled back."""

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from companion import __version__
from companion.errors import CompanionError
from companion.languages import reason, said
from companion.upkeep.backup import Places, back_up
from companion.upkeep.backup.contents import BACKUPS_NAME
from companion.upkeep.install.plan import UNIT
from companion.upkeep.update.program import Program
from companion.upkeep.update.source import UpdateError, UpdateSource, wheel_version

# The words of `privacy/keeping.py` give the same number.
_KEPT_BACKUPS: Final = 5
_ON_DISK: Final = Path("/var/tmp")  # noqa: S108 - a folder of an unguessable name is made in it
_PIP: Final = ("-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")


class CommandResult(NamedTuple):
    """The exit status and the output of a command.

    Attributes:
        status: the exit status.
        says: the last line on standard error; may be empty.
    """

    status: int
    says: str


@dataclass(frozen=True, slots=True)
class Update:
    """An update of an installed program.

    Attributes:
        program: the installed program.
        places: the paths of its games and configuration.
        run: runs a command.
        say: called with a description of each step.
        extras: the installed extras of the package, such as "[pi]".
        constraints: version constraints on other packages for this system, in pip's format.
        has_service: whether the program runs as a systemd service on this machine.
    """

    program: Program
    places: Places
    run: Callable[[Sequence[str]], CommandResult]
    say: Callable[[str], None]
    extras: str = ""
    constraints: tuple[str, ...] = ()
    has_service: bool = False

    def carry_out(self, source: UpdateSource, now: datetime) -> str:
        """Install another version and return its number; on an error the old version is restored.

        Raises:
            UpdateError: the update cannot be made, or the new version does not start.
            BackupError: the backup before the update cannot be made.
            JournalError: the backup cannot be made because the journal cannot be used.
        """
        self.program.check()
        with tempfile.TemporaryDirectory(prefix="companion-update-", dir=_roomy()) as folder:
            wheel = None if source.installer else self._wheel(source, Path(folder))
            version = source.version if wheel is None else wheel_version(wheel)
            self._back_up(now)
            self.say(said("Keep version {version}", version=__version__))
            self.program.keep()
            try:
                self._stop()
                self.say(said("Install version {version}", version=version))
                if wheel is None:
                    # The same as `make install`.
                    self._must("sh", source.installer or "", self.program.base_python, self.program.prefix)
                else:
                    self._install(wheel, Path(folder) / "constraints.txt")
                self._start()
            # Also Ctrl-C, which may leave a part of the new version.
            except BaseException as error:
                self._give_up()
                if not isinstance(error, CompanionError):
                    raise
                raise UpdateError(
                    said(
                        "update: version {version} was removed again, and {old} is restored: {fault}",
                        version=version,
                        old=__version__,
                        fault=reason(error),
                    )
                ) from error
        self.program.settle()
        return version

    def take_back(self, now: datetime) -> None:
        """Go back to the previous version, and keep this one instead; if that one does not start, stay with this one.

        Raises:
            UpdateError: there is no previous version, or it does not start.
            BackupError: as `carry_out`.
            JournalError: as `carry_out`.
        """
        self.program.check()
        self.program.check_previous()
        self._back_up(now)
        self._stop()
        try:
            self.program.exchange()
        except BaseException:
            # The service must not stay stopped, whichever version is there now.
            self._return(lambda: None)
            raise
        try:
            self._start()
        except BaseException as error:
            self._return(self.program.exchange)
            if not isinstance(error, CompanionError):
                raise
            says = said(
                "update: the previous version does not start, and {version} is restored: {fault}",
                version=__version__,
                fault=reason(error),
            )
            raise UpdateError(says) from error

    def _wheel(self, source: UpdateSource, folder: Path) -> Path:
        """Return the wheel of an update, built from the source unless that is one."""
        if source.is_wheel:
            return source.path
        self.say(said("Build {path}", path=str(source.path)))
        built = folder / "wheel"
        self._must(self.program.python, *_PIP, "wheel", "--no-deps", "--wheel-dir", built, source.buildable(folder))
        wheels = sorted(built.glob("*.whl"))
        if not wheels:
            raise UpdateError(said("{path}: could not be built", path=str(source.path)))
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
        # Also if the version is the same, as a clone changes from commit to commit.
        self._must(*install, "--no-deps", "--force-reinstall", wheel)
        constraints.write_text("".join(f"{line}\n" for line in self.constraints), encoding="utf-8")
        self._must(*install, "--constraint", constraints, f"{wheel}{self.extras}")

    def _start(self) -> None:
        """Check that the installed version starts and reads configuration and games, and start the service.

        Raises:
            UpdateError: a command fails.
        """
        self.say(said("Check that it starts"))
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
        self._return(self.program.roll_back)

    def _return(self, put_in_place: Callable[[], None]) -> None:
        """Restore the old version, and its games from the backup if it can no longer read them."""
        put_in_place()
        command = self.program.command
        # An interrupted installer may have left no service to stop.
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
    """Return the folder for building, or None for the default; small boards keep /tmp in memory."""
    return _ON_DISK if os.access(_ON_DISK, os.W_OK) else None


def _hand_over(data: Path, paths: Sequence[Path]) -> None:
    """Change the owner of files made by root to the owner of the data folder."""
    if os.geteuid() == 0:
        owner = data.stat()
        for path in paths:
            os.chown(path, owner.st_uid, owner.st_gid)

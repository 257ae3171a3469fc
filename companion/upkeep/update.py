"""Updates of this program: another version is installed beside it, tried, and put in its place.

The installed version is not touched until the other one is complete and starts, so that whatever interrupts an update
leaves a complete version installed.
"""

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from companion import __version__
from companion.durable import exchange, free_name, sync_folder
from companion.errors import CompanionError
from companion.languages import said, system_says
from companion.ownership import as_owner_of
from companion.upkeep.backup.manifest import BACKUPS_NAME, Places
from companion.upkeep.backup.writing import back_up
from companion.upkeep.install import UNIT

_PACKAGED: Final = Path("/var/lib/dpkg/info/quilt-companion.list")
# The words of `privacy/keeping.py` give the same number.
_KEPT_BACKUPS: Final = 5


class CommandResult(NamedTuple):
    """The outcome of a command.

    Attributes:
        status: the exit status.
        says: the last line of its output, on standard error if it failed; may be empty.
    """

    status: int
    says: str


def installer_of(text: str) -> Path:
    """Return the installation script of a version that a user has named by its folder.

    Raises:
        CompanionError: it is no folder of this program.
    """
    path = Path(text).expanduser().absolute()
    installer = path / "packaging" / "install-program.sh"
    if path.suffix == ".deb":
        command = f"sudo apt install {path}"
        raise CompanionError.said(
            "{path}: must be installed with Debian’s own tools: {command}", path=str(path), command=command
        )
    if not installer.is_file():
        raise CompanionError.said(
            "{path}: is not a {name}; give the folder of a clone", path=text, name="quilt-companion"
        )
    return installer


@dataclass(frozen=True, slots=True)
class Program:
    """An installed program.

    Attributes:
        prefix: the folder of its virtual environment.
        base: the prefix of the Python that the environment was made with.
        source: the folder from which this program was imported.
        packaged: a file that exists if the program was installed as a Debian package.
    """

    prefix: Path
    base: Path
    source: Path
    packaged: Path = _PACKAGED

    @property
    def other(self) -> Path:
        """The folder of a version that is being installed, and, once it is in place, of the one that it replaces."""
        return self.prefix.with_name(f"{self.prefix.name}.other")

    @property
    def previous(self) -> Path:
        """The folder of the previous version, which is kept."""
        return self.prefix.with_name(f"{self.prefix.name}.previous")

    def check(self) -> None:
        """Check that the program was installed in a way that this updates.

        Raises:
            CompanionError: it was not, or its folder is not writable.
        """
        if self.packaged.exists():
            command = "sudo apt install ./quilt-companion_*.deb"
            raise CompanionError.said(
                "update: the companion is installed as a Debian package; {command} updates it", command=command
            )
        if self.prefix == self.base or not self.source.is_relative_to(self.prefix):
            raise CompanionError.said(
                "update: the program runs from its own folder, {path}; {command} updates it",
                path=str(self.source),
                command="git pull && make setup",
            )
        if not os.access(self.prefix.parent, os.W_OK):
            do = said("run it as root ({command})", command="sudo")
            raise CompanionError.said(
                "{path}: {fault}; {do}", path=str(self.prefix), fault=said("Permission denied"), do=do
            )

    def exchange(self, folder: Path) -> None:
        """Exchange this version and the one in another folder.

        Raises:
            OSError: they cannot be exchanged.
        """
        try:
            # Atomic, so that a program that can be started exists at every moment.
            exchange(self.prefix, folder)
        except OSError as error:
            # The first is from a file system that cannot exchange, the second from such a kernel (renameat2(2)).
            if error.errno not in (errno.EINVAL, errno.ENOSYS):
                raise
            aside = self.prefix.with_name(f"{self.prefix.name}.aside")
            self.prefix.rename(aside)
            folder.rename(self.prefix)
            aside.rename(folder)
        sync_folder(self.prefix.parent)


@dataclass(frozen=True, slots=True)
class Update:
    """An update of an installed program.

    Attributes:
        program: the installed program.
        places: the paths of its games and configuration.
        run: runs a command.
        say: called with a description of each step.
        has_hall: whether the packages of a club's hall are installed.
        has_service: whether the program runs as a systemd service on this machine.
        made: the backups made.
    """

    program: Program
    places: Places
    run: Callable[[Sequence[str]], CommandResult]
    say: Callable[[str], None]
    has_hall: bool = False
    has_service: bool = False
    made: list[Path] = field(default_factory=list)

    def carry_out(self, installer: Path, now: datetime) -> str:
        """Install another version and return its number; on an error the old version stays, or comes back.

        Args:
            installer: the other version's installation script.
            now: the time, which names the backup.

        Raises:
            CompanionError: the update or the backup before it cannot be made, or the new version does not start.
            JournalError: the backup cannot be made because the journal cannot be used.
        """
        program = self.program
        program.check()
        self._back_up(now)
        with _explained():
            try:
                version = self._install_beside(installer)
                self._replace(program.other)
            except BaseException:
                shutil.rmtree(program.other, ignore_errors=True)
                raise
            shutil.rmtree(program.previous, ignore_errors=True)
            program.other.rename(program.previous)
        return version

    def take_back(self, now: datetime) -> None:
        """Go back to the previous version, and keep this one instead; if that one does not start, stay with this one.

        Raises:
            CompanionError: there is no previous version, or it does not start; or as `carry_out`.
            JournalError: as `carry_out`.
        """
        self.program.check()
        previous = self.program.previous
        if not previous.is_dir():
            raise CompanionError.said("update: there is no previous version; {path} is missing", path=str(previous))
        self._back_up(now)
        with _explained():
            self._replace(previous)

    def _install_beside(self, installer: Path) -> str:
        """Install a version into the other folder, check that it starts, and return its number."""
        other, data, config = self.program.other, self.places.data, self.places.config
        shutil.rmtree(other, ignore_errors=True)
        self.say(said("Install {path} beside version {version}", path=str(installer.parents[1]), version=__version__))
        parts = "PARTS=hall" if self.has_hall else "PARTS="
        # The same as `make install`, with locked versions of all packages.
        self._must("env", parts, "sh", installer, self.program.base / "bin" / "python3", other)
        self.say(said("Check that it starts"))
        module = (other / "bin" / "python3", "-m", "companion")
        version = self._must(*module, "--version").rpartition(" ")[2]
        self._must(*module, "serve", "--help")
        if config is not None and config.exists():
            self._must(*module, "config", "--config", config)
        self._must(*module, "games", "--limit", "1", "--data", data)
        _move_scripts(other, self.program.prefix)
        # A power cut after the exchange must not find files that were not written yet.
        os.sync()
        return version

    def _replace(self, folder: Path) -> None:
        """Put the version in a folder in place of this one, and start it; if it does not start, exchange them again."""
        try:
            self._stop()
            self.program.exchange(folder)
        except BaseException:
            # The service must not stay stopped.
            self._start()
            raise
        try:
            self._must(self.program.prefix / "bin" / "companion", "--version")
            if self.has_service:
                self.say(said("Start the service"))
                # systemd waits until the service says that it is ready.
                self._must(self.program.prefix / "bin" / "companion", "install")
        # Also Ctrl-C.
        except BaseException:
            self.say(said("Go back to version {version}", version=__version__))
            # There may be no service to stop.
            with suppress(CompanionError):
                self._stop()
            self.program.exchange(folder)
            self._restore_games()
            self._start()
            raise

    def _back_up(self, now: datetime) -> None:
        """Make a backup, and delete the oldest ones, by their names, but never this one: the clock may be wrong."""
        if not self.places.data.is_dir():
            return
        folder = self.places.data / BACKUPS_NAME
        with as_owner_of(self.places.data):
            folder.mkdir(mode=0o750, exist_ok=True)
            # With a wrong clock, one of this time may exist.
            target = free_name(folder / f"before-update-{now:%Y%m%d-%H%M%S}", ".zip")
            self.say(said("Back up into {path}", path=str(target)))
            back_up(self.places, target, now)
            others = sorted(path for path in folder.glob("before-update-*.zip") if path != target)
            for old in others[: -(_KEPT_BACKUPS - 1)]:
                old.unlink()
        self.made.append(target)

    def _restore_games(self) -> None:
        """Restore the games from the backup just made if the installed version can no longer read them."""
        command, data = str(self.program.prefix / "bin" / "companion"), ("--data", str(self.places.data))
        if self.run([command, "games", "--limit", "1", *data]).status != 0:
            for backup in self.made[-1:]:
                self.run([command, "restore", str(backup), "--replace", "--without-config", *data])

    def _stop(self) -> None:
        if self.has_service:
            self.say(said("Stop the service"))
            self._must("systemctl", "stop", UNIT)

    def _start(self) -> None:
        """Start the service of the installed version, if it runs as one."""
        if self.has_service:
            self.run([str(self.program.prefix / "bin" / "companion"), "install"])

    def _must(self, *command: str | Path) -> str:
        """Run a command that must succeed, and return the last line of its output.

        Raises:
            CompanionError: it has failed.
        """
        line = [str(part) for part in command]
        outcome = self.run(line)
        if outcome.status != 0:
            fault = outcome.says or said("status {status}", status=outcome.status)
            raise CompanionError.said("{command}: failed: {fault}", command=" ".join(line), fault=fault)
        return outcome.says


@contextmanager
def _explained() -> Iterator[None]:
    """Convert an error into an CompanionError that says that the installed version stays."""
    try:
        yield
    except (CompanionError, OSError) as error:
        fault = system_says(error)
        raise CompanionError.said(
            "update: version {version} stays: {fault}", version=__version__, fault=fault
        ) from error


def _move_scripts(source: Path, target: Path) -> None:
    """Let the scripts of an environment name the folder that it will be in, instead of the one that it was made in."""
    for script in (source / "bin").iterdir():
        content = b"" if script.is_symlink() or script.is_dir() else script.read_bytes()
        if os.fsencode(source) in content and b"\0" not in content:
            script.write_bytes(content.replace(os.fsencode(source), os.fsencode(target)))

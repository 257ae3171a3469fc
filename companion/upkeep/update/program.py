"""The installed program: its virtual environment, and the previous version beside it."""

import errno
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.durable import exchange, sync_folder
from companion.languages import said, system_says
from companion.upkeep.update.source import UpdateError

# The file that marks a version as being installed, until it has started.
_UNSETTLED: Final = ".unsettled"
_MODULES: Final = "site-packages"
_PACKAGED: Final = Path("/var/lib/dpkg/info/quilt-companion.list")


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
    def command(self) -> str:
        """The path of the program's command."""
        return str(self.prefix / "bin" / "companion")

    @property
    def python(self) -> str:
        """The path of its interpreter."""
        return str(self.prefix / "bin" / "python")

    @property
    def base_python(self) -> str:
        """The path of the interpreter that the environment was made with."""
        return str(self.base / "bin" / "python3")

    @property
    def previous(self) -> Path:
        """The folder of the previous version, which is kept."""
        return self._beside("previous")

    @property
    def _older(self) -> Path:
        """The folder of the version before the previous one, while an update is not settled."""
        return self._beside("older")

    def _beside(self, what: str) -> Path:
        return self.prefix.with_name(f"{self.prefix.name}.{what}")

    def check(self) -> None:
        """Check that the program was installed in a way that this updates.

        Raises:
            UpdateError: it was not, or its folder is not writable.
        """
        if self.packaged.exists():
            command = "sudo apt install ./quilt-companion_*.deb"
            raise UpdateError(
                said("update: the companion is installed as a Debian package; {command} updates it", command=command)
            )
        if self.prefix == self.base or not self.source.is_relative_to(self.prefix):
            raise UpdateError(
                said(
                    "update: the program runs from its own folder, {path}; {command} updates it",
                    path=str(self.source),
                    command="git pull && make setup",
                )
            )
        if not os.access(self.prefix.parent, os.W_OK):
            raise UpdateError(
                said("{path}: {fault}; {do}", path=str(self.prefix), fault=said("Permission denied"), do=_AS_ROOT)
            )

    @property
    def is_interrupted(self) -> bool:
        """True if an update was interrupted: the installed version may be incomplete, the kept one is complete."""
        return (self.prefix / _UNSETTLED).exists()

    def check_previous(self) -> None:
        """Check that a previous version is kept.

        Raises:
            UpdateError: there is none.
        """
        with _explained(self.previous):
            self._tidy_up()
        if not self.previous.is_dir():
            raise UpdateError(said("update: there is no previous version; {path} is missing", path=str(self.previous)))

    def keep(self) -> None:
        """Keep a copy of this version; the one kept so far is put aside until the update is settled or given up.

        The installer replaces modules and never modifies them, so hard links suffice, which take seconds and almost no
        space. All else, scripts and settings of the environment, is copied. After an interrupted update, the version
        that it kept is left as it is.

        Raises:
            UpdateError: the copy cannot be made.
        """
        if self.is_interrupted:
            return
        # Under another name, so that an incomplete copy, after a kill or a power cut, is never used for a rollback.
        partial = self._beside("partial")
        with _explained(partial):
            self._tidy_up()
            _remove(partial)
            for source, target in _tree(self.prefix, partial):
                _link(source, target)
            # Once for all files of the copy, instead of file by file.
            os.sync()
            if self.previous.exists():
                _remove(self._older)
                self.previous.rename(self._older)
            partial.rename(self.previous)
            sync_folder(self.prefix.parent)
            # Last: from now on the installed version counts as incomplete until it has started.
            (self.prefix / _UNSETTLED).touch()
            sync_folder(self.prefix)

    def settle(self) -> None:
        """Complete a successful update: the version before the previous one is deleted.

        Raises:
            UpdateError: the mark of the update cannot be removed.
        """
        with _explained(self.prefix):
            (self.prefix / _UNSETTLED).unlink(missing_ok=True)
        # What cannot be deleted now is deleted by the next update.
        shutil.rmtree(self._older, ignore_errors=True)

    def roll_back(self) -> None:
        """Roll back to the kept version; this one is deleted, and the version before is kept again.

        Raises:
            UpdateError: there is none, or it cannot be put there.
        """
        self.exchange()
        with _explained(self.previous):
            self._discard_previous()
            self._tidy_up()

    def exchange(self) -> None:
        """Exchange this version and the kept one.

        Raises:
            UpdateError: there is none, or it cannot be put there.
        """
        self.check_previous()
        with _explained(self.prefix):
            try:
                # Atomic, so that a program that can be started exists at every moment.
                exchange(self.prefix, self.previous)
            except OSError as error:
                # The first is from a file system that cannot exchange, the second from such a kernel (renameat2(2)).
                if error.errno not in (errno.EINVAL, errno.ENOSYS):
                    raise
                self._exchange_by_a_third_name()
            sync_folder(self.prefix.parent)

    def _exchange_by_a_third_name(self) -> None:
        """Exchange the versions by three renames, for file systems without an atomic exchange."""
        aside = self._beside("aside")
        _remove(aside)
        self.prefix.rename(aside)
        try:
            self.previous.rename(self.prefix)
        except OSError:
            aside.rename(self.prefix)
            raise
        aside.rename(self.previous)

    def _tidy_up(self) -> None:
        """Clean up after an interruption, so that only a complete version is kept."""
        # An unsettled version under this name was exchanged, and its deletion interrupted.
        if (self.previous / _UNSETTLED).exists():
            self._discard_previous()
        if not self.previous.exists() and self._older.exists():
            self._older.rename(self.previous)

    def _discard_previous(self) -> None:
        """Delete the kept version, renamed first, as a partly deleted one would be unusable."""
        failed = self._beside("failed")
        _remove(failed)
        self.previous.rename(failed)
        shutil.rmtree(failed, ignore_errors=True)


_AS_ROOT: Final = said("run it as root ({command})", command="sudo")


class _explained:  # noqa: N801 - reads as a function
    """A context manager that converts an OSError into an UpdateError about a path."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Do nothing yet."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            says = said("{path}: cannot be written: {fault}", path=str(self._path), fault=system_says(error))
            raise UpdateError(says) from error


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _tree(source: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    """Recreate a tree's folders, and yield source and target of each file and link."""
    target.mkdir()
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _tree(Path(entry.path), target / entry.name)
            else:
                yield Path(entry.path), target / entry.name
    # After the entries, which change the folder's time when they are made.
    shutil.copystat(source, target)


def _link(source: Path, target: Path) -> None:
    try:
        if _MODULES not in source.parts:
            shutil.copy2(source, target, follow_symlinks=False)
            return
        os.link(source, target, follow_symlinks=False)
    except OSError:
        # Some file systems have no hard links, or limit their number.
        shutil.copy2(source, target, follow_symlinks=False)

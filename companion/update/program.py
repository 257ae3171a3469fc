"""The installed program: the folder of its virtual environment, and the version before beside it."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.durable import exchange, sync_folder
from companion.languages import said, system_says
from companion.update.source import UpdateError

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNSETTLED: Final = ".unsettled"
"""A file in a version that is being installed, until it has started."""
_MODULES: Final = "site-packages"
_PACKAGED: Final = Path("/var/lib/dpkg/info/quilt-companion.list")


@dataclass(frozen=True, slots=True)
class Program:
    """An installed program.

    Attributes:
        prefix: its virtual environment.
        base: that of the Python which made it.
        source: the folder that this program was imported from.
        packaged: a file that is there if Debian's tools have installed it.
    """

    prefix: Path
    base: Path
    source: Path
    packaged: Path = _PACKAGED

    @property
    def command(self) -> str:
        """The program, for another process."""
        return str(self.prefix / "bin" / "companion")

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.prefix / "bin" / "python")

    @property
    def base_python(self) -> str:
        """The interpreter that the environment was made with."""
        return str(self.base / "bin" / "python3")

    @property
    def previous(self) -> Path:
        """The folder of the version before."""
        return self._beside("previous")

    @property
    def _older(self) -> Path:
        """The version before that one, while an update is tried."""
        return self._beside("older")

    def _beside(self, what: str) -> Path:
        return self.prefix.with_name(f"{self.prefix.name}.{what}")

    def check(self) -> None:
        """Refuse an installation that is updated in another way.

        Raises:
            UpdateError: it is one.
        """
        if self.packaged.exists():
            command = "sudo apt install ./quilt-companion_*.deb"
            raise UpdateError(said("update: a Debian package is installed; {command} updates it", command=command))
        if self.prefix == self.base or not self.source.is_relative_to(self.prefix):
            raise UpdateError(
                said(
                    "update: the program runs from its own folder, {path}; {command} brings that up to date",
                    path=str(self.source),
                    command="git pull && make setup",
                )
            )
        if not os.access(self.prefix.parent, os.W_OK):
            raise UpdateError(
                said("{path}: {fault}; {do}", path=str(self.prefix), fault=said("Permission denied"), do=_AS_ROOT)
            )

    @property
    def is_half_installed(self) -> bool:
        """True if an update was cut off: what is installed may be in parts, and the kept version is whole."""
        return (self.prefix / _UNSETTLED).exists()

    def check_kept(self) -> None:
        """Refuse to go back where no version is kept.

        Raises:
            UpdateError: none is.
        """
        with _explained(self.previous):
            self._tidy_up()
        if not self.previous.is_dir():
            raise UpdateError(said("update: there is no version before; {path} is missing", path=str(self.previous)))

    def keep(self) -> None:
        """Keep this version beside; the one that was kept so far waits until the update is settled or given up.

        The installer replaces modules and never changes one, so that links do instead of copies: that takes seconds and
        next to no room. What else is there, scripts and settings of the environment, is copied. Where an update was cut
        off, the version that was kept then stays the one.

        Raises:
            UpdateError: it cannot be kept.
        """
        if self.is_half_installed:
            return
        # Half a version, left where the program is killed or the power fails, must not be gone back to.
        partial = self._beside("partial")
        with _explained(partial):
            self._tidy_up()
            _remove(partial)
            for source, target in _tree(self.prefix, partial):
                _link(source, target)
            os.sync()
            if self.previous.exists():
                _remove(self._older)
                self.previous.rename(self._older)
            partial.rename(self.previous)
            sync_folder(self.prefix.parent)
            (self.prefix / _UNSETTLED).touch()
            sync_folder(self.prefix)

    def settle(self) -> None:
        """Let go of the version before the one that was kept: the update has succeeded.

        Raises:
            UpdateError: that cannot be noted.
        """
        with _explained(self.prefix):
            (self.prefix / _UNSETTLED).unlink(missing_ok=True)
        shutil.rmtree(self._older, ignore_errors=True)

    def give_up(self) -> None:
        """Put the kept version in place of this one, which is gone then, and keep the one before it again.

        Raises:
            UpdateError: there is none, or it cannot be put there.
        """
        self.exchange()
        with _explained(self.previous):
            self._throw_kept_away()
            self._tidy_up()

    def exchange(self) -> None:
        """Put the kept version in place of this one, which is kept in its stead.

        Raises:
            UpdateError: there is none, or it cannot be put there.
        """
        self.check_kept()
        with _explained(self.prefix):
            try:
                # In one step: whenever the program is killed, there is one that can be started.
                exchange(self.prefix, self.previous)
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.ENOSYS):
                    raise
                self._exchange_by_a_third_name()
            sync_folder(self.prefix.parent)

    def _exchange_by_a_third_name(self) -> None:
        """Do what some file systems cannot do in one step."""
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
        """Finish what was cut off: only a whole version is kept."""
        if (self.previous / _UNSETTLED).exists():
            self._throw_kept_away()
        if not self.previous.exists() and self._older.exists():
            self._older.rename(self.previous)

    def _throw_kept_away(self) -> None:
        """Delete what is kept, under another name: in part it would be no version."""
        failed = self._beside("failed")
        _remove(failed)
        self.previous.rename(failed)
        shutil.rmtree(failed, ignore_errors=True)


_AS_ROOT: Final = said("run it as root ({command})", command="sudo")


class _explained:  # noqa: N801 - reads as a function
    """Turn what the system reports of a path into an UpdateError."""

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
    """Make the folders of a tree anew, and yield its files and links, each with its place in the new one."""
    target.mkdir()
    with os.scandir(source) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _tree(Path(entry.path), target / entry.name)
            else:
                yield Path(entry.path), target / entry.name
    shutil.copystat(source, target)


def _link(source: Path, target: Path) -> None:
    try:
        if _MODULES not in source.parts:
            shutil.copy2(source, target, follow_symlinks=False)
            return
        os.link(source, target, follow_symlinks=False)
    except OSError:
        # Some file systems have no links, or not enough of them.
        shutil.copy2(source, target, follow_symlinks=False)

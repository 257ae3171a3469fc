"""The source of an update: a folder with the program's source, or a package file, but no URL."""

import re
import shutil
import struct
import tomllib
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.bounded import read_text
from companion.errors import CompanionError
from companion.languages import said, system_says

NAME: Final = "quilt-companion"

_WHEEL: Final = ".whl"
_ARCHIVE: Final = ".tar.gz"
# The largest size of a package's metadata that is read; usual are some kilobytes.
_LONGEST_BYTES: Final = 1 << 20
# The patterns of files not copied, such as build products, which may be of an older state of the source.
_LEFT_OUT: Final = (".*", "build", "dist", "*.egg-info", "__pycache__", "node_modules")


class UpdateError(CompanionError):
    """Raised if an update cannot be made, or was rolled back."""


@dataclass(frozen=True, slots=True)
class UpdateSource:
    """A folder or a package file that an update is installed from.

    Attributes:
        path: a folder, a source archive or a wheel.
    """

    path: Path

    @property
    def is_wheel(self) -> bool:
        """True if it is a wheel, which need not be built."""
        return self.path.name.endswith(_WHEEL)

    @property
    def installer(self) -> Path | None:
        """The folder's installation script, which uses locked versions of all dependencies; None if there is none."""
        path = self.path / "packaging" / "install-program.sh"
        return path if path.is_file() else None

    @property
    def version(self) -> str:
        """The version in the folder's pyproject.toml, or "?"."""
        return str(_project(self.path).get("version", "?"))

    def buildable(self, folder: Path) -> Path:
        """Return the path to build a wheel from; for a folder, a clean copy of it in `folder`.

        Raises:
            UpdateError: the source cannot be read.
        """
        if not self.path.is_dir():
            return self.path
        copy = folder / "source"
        try:
            shutil.copytree(self.path, copy, symlinks=True, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        except (OSError, shutil.Error) as error:
            fault = system_says(error) if not isinstance(error, shutil.Error) else str(error.args[0][0][2])
            raise _unreadable(self.path, fault) from error
        return copy


def source_of(text: str) -> UpdateSource:
    """Return the update source that a user has named.

    Raises:
        UpdateError: it cannot be used for an update.
    """
    if re.match(r"[a-z][a-z0-9+.-]*://|git@", text):
        raise UpdateError(said("{path}: is an address; download it first, then give the folder or the file", path=text))
    path = Path(text).expanduser().absolute()
    if not path.exists():
        raise _unreadable(path, said("No such file or directory"))
    if path.suffix == ".deb":
        command = f"sudo apt install {path}"
        raise UpdateError(
            said("{path}: must be installed with Debian’s own tools: {command}", path=str(path), command=command)
        )
    if path.is_dir():
        _project(path)
    elif not path.name.endswith((_WHEEL, _ARCHIVE)):
        raise _strange(path)
    elif path.name.endswith(_WHEEL):
        wheel_version(path)
    return UpdateSource(path)


def wheel_version(path: Path) -> str:
    """Return the version of this program in a wheel.

    Raises:
        UpdateError: it is no wheel of this program.
    """
    try:
        with zipfile.ZipFile(path) as wheel:
            found = [info for info in wheel.infolist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", info.filename)]
            text = wheel.read(found[0]).decode() if found and _is_readable(found[0]) else ""
    except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error) as error:
        # The exceptions of the standard library for invalid archives.
        raise _strange(path) from error
    says = dict(re.findall(r"^(Name|Version): (.+?)\r?$", text.partition("\n\n")[0], re.MULTILINE))
    if re.sub(r"[-_.]+", "-", says.get("Name", "")).lower() != NAME or "Version" not in says:
        raise _strange(path)
    return str(says["Version"])


def _is_readable(info: zipfile.ZipInfo) -> bool:
    """Return whether a file is small and its compression method safe; other methods may need gigabytes of memory."""
    return info.file_size <= _LONGEST_BYTES and info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def _project(path: Path) -> dict[str, object]:
    try:
        project = tomllib.loads(read_text(path / "pyproject.toml", "utf-8")).get("project", {})
    except (OSError, ValueError, RecursionError) as error:
        raise _strange(path) from error
    if not isinstance(project, dict) or project.get("name") != NAME:
        raise _strange(path)
    return project


def _strange(path: Path) -> UpdateError:
    return UpdateError(
        said(
            "{path}: is not a {name}; give its folder (a clone), a wheel ({wheel}) or a source archive ({archive})",
            path=str(path),
            name=NAME,
            wheel=_WHEEL,
            archive=_ARCHIVE,
        )
    )


def _unreadable(path: Path, fault: str) -> UpdateError:
    return UpdateError(said("{path}: cannot be read: {fault}", path=str(path), fault=fault))

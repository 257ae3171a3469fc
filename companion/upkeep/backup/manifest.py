"""The manifest of a backup, with the size and checksum of each file."""

from typing import Annotated, Final

import msgspec

from companion.errors import CompanionError
from companion.languages import said

MANIFEST_NAME: Final = "manifest.json"
DATA: Final = "data/"
CONFIG: Final = "config/config.toml"
"""The configuration's path in a backup; the data folder's files are below `DATA`."""
FORMAT: Final = 1
PROGRAM: Final = "quilt-companion"

Size = Annotated[int, msgspec.Meta(ge=0)]


class BackupError(CompanionError):
    """Raised if a backup cannot be made or used."""


class BackedUpFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in a backup.

    Attributes:
        name: its path in the backup.
        size: its size in bytes.
        sha256: the SHA-256 of its content, in hexadecimal.
    """

    name: str
    size: Size
    sha256: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Manifest(msgspec.Struct, frozen=True):
    """The contents of a backup.

    Attributes:
        format: the version of the backup's format.
        program: the program's name, always `PROGRAM`.
        version: the version of the companion that made it.
        taken_at: the time when it was made, in ISO 8601 format.
        games: the number of games.
        files: all files but the manifest.
        named: the files that the configuration refers to, by key, such as "table.calibration"; paths below `DATA`.
        damaged: the names of the databases that were damaged when they were copied.
    """

    format: int
    program: str
    version: str
    taken_at: str
    games: Size
    files: tuple[BackedUpFile, ...]
    named: dict[str, str] = {}
    damaged: tuple[str, ...] = ()


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return a manifest as JSON."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1)


def manifest_of(content: bytes, path: str) -> Manifest:
    """Return the manifest of a backup; `path` names the backup in errors.

    Raises:
        BackupError: it is invalid, or from a newer companion.
    """
    try:
        # Before the rest is decoded, which may have another form in a newer format.
        head = msgspec.json.decode(content, type=dict[str, object])
        if head.get("program") == PROGRAM and isinstance(form := head.get("format"), int) and form > FORMAT:
            raise BackupError(
                said(
                    "{path}: is a backup from a newer companion (format {version}, this one knows {known}); "
                    "install that version first",
                    path=path,
                    version=form,
                    known=FORMAT,
                )
            )
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(path, said("its list of files cannot be read")) from error
    if manifest.program != PROGRAM or manifest.format != FORMAT:
        raise damaged(path, said("its list of files cannot be read"))
    return manifest


def damaged(path: str, fault: str) -> BackupError:
    """Return the error for a damaged backup, of which nothing is used."""
    return BackupError(
        said("{path}: is not an intact backup ({fault}); nothing was changed, use another one", path=path, fault=fault)
    )

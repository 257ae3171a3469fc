"""The first thing that is read of a backup: what it holds, and the checksum of each file."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from companion.errors import CompanionError
from companion.languages import said

MANIFEST_NAME: Final = "manifest.json"
DATA: Final = "data/"
CONFIG: Final = "config/config.toml"
"""The files in a backup: those of the data folder, and the configuration."""
FORMAT: Final = 1
PROGRAM: Final = "quilt-companion"

Size = Annotated[int, msgspec.Meta(ge=0)]


class BackupError(CompanionError):
    """A backup cannot be made, or one cannot be used."""


class BackedUpFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in a backup.

    Attributes:
        name: its path in the backup.
        size: in bytes.
        sha256: of its content, in hexadecimal.
    """

    name: str
    size: Size
    sha256: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Manifest(msgspec.Struct, frozen=True):
    """The contents of a backup.

    Attributes:
        format: of the backup.
        program: whose it is.
        version: of the companion that made it.
        taken_at: when, as ISO 8601.
        games: how many.
        files: all but this one.
        named: the files that the configuration names, by the key that does; each is one of the data folder's.
    """

    format: int
    program: str
    version: str
    taken_at: str
    games: Size
    files: tuple[BackedUpFile, ...]
    named: dict[str, str] = {}


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return a manifest as JSON."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1)


def manifest_of(content: bytes, path: str) -> Manifest:
    """Return the manifest in a backup.

    Raises:
        BackupError: it is none, or that of a newer companion.
    """
    try:
        head = msgspec.json.decode(content, type=dict[str, object])
        if head.get("program") == PROGRAM and isinstance(form := head.get("format"), int) and form > FORMAT:
            raise BackupError(
                said(
                    "{path}: is a backup of a newer companion (format {version}, this one knows {known}); "
                    "install that one first",
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
    """Return the error of a file that is not as it was written; nothing of it is used."""
    return BackupError(
        said("{path}: is no sound backup ({fault}); nothing was changed, use another one", path=path, fault=fault)
    )

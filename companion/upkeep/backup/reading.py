"""Reading of backups, which may be damaged or malicious.

All files are unpacked into a separate folder and compared with the manifest before any is put in place.
"""

import hashlib
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import structs

from companion.configuration import parse_config
from companion.languages import said, system_says
from companion.upkeep.backup.contents import is_included
from companion.upkeep.backup.manifest import (
    CONFIG,
    DATA,
    MANIFEST_NAME,
    BackedUpFile,
    BackupError,
    Manifest,
    damaged,
    manifest_of,
)

_LARGEST_MANIFEST: Final = 64 << 20
_MOST_FILES: Final = 300_000
# The largest compression ratio accepted; a mostly empty database compresses best.
_MOST_TIMES: Final = 200
# The number of bytes that a backup of any size may unpack to.
_ALWAYS_ALLOWED: Final = 64 << 20
# The compression methods accepted; others may need gigabytes of memory to unpack a few bytes.
_PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BLOCK: Final = 1 << 20
# The exceptions of the standard library for invalid archives.
_FAULTS: Final = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    KeyError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)


def checked(path: Path, folder: Path, stream: BinaryIO | None = None) -> Manifest:
    """Unpack a backup into an empty folder, check all of it, and return its manifest.

    Args:
        path: the backup.
        folder: the folder.
        stream: the open backup, if the user who unpacks it may not open it; else None.

    Raises:
        BackupError: it cannot be read, is damaged, or contains files that no backup has.
        ConfigError: the configuration in it cannot be used by this companion.
    """
    with explained(path), zipfile.ZipFile(stream or path) as archive:
        manifest = _manifest(archive, path)
        for stored in manifest.files:
            _unpack(archive, stored, folder, str(path))
    config = folder / CONFIG
    if config.exists():
        parse_config(_text(config, path), f"{path}: {CONFIG}")
    return manifest


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    infos = {info.filename: info for info in archive.infolist()}
    head = infos.pop(MANIFEST_NAME, None)
    if head is None or head.file_size > _LARGEST_MANIFEST:
        raise damaged(str(path), said("its list of files cannot be read"))
    if any(info.compress_type not in _PACKINGS for info in archive.filelist):
        raise damaged(str(path), said("it is packed in a way that the companion does not use"))
    manifest = manifest_of(archive.read(head), str(path))
    sizes = {stored.name: stored.size for stored in manifest.files}
    # Also counted, because the dictionary hides a second entry of the same name.
    if len(archive.filelist) != len(sizes) + 1 or {name: info.file_size for name, info in infos.items()} != sizes:
        raise damaged(str(path), said("its files do not match its list"))
    named = {key: DATA + name for key, name in manifest.named.items()}
    strange = next((name for name in (*sizes, *named.values()) if not _is_ours(name)), None)
    if strange is not None:
        raise damaged(str(path), said("{name} is not a file of the companion", name=ascii(strange)[:60]))
    _refuse_bombs(sizes, archive, path)
    # Earlier versions could name a file that they had left out, a link in the data folder.
    return structs.replace(manifest, named={key: manifest.named[key] for key, name in named.items() if name in sizes})


def _is_ours(name: str) -> bool:
    return name == CONFIG or (name.startswith(DATA) and is_included(name.removeprefix(DATA)))


def _refuse_bombs(sizes: dict[str, int], archive: zipfile.ZipFile, path: Path) -> None:
    whole, packed = sum(sizes.values()), archive.start_dir
    if len(sizes) > _MOST_FILES or whole > max(_ALWAYS_ALLOWED, _MOST_TIMES * packed):
        raise damaged(str(path), said("it would unpack to far more than its size"))


def _unpack(archive: zipfile.ZipFile, stored: BackedUpFile, folder: Path, path: str) -> None:
    target = folder / stored.name
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    if shutil.disk_usage(folder).free < stored.size + _ALWAYS_ALLOWED:
        raise BackupError(said("{path}: there is no room to unpack it; free some space on the disk", path=path))
    with archive.open(stored.name) as stream, target.open("xb") as file:
        while block := stream.read(_BLOCK):
            digest.update(block)
            file.write(block)
        size = file.tell()
    if size != stored.size or digest.hexdigest() != stored.sha256:
        raise damaged(path, said("{name} has a different checksum", name=stored.name))


def _text(config: Path, path: Path) -> str:
    try:
        return config.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise damaged(str(path), said("{name} is not text", name=CONFIG)) from error


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Convert the exceptions of unreadable and damaged archives into BackupError."""
    try:
        yield
    except OSError as error:
        raise BackupError(said("{path}: cannot be read: {fault}", path=str(path), fault=system_says(error))) from error
    except _FAULTS as error:
        raise damaged(str(path), said("its archive is damaged")) from error

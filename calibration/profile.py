"""The profile of a table: its empty boards' looks and places, saved so that an evening survives a power cut.

After a restart the pieces on the quilts hide the empty boards, so that their looks cannot be captured again.
"""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS
from companion.bounded import read_bytes
from companion.durable import write_whole
from companion.languages import said, system_says
from vision.geometry import VIEW_PX, Homography

_FORMAT: Final = 1
# The greatest size of a file: both views are at most 2 MB each uncompressed, and nothing else is large.
_LARGEST_BYTES: Final = 8 << 20
# The accepted compressions; others can require gigabytes of memory for a few bytes.
_PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class ProfileError(Exception):
    """A profile cannot be read or written; the message names the file, the fault and the remedy."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The empty looks and the places of one table's boards.

    Attributes:
        empty: by seat, the view of the empty board, shape (VIEW_PX, VIEW_PX, 3), uint8, BGR.
        places: by seat, the place of the board, as returned by its locator.
    """

    empty: Mapping[int, NDArray[np.uint8]]
    places: Mapping[int, Homography]


def save_profile(profile: Profile, path: Path) -> None:
    """Write a profile atomically: a power cut leaves the old file or the new one.

    Raises:
        ProfileError: it cannot be written.
    """
    content = io.BytesIO()
    arrays: dict[str, Any] = {"format": np.array(_FORMAT)}
    for seat in SEATS:
        arrays |= {f"empty{seat}": profile.empty[seat], f"place{seat}": profile.places[seat].matrix}
    np.savez_compressed(content, **arrays)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content.getvalue())
    except OSError as error:
        raise ProfileError(
            said("{path}: cannot be written: {fault}", path=str(path), fault=system_says(error))
        ) from error


def load_profile(path: Path) -> Profile:
    """Read a profile.

    Raises:
        ProfileError: it is missing, damaged, or of another version.
    """
    try:
        content = read_bytes(path, _LARGEST_BYTES)
    except OSError as error:
        raise ProfileError(said("{path}: cannot be read: {fault}", path=str(path), fault=system_says(error))) from error
    return _profile(path, _arrays(path, content))


def _arrays(path: Path, content: bytes) -> Mapping[str, NDArray[Any]]:
    """Return the arrays of a profile's file, with verified checksums."""
    if not content.startswith(b"PK"):  # NumPy would try its other formats
        raise ProfileError(said("{path}: is not a profile or is damaged; move it away", path=str(path)))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if any(member.compress_type not in _PACKINGS for member in members):
                raise zipfile.BadZipFile("packed as no companion packs")
            if sum(member.file_size for member in members) > _LARGEST_BYTES:
                raise zipfile.BadZipFile("more than a profile holds")
            # NumPy stops reading an array before zipfile reaches its checksum.
            if archive.testzip() is not None:
                raise zipfile.BadZipFile("a checksum that does not agree")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return dict(arrays)
    except Exception as error:
        # A damaged archive raises undocumented errors of zipfile, zlib, struct or NumPy.
        raise ProfileError(said("{path}: is damaged; move it away", path=str(path))) from error


def _profile(path: Path, arrays: Mapping[str, NDArray[Any]]) -> Profile:
    wanted: dict[str, tuple[tuple[int, ...], str]] = {"format": ((), "i")}
    for seat in SEATS:
        wanted |= {f"empty{seat}": ((VIEW_PX, VIEW_PX, 3), "u"), f"place{seat}": ((3, 3), "f")}
    if any(
        name not in arrays or (arrays[name].shape, arrays[name].dtype.kind) != form for name, form in wanted.items()
    ):
        raise ProfileError(said("{path}: is not a profile of this version; move it away", path=str(path)))
    if int(arrays["format"]) != _FORMAT:
        raise ProfileError(said("{path}: is not a profile of this version; move it away", path=str(path)))
    places = {seat: arrays[f"place{seat}"].astype(np.float64) for seat in SEATS}
    # Places are inverted later, in mid-game.
    if not all(np.isfinite(place).all() and np.linalg.det(place) for place in places.values()):
        raise ProfileError(said("{path}: does not say where a board lies; move it away", path=str(path)))
    return Profile(
        {seat: arrays[f"empty{seat}"].astype(np.uint8) for seat in SEATS},
        {seat: Homography(place) for seat, place in places.items()},
    )

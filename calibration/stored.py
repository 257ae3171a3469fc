"""The files about a table: its calibration, and the profile of an evening.

After a restart the pieces on the quilts hide the empty boards, so that their looks cannot be captured again: the
profile holds them and the boards' places.
"""

import io
import os
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens import TERMS, Lens, StraightenedCamera
from calibration.locator import SEATS, CornerLocator, MatLocator, QuiltLocator
from calibration.mat import MATS, load_mats
from companion.durable import read_bytes, read_text, take_place, write_beside, write_whole
from companion.languages import SentenceError, reason, said, system_says, toml_says, unreadable, unwritable
from hardware.ports import Camera
from vision.geometry import VIEW_PX, Homography

_FORMAT: Final = 1
# The greatest size of a file: both views are at most 2 MB each uncompressed, and nothing else is large.
_LARGEST_BYTES: Final = 8 << 20
# The accepted compressions; others can require gigabytes of memory for a few bytes.
_PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class ProfileError(SentenceError):
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
        raise ProfileError(unwritable(path, error)) from error


def load_profile(path: Path) -> Profile:
    """Read a profile.

    Raises:
        ProfileError: it is missing, damaged, or of another version.
    """
    try:
        content = read_bytes(path, _LARGEST_BYTES)
    except OSError as error:
        raise ProfileError(unreadable(path, error)) from error
    return _profile(path, _arrays(path, content))


def _arrays(path: Path, content: bytes) -> Mapping[str, NDArray[Any]]:
    """Return the arrays of a profile's file, with verified checksums."""
    if not content.startswith(b"PK"):  # NumPy would try its other formats
        raise ProfileError.said("{path}: is not a profile or is damaged; move it away", path=str(path))
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
        raise ProfileError.said("{path}: is damaged; move it away", path=str(path)) from error


def _profile(path: Path, arrays: Mapping[str, NDArray[Any]]) -> Profile:
    wanted: dict[str, tuple[tuple[int, ...], str]] = {"format": ((), "i")}
    for seat in SEATS:
        wanted |= {f"empty{seat}": ((VIEW_PX, VIEW_PX, 3), "u"), f"place{seat}": ((3, 3), "f")}
    if any(
        name not in arrays or (arrays[name].shape, arrays[name].dtype.kind) != form for name, form in wanted.items()
    ):
        raise ProfileError.said("{path}: is not a profile of this version; move it away", path=str(path))
    if int(arrays["format"]) != _FORMAT:
        raise ProfileError.said("{path}: is not a profile of this version; move it away", path=str(path))
    places = {seat: arrays[f"place{seat}"].astype(np.float64) for seat in SEATS}
    # Places are inverted later, in mid-game.
    if not all(np.isfinite(place).all() and np.linalg.det(place) for place in places.values()):
        raise ProfileError.said("{path}: does not say where a board lies; move it away", path=str(path))
    return Profile(
        {seat: arrays[f"empty{seat}"].astype(np.uint8) for seat in SEATS},
        {seat: Homography(place) for seat, place in places.items()},
    )


FORMAT: Final = 1


class CalibrationError(SentenceError):
    """A calibration cannot be read or written; the message names the file, the fault and the remedy.

    Attributes:
        fault: the fault and the remedy.
    """

    def __init__(self, fault: str, path: Path) -> None:
        super().__init__(said("{path}: {fault}", path=str(path), fault=fault))
        self.fault = fault


@dataclass(frozen=True, slots=True, eq=False)
class BoardCalibration:
    """One seat's board.

    Attributes:
        mat: the paper of its mat, a key of `calibration.mat.MATS`.
        place: the board's place on any mat, from cell space to the millimetres of the A4 page, as in `MatLocator`.
        corners_px: outer corners A1, I1, I9, A9 of its grid, in pixels of the camera's own picture, shape (4, 2).
        residual_px: median distance of the printed grid's lines from the fitted ones.
        residual_mm: the same on the board.
        cell_px: mean width of a cell in pixels.
        blur_px: sigma of the picture's blur.
        paper: grey level of the mat's paper, 0..255.
    """

    mat: str
    place: Homography
    corners_px: NDArray[np.float64]
    residual_px: float
    residual_mm: float
    cell_px: float
    blur_px: float
    paper: float


@dataclass(frozen=True, slots=True, eq=False)
class TableCalibration:
    """The calibration of a table.

    Attributes:
        taken: time of the calibration, with its time zone.
        size_px: (width, height) of the camera's pictures.
        boards: the boards by seat.
        lens: the camera's lens; None if it was not calibrated.
        lens_residual_px: residual of the lens' fit; None if there is none.
    """

    taken: datetime
    size_px: tuple[int, int]
    boards: Mapping[int, BoardCalibration]
    lens: Lens | None = None
    lens_residual_px: float | None = None


def save_calibration(calibration: TableCalibration, path: Path) -> Path | None:
    """Write the file, renaming an older one to calibration.1.toml, calibration.2.toml and so on, the first free number.

    Returns:
        The new path of the older file; None if there was none.

    Raises:
        CalibrationError: it cannot be written.
    """
    content = calibration_text(calibration).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # In this order a full disk or a power cut leaves the older file in its place.
        temporary = write_beside(path, content)
        try:
            kept = _set_aside(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        take_place(temporary, path)
    except OSError as error:
        raise CalibrationError(said("cannot be written: {fault}", fault=system_says(error)), path) from error
    return kept


def _set_aside(path: Path) -> Path | None:
    """Link an older file to the first free name, so that a calibration exists at every moment; return that name."""
    if not path.exists():
        return None
    number = 1
    while True:
        kept = path.with_name(f"{path.stem}.{number}{path.suffix}")
        try:
            os.link(path, kept)
        except FileExistsError:
            number += 1
        except OSError:  # a file system without links, such as a memory stick's
            write_whole(kept, path.read_bytes())
            return kept
        else:
            return kept


def calibration_text(calibration: TableCalibration) -> str:
    """Return the file's text."""
    out = io.StringIO()
    out.write("# Written by `companion calibrate`: measured at the table, not to be changed by hand.\n")
    out.write(f"format = {FORMAT}\ntaken = {calibration.taken.isoformat(timespec='seconds')}\n")
    out.write(f"size = {_numbers(calibration.size_px)}  # of the camera's pictures, in pixels\n")
    out.write("# Outer corners of each 9x9 grid in pixels of the camera's picture: A1, I1, I9, A9.\n")
    out.write(f"corners = [{', '.join(_rows(calibration.boards[seat].corners_px, 3) for seat in SEATS)}]\n")
    if calibration.lens is not None:
        out.write(_lens_text(calibration.lens, calibration.lens_residual_px))
    for seat in SEATS:
        out.write(_board_text(seat, calibration.boards[seat]))
    return out.getvalue()


def _lens_text(lens: Lens, residual_px: float | None) -> str:
    known = "" if residual_px is None else f"residual_px = {residual_px:.3f}\n"
    return (
        f"\n[lens]\nfocal = {_numbers(lens.focal_px)}\ncentre = {_numbers(lens.centre_px)}\n"
        f"distortion = {_numbers(lens.distortion)}  # k1, k2, p1, p2, k3\n{known}"
    )


def _board_text(seat: int, board: BoardCalibration) -> str:
    return (
        f'\n[[board]]\nseat = {seat}\nmat = "{board.mat}"\n'
        f"place = {_rows(board.place.matrix)}  # from cells to millimetres of the A4 mat\n"
        f"residual_px = {board.residual_px:.3f}\nresidual_mm = {board.residual_mm:.3f}\n"
        f"cell_px = {board.cell_px:.2f}\nblur_px = {board.blur_px:.2f}\npaper = {board.paper:.0f}\n"
    )


def _rows(values: NDArray[np.float64], digits: int | None = None) -> str:
    rows = values if digits is None else np.round(values, digits)
    return f"[{', '.join(_numbers(row) for row in rows)}]"


def _numbers(values: Any) -> str:
    plain = [value if isinstance(value, int) else float(value) for value in values]
    return f"[{', '.join(repr(value) for value in plain)}]"


def load_calibration(path: Path) -> TableCalibration:
    """Read a calibration.

    Raises:
        CalibrationError: it cannot be read, or is incomplete or invalid; the message names the file and the key.
    """
    try:
        table = tomllib.loads(read_text(path))
    except OSError as error:
        raise CalibrationError(said("cannot be read: {fault}", fault=system_says(error)), path) from error
    except (ValueError, RecursionError) as error:
        raise CalibrationError(
            said("is not {encoding}: {fault}", encoding="TOML", fault=toml_says(error)), path
        ) from error
    return calibration_of(table, path)


def calibration_of(table: Mapping[str, Any], path: Path) -> TableCalibration:
    """Return the calibration in a TOML document; `path` names it in errors.

    Raises:
        CalibrationError: as `load_calibration`.
    """
    if table.get("format") != FORMAT:
        fault = said("{key}: must be {value}, not {found}", key="format", value=FORMAT, found=repr(table.get("format")))
        raise _unusable(fault, path)
    try:
        return _calibration(table)
    except (KeyError, TypeError, ValueError, OverflowError, np.linalg.LinAlgError) as error:
        missing = isinstance(error, KeyError)
        raise _unusable(said("{key} is missing", key=error.args[0]) if missing else reason(error), path) from error


def _unusable(fault: str, path: Path) -> CalibrationError:
    says = said("{fault}; write a new one with {command}", fault=fault, command="companion calibrate")
    return CalibrationError(says, path)


def _calibration(table: Mapping[str, Any]) -> TableCalibration:
    taken = table["taken"]
    if not isinstance(taken, datetime):
        raise TypeError("taken: must be a date and time")
    size = table["size"] if isinstance(table["size"], list) and len(table["size"]) == 2 else (None, None)
    size_px = (_whole(size[0], "size"), _whole(size[1], "size"))
    corners = _array("corners", table["corners"], (len(SEATS), 4, 2))
    boards = {int(entry["seat"]): entry for entry in table["board"]}
    if sorted(boards) != list(SEATS):
        raise ValueError("[[board]]: there must be one for each of the seats 1 and 2")
    lens = table.get("lens")
    return TableCalibration(
        taken,
        size_px,
        {seat: _board(boards[seat], corners[index]) for index, seat in enumerate(SEATS)},
        None if lens is None else _lens(lens, size_px),
        None if lens is None or "residual_px" not in lens else _number(lens, "residual_px"),
    )


def _board(entry: Mapping[str, Any], corners_px: NDArray[np.float64]) -> BoardCalibration:
    if entry["mat"] not in MATS:
        raise ValueError(f"[[board]] mat: must be one of {', '.join(MATS)}, is {entry['mat']!r}")
    place = _array("[[board]] place", entry["place"], (3, 3))
    if abs(np.linalg.det(place)) < 1e-9:
        raise ValueError("[[board]] place: says nowhere where the board lies")
    return BoardCalibration(
        entry["mat"],
        Homography(place),
        corners_px,
        *(_number(entry, key) for key in ("residual_px", "residual_mm", "cell_px", "blur_px", "paper")),
    )


def _lens(entry: Mapping[str, Any], size_px: tuple[int, int]) -> Lens:
    focal, centre = _array("[lens] focal", entry["focal"], (2,)), _array("[lens] centre", entry["centre"], (2,))
    if focal.min() <= 0:
        raise ValueError("[lens] focal: must be lengths in pixels")
    terms = _array("[lens] distortion", entry["distortion"], (TERMS,))
    return Lens(
        size_px,
        (float(focal[0]), float(focal[1])),
        (float(centre[0]), float(centre[1])),
        tuple(float(term) for term in terms),
    )


def _array(key: str, value: object, shape: tuple[int, ...]) -> NDArray[np.float64]:
    try:
        array = np.array(value, np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{key}: must be numbers, {' x '.join(map(str, shape))} of them")
    return array


def _number(entry: Mapping[str, Any], key: str) -> float:
    value = entry[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise ValueError(f"{key}: must be a number, is {repr(value)[:40]}")
    return float(value)


def _whole(value: object, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= 100_000:
        raise ValueError(f"{key}: must be a width and a height in pixels")
    return value


class CalibratedLocator:
    """A locator by the mats, with each board's place on its mat, or by the stored corners if no mats are seen at first.

    Args:
        calibration: of the table; pictures must be undistorted by its lens.

    Attributes:
        is_held: whether a moved board must be tracked by its own look.
    """

    def __init__(self, calibration: TableCalibration) -> None:
        lens = calibration.lens
        corners = [calibration.boards[seat].corners_px for seat in SEATS]
        mats = MatLocator(*load_mats())
        for seat in SEATS:
            mats.put(seat, calibration.boards[seat].place)
        self._by: QuiltLocator = mats
        self._corners = CornerLocator(corners if lens is None else [lens.to_straight(quad) for quad in corners])
        self._decided = False
        self.is_held = self._by.is_held

    def locate(self, image: NDArray[np.uint8]) -> Mapping[int, Homography]:
        """Return, for each seat whose quilt can be located, the map from cell space to pixels of this frame."""
        found = self._by.locate(image)
        # By the first picture alone: mats that are hidden later are still followed.
        if not self._decided and not found:
            self._by, self.is_held = self._corners, self._corners.is_held
            found = self._by.locate(image)
        self._decided = True
        return found

    def adopt(self, seat: int, cells_to_image: Homography) -> None:
        """Adopt a better placement of a seat's quilt in the frame located last."""
        self._by.adopt(seat, cells_to_image)

    def place(self, seat: int) -> Homography:
        """Return the place of a seat's board."""
        return self._by.place(seat)

    def put(self, seat: int, place: Homography) -> None:
        """Set the place of a seat's board, as returned by `place`."""
        self._by.put(seat, place)

    def keep(self, seat: int) -> None:
        """Rely on a seat's board from now on."""
        self._by.keep(seat)

    def search(self, image: NDArray[np.uint8], beside: Homography | None = None) -> Sequence[Homography]:
        """Return possible places of a lost board, like `QuiltLocator.search`."""
        return self._by.search(image, beside)


def straightened(camera: Camera, calibration: TableCalibration | None) -> Camera:
    """Return the camera with its pictures undistorted, if the lens was calibrated."""
    if calibration is None or calibration.lens is None:
        return camera
    return StraightenedCamera(camera, calibration.lens)

"""The printed mat under each quilt board: the places of its fiducials and of the board.

Coordinate space: millimetres on the A4 page, origin at the page's top-left corner, x to the right, y down.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from companion.durable import read_text
from companion.languages import SentenceError, toml_says, unreadable

MAT_FILE = Path(__file__).with_name("mat.toml")
MATS: Mapping[str, Path] = MappingProxyType({"a4": MAT_FILE, "letter": Path(__file__).with_name("mat_letter.toml")})
"""The file of each mat's geometry, by its paper; marker IDs are unique across all mats."""
FORMAT = 1
GRID_SIDE = 9

Corners: TypeAlias = NDArray[np.float64]
"""Four points, shape (4, 2), (x, y), clockwise from the top-left one."""


class MatError(SentenceError):
    """The mat's file is missing or does not describe a mat; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Mat:
    """The geometry of one printed page; both seats' pages differ only in their markers' IDs.

    Attributes:
        page_mm: (width, height) of the page.
        dictionary: name of OpenCV's predefined ArUco dictionary, such as "DICT_4X4_50".
        marker_size_mm: edge of a marker's black square, without the white quiet zone.
        marker_centres_mm: (x, y) by corner: top-left, top-right, bottom-right, bottom-left.
        seats: by seat, the ids of its four markers in the same order.
        board_centre_mm: (x, y) of the printed outline for the board.
        board_size_mm: outer edge of the square board.
        grid_size_mm: outer edge of its printed 9x9 grid.
    """

    page_mm: tuple[float, float]
    dictionary: str
    marker_size_mm: float
    marker_centres_mm: tuple[tuple[float, float], ...]
    seats: Mapping[int, tuple[int, ...]]
    board_centre_mm: tuple[float, float]
    board_size_mm: float
    grid_size_mm: float

    @property
    def page_corners_mm(self) -> Corners:
        """The page's corners, shape (4, 2), clockwise from the top-left."""
        width, height = self.page_mm
        return np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])

    def marker_corners_mm(self, index: int) -> Corners:
        """Return the outer corners of the black square at page corner `index` (0 top-left, clockwise), shape (4, 2).

        Raises:
            IndexError: `index` is not 0..3.
        """
        if not 0 <= index < len(self.marker_centres_mm):
            raise IndexError(f"a mat has markers 0..3, not {index}")
        return _square_mm(self.marker_centres_mm[index], self.marker_size_mm)

    @property
    def grid_corners_mm(self) -> Corners:
        """Outer corners A1, I1, I9, A9 of the 9x9 grid of a board placed exactly on its outline; shape (4, 2)."""
        return _square_mm(self.board_centre_mm, self.grid_size_mm)

    @property
    def board_corners_mm(self) -> Corners:
        """Outer corners of a board placed exactly on its outline, in the same order as the grid's; shape (4, 2)."""
        return _square_mm(self.board_centre_mm, self.board_size_mm)

    @property
    def cell_mm(self) -> float:
        """Edge of one cell of the printed grid."""
        return self.grid_size_mm / GRID_SIDE


def _square_mm(centre_mm: tuple[float, float], size_mm: float) -> Corners:
    half = size_mm / 2
    offsets = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    corners: Corners = np.asarray(centre_mm, dtype=np.float64) + offsets
    return corners


def load_mat(path: Path = MAT_FILE) -> Mat:
    """Read a mat's geometry.

    Raises:
        MatError: the file cannot be read, or a key is missing, of the wrong type or out of range.
    """
    try:
        data = tomllib.loads(read_text(path, "utf-8"))
    except OSError as error:
        raise MatError(unreadable(path, error)) from error
    except (ValueError, RecursionError) as error:
        raise MatError.said(
            "{path}: is not {encoding}: {fault}", path=str(path), encoding="TOML", fault=toml_says(error)
        ) from error
    return _mat_from(path, data)


def load_mats() -> tuple[Mat, ...]:
    """Return the mats of every paper that may be on a table, A4's first.

    Raises:
        MatError: as `load_mat`.
    """
    return tuple(load_mat(path) for path in MATS.values())


def _mat_from(path: Path, data: dict[str, Any]) -> Mat:
    if data.get("format") != FORMAT:
        raise MatError.said(
            "{path}: {key}: must be {value}, not {found}",
            path=str(path),
            key="format",
            value=FORMAT,
            found=repr(data.get("format")),
        )
    board = data.get("board")
    if not isinstance(board, dict):
        raise MatError.said("{path}: {key}: is missing", path=str(path), key="[board]")
    centres = data.get("marker_centres")
    if not isinstance(centres, list) or len(centres) != 4:
        raise MatError.said("{path}: {key}: must list four points", path=str(path), key="marker_centres")
    dictionary = data.get("dictionary")
    if not isinstance(dictionary, str):
        raise MatError.said(
            "{path}: {key}: must be a name such as {example}",
            path=str(path),
            key="dictionary",
            example="'DICT_4X4_50'",
        )
    return Mat(
        page_mm=_pair(path, "page", data.get("page")),
        dictionary=dictionary,
        marker_size_mm=_length(path, "marker_size", data.get("marker_size")),
        marker_centres_mm=tuple(_pair(path, "marker_centres", centre) for centre in centres),
        seats=_seats(path, data.get("seat")),
        board_centre_mm=_pair(path, "[board] centre", board.get("centre")),
        board_size_mm=_length(path, "[board] size", board.get("size")),
        grid_size_mm=_length(path, "[board] grid_size", board.get("grid_size")),
    )


def _length(path: Path, key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 10_000:
        raise MatError.said(
            "{path}: {key}: must be a length in millimetres, not {found}",
            path=str(path),
            key=key,
            found=repr(value),
        )
    return float(value)


def _pair(path: Path, key: str, value: object) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise MatError.said(
            "{path}: {key}: must be two lengths in millimetres, not {found}",
            path=str(path),
            key=key,
            found=repr(value),
        )
    return _length(path, key, value[0]), _length(path, key, value[1])


def _seats(path: Path, value: object) -> dict[int, tuple[int, ...]]:
    if not isinstance(value, list) or not value:
        raise MatError.said("{path}: {key}: is missing", path=str(path), key="[[seat]]")
    seats = dict(_seat(path, entry) for entry in value)
    ids = [marker for markers in seats.values() for marker in markers]
    if len(seats) != len(value) or len(set(ids)) != len(ids):
        raise MatError.said("{path}: {key}: a seat or a marker id appears twice", path=str(path), key="[[seat]]")
    return seats


def _seat(path: Path, entry: object) -> tuple[int, tuple[int, ...]]:
    fields = entry if isinstance(entry, dict) else {}
    seat, ids = fields.get("seat"), fields.get("marker_ids")
    if not _is_count(seat) or not isinstance(ids, list) or len(ids) != 4 or not all(_is_count(id_) for id_ in ids):
        raise MatError.said(
            "{path}: {key}: must have {one} and four {other}, not {found}",
            path=str(path),
            key="[[seat]]",
            one="`seat`",
            other="`marker_ids`",
            found=repr(entry),
        )
    return cast("int", seat), tuple(ids)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0

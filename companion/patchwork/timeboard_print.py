"""The desk at which an owner describes a time board's printing: a photograph, its corners, and the tapped places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any, Final, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import durable
from companion.calibrating.configured import may_be_page, read_toml
from companion.errors import CompanionError
from companion.games.patchwork.components import TimeTrack
from companion.languages import Sentence, counted, said, unwritable
from companion.ownership import as_owner_of
from companion.pictures import jpeg
from companion.record import RecordError
from vision.geometry import SIDE, Homography, through_corners
from vision.timeboard.board import SPACES, Layout, layout_of_points

FORMAT: Final = 1
BEYOND: Final = 0.1
"""Distance by which a place may lie outside the printed area, in its widths: corners are tapped by eye."""
APART: Final = 0.03
"""Least distance between the middles of two spaces, in widths; the narrowest spaces printed are 0.12 wide."""
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Printing:
    """A printing, in widths of the printed area, x to the right and y down from its upper left corner.

    Attributes:
        spaces: the middle of each space, from the start to the centre.
        marks: by space, the mark before it, where income is paid or a leather patch lies; missing ones lie on the
            middle of their border.
    """

    spaces: Sequence[Point]
    marks: Mapping[int, Point]


def layout_in(path: Path) -> Layout:
    """Return the layout that a printing's file describes.

    Raises:
        RecordError: the file cannot be read, or is no valid printing; the message names the fault.
    """
    table = read_toml(path)
    if table.get("format") != FORMAT:
        raise RecordError(said("{key} must be {value}", key="format", value=FORMAT), path)
    spaces, marks = _points(path, table, "spaces"), _points(path, table, "marks")
    lacking = next((space for space in range(SPACES) if space not in spaces), None)
    if lacking is not None:
        raise RecordError(said("{section} does not say where {space} is", section="[spaces]", space=lacking), path)
    middles = [spaces[space] for space in range(SPACES)]
    near = too_near(middles)
    if near is not None:
        one, other = near
        raise RecordError(said("the spaces {one} and {other} are in the same place", one=one, other=other), path)
    return layout_of_points(path.stem, np.array(middles, np.float64), marks)


def too_near(middles: Sequence[Point]) -> tuple[int, int] | None:
    """Return two spaces that are too near to each other to be distinct, or None if there are none."""
    places = np.array(middles, np.float64).reshape(-1, 2)
    apart = np.abs(places[:, None] - places[None]).max(axis=2)
    found = np.argwhere(np.triu(apart < APART, 1)).tolist()
    return (found[0][0], found[0][1]) if found else None


def text_of(printing: Printing) -> str:
    """Return the text of a printing's file."""
    lines = [
        "# Where the spaces of a time board lie: x to the right, y down, in widths of its printed area from the upper",
        "# left corner. Start is 0, the centre is 53. Mark p lies between the spaces p - 1 and p.",
        f"format = {FORMAT}",
        "",
        "[spaces]",
        *(_line(space, point) for space, point in enumerate(printing.spaces)),
        "",
        "[marks]",
        *(_line(space, printing.marks[space]) for space in sorted(printing.marks)),
        "",
    ]
    return "\n".join(lines)


def _line(space: int, point: Point) -> str:
    return f"{space} = [{point[0]:.4f}, {point[1]:.4f}]"


def _points(path: Path, table: Mapping[str, Any], section: str) -> dict[int, Point]:
    """Return a section's points by space."""
    found = table.get(section, {})
    if not isinstance(found, dict):
        raise RecordError(said("{key} must be a section", key=f"[{section}]"), path)
    points = {}
    for key, value in found.items():
        # The length before the value: `int` refuses thousands of digits with an error of its own.
        if not (key.isascii() and key.isdecimal() and len(key) <= 2 and int(key) < SPACES and _is_point(value)):
            raise RecordError(
                said(
                    "{key} must be a space from 0 to {last} with its place, such as {example}",
                    key=f"[{section}] {key[:20]}",
                    last=SPACES - 1,
                    example="[0.06, 0.81]",
                ),
                path,
            )
        points[int(key)] = (float(value[0]), float(value[1]))
    return points


def _is_point(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        # In Python a boolean is an integer, too.
        and all(isinstance(x, int | float) and not isinstance(x, bool) and -BEYOND <= x <= 1 + BEYOND for x in value)
    )


_LONG_SIDE_PX: Final = 2400
# The share of the picture's sides at which the corners initially lie, to be dragged to the board's.
_INSET: Final = 0.15
# The least area of the corners' quadrilateral: in a smaller one spaces cannot be seen.
_SQUARE: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, slots=True)
class Tapped:
    """The tapped places, in pixels of the photograph.

    Attributes:
        corners: of the printed area, clockwise from its upper left one.
        spaces: the middles of the spaces, in their order, as many as were tapped so far.
        marks: by space, the mark before it, if it is not on the middle of the border.
    """

    corners: tuple[Point, ...]
    spaces: tuple[Point, ...] = ()
    marks: Mapping[int, Point] | None = None


class Fault(NamedTuple):
    """Something that is missing or wrong.

    Attributes:
        step: the step of the page at which it is corrected: `corners`, `spaces` or `marks`.
        says: the sentence about it.
    """

    step: str
    says: Sentence


class PrintingDesk:
    """The description of one printing by a photograph, shape (height, width, 3), uint8, BGR. Used from any thread."""

    def __init__(self, path: Path, photo: NDArray[np.uint8], track: TimeTrack) -> None:
        scale = min(1.0, _LONG_SIDE_PX / max(photo.shape[:2]))
        if scale < 1:
            photo = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        # Reentrant, because `save` holds the lock while it asks for the fault.
        self._lock, self.path, self._photo = RLock(), path, photo
        inner = [mark for mark in (*track.income, *track.leather) if mark < track.last_space]
        self._kinds = {mark: "income" if mark in track.income else "leather" for mark in sorted(inner)}
        corners = (_SQUARE * (1 - 2 * _INSET) + _INSET) * self.size_px
        self._tapped = Tapped(tuple((float(x), float(y)) for x, y in corners))
        self._saved = False

    @property
    def size_px(self) -> tuple[int, int]:
        """The photograph's width and height."""
        return self._photo.shape[1], self._photo.shape[0]

    @property
    def kinds(self) -> Mapping[int, str]:
        """By space, the kind of the mark before it: `income` or `leather`."""
        return self._kinds

    @property
    def tapped(self) -> Tapped:
        """The tapped places, with all marks once they are known."""
        with self._lock:
            return replace(self._tapped, marks=self._marks())

    @property
    def is_saved(self) -> bool:
        """True if the file contains the present description."""
        return self._saved

    def photo_jpeg(self) -> bytes:
        """Return the photograph as a JPEG."""
        return jpeg(self._photo, 90)

    def put(self, tapped: Tapped) -> None:
        """Replace the tapped places."""
        with self._lock:
            self._tapped, self._saved = tapped, False

    def fault(self) -> Fault | None:
        """Return what is missing or wrong first, or None if the printing may be saved."""
        with self._lock:
            lacking = SPACES - len(self._tapped.spaces)
            # The corners first, because all other places are measured between them.
            if not may_be_page(np.array(self._tapped.corners, np.float64)):
                says = said("The corners must go clockwise round the printed area, starting at the upper left.")
                return Fault("corners", says)
            if lacking:
                says = counted(
                    "{count} space still has to be tapped.", "{count} spaces still have to be tapped.", lacking
                )
                return Fault("marks", says)
            middles = self._to_widths(self._tapped.spaces)
            near = too_near(middles)
            if near is not None:
                says = said("Spaces {one} and {other} were tapped in the same place.", one=near[0], other=near[1])
                return Fault("spaces", says)
            places = np.array([*middles, *self._to_widths(list(self._marks().values()))])
            if places.min() < -BEYOND or places.max() > 1 + BEYOND:
                return Fault("marks", said("A space or a mark is outside the corners."))
            return None

    def save(self) -> None:
        """Write the file.

        Raises:
            CompanionError: the description is incomplete, or the file cannot be written.
        """
        with self._lock:
            if (fault := self.fault()) is not None:
                raise CompanionError(fault.says)
            marks = self._marks()
            written = dict(zip(marks, self._to_widths(list(marks.values())), strict=True))
            try:
                content = text_of(Printing(self._to_widths(self._tapped.spaces), written)).encode()
                with as_owner_of(self.path.parent):
                    durable.write_whole(self.path, content)
            except (OSError, ValueError) as error:
                raise CompanionError(unwritable(self.path, error)) from error
            self._saved = True

    def _marks(self) -> dict[int, Point]:
        """Return the place of each mark in the photograph; empty while spaces or corners are missing."""
        if len(self._tapped.spaces) < SPACES or not may_be_page(np.array(self._tapped.corners, np.float64)):
            return {}
        layout = layout_of_points("", np.array(self._to_widths(self._tapped.spaces)), {})
        likely = self._place()(layout.marks(list(self._kinds)) / SIDE).tolist()
        moved = self._tapped.marks or {}
        return {
            mark: moved.get(mark, (round(x, 1), round(y, 1))) for mark, (x, y) in zip(self._kinds, likely, strict=True)
        }

    def _place(self) -> Homography:
        """Return the map from widths of the printed area to the photograph."""
        return through_corners(_SQUARE, np.array(self._tapped.corners))

    def _to_widths(self, points: Sequence[Point]) -> list[Point]:
        if not points:
            return []
        return [(float(x), float(y)) for x, y in self._place().inverse(np.array(points))]

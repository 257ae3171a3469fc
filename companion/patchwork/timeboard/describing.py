"""The desk at which an owner describes a time board's printing: a photograph, its corners, and the tapped places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import RLock
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion import durable
from companion.errors import CompanionError
from companion.languages import Sentence, counted, said, system_says
from companion.patchwork.timeboard.printing import BEYOND, Printing, text_of, too_near
from vision.geometry.homography import Homography, through_corners
from vision.geometry.rectify import SIDE
from vision.timeboard.layout import SPACES, layout_of_points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.games.patchwork import TimeTrack
    from companion.patchwork.timeboard.printing import Point

_LONG_SIDE_PX: Final = 2400
_INSET: Final = 0.15
"""The share of the picture's sides at which the corners initially lie, to be dragged to the board's."""
_LEAST_PX2: Final = 10_000.0
"""The least area of the corners' quadrilateral: in a smaller one spaces cannot be seen."""
_SQUARE: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


class DescribingError(CompanionError):
    """Raised for a printing that cannot be described or saved; the message says what to do."""


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


class PrintingDesk:
    """The description of one printing. May be used from any thread.

    Args:
        path: the file to write.
        photo: a photograph of the time board, shape (height, width, 3), uint8, BGR.
        track: the time track, which determines the marks.
    """

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
        return cv2.imencode(".jpg", self._photo, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()

    def put(self, tapped: Tapped) -> None:
        """Replace the tapped places."""
        with self._lock:
            self._tapped, self._saved = tapped, False

    def fault(self) -> Sentence | None:
        """Return a sentence on what is missing or wrong, or None if the printing may be saved."""
        with self._lock:
            lacking = SPACES - len(self._tapped.spaces)
            # The corners first, because all other places are measured between them.
            if not _is_board(self._tapped.corners):
                return said("The corners must go clockwise round the printed area, starting at the upper left.")
            if lacking:
                return counted(
                    "{count} space still has to be tapped.", "{count} spaces still have to be tapped.", lacking
                )
            middles = self._to_widths(self._tapped.spaces)
            near = too_near(middles)
            if near is not None:
                return said("Spaces {one} and {other} were tapped in the same place.", one=near[0], other=near[1])
            places = np.array([*middles, *self._to_widths(list(self._marks().values()))])
            if places.min() < -BEYOND or places.max() > 1 + BEYOND:
                return said("A space or a mark is outside the corners.")
            return None

    def save(self) -> None:
        """Write the file.

        Raises:
            DescribingError: the description is incomplete, or the file cannot be written.
        """
        with self._lock:
            if (fault := self.fault()) is not None:
                raise DescribingError(fault)
            marks = self._marks()
            written = dict(zip(marks, self._to_widths(list(marks.values())), strict=True))
            try:
                durable.write_whole(
                    self.path, text_of(Printing(self._to_widths(self._tapped.spaces), written)).encode()
                )
            except (OSError, ValueError) as error:
                raise DescribingError(
                    said("{path}: cannot be written: {fault}", path=str(self.path), fault=system_says(error))
                ) from error
            self._saved = True

    def _marks(self) -> dict[int, Point]:
        """Return the place of each mark in the photograph; empty while spaces or corners are missing."""
        if len(self._tapped.spaces) < SPACES or not _is_board(self._tapped.corners):
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


def _is_board(corners: Sequence[Point]) -> bool:
    """Return whether these are the clockwise corners of a convex quadrilateral that is large enough."""
    quad = np.array(corners, np.float64)
    sides = np.roll(quad, -1, axis=0) - quad
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    return bool(turns.min() > 1 and cv2.contourArea(quad.astype(np.float32)) > _LEAST_PX2)

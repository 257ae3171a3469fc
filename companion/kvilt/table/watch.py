"""Detection of a sheet that is still under the camera."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.kvilt.reading.finding import LEAST_PX_PER_MM, FoundSheet, NoSheetError, SheetPhotoError, find_sheet
from companion.kvilt.reading.reader import SheetReading
from companion.kvilt.sheets.layout import PageLayout
from hardware.ports import Frame
from vision.sheet.page import Page, page_corners_mm

# The greatest motion of a still sheet's corners from one frame to the next.
_STILL_MM: Final = 0.6
# The time before an unchanged picture without a sheet is searched again.
_PAUSE_S: Final = 1.5
_SMALL_PX: Final = (64, 48)
# Grey levels by which some part of the picture must differ, averaged over its noise.
_CHANGED: Final = 10


class SheetWatch:
    """A watch that locates the sheet in the frames while a look is requested.

    Args:
        layout: the sheet's layout.
        rest_frames: the number of consecutive frames that must show it at one place.
        least_px_per_mm: the resolution below which frames do not count; the picture that is read may be finer.

    Attributes:
        frame: the newest frame, or None before the first.
        found: the sheet in it, or None if it is not seen, or no look is requested.
        trouble: a sentence on why it is not seen; empty if it is.
        absent: whether no part of any sheet is seen.
        looked: the latest frame that showed it, and the sheet in it, or None before the first.
        reading: the latest picture that was read, and its reading, or None before the first.
        disturbed: whether a frame since then differs from the one at that time, as when a hand was over the sheet.
    """

    def __init__(self, layout: PageLayout, rest_frames: int = 2, least_px_per_mm: float = LEAST_PX_PER_MM) -> None:
        self._layout, self._rest_frames, self._least_px_per_mm = layout, rest_frames, least_px_per_mm
        self._corners_mm = page_corners_mm(layout.size)
        self._still = 0
        self._missed: tuple[float, NDArray[np.int16]] | None = None
        self.frame: Frame | None = None
        self.found: FoundSheet | None = None
        self.trouble = ""
        self.absent = False
        self.looked: tuple[Frame, FoundSheet] | None = None
        self.reading: tuple[Frame, SheetReading] | None = None
        self.disturbed = False
        self._read: NDArray[np.int16] | None = None

    @property
    def settled(self) -> bool:
        """True while the sheet is still."""
        return self._still >= self._rest_frames

    def restart_rest(self) -> None:
        """Reset: only frames from now on count."""
        self._still, self.found, self.trouble, self._missed = 0, None, "", None

    def keep_reading(self, picture: Frame, reading: SheetReading) -> None:
        """Keep the reading of a picture that was taken at the newest frame."""
        self.reading, self.disturbed = (picture, reading), False
        self._read = None if self.frame is None else _small(self.frame.image)

    def see(self, frame: Frame, *, looking: bool) -> None:
        """Process a frame; the sheet is searched for if `looking`."""
        latest, self.frame = self.frame, frame
        if self._read is not None and not self.disturbed:
            self.disturbed = _differs(_small(frame.image), self._read)
        if not looking:
            self.found = None
        # A source may deliver a picture twice: the second one needs no search, and counts as at rest.
        elif self.found is not None and latest is not None and frame.image is latest.image:
            self._keep(frame, self.found)
        elif self._may_show_more(frame):
            self._search(frame)

    def _may_show_more(self, frame: Frame) -> bool:
        """Return whether to search again; a frame like one without a sheet is skipped, because a search takes long."""
        if self._missed is None or frame.t_s - self._missed[0] >= _PAUSE_S:
            return True
        return _differs(_small(frame.image), self._missed[1])

    def _search(self, frame: Frame) -> None:
        try:
            found = find_sheet(frame.image, self._layout, self._least_px_per_mm)
        except SheetPhotoError as error:
            self.found, self.trouble, self._still = None, error.args[0], 0
            self.absent = isinstance(error, NoSheetError)
            self._missed = frame.t_s, _small(frame.image)
            return
        self._missed, self.trouble, self.absent = None, "", False
        self._keep(frame, found)

    def _keep(self, frame: Frame, found: FoundSheet) -> None:
        before, self.found = self.found, found
        self.looked = frame, found
        self._still = self._still + 1 if before is None or self._is_near(before.page, found.page) else 1

    def _is_near(self, before: Page, now: Page) -> bool:
        moved_px = np.hypot(*(self._outline(now) - self._outline(before)).T)
        return float(moved_px.max()) <= _STILL_MM * now.px_per_mm

    def _outline(self, page: Page) -> NDArray[np.float64]:
        return page.place(self._corners_mm)


def shows_the_same(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    """Return whether nothing was moved between two pictures of any size, (height, width, 3), uint8, BGR."""
    return one is other or not _differs(_small(one), _small(other))


def _differs(one: NDArray[np.int16], other: NDArray[np.int16]) -> bool:
    return bool(np.abs(one - other).max() > _CHANGED)


def _small(image: NDArray[np.uint8]) -> NDArray[np.int16]:
    grey = cv2.cvtColor(cv2.resize(image, _SMALL_PX, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.int16)

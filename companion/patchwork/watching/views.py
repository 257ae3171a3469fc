"""Both boards in the latest frames: their places, their views from above, and whether they are at rest."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.locator import SEATS, QuiltLocator
from hardware.ports import Frame
from vision.blankness import is_blank
from vision.geometry.homography import Homography
from vision.geometry.rectify import rectify
from vision.quilt.averaging import averaged
from vision.quilt.look import Look, look_at
from vision.quilt.stability import StabilityGate

# The number of frames of one rest to average: half the noise, at the cost of three more warps per look.
_AVERAGED: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """A frame's image, shape (height, width, 3), uint8, BGR, and by seat the map from cell space to its pixels."""

    image: NDArray[np.uint8]
    places: dict[int, Homography]


class BoardViews:
    """The views of both boards.

    Args:
        locator: the locator of the boards.
        settle_frames: the number of frames that must agree before a board counts as settled.

    Attributes:
        frame: the latest frame.
        blank: whether it shows nothing, as with a covered lens.
        places: by seat, the map from cell space to its pixels, for the boards in view.
        settled: the seats whose board is in view and at rest.
    """

    def __init__(self, locator: QuiltLocator, settle_frames: int) -> None:
        self._locator = locator
        self._gates = {seat: StabilityGate(settle_frames) for seat in SEATS}
        self.frame: Frame | None = None
        self.blank = False
        self.places: Mapping[int, Homography] = {}
        self.settled: frozenset[int] = frozenset()
        self._views: dict[int, NDArray[np.uint8]] = {}
        self._looks: dict[int, Look] = {}
        self._recent: deque[_Placed] = deque(maxlen=_AVERAGED)

    def __contains__(self, seat: int) -> bool:
        """Return whether a seat's board is in view."""
        return seat in self._views

    def __getitem__(self, seat: int) -> NDArray[np.uint8]:
        """Return a seat's board from above in the latest frame, as `vision.geometry.rectify.rectify` does.

        Raises:
            KeyError: the board is not in view.
        """
        return self._views[seat]

    def see(self, frame: Frame) -> None:
        """Process the next frame."""
        self.frame, self.blank = frame, is_blank(frame.image)
        # A locator that holds places returns them even for a frame that shows nothing.
        self.places = {} if self.blank else self._locator.locate(frame.image)
        # A copy, because `adopt` corrects the places of each frame separately.
        self._recent.append(_Placed(frame.image, dict(self.places)))
        self._views = {seat: rectify(frame.image, place) for seat, place in self.places.items()}
        self._looks = {}
        for seat, view in self._views.items():
            self._gates[seat].watch(view)
        self._settle()

    def rest_on(self, frame: Frame) -> None:
        """Process a frame in which nothing has moved, so that all places are known."""
        self.frame = frame
        self._recent.append(_Placed(frame.image, dict(self.places)))
        self._looks = {}
        for seat in self._views:
            self._gates[seat].rest_on()
        self._settle()

    def restart_rest(self) -> None:
        """Restart the count of frames at rest."""
        for gate in self._gates.values():
            gate.forget()
        self._settle()

    def look_at(self, seat: int) -> Look:
        """Return the look of a board in view, averaged over the latest frames that agree, which reduces noise."""
        if seat not in self._looks:
            # Only frames of the present rest, but at least the latest: a slice from -0 on would hold them all.
            rest = list(self._recent)[-max(1, self._gates[seat].agreeing) :]
            views = [rectify(each.image, each.places[seat]) for each in rest if seat in each.places]
            self._looks[seat] = look_at(averaged(views))
        return self._looks[seat]

    def adopt(self, seat: int, cells_to_image: Homography) -> None:
        """Set a board's place in the latest frame, and correct it in the earlier ones."""
        self._locator.adopt(seat, cells_to_image)
        # A correction rather than the place itself: the board was located in each of these frames separately.
        correction = self.places[seat].inverse.after(cells_to_image)
        for each in self._recent:
            if seat in each.places:
                each.places[seat] = each.places[seat].after(correction)
        # A new mapping: observations hold the old one, and `TableWatch.see` iterates over it.
        self.places = {**self.places, seat: cells_to_image}
        self._looks.pop(seat, None)
        self._views[seat] = rectify(self._recent[-1].image, cells_to_image)

    def _settle(self) -> None:
        """Set the boards that are at rest by now."""
        self.settled = frozenset(seat for seat in self._views if self._gates[seat].settled)

"""Detection of the mats' printed ArUco fiducials, to a fraction of a pixel."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Edge below which a crop is too small to contain a marker.
_LEAST_PX: Final = 12


class FiducialDetector:
    """A detector of the markers of one ArUco dictionary.

    Args:
        dictionary: OpenCV's name of a predefined dictionary, such as `DICT_4X4_50`.

    Raises:
        ValueError: OpenCV has no dictionary of that name.
    """

    def __init__(self, dictionary: str) -> None:
        # The module's other integers are options of other kinds.
        identifier = getattr(cv2.aruco, dictionary, None) if dictionary.startswith("DICT_") else None
        if not isinstance(identifier, int):
            raise ValueError(f"dictionary {dictionary!r}: OpenCV has no ArUco dictionary of this name")
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        # OpenCV's third of a module is narrower than a defocused edge, whose corners then wander by pixels.
        parameters.relativeCornerRefinmentWinSize = 1.0
        self._detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(identifier), parameters)

    def detect(self, image: NDArray[np.uint8]) -> Mapping[int, NDArray[np.float64]]:
        """Return the markers' corners by their ids.

        Args:
            image: shape (height, width, 3) BGR or (height, width) grey, uint8.

        Returns:
            For each id found once, shape (4, 2): its corners in pixels, clockwise from the printed top left. An id seen
            twice is omitted, because the mat's marker cannot be told from its copy.
        """
        return self.detect_all(image)[0]

    def detect_all(self, image: NDArray[np.uint8]) -> tuple[Mapping[int, NDArray[np.float64]], frozenset[int]]:
        """Return the result of `detect`, and the ids that are seen more than once."""
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
        numbers, corners = self._all(np.asarray(grey, np.uint8))
        return _once(numbers, corners), frozenset(number for number in numbers if numbers.count(number) > 1)

    def detect_near(
        self, image: NDArray[np.uint8], expected: Mapping[int, NDArray[np.float64]]
    ) -> Mapping[int, NDArray[np.float64]]:
        """Return those of the expected markers that are still near their places; much cheaper than `detect`.

        Args:
            image: as for `detect`.
            expected: the previous corners of each marker, shape (4, 2), in pixels, by id.

        Returns:
            As `detect`, for the ids found within half a marker's size of their places.
        """
        found: dict[int, NDArray[np.float64]] = {}
        for number, quad in expected.items():
            (left, top), (right, bottom) = _around(quad, image.shape[1], image.shape[0])
            if right - left < _LEAST_PX or bottom - top < _LEAST_PX:
                continue
            crop = image[top:bottom, left:right]
            grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) if crop.ndim == 3 else crop
            seen = _once(*self._all(np.ascontiguousarray(grey, np.uint8))).get(number)
            if seen is not None:
                found[number] = np.add(seen, (left, top))
        return found

    def _all(self, grey: NDArray[np.uint8]) -> tuple[list[int], Sequence[Any]]:
        # OpenCV's type stubs do not say that ids may be None.
        found: tuple[Any, Any, Any] = self._detector.detectMarkers(grey)
        corners, ids, _ = found
        # OpenCV 4 gives ids of shape (n, 1), OpenCV 5 of shape (n,).
        return ([], ()) if ids is None else ([int(number) for number in np.asarray(ids).reshape(-1)], corners)


def _once(numbers: list[int], corners: Sequence[Any]) -> Mapping[int, NDArray[np.float64]]:
    """Return the corners of the markers whose ids are found once, by id."""
    return {
        number: np.asarray(quad, np.float64).reshape(4, 2)
        for number, quad in zip(numbers, corners, strict=True)
        if numbers.count(number) == 1
    }


def _around(quad: NDArray[np.float64], width: int, height: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the crop around a marker, enlarged by half its size at each side: (left, top), (right, bottom)."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    margin = (high - low) / 2
    left, top = np.maximum(np.floor(low - margin), 0).astype(int)
    right, bottom = np.minimum(np.ceil(high + margin), (width, height)).astype(int)
    return (int(left), int(top)), (int(right), int(bottom))

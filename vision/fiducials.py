"""The mats' printed ArUco fiducials: their corners to a fraction of a pixel, and the sharpness at their edges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


# Half the length of a profile across an edge.
_REACH_PX: Final = 8.0
# Samples across an edge: three to a pixel over the full reach.
_SAMPLES: Final = 49
# Samples at each end of a profile that are ink alone, or paper alone.
_ENDS: Final = 10
# Positions along an edge, as shares of its length; the corners are excluded.
_PLACES: Final = np.linspace(0.15, 0.85, 15)
# The least contrast between ink and paper, in grey levels, for the blur to be measured.
_LEAST_CONTRAST: Final = 12.0


@dataclass(frozen=True, slots=True)
class MarkerLook:
    """Sharpness and brightness at a marker's edges.

    Attributes:
        blur_px: sigma of the blur, in pixels; infinite if the contrast of ink and paper is too low.
        ink: grey level of its black, 0..255.
        paper: grey level of the white around it, 0..255.
    """

    blur_px: float
    ink: float
    paper: float


def look_at_marker(image: NDArray[np.uint8], corners_px: NDArray[np.float64]) -> MarkerLook:
    """Measure the outer edges of a marker's black square.

    Args:
        image: shape (height, width, 3) BGR or (height, width) grey, uint8.
        corners_px: the square's corners, clockwise, shape (4, 2).
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    length_px = float(np.hypot(*np.diff(corners_px[[0, 1, 2, 3, 0]], axis=0).T).min())
    # A profile must not reach a small marker's own squares, which are a sixth of its size.
    reach_px = min(_REACH_PX, length_px / 7)
    sides = [(corners_px[side], corners_px[(side + 1) % 4]) for side in range(4)]
    profiles = np.concatenate([_profiles(np.asarray(grey, np.uint8), *side, reach_px) for side in sides])
    ink, paper = float(np.median(profiles[:, :_ENDS])), float(np.median(profiles[:, -_ENDS:]))
    if paper - ink < _LEAST_CONTRAST:
        return MarkerLook(float("inf"), ink, paper)
    share = np.clip((profiles - ink) / (paper - ink), 0.0, 1.0)
    # For an edge blurred by a Gaussian, share * (1 - share) has an area of sigma / sqrt(pi), wherever the edge is.
    areas = (share * (1 - share)).sum(axis=1) * (2 * reach_px / (_SAMPLES - 1))
    return MarkerLook(float(np.sqrt(np.pi) * np.median(areas)), ink, paper)


def _profiles(
    grey: NDArray[np.uint8], start: NDArray[np.float64], end: NDArray[np.float64], reach_px: float
) -> NDArray[np.float64]:
    """Return grey levels across an edge at each of `_PLACES`, from within the marker outwards, shape (n, _SAMPLES)."""
    along = end - start
    outwards = np.array([along[1], -along[0]]) / max(float(np.hypot(*along)), 1e-9)
    offsets = np.linspace(-reach_px, reach_px, _SAMPLES)
    points = start + _PLACES[:, None, None] * along + offsets[None, :, None] * outwards
    x, y = np.asarray(points[..., 0], np.float32), np.asarray(points[..., 1], np.float32)
    return np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64)

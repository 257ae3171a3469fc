"""Reading of a patch's tag, the cost beside a button and the time beside an hourglass, in any printing.

A small convolutional network, trained on randomly drawn tags (`bench/tags/fit.py`) and run by OpenCV, is applied to
close-ups of places where the tag may lie. For each it yields the probability of a tag, its orientation, its offset from
the middle, and the probabilities of each cost and each time. It was trained on no printing of the game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import local
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Homography, through_corners
from vision.networks import NoNumbersError, finite, load_network

TAG_PX: Final = 40
"""Pixels a cell of the network's close-ups."""
CLOSEUP_SHAPE: Final = (40, 80)
"""Rows and columns of a close-up: a tag is a cell and a third long, at most, and half a cell wide."""
COSTS, TIMES = 11, 6
"""Numbers of the possible values on a tag: costs from 0, times from 1."""
# Poses of a tag: upright, upside down, and both mirrored.
_POSES: Final = 4
# Grey levels added to a close-up's contrast, so that noise on plain cloth is not amplified.
_DARK: Final = 8.0
# Units of the network's offset output: cells, cells, degrees.
_PLACE_UNITS: Final = np.array([0.1, 0.1, 5.0])
# Limit of the network's offset, (x, y) in cells and degrees.
_FARTHEST: Final = np.array([0.35, 0.25, 16.0])
# Prior odds of a mirrored tag: some printings never have one.
_MIRRORED: Final = 0.3
_LIKELY, _LIKELY_BESIDE = 0.03, 0.08
"""The least probability of a pose that is examined, absolute and relative to the likeliest one."""
# The number of poses, the likeliest ones, that are examined closely.
_LOOKED_AT: Final = 3
# Shifts of the close-ups over which readings are averaged, in cells: a reading depends a little on pixel alignment, the
# mean does less.
_SHIFTS: Final = ((0.02, 0.02), (-0.02, -0.02))
# Prior probability of a printing that the network cannot read.
_STRANGE: Final = 0.03
# Divisor of the network's log-odds: it is overconfident on prints outside of its training set.
_CALM: Final = 1.35


class TagPlace(NamedTuple):
    """A possible place of a tag, in cells of some plane: its middle, and its direction in degrees clockwise."""

    x: float
    y: float
    angle_deg: float


def places_on(cells: Iterable[tuple[int, int]]) -> list[TagPlace]:
    """Return the possible places of the tag of a patch on cells, (row, column): each edge between two of them."""
    covered = set(cells)
    beside = [TagPlace(x + 1.0, y + 0.5, 0.0) for y, x in sorted(covered) if (y, x + 1) in covered]
    below = [TagPlace(x + 0.5, y + 1.0, 90.0) for y, x in sorted(covered) if (y + 1, x) in covered]
    return [*beside, *below]


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The network's outputs for close-ups; log-probabilities except `off`.

    Attributes:
        cost: of each cost, shape (n, COSTS).
        time: of each time, from 1 on, shape (n, TIMES).
        pose: of a tag that is upright, upside down, mirrored or both, and of no tag, shape (n, 5).
        off: offset from the middle if the tag is upright: x and y in cells, and degrees, shape (n, 3).
    """

    cost: NDArray[np.float64]
    time: NDArray[np.float64]
    pose: NDArray[np.float64]
    off: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Look:
    """A close-up to be extracted: its place, and the pose from which its tag is turned upright."""

    place: TagPlace
    pose: int = 0

    def moved(self, off: NDArray[np.float64]) -> "_Look":
        """Return the look moved so that the given offset, (x, y, degrees) in the close-up, is in its middle."""
        x, y, turn = np.clip(off, -_FARTHEST, _FARTHEST).tolist()
        if self.pose in (1, 2):
            x = -x
        if self.pose in (1, 3):
            y = -y
        if self.pose in (2, 3):
            turn = -turn
        angle = np.radians(self.place.angle_deg)
        across, down = np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y
        place = TagPlace(self.place.x + across, self.place.y + down, self.place.angle_deg + turn)
        return _Look(place, self.pose)


def read_tag(image: NDArray[np.uint8], cells_to_image: Homography, places: Sequence[TagPlace]) -> NDArray[np.float64]:
    """Return the log-likelihoods of each cost and time, by the tag in one of several places.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        cells_to_image: maps the plane of the places, in cells, to the picture.
        places: possible places of the tag; either end may be its left one, and it may be mirrored.

    Returns:
        Log-likelihoods, shape (COSTS, TIMES), relative to an unreadable tag: all are 0 if none is found. Time 1 is
        first.
    """
    unread = np.zeros((COSTS, TIMES))
    looks = _likely_looks(image, cells_to_image, places)
    if not looks:
        return unread
    off = ask([_closeup(image, cells_to_image, look) for look in looks]).off
    looks = [look.moved(each) for look, each in zip(looks, off, strict=True)]
    shifts = np.array([[x, y, 0.0] for x, y in _SHIFTS])
    answers = ask([_closeup(image, cells_to_image, look.moved(shift)) for look in looks for shift in shifts])
    count = len(looks)
    cost, time, pose = (
        each.reshape(count, len(shifts), -1).mean(axis=1) for each in (answers.cost, answers.time, answers.pose)
    )
    upright = np.exp(pose[:, 0] - np.logaddexp.reduce(pose, axis=1))
    pairs = zip(cost / _CALM, time / _CALM, strict=True)
    shares = np.array([np.multiply.outer(_shares(costs), _shares(times)) for costs, times in pairs])
    # Digits in a wrong orientation resemble none: the orientation with the clearest digits is the upright one.
    weights = upright * _usual([look.pose for look in looks]) * shares.max(axis=(1, 2))
    read = np.tensordot(weights, shares, 1) / max(weights.sum(), 1e-9)
    known = (1 - _STRANGE) * float(upright.max())
    return np.asarray(np.log(known * read * COSTS * TIMES + (1 - known)))


def read_tag_on(
    image: NDArray[np.uint8], cells_to_image: Homography, cells: Iterable[tuple[int, int]]
) -> NDArray[np.float64]:
    """Return the log-likelihoods of each cost and time by the tag of a patch on cells, (row, column), as `read_tag`.

    All are 0, too, if this machine cannot compute them: a game goes on without tags.
    """
    try:
        return read_tag(image, cells_to_image, places_on(cells))
    except NoNumbersError:
        return np.zeros((COSTS, TIMES))


def _usual(poses: Sequence[int]) -> NDArray[np.float64]:
    return np.where(np.array(poses) < _POSES // 2, 1.0, _MIRRORED)


def _shares(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _likely_looks(image: NDArray[np.uint8], cells_to_image: Homography, places: Sequence[TagPlace]) -> list[_Look]:
    """Return the likeliest poses of a tag in some places, likeliest first."""
    if not places:
        return []
    answers = ask([_closeup(image, cells_to_image, _Look(place)) for place in places])
    chances = np.exp(answers.pose[:, :_POSES]) * _usual(range(_POSES))
    order = np.argsort(-chances, axis=None, kind="stable")[:_LOOKED_AT].tolist()
    found = [divmod(number, _POSES) for number in order]
    least = max(_LIKELY, _LIKELY_BESIDE * float(chances.max()))
    return [_Look(places[place], pose) for place, pose in found if chances[place, pose] >= least]


def _closeup(image: NDArray[np.uint8], cells_to_image: Homography, look: _Look) -> NDArray[np.uint8]:
    """Return a look's close-up, with its tag upright."""
    height, width = CLOSEUP_SHAPE
    place, half = look.place, np.array([width, height]) / (2 * TAG_PX)
    angle = np.radians(place.angle_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * half @ turn + (place.x, place.y)
    seen = cells_to_image(corners)
    finer = int(np.clip(np.hypot(*(seen[1] - seen[0])) / width / 1.2, 1, 6))
    size = (width * finer, height * finer)
    ends = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float64) - 0.5
    matrix = through_corners(seen, ends).matrix
    fine = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    closeup = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA) if finer > 1 else fine
    return posed(np.asarray(closeup, np.uint8), look.pose)


def posed(closeup: NDArray[np.uint8], pose: int) -> NDArray[np.uint8]:
    """Return a close-up, (height, width, ...), in a pose: upright (0), upside down (1), mirrored (2), or both (3)."""
    down, across = -1 if pose in (1, 3) else 1, -1 if pose in (1, 2) else 1
    return np.ascontiguousarray(closeup[::down, ::across])


def normalised(closeup: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the network's input for a close-up, shape (3, height, width): zero mean per colour, contrast about 1."""
    light = closeup.astype(np.float32)
    spread = np.float32(light.std()) + np.float32(_DARK)
    return np.asarray(((light - light.mean(axis=(0, 1))) / spread).transpose(2, 0, 1), np.float32)


def ask(closeups: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> Answers:
    """Return the network's outputs for close-ups, at least one, each of shape (*CLOSEUP_SHAPE, 3), uint8, BGR.

    Raises:
        NoNumbersError: this build of OpenCV yields values that are not finite on this processor.
    """
    network = _network()
    network.setInput(np.stack([normalised(closeup) for closeup in closeups]))
    answer = finite(np.asarray(network.forward(), np.float32)).astype(np.float64).reshape(len(closeups), -1)
    cost, time, pose, off = np.split(answer, np.cumsum([COSTS, TIMES, _POSES + 1]), axis=1)
    return Answers(_logs(cost), _logs(time), _logs(pose), off * _PLACE_UNITS)


def _logs(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(sums - np.logaddexp.reduce(sums, axis=1, keepdims=True))


class _Own(local):
    """A network for each thread, because OpenCV's networks are not thread-safe."""

    network: cv2.dnn.Net | None = None


_OWN: Final = _Own()


def _network() -> cv2.dnn.Net:
    if _OWN.network is None:
        _OWN.network = load_network(__package__, "tag.onnx")
    return _OWN.network

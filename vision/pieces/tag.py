"""Read the tag on a patch: the cost beside a button and the time beside an hourglass, in any printing.

A small convolutional network, fitted on randomly drawn tags (`bench/tags/fit.py`) and run by OpenCV, looks at close-ups
of places where the tag may lie. Of each it says how likely a tag lies there, which way up, how far off the middle, and
how likely each cost and each time is. It knows no printing of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from threading import local
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from vision.arithmetic import numbers
from vision.geometry.homography import through_corners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.geometry.homography import Homography

TAG_PX: Final = 40
"""Pixels a cell of the close-ups that the network is shown."""
CLOSEUP_SHAPE: Final = (40, 80)
"""Rows and columns of a close-up: a tag is a cell and a third long, at most, and half a cell wide."""
COSTS, TIMES = 11, 6
"""Numbers that a tag may show: costs from 0 on, times from 1 on."""
_POSES: Final = 4
"""Poses of a tag: upright, upside down, and both in mirror writing."""
_DARK: Final = 8.0
"""Grey levels added to a close-up's contrast, so that noise on even cloth is not blown up."""
_PLACE_UNITS: Final = np.array([0.1, 0.1, 5.0])
"""Cells and degrees in which the network says how far a tag is off."""
_FARTHEST: Final = np.array([0.35, 0.25, 16.0])
"""Largest offset that is followed, (x, y) in cells and degrees; the network's answer is cut to it."""
_MIRRORED: Final = 0.3
"""How often a tag is seen in mirror writing, against how often it is not: some printings never are."""
_LIKELY, _LIKELY_BESIDE = 0.03, 0.08
"""A pose that is less likely than this, or than this share of the likeliest one, is not looked at."""
_LOOKED_AT: Final = 3
"""The number of poses, the likeliest ones, that are examined closely."""
_SHIFTS: Final = ((0.02, 0.02), (-0.02, -0.02))
"""The shifts of a close look, in cells: what the network reads depends a little on where each pixel falls; the mean
does less."""
_STRANGE: Final = 0.03
"""How often a printing is so strange that what is read of it tells nothing."""
_CALM: Final = 1.35
"""Divides the network's log odds: on prints that it was not fitted on it is surer than it is right."""


class TagPlace(NamedTuple):
    """A place where a tag may lie, in cells of some plane: its middle, and its direction in degrees clockwise."""

    x: float
    y: float
    angle_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The network's answers for close-ups, logarithms of likelihoods but for `off`.

    Attributes:
        cost: of each cost, shape (n, COSTS).
        time: of each time, from 1 on, shape (n, TIMES).
        pose: that a tag lies there upright, upside down, in mirror writing, both, or none does, shape (n, 5).
        off: how far it is off the middle if it is upright: x and y in cells, and degrees, shape (n, 3).
    """

    cost: NDArray[np.float64]
    time: NDArray[np.float64]
    pose: NDArray[np.float64]
    off: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Look:
    """A close-up to be cut out: its place, and the pose in which its tag is turned upright."""

    place: TagPlace
    pose: int = 0

    def moved(self, off: NDArray[np.float64]) -> _Look:
        """Return the same look with that offset, (x, y, degrees) as the network sees it, in the middle."""
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
    """Return how likely each cost and time is, by the tag that lies in one of several places.

    Args:
        image: the picture, shape (height, width, 3), uint8, BGR.
        cells_to_image: maps the plane of the places, in cells, to the picture.
        places: where the tag may lie; either end may be its left one, and it may be in mirror writing.

    Returns:
        Log-likelihoods, shape (COSTS, TIMES), against what a tag that cannot be read says: all are 0 where none is
        seen. Time 1 comes first.
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
    # Digits that are looked at the wrong way round are like none: where they are plain, they stand upright.
    weights = upright * _usual([look.pose for look in looks]) * shares.max(axis=(1, 2))
    read = np.tensordot(weights, shares, 1) / max(weights.sum(), 1e-9)
    known = (1 - _STRANGE) * float(upright.max())
    return np.asarray(np.log(known * read * COSTS * TIMES + (1 - known)))


def _usual(poses: Sequence[int]) -> NDArray[np.float64]:
    return np.where(np.array(poses) < _POSES // 2, 1.0, _MIRRORED)


def _shares(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def _likely_looks(image: NDArray[np.uint8], cells_to_image: Homography, places: Sequence[TagPlace]) -> list[_Look]:
    """Return the likeliest poses of a tag in some places, the likeliest first."""
    if not places:
        return []
    answers = ask([_closeup(image, cells_to_image, _Look(place)) for place in places])
    chances = np.exp(answers.pose[:, :_POSES]) * _usual(range(_POSES))
    order = np.argsort(-chances, axis=None, kind="stable")[:_LOOKED_AT].tolist()
    found = [divmod(number, _POSES) for number in order]
    least = max(_LIKELY, _LIKELY_BESIDE * float(chances.max()))
    return [_Look(places[place], pose) for place, pose in found if chances[place, pose] >= least]


def _closeup(image: NDArray[np.uint8], cells_to_image: Homography, look: _Look) -> NDArray[np.uint8]:
    """Return a close-up as it was looked at, its tag upright in it if it has that pose."""
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
    """Return a close-up, (height, width, ...), upright (0), upside down (1), in mirror writing (2), or both (3)."""
    down, across = -1 if pose in (1, 3) else 1, -1 if pose in (1, 2) else 1
    return np.ascontiguousarray(closeup[::down, ::across])


def normalised(closeup: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return a close-up as the network takes it, shape (3, height, width): its mean colour 0, its contrast about 1."""
    light = closeup.astype(np.float32)
    spread = np.float32(light.std()) + np.float32(_DARK)
    return np.asarray(((light - light.mean(axis=(0, 1))) / spread).transpose(2, 0, 1), np.float32)


def ask(closeups: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> Answers:
    """Return the network's answers for some close-ups, at least one, each of shape (*CLOSEUP_SHAPE, 3), uint8, BGR.

    Raises:
        NoNumbersError: this processor and this build of OpenCV work out none.
    """
    network = _network()
    network.setInput(np.stack([normalised(closeup) for closeup in closeups]))
    answer = numbers(np.asarray(network.forward(), np.float32)).astype(np.float64).reshape(len(closeups), -1)
    cost, time, pose, off = np.split(answer, np.cumsum([COSTS, TIMES, _POSES + 1]), axis=1)
    return Answers(_logs(cost), _logs(time), _logs(pose), off * _PLACE_UNITS)


def _logs(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(sums - np.logaddexp.reduce(sums, axis=1, keepdims=True))


class _Own(local):
    """A network for each thread: one that is asked by two threads at once mixes up its answers."""

    network: cv2.dnn.Net | None = None


_OWN: Final = _Own()


def _network() -> cv2.dnn.Net:
    if _OWN.network is None:
        weights = np.frombuffer(files(__package__).joinpath("tag.onnx").read_bytes(), np.uint8)
        _OWN.network = cv2.dnn.readNetFromONNX(weights)
    return _OWN.network

"""Pairs out of a table recording whose truth is known.

The truth is JSON with `frames`, each with `frame`, `settled`, and for both seats `quilts` (nine strings of X and .),
`corners` of the grid in pixels and the `occluded` cells.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from bench.changes.light import glare, light_field, lit, photographed, recoloured, trembled
from bench.changes.pairs import MARGIN_PX, Pair, pair_of, pixels_of
from calibration.locator import SEATS
from vision.homography import through_corners
from vision.rectify import CELL_PX, GRID_CORNERS, SIDE, VIEW_PX, rectify

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_HAND: Final = 999
"""Stands for whatever covers a cell that is no patch."""
_LOG_FLOOR: Final = 6.0


class RecordedBoard:
    """One seat's board in a recording: its views, and by frame the number of the patch on each cell.

    Args:
        folder: the recording.
        truth: the JSON beside it.
        seat: whose board.
    """

    def __init__(self, folder: Path, truth: Path, seat: int) -> None:
        frames = json.loads(truth.read_text(encoding="utf-8"))["frames"]
        self.views = np.stack([_view(folder, frame, seat) for frame in frames])
        self.settled = np.array([frame["settled"] for frame in frames])
        self.patches = _patches_by_frame(frames, seat)
        bare = (self.patches == 0).all(axis=(1, 2)) & self.settled
        self.empty = np.flatnonzero(bare)
        self.laid = {
            int(patch): np.flatnonzero(self.settled & (self.patches == patch).any(axis=(1, 2)))
            for patch in np.unique(self.patches)
            if 0 < patch < _HAND
        }


def recorded_pairs(folder: Path, truth: Path, count: int, seed: int) -> list[Pair]:
    """Return random pairs out of a recording, most of them under light and cameras that it has not seen.

    In some a patch of this recording is put where none lies, or made to look like its ground.
    """
    rng = np.random.default_rng([seed, *folder.name.encode()])
    boards = [RecordedBoard(folder, truth, seat) for seat in SEATS]
    return [_pair(rng, boards[int(rng.integers(len(boards)))], boards) for _ in range(count)]


def _pair(rng: np.random.Generator, board: RecordedBoard, others: list[RecordedBoard]) -> Pair:
    now = int(rng.choice(np.flatnonzero(board.settled))) if rng.random() < 0.6 else int(rng.integers(len(board.views)))
    lies, current = board.patches[now], board.views[now].astype(np.float32)
    expected, expected_to_lie = _expected(rng, board, now)
    changed = pixels_of(expected_to_lie != lies)
    unknown = ~pixels_of(np.ones((SIDE, SIDE), np.bool_)) if (lies == _HAND).any() else np.zeros_like(changed)
    if rng.random() < 0.25:
        _camouflage(rng, current, expected, pixels_of((expected_to_lie != lies) & (lies > 0)))
    for _ in range(int(rng.choice([0, 0, 1, 1, 2]))):
        onto = current if rng.random() < 0.85 else expected
        changed |= _put(rng, onto, others[int(rng.integers(len(others)))])
    expected, current = _elsewhere(rng, expected, current)
    return pair_of(expected, current, changed, unknown)


def _expected(
    rng: np.random.Generator, board: RecordedBoard, now: int
) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
    """The expected view and the patches expected on each cell: those of another moment, or some of today's."""
    then = max(0, now - int(rng.integers(0, 12))) if rng.random() < 0.6 else int(rng.integers(len(board.views)))
    wanted = [patch for patch in np.unique(board.patches[then]) if patch in board.laid]
    if rng.random() < 0.5:
        then, today = now, [patch for patch in np.unique(board.patches[now]) if patch in board.laid]
        gone = set(rng.permutation(today)[: int(rng.integers(0, 3))].tolist()) if today else set()
        wanted = [patch for patch in today if patch not in gone]
    view = board.views[board.empty].mean(axis=0) if rng.random() < 0.6 else board.views[int(rng.choice(board.empty))]
    view, what = view.astype(np.float32), np.zeros((SIDE, SIDE), np.int16)
    for patch in wanted:
        cells, seen = board.patches[then] == patch, board.laid[int(patch)]
        source = board.views[int(seen[0] if rng.random() < 0.7 else rng.choice(seen))].astype(np.float32)
        if rng.random() < 0.35:
            source = np.clip(lit(source, light_field(rng, 0.7)), 0, 255)
        pixels = pixels_of(cells)
        view[pixels] = source[pixels]
        what[cells] = patch
    return view, what


def _elsewhere(
    rng: np.random.Generator, expected: NDArray[np.float32], current: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Both views in other light and through another camera, more or less so."""
    strength = float(rng.choice([0.0, 0.4, 1.0], p=[0.25, 0.35, 0.4]))
    if strength:
        expected = lit(expected, light_field(rng, 0.6 * strength)) if rng.random() < 0.5 else expected
        current = lit(current, light_field(rng, strength))
    current = current + glare(rng) if rng.random() < 0.3 else current
    if rng.random() < 0.4:
        expected, current = recoloured(rng, (expected, current))
    current = trembled(rng, np.clip(current, 0, 255), rng.uniform(0, 1))
    if rng.random() < 0.65:
        expected, current = photographed(rng, (np.clip(expected, 0, 255), current))
    return expected, current


def _put(rng: np.random.Generator, onto: NDArray[np.float32], board: RecordedBoard) -> NDArray[np.bool_]:
    """Put a patch of a board anywhere onto a view, about on the grid; return the pixels that it covers."""
    covered = np.zeros((VIEW_PX, VIEW_PX), np.bool_)
    if not board.laid:
        return covered
    patch = int(rng.choice(list(board.laid)))
    frame = int(rng.choice(board.laid[patch]))
    pixels, view = pixels_of(board.patches[frame] == patch), board.views[frame]
    quarters = int(rng.integers(4))
    pixels, view = np.rot90(pixels, quarters), np.rot90(view, quarters)
    by = [int(step) * CELL_PX + round(rng.normal(0, 3)) for step in rng.integers(-4, 5, 2)]
    there = np.roll(pixels, by, (0, 1))
    inner = slice(MARGIN_PX - CELL_PX, VIEW_PX - MARGIN_PX + CELL_PX)
    covered[inner, inner] = there[inner, inner]
    piece = np.roll(view, by, (0, 1)).astype(np.float32)
    if rng.random() < 0.5:
        _camouflage(rng, piece, onto, covered)
    onto[covered] = piece[covered]
    return covered


def _camouflage(
    rng: np.random.Generator, view: NDArray[np.float32], ground: NDArray[np.float32], pixels: NDArray[np.bool_]
) -> None:
    """Give what lies on these pixels of a view about its ground's mean colour; its weave stays."""
    if pixels.any():
        own, below = np.log(view[pixels] + _LOG_FLOOR), np.log(np.maximum(ground[pixels], 0) + _LOG_FLOOR).mean(axis=0)
        view[pixels] = np.exp(own + rng.uniform(0.5, 1) * (below - own.mean(axis=0))) - _LOG_FLOOR


def _view(folder: Path, frame: dict[str, Any], seat: int) -> NDArray[np.uint8]:
    path = next((folder / "frames").glob(f"{frame['frame'].split('.')[0]}.*"))
    image = cv2.imread(str(path))
    if image is None:
        raise SystemExit(f"{path}: no picture")
    return rectify(np.asarray(image, np.uint8), through_corners(GRID_CORNERS, frame["corners"][seat - 1]))


def _patches_by_frame(frames: list[dict[str, Any]], seat: int) -> NDArray[np.int16]:
    """Number the patches as they come: cells that are covered anew together are one, shape (frames, SIDE, SIDE)."""
    now, number, by_frame = np.zeros((SIDE, SIDE), np.int16), 0, []
    for frame in frames:
        covered = np.array([[cell != "." for cell in row] for row in frame["quilts"][seat - 1]])
        now = np.where(covered, now, 0).astype(np.int16)
        if (covered & (now == 0)).any():
            number += 1
            now[covered & (now == 0)] = number
        seen = now.copy()
        for name in frame["occluded"][seat - 1]:
            seen[int(name[1:]) - 1, ord(name[0]) - ord("A")] = _HAND
        by_frame.append(seen)
    return np.stack(by_frame)

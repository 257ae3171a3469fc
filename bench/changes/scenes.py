"""Pairs from the random evenings of `bench.board_scenes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bench.board_scenes import OBJECT, BoardEvening, board_evening
from bench.changes.pairs import MARGIN_PX, Pair, pair_of, pixels_of
from vision.geometry import CELL_PX, SIDE, VIEW_PX

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOOKS: Final = 14
# The number of hidden pixels from which a patch's view is not used for its print.
_HIDDEN_PX: Final = 30
# The share of pairs in which a patch is replaced by another in the same place; players never do this, but the network
# must judge by the print.
_EXCHANGED: Final = 0.2
# The least overlap of a patch with its earlier place; for a shifted one, the changed pixels are undefined.
_STAYED: Final = 0.93


def scene_pairs(seed: int, count: int = 24) -> list[Pair]:
    """Return pairs from one random evening."""
    rng = np.random.default_rng([7, seed])
    evening = _Evening(board_evening(rng, _LOOKS))
    return [evening.pair(rng) for _ in range(count)]


class _Evening:
    """One board's evening, with the cells of each patch at each look."""

    def __init__(self, evening: BoardEvening) -> None:
        self._looks, self._empty = evening.looks, evening.empty
        self._cells = [cells_of_patches(look.covered) for look in self._looks]
        self._seen: dict[int, list[int]] = {}
        for number, patches in enumerate(self._cells):
            hidden = self._looks[number].covered == OBJECT
            for patch, cells in patches.items():
                if np.count_nonzero(hidden & pixels_of(cells)) < _HIDDEN_PX:
                    self._seen.setdefault(patch, []).append(number)

    def pair(self, rng: np.random.Generator) -> Pair:
        """Return a random pair, mostly of a moment and one shortly before."""
        now = int(rng.integers(-1, len(self._looks)))
        current, lies = self._at(now, rng)
        expected, expected_to_lie, unknown = self._expected(self._known(now, rng), lies, rng)
        changed = expected_to_lie != lies
        alike = [patch for patch in self._seen if (expected_to_lie == patch).any() and (lies == patch).any()]
        if alike and rng.random() < _EXCHANGED:
            there = lies == alike[int(rng.integers(len(alike)))]
            current, changed, unknown = self._reprinted(rng, current, there), changed | there, unknown & ~there
        return pair_of(expected, current, changed, unknown | (expected_to_lie == OBJECT))

    def _reprinted(
        self, rng: np.random.Generator, view: NDArray[np.uint8], there: NDArray[np.bool_]
    ) -> NDArray[np.uint8]:
        """Return the view with another patch's print on the pixels `there`, sometimes in about the former colour."""
        number = int(rng.choice([index for index, patches in enumerate(self._cells) if patches]))
        patch = int(rng.choice(list(self._cells[number])))
        rows, columns = np.nonzero(pixels_of(self._cells[number][patch]))
        box = (slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1))
        cloth, whole = self._looks[number].view[box].copy(), self._looks[number].covered[box] == patch
        cloth[~whole] = np.median(cloth[whole], axis=0) if whole.any() else 128
        times = (-(-VIEW_PX // cloth.shape[0]), -(-VIEW_PX // cloth.shape[1]), 1)
        sheet = np.roll(np.tile(cloth, times)[:VIEW_PX, :VIEW_PX], rng.integers(0, 64, 2).tolist(), (0, 1))
        pixels = sheet[there].astype(np.float64)
        if rng.random() < 0.4:
            below = np.log(view[there] + 6.0).mean(axis=0) - np.log(pixels + 6.0).mean(axis=0)
            pixels = (pixels + 6.0) * np.exp(rng.uniform(0.3, 1) * below) - 6.0
        printed = view.copy()
        printed[there] = np.clip(pixels, 0, 255).astype(np.uint8)
        return printed

    def _at(self, number: int, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        if number < 0:
            return self._empty[int(rng.integers(len(self._empty)))], np.zeros((VIEW_PX, VIEW_PX), np.uint8)
        return self._looks[number].view, self._looks[number].covered

    def _known(self, now: int, rng: np.random.Generator) -> list[int]:
        """Return the expected patches: those of an earlier moment, or some of the current ones."""
        if rng.random() < 0.3 and now >= 0:
            return [patch for patch in self._cells[now] if rng.random() < 0.75]
        lately, any_time = max(-1, now - int(rng.integers(0, 4))), int(rng.integers(-1, len(self._looks)))
        earlier = lately if rng.random() < 0.75 else any_time
        return list(self._cells[earlier]) if earlier >= 0 else []

    def _expected(
        self, patches: list[int], lies: NDArray[np.uint8], rng: np.random.Generator
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]]:
        """Return the expected view, the expected patch at each pixel, and the mask of pixels not to train on."""
        view = np.rint(np.mean(self._empty[: int(rng.integers(1, len(self._empty) + 1))], axis=0)).astype(np.uint8)
        what, unknown = np.zeros((VIEW_PX, VIEW_PX), np.uint8), np.zeros((VIEW_PX, VIEW_PX), np.bool_)
        for patch in (each for each in patches if each in self._seen):
            seen = self._seen[patch]
            number = seen[0] if rng.random() < 0.7 else seen[int(rng.integers(len(seen)))]
            pixels = pixels_of(self._cells[number][patch])
            view[pixels] = self._looks[number].view[pixels]
            what[pixels] = self._looks[number].covered[pixels]
            here, there = (what == patch) & pixels, (lies == patch) & pixels
            if there.any() and np.count_nonzero(here & there) < _STAYED * np.count_nonzero(here | there):
                unknown |= here & there
        return view, what, unknown


def cells_of_patches(covered: NDArray[np.uint8]) -> dict[int, NDArray[np.bool_]]:
    """Return for each patch the mask of the cells that it covers by more than half, shape (SIDE, SIDE)."""
    inner = slice(MARGIN_PX, MARGIN_PX + SIDE * CELL_PX)
    tiles = covered[inner, inner].reshape(SIDE, CELL_PX, SIDE, CELL_PX)
    patches = {}
    for patch in np.unique(covered):
        cells = (tiles == patch).mean(axis=(1, 3)) > 0.5
        if 0 < patch < OBJECT and cells.any():
            patches[int(patch)] = cells
    return patches

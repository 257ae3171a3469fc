"""Fitting of the network on files of pairs, and a report on held-out files."""

from __future__ import annotations

import importlib
import time
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from bench.board_scenes.worse import random_worse_camera
from bench.changes.network import fitted_network, new_network
from bench.changes.pairs import MARGIN_PX, Pair, load_pairs, pair_of
from vision.geometry import CELL_PX, SIDE, VIEW_PX
from vision.quilt.changes import channels
from vision.quilt.look import PER_CELL, WINDOW_PX, WINDOWS, look_at, own_windows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

# The size of a training crop in windows, half a board.
_CROP: Final = 24
_BATCH: Final = 16
# The weight of changed windows, which are rarer, against unchanged ones.
_CHANGED_COUNTS: Final = 4.0
_RATE: Final = 2e-3
# The rate for a network that was fitted before, which keeps what it has learnt.
_RATE_FURTHER: Final = 5e-4
# The share of pairs whose views are exchanged.
_EXCHANGED: Final = 0.3
# The share of pairs with a plain square added: leather on a board of its colour is the hardest piece, and a game has
# five.
_LEATHER: Final = 0.15
# Offset of a leather patch from its cell, in view pixels: usually, one sigma, and at most, a little over a third.
_OFFSET_PX: Final = (2.0, 12.0)
# The share of pairs with some cells taken from another pair, such as a patch in the place of another.
_OTHERWISE: Final = 0.18
# The share of pairs seen through a degraded camera, of any strength up to where nothing can be seen.
_DEGRADED: Final = 0.5
# Sizes of a cell in a degraded camera's picture, as in the training scenes.
_CELL_PX: Final = (17.0, 45.0)


def fit(paths: Sequence[Path], epochs: int, seed: int, begin: Path | None = None) -> Any:
    """Return a network fitted on files of pairs, from the start or beginning with a network that was fitted before."""
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    pairs = [pair for path in paths for pair in load_pairs(path)]
    network, rate = (new_network(), _RATE) if begin is None else (fitted_network(begin), _RATE_FURTHER)
    steps, began = 2 * len(pairs) * epochs // _BATCH, time.perf_counter()
    optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1, pct_start=0.1)
    batches = (batch for _ in range(epochs) for batch in _batches(rng, pairs))
    for step, (shown, changed, counts) in enumerate(batches):
        answer = network(torch.from_numpy(shown).contiguous(memory_format=torch.channels_last))
        truth, weight = torch.from_numpy(changed), torch.from_numpy(counts)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            answer, truth * 0.998 + 0.001, weight=weight * (1 + (_CHANGED_COUNTS - 1) * truth), reduction="sum"
        )
        optimiser.zero_grad()
        (loss / weight.sum()).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 0:
            spent_s = time.perf_counter() - began
            print(f"{step} of {steps}: {float(loss / weight.sum()):.3f}, {spent_s:.0f} s", flush=True)
    return network


def report(network: Any, path: Path) -> str:
    """Return a line with the numbers of misclassified cells in a file of pairs, and of those with high confidence."""
    torch: Any = importlib.import_module("torch")
    network.eval()
    means, truths = [], []
    for pair in load_pairs(path):
        with torch.no_grad():
            windows = network(torch.from_numpy(_shown(pair)[None]))[0].numpy()
        mean, share, known = (_by_cell(each) for each in (np.clip(windows, -4, 4), pair.changed, pair.counts))
        whole = (known > 0.9) & ((share < 0.1) | (share > 0.9))
        means.append(mean[whole])
        truths.append(share[whole] > 0.5)
    mean, truth = np.concatenate(means), np.concatenate(truths)
    wrong = {limit: int(((mean > limit) & ~truth).sum() + ((mean < -limit) & truth).sum()) for limit in (0, 2)}
    return f"{path.stem}: {wrong[0]} of {len(truth)} cells wrong, {wrong[2]} surely"


def _batches(
    rng: np.random.Generator, pairs: Sequence[Pair]
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]]:
    """Yield batches of two random crops of each pair, rotated, mirrored and recoloured at random."""
    crops = []
    for index in rng.permutation(len(pairs)):
        pair = _varied(rng, pairs[int(index)])
        if rng.random() < _LEATHER:
            pair = _with_leather(rng, pair)
        if rng.random() < _OTHERWISE:
            pair = _with_cells_of(rng, pair, pairs[int(rng.integers(len(pairs)))])
        if rng.random() < _DEGRADED:
            pair = _degraded(rng, pair)
        shown = _shown(pair)
        crops += [_crop(rng, shown, pair) for _ in range(2)]
        if len(crops) >= _BATCH:
            whole = [np.stack(each).astype(np.float32) for each in zip(*crops[:_BATCH], strict=True)]
            yield whole[0], whole[1], whole[2]
            crops = crops[_BATCH:]


def _shown(pair: Pair) -> NDArray[np.float32]:
    return channels(look_at(pair.expected), look_at(pair.current))


def _varied(rng: np.random.Generator, pair: Pair) -> Pair:
    quarters, mirrored = int(rng.integers(4)), bool(rng.random() < 0.5)
    order = rng.permutation(3) if rng.random() < 0.3 else np.arange(3)

    def turned(array: NDArray[Any]) -> NDArray[Any]:
        around = np.rot90(array, quarters)
        return np.ascontiguousarray(around[:, ::-1] if mirrored else around)

    # A removal is the same change as an addition, and removals alone are too rare in an evening.
    pictures = (pair.current, pair.expected) if rng.random() < _EXCHANGED else (pair.expected, pair.current)
    views = [np.ascontiguousarray(turned(view)[..., order]) for view in pictures]
    return Pair(views[0], views[1], turned(pair.changed), turned(pair.counts))


def _with_leather(rng: np.random.Generator, pair: Pair) -> Pair:
    """Return the pair with a leather patch laid on a cell, mostly in about the colour beneath."""
    usual, most = _OFFSET_PX
    offsets = rng.normal(0, usual, 2) if rng.random() < 0.6 else rng.uniform(-most, most, 2)
    top, left = (int(each) for each in MARGIN_PX + rng.integers(0, SIDE, 2) * CELL_PX + np.rint(offsets))
    box = (slice(top, top + CELL_PX - 1), slice(left, left + CELL_PX - 1))
    ground = pair.expected[box].reshape(-1, 3).mean(axis=0) * rng.uniform(0.35, 1.05)
    colour = ground if rng.random() < 0.7 else np.array([35, 50, 85]) * rng.uniform(0.4, 1.6)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (CELL_PX - 1, CELL_PX - 1)), (0, 0), rng.uniform(0.5, 2.5))
    grain = np.asarray(grain * (rng.uniform(0.01, 0.1) / max(float(np.std(grain)), 1e-3)))
    current, laid = pair.current.copy(), np.zeros((VIEW_PX, VIEW_PX), np.bool_)
    current[box], laid[box] = np.clip(colour * (1 + grain[:, :, None]), 0, 255).astype(np.uint8), True
    of_leather = pair_of(pair.expected, current, laid, np.zeros_like(laid))
    return Pair(pair.expected, current, pair.changed | of_leather.changed, pair.counts | of_leather.changed)


def _degraded(rng: np.random.Generator, pair: Pair) -> Pair:
    """Return the pair as a random degraded camera shows both of its views."""
    worse = random_worse_camera(rng, float(rng.uniform(*_CELL_PX)))
    # An expected look is the mean of several frames, and so is every view at rest.
    expected, current = (
        np.rint(np.mean([worse.seen(view, rng) for _ in range(int(rng.integers(1, most + 1)))], axis=0))
        for view, most in ((pair.expected, 3), (pair.current, 2))
    )
    return Pair(expected.astype(np.uint8), current.astype(np.uint8), pair.changed, pair.counts)


def _with_cells_of(rng: np.random.Generator, pair: Pair, other: Pair) -> Pair:
    """Return the pair with a few current cells taken from another pair, sometimes in about the former colour."""
    cells = np.zeros((WINDOWS * WINDOW_PX // CELL_PX,) * 2, np.bool_)
    row, column = rng.integers(1, SIDE + 1, 2)
    for _ in range(int(rng.integers(1, 7))):
        cells[row, column] = True
        down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
        row, column = np.clip([row + down, column + right], 1, SIDE)
    half = CELL_PX // 2
    windows = np.roll(np.kron(cells, np.ones((PER_CELL, PER_CELL), np.bool_)), (PER_CELL // 2,) * 2, (0, 1))
    pixels = np.roll(np.kron(cells, np.ones((CELL_PX, CELL_PX), np.bool_)), (half, half), (0, 1))[:VIEW_PX, :VIEW_PX]
    inside = other.current[pixels].astype(np.float32)
    if rng.random() < 0.6:
        own, there = np.log(inside + 6), np.log(pair.current[pixels].astype(np.float32) + 6)
        inside = np.exp(own + rng.uniform(0.5, 1) * (there.mean(axis=0) - own.mean(axis=0))) - 6
    current = pair.current.copy()
    current[pixels] = np.clip(inside, 0, 255).astype(np.uint8)
    return Pair(pair.expected, current, pair.changed | windows, pair.counts | windows)


def _crop(
    rng: np.random.Generator, shown: NDArray[np.float32], pair: Pair
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return a random crop; half of those without a change are replaced by one with a change, if there is any."""
    top, left = (int(each) for each in rng.integers(1, WINDOWS - _CROP, 2))
    changed = np.argwhere(pair.changed)
    if not pair.changed[top : top + _CROP, left : left + _CROP].any() and len(changed) and rng.random() < 0.5:
        at = changed[int(rng.integers(len(changed)))] - rng.integers(4, 20, 2)
        top, left = (int(each) for each in np.clip(at, 0, WINDOWS - _CROP))
    windows = (slice(top, top + _CROP), slice(left, left + _CROP))
    rows, columns = (slice(each.start * WINDOW_PX, each.stop * WINDOW_PX) for each in windows)
    return shown[:, rows, columns], pair.changed[windows], pair.counts[windows]


def _by_cell(windows: NDArray[Any]) -> NDArray[np.float64]:
    """Return the mean of the windows in each cell of the grid, shape (SIDE, SIDE)."""
    tiles = own_windows(windows).reshape(SIDE, PER_CELL, SIDE, PER_CELL)
    return np.asarray(tiles.mean(axis=(1, 3)), np.float64)

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
# The weight of the departure from the teacher, and the log-odds beyond which both are sure enough.
_HELD: Final = 1.0
_SURE: Final = 5.0
# The share of pairs whose views are exchanged.
_EXCHANGED: Final = 0.3
# The share of pairs with a plain square added: leather on a board of its colour is the hardest piece, and a game has
# five.
_LEATHER: Final = 0.15
# Offset of a leather patch from its cell, in view pixels: usually, one sigma, and at most, a little over a third.
_OFFSET_PX: Final = (2.0, 12.0)
# The share of pairs with some cells taken from another pair, such as a patch in the place of another.
_OTHERWISE: Final = 0.3
# The share of pairs seen through a degraded camera, of any strength up to where nothing can be seen.
_DEGRADED: Final = 0.5
# The share of pairs of a view with itself in another light: nothing has changed, whatever is printed on it.
_SAME: Final = 0.15
# Sizes of a cell in a degraded camera's picture, as in the training scenes.
_CELL_PX: Final = (17.0, 45.0)


def fit(paths: Sequence[Path], epochs: int, seed: int, begin: Path | None = None) -> Any:
    """Return a network fitted on files of pairs, from the start or beginning with a network that was fitted before.

    The earlier network is also the teacher: where nothing is degraded, the new one keeps to its answers.
    """
    torch: Any = importlib.import_module("torch")
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    pairs = [pair for path in paths for pair in load_pairs(path)]
    network, rate = (new_network(), _RATE) if begin is None else (fitted_network(begin), _RATE_FURTHER)
    teacher = fitted_network(begin) if begin is not None else None
    steps, began = 2 * len(pairs) * epochs // _BATCH, time.perf_counter()
    optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1, pct_start=0.1)
    batches = (batch for _ in range(epochs) for batch in _batches(rng, pairs))
    for step, batch in enumerate(batches):
        shown, changed, counts, clear = (torch.from_numpy(each) for each in batch)
        shown = shown.contiguous(memory_format=torch.channels_last)
        answer = network(shown)
        loss = _loss(answer, changed, counts)
        if teacher is not None:
            with torch.no_grad():
                taught = teacher(shown)
            loss = loss + _HELD * _departure(answer, taught, changed, counts, clear)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 0:
            print(f"{step} of {steps}: {float(loss):.3f}, {time.perf_counter() - began:.0f} s", flush=True)
    return network


def _loss(answer: Any, changed: Any, counts: Any) -> Any:
    """Return the mean cross entropy of log-odds; all are of shape (crops, _CROP, _CROP)."""
    weights = counts * (1 + (_CHANGED_COUNTS - 1) * changed)
    cross_entropy = importlib.import_module("torch").nn.functional.binary_cross_entropy_with_logits
    return cross_entropy(answer, changed * 0.998 + 0.001, weight=weights, reduction="sum") / counts.sum()


def _departure(answer: Any, taught: Any, changed: Any, counts: Any, clear: Any) -> Any:
    """Return by how much log-odds depart from a teacher's in undegraded crops, except where the teacher is wrong.

    Beyond the limit that counts, every answer is as good as the teacher's.
    """
    functional = importlib.import_module("torch").nn.functional
    apart = (answer - taught).abs()
    apart = apart.where(taught < _SURE, functional.relu(_SURE - answer))
    apart = apart.where(taught > -_SURE, functional.relu(answer + _SURE))
    held = clear[:, None, None] * (1 - counts * (taught * (2 * changed - 1) < 0))
    return (held * functional.huber_loss(apart, apart * 0, reduction="none")).sum() / (held.sum() + 1)


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


def _batches(rng: np.random.Generator, pairs: Sequence[Pair]) -> Iterator[list[NDArray[np.float32]]]:
    """Yield batches of two random crops of each pair, rotated, mirrored and recoloured at random.

    A batch is what is shown, what has changed, which windows are trained on and, by crop, whether it is undegraded.
    """
    crops = []
    for index in rng.permutation(len(pairs)):
        pair, clear = _training_pair(rng, pairs[int(index)], pairs)
        shown = _shown(pair)
        crops += [(*_crop(rng, shown, pair), clear) for _ in range(2)]
        if len(crops) >= _BATCH:
            yield [np.stack(each).astype(np.float32) for each in zip(*crops[:_BATCH], strict=True)]
            crops = crops[_BATCH:]


def _training_pair(rng: np.random.Generator, pair: Pair, others: Sequence[Pair]) -> tuple[Pair, bool]:
    """Return a pair as it is trained on, and whether it is undegraded."""
    pair = _varied(rng, pair)
    if rng.random() < _SAME:
        pair = _unchanged(rng, pair)
    else:
        if rng.random() < _LEATHER:
            pair = _with_leather(rng, pair)
        if rng.random() < _OTHERWISE:
            pair = _with_cells_of(rng, pair, others[int(rng.integers(len(others)))])
    degraded = bool(rng.random() < _DEGRADED)
    return (_degraded(rng, pair) if degraded else pair), not degraded


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


def _unchanged(rng: np.random.Generator, pair: Pair) -> Pair:
    """Return the pair of a view with itself, mostly in another light, and with a little noise."""
    view = pair.expected.astype(np.float32)
    if rng.random() < 0.7:
        slopes = cv2.resize(rng.normal(0, rng.uniform(0, 0.3), (3, 3)).astype(np.float32), (VIEW_PX, VIEW_PX))
        view *= np.exp(slopes[:, :, None] + rng.normal(0, 0.05, 3)).astype(np.float32)
        view += rng.normal(0, rng.uniform(0, 4), view.shape).astype(np.float32)
    unchanged = np.zeros((WINDOWS, WINDOWS), np.bool_)
    return Pair(pair.expected, np.clip(np.rint(view), 0, 255).astype(np.uint8), unchanged, ~unchanged)


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
    """Return the pair with a few current cells taken from another pair, mostly faded, in about the former colour."""
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
        usual, faded = own.mean(axis=0), rng.uniform(0.2, 1)
        inside = np.exp(faded * (own - usual) + usual + rng.uniform(0.5, 1) * (there.mean(axis=0) - usual)) - 6
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

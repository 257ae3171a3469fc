"""Fit the network that sees quilts (`vision/quilt/trunk.onnx`, `tokens.npz`) on examples.

Run by hand, with PyTorch and ONNX installed beside (`pip install torch onnx`; nothing but this tool needs them):

    python -m bench.quilts.fit scenes FOLDER --from 0 --count 2000
    python -m bench.quilts.fit recordings RECORDINGS FOLDER
    python -m bench.quilts.fit network FOLDER vision/quilt --minutes 40

Recordings are optional; `--without NAME` leaves one out, to measure on it. `scenes --prints FOLDER` draws boards with
printed ones out of a folder, see `bench.quilts.stamps`.
"""

from __future__ import annotations

import argparse
import importlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from bench.quilts.photographed import UNKNOWN
from bench.quilts.recorded import recorded_examples
from bench.quilts.stamps import load_stamps
from bench.quilts.storing import load, store, write_scenes
from companion.games.patchwork.cells import SIDE
from vision.quilt.network import BARE, INSIDE, LEATHER, LINE, PATCH, RIM, SEAM, normalised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_BATCH: Final = 8
_RATE: Final = 2e-3
# The share of each kind of example in a batch, if there are files of it.
_SHARES: Final = {"drawn": 0.45, "printed": 0.3, "recorded": 0.25}
# The additional weight of places with a spot, which are rare.
_RARE: Final = 8.0

_Example: TypeAlias = "dict[str, NDArray[np.generic]]"


def write_recordings(recordings: Path, folder: Path) -> None:
    """Write the boards of every recording with a truth file, as one file of examples each."""
    folder.mkdir(parents=True, exist_ok=True)
    for truth in sorted(recordings.glob("*.truth.json")):
        examples = recorded_examples(truth, np.random.default_rng(1))
        store(folder / f"recorded-{truth.name.removesuffix('.truth.json')}.npz", examples)


class _Store:
    """The examples of a folder's files, for random sampling."""

    def __init__(self, folder: Path, without: Sequence[str]) -> None:
        self._folder, self._without = folder, {f"recorded-{name}" for name in without}
        self._known: set[Path] = set()
        self._kinds: dict[str, list[dict[str, Any]]] = {}

    def refresh(self) -> None:
        """Load files added since the last call."""
        for path in sorted(set(self._folder.glob("*.npz")) - self._known):
            self._known.add(path)
            if path.stem not in self._without:
                self._kinds.setdefault(path.stem.split("-")[0], []).append(load(path))

    def pick(self, rng: np.random.Generator) -> _Example:
        """Return a random example, randomly rotated and mirrored, with the kinds of its edges."""
        shares = np.array([_SHARES[kind] for kind in self._kinds])
        files = self._kinds[str(rng.choice(list(self._kinds), p=shares / shares.sum()))]
        file = files[int(rng.integers(len(files)))]
        index = int(rng.integers(len(file["view"])))
        turn, mirrored = int(rng.integers(4)), bool(rng.integers(2))
        view, units, leather = (_turned(file[name][index], turn, mirrored) for name in ("view", "units", "leather"))
        spots = np.stack([_turned(each, turn, mirrored) for each in file["spots"][index]])
        beside, below = edge_kinds(units)
        return {
            "view": _recoloured(normalised(np.ascontiguousarray(view)), rng),
            "cells": np.where(units < 0, BARE, np.where(leather > 0, LEATHER, PATCH)).reshape(-1),
            "edges": np.concatenate([beside.reshape(-1), below.reshape(-1)]),
            "spots": spots,
            "units": units.astype(np.int64),
            "income": file["income"][index],
        }


def _turned(layer: NDArray[Any], turn: int, mirrored: bool) -> NDArray[Any]:
    turned = np.rot90(layer, turn)
    return turned[:, ::-1] if mirrored else turned


def edge_kinds(units: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the kinds of the edges between columns, shape (SIDE, SIDE + 1), and rows, shape (SIDE + 1, SIDE).

    Cells outside the grid count as bare.
    """
    around = np.pad(units.astype(np.int64), 1, constant_values=-1)
    return _kinds(around[1:-1, :-1], around[1:-1, 1:]), _kinds(around[:-1, 1:-1], around[1:, 1:-1])


def _kinds(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    bare = (one < 0).astype(int) + (other < 0)
    return np.asarray(np.where(bare == 2, LINE, np.where(bare == 1, RIM, np.where(one == other, INSIDE, SEAM))))


def _recoloured(shown: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a picture with random changes of contrast and colours."""
    shown = shown + rng.normal(0, 0.1, (3, 1, 1)).astype(np.float32)
    if rng.random() < 0.3:
        shown = shown * np.float32(rng.uniform(0.75, 1.25))
    if rng.random() < 0.4:
        mixed = np.eye(3) + rng.normal(0, 0.1, (3, 3))
        shown = np.asarray(np.tensordot(mixed.astype(np.float32), shown, axes=1), np.float32)
    return shown


def _loss(torch: Any, seen: Any, batch: dict[str, Any]) -> Any:
    """Return the loss of cells, edges and spots; for recordings, only the number of buttons of each patch counts."""
    functional = torch.nn.functional
    cells = functional.cross_entropy(seen[0].reshape(-1, 3), batch["cells"].reshape(-1), label_smoothing=0.005)
    edges = functional.cross_entropy(seen[1].reshape(-1, 4), batch["edges"].reshape(-1), label_smoothing=0.005)
    known = (batch["spots"] != UNKNOWN).float()
    truth = (batch["spots"] == 1).float()
    each = functional.binary_cross_entropy_with_logits(seen[2], truth, reduction="none") * known * (1 + _RARE * truth)
    spots = 40 * each.sum() / known.sum().clamp(min=known[0].numel())
    return cells + edges + spots + 0.1 * _miscounted(torch, seen[2], batch, known)


def _miscounted(torch: Any, logits: Any, batch: dict[str, Any], known: Any) -> Any:
    """Return the error of the numbers of buttons and labels on each piece, for examples without known places."""
    wrong = []
    for index in torch.nonzero(known[:, 0].amax((1, 2)) == 0).reshape(-1).tolist():
        inner = torch.sigmoid(logits[index, :, 4:-4, 4:-4]).reshape(2, SIDE, 4, SIDE, 4).sum((2, 4)).reshape(2, -1)
        units, income = batch["units"][index].reshape(-1), batch["income"][index]
        count = torch.zeros(2, SIDE * SIDE + 1).index_add_(1, units + 1, inner)
        leather = batch["cells"][index] == LEATHER
        labels = torch.zeros(SIDE * SIDE + 1).index_add_(0, units + 1, (~leather).float()).clamp(max=1)
        labels[0] = 0
        buttons = torch.cat([torch.zeros(1), income.clamp(min=0).float()])
        wrong.append(((count[0] - buttons).abs() + (count[1] - labels).abs()).sum() / 10)
    return torch.stack(wrong).mean() if wrong else torch.zeros(())


def fit(folder: Path, out: Path, minutes: float, without: Sequence[str], begin: Path | None) -> None:
    """Fit for a number of minutes, and write the network."""
    torch, network = importlib.import_module("torch"), importlib.import_module("bench.quilts.network")
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    net = network.Quilt()
    if begin is not None:
        net.load_state_dict(torch.load(begin))
    optimiser = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=1e-2)
    examples = _Store(folder, without)
    began, steps, mean = time.monotonic(), 0, np.zeros(4)
    while (spent := (time.monotonic() - began) / (60 * minutes)) < 1:
        if steps % 100 == 0:
            examples.refresh()
        rate = _RATE * (0.3 if begin is not None else 1.0)
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, steps / 100 + 0.02) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        picked = [examples.pick(rng) for _ in range(_BATCH)]
        batch = {name: torch.from_numpy(np.array([each[name] for each in picked])) for name in picked[0]}
        with torch.autocast("cpu", dtype=torch.bfloat16):  # twice as fast as float32 on a processor that supports it
            seen = net(batch["view"])
        loss = _loss(torch, [each.float() for each in seen], batch)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            right = [
                float((seen[part].argmax(-1) == batch[name]).float().mean())
                for part, name in ((0, "cells"), (1, "edges"))
            ]
        steps += 1
        mean += (np.array([float(loss.detach()), *right, 1.0]) - mean) * max(0.02, 1 / steps)
        if steps % 50 == 0:
            print(f"{spent:5.2f} step {steps} loss {mean[0]:.4f} cells {mean[1]:.4f} edges {mean[2]:.4f}", flush=True)
        if steps % 500 == 0:
            torch.save(net.state_dict(), out / "quilt.pt")
    torch.save(net.state_dict(), out / "quilt.pt")
    network.write_network(net, out)


def main() -> None:
    """Draw scenes, cut recordings, or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="what", required=True)
    drawing = parts.add_parser("scenes")
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("--from", dest="first", type=int, default=0)
    drawing.add_argument("--count", type=int, default=1000)
    drawing.add_argument("--prints", type=Path)
    cutting = parts.add_parser("recordings")
    cutting.add_argument("recordings", type=Path)
    cutting.add_argument("folder", type=Path)
    fitting = parts.add_parser("network")
    fitting.add_argument("folder", type=Path)
    fitting.add_argument("out", type=Path)
    fitting.add_argument("--minutes", type=float, default=40.0)
    fitting.add_argument("--without", action="append", default=[], metavar="RECORDING")
    fitting.add_argument("--begin", type=Path, metavar="FILE", help="go on from a quilt.pt")
    args = parser.parse_args()
    if args.what == "scenes":
        stamps = None if args.prints is None else load_stamps(args.prints)
        write_scenes(args.folder, args.first, args.count, stamps)
    elif args.what == "recordings":
        write_recordings(args.recordings, args.folder)
    else:
        fit(args.folder, args.out, args.minutes, args.without, args.begin)


if __name__ == "__main__":
    main()

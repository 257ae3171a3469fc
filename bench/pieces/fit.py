"""Fit the network that sees pieces (`vision/pieces/maps.onnx`) on `bench.pieces.scenes` and `bench.pieces.tables`.

Run by hand, with PyTorch and ONNX installed beside (`pip install torch onnx`; nothing but this tool needs them):
`python -m bench.pieces.fit scenes FOLDER --from 0 --count 2000`,
`python -m bench.pieces.fit tables FOLDER --from 0 --count 1000`, then
`python -m bench.pieces.fit fit FOLDER vision/pieces/maps.onnx --minutes 30`.
"""

from __future__ import annotations

import argparse
import importlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from bench.pieces.scenes import scenes
from bench.pieces.tables import table_scenes
from vision.pieces.maps import SCALES, commonness, normalised

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Layer:
    """A convolution: input and output channels, kernel size, stride and dilation."""

    into: int
    out: int
    size: int = 3
    stride: int = 1
    dilation: int = 1


LAYERS: Final = {
    "fine": Layer(3, 12),
    "middle": Layer(12, 16, stride=2),
    "coarse": Layer(16 + SCALES, 32, stride=2),
    "trunk1": Layer(32, 32),
    "trunk2": Layer(32, 32, dilation=2),
    "trunk3": Layer(32, 32, dilation=4),
    "trunk4": Layer(32, 32, dilation=8),
    "trunk5": Layer(32, 32, dilation=2),
    "trunk6": Layer(32, 32),
    "trunk7": Layer(32, 32, dilation=4),
    "trunk8": Layer(32, 32, dilation=2),
    "trunk9": Layer(32, 32),
    "join": Layer(48 + SCALES, 24),
    "head": Layer(24, 5, size=1),
}
_CROP_PX = 160
_BATCH = 6
_WEIGHTS = (1.0, 1.0, 0.6, 0.4, 0.3)
_FOLDER_BATCH = 100
_TABLES = "tables-"
_TABLES_SHARE = 0.5


def write_scenes(folder: Path, first: int, count: int) -> None:
    """Write scenes with seeds from `first` on, a hundred per file, each photographed in two lights."""
    _write(folder, first, count, "", lambda rng: scenes(rng, 2))


def write_tables(folder: Path, first: int, count: int) -> None:
    """Write four windows of each simulated table, in the format of `write_scenes`."""
    _write(folder, first, count, _TABLES, lambda rng: table_scenes(rng, 4))


def _write(folder: Path, first: int, count: int, kind: str, draw: _Draw) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for begin in range(first, first + count, _FOLDER_BATCH):
        seeds = range(begin, begin + _FOLDER_BATCH)
        drawn = [view for seed in seeds for view in draw(np.random.default_rng(seed))]
        pictures, truths = zip(*drawn, strict=True)
        np.savez(folder / f"{kind}{begin:06d}.npz", p=np.array(pictures), t=np.array(truths))
        print(f"{kind}{begin} to {begin + _FOLDER_BATCH - 1}", flush=True)


def _network(torch: Any) -> Any:
    """Return the network as a PyTorch module with the layers of `LAYERS`."""
    nn = torch.nn

    class Pieces(nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            for name, layer in LAYERS.items():
                pad = layer.dilation * (layer.size // 2)
                conv = nn.Conv2d(layer.into, layer.out, layer.size, layer.stride, pad, layer.dilation)
                setattr(self, name, conv)
                if name != "head":
                    setattr(self, f"{name}_norm", nn.BatchNorm2d(layer.out))

        def step(self, name: str, x: Any) -> Any:
            return getattr(self, f"{name}_norm")(getattr(self, name)(x))

        def forward(self, x: Any, common: Any) -> Any:
            fine = torch.relu(self.step("fine", x))
            middle = torch.cat([torch.relu(self.step("middle", fine)), common], 1)
            trunk = torch.relu(self.step("coarse", middle))
            for name in LAYERS:
                if name.startswith("trunk"):
                    trunk = torch.relu(trunk + self.step(name, trunk))
            wide = nn.functional.interpolate(trunk, scale_factor=2, mode="nearest")
            both = torch.relu(self.step("join", torch.cat([middle, wide], 1)))
            return self.head(both)

    return Pieces()


_Draw: TypeAlias = "Callable[[np.random.Generator], list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]]"
_Scenes: TypeAlias = "tuple[NDArray[np.float16], NDArray[np.float16], NDArray[np.uint8]]"


def _loaded(path: Path) -> _Scenes:
    """Return a file's pictures and commonness, the network's inputs, and truths, each (scenes, height, width, n)."""
    with np.load(path) as stored:
        shown = [normalised(picture) for picture in stored["p"]]
        common = [commonness(each) for each in shown]
        return np.array(shown, np.float16), np.array(common, np.float16), stored["t"]


def _batch(data: list[_Scenes], rng: np.random.Generator) -> tuple[NDArray[np.float32], ...]:
    """Return random windows of scenes, rotated and mirrored, as pictures, commonness and truths.

    The shape of each is (windows, n, height, width).
    """
    windows = []
    for _ in range(_BATCH):
        store = data[int(rng.integers(len(data)))]
        index = int(rng.integers(len(store[0])))
        left, top = (int(v) for v in rng.integers(0, (store[0].shape[1] - _CROP_PX) // 2 + 1, 2))
        turn, mirrored = int(rng.integers(4)), bool(rng.integers(2))
        parts: list[NDArray[np.float32]] = []
        for layers, scale in ((store[0], 2), (store[1], 1), (store[2], 1)):
            side = _CROP_PX * scale // 2
            window = layers[index, top * scale : top * scale + side, left * scale : left * scale + side]
            part = np.rot90(np.asarray(window, np.float32), turn)
            parts.append((part[:, ::-1] if mirrored else part).transpose(2, 0, 1))
        parts[0] = _recoloured(parts[0], rng)
        windows.append(parts)
    pictures, common, truths = (np.array(each, np.float32) for each in zip(*windows, strict=True))
    return pictures, common, truths / np.float32(255)


def _recoloured(shown: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a picture with random changes of light, contrast and colours."""
    shown = shown + rng.normal(0, 0.15, (3, 1, 1)).astype(np.float32)
    if rng.random() < 0.3:
        shown = shown * np.float32(rng.uniform(0.75, 1.3))
    if rng.random() < 0.5:
        mixed = np.eye(3) + rng.normal(0, 0.15, (3, 3))
        shown = np.tensordot(mixed.astype(np.float32), shown, axes=1)
    return shown[rng.permutation(3)] if rng.random() < 0.25 else shown


def fit(folder: Path, out: Path, minutes: float, *, resume: bool) -> None:
    """Fit for a number of minutes, and write the network, with batch norms folded in."""
    torch = importlib.import_module("torch")
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    net = _network(torch)
    keep = out.with_suffix(".pt")
    if resume and keep.exists():
        net.load_state_dict(torch.load(keep))
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=5e-3)
    weights = torch.tensor(_WEIGHTS).reshape(1, -1, 1, 1)
    scenes_read: list[_Scenes] = []
    tables_read: list[_Scenes] = []
    known: set[Path] = set()
    began, steps, mean = time.monotonic(), 0, 1.0
    while (spent := (time.monotonic() - began) / (60 * minutes)) < 1:
        if steps % 50 == 0:
            for path in sorted(set(folder.glob("*.npz")) - known):
                (tables_read if path.name.startswith(_TABLES) else scenes_read).append(_loaded(path))
                known.add(path)
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min(1.0, steps / 50 + 0.05) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        some = tables_read if tables_read and rng.random() < _TABLES_SHARE else scenes_read
        x, common, y = (torch.from_numpy(each) for each in _batch(some, rng))
        seen = net(x, common)
        loss = (torch.nn.functional.binary_cross_entropy_with_logits(seen, y, reduction="none") * weights).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        steps, mean = steps + 1, 0.98 * mean + 0.02 * float(loss.detach())
        if steps % 50 == 0:
            print(f"{spent:5.2f} step {steps} loss {mean:.4f} files {len(known)}", flush=True)
            torch.save(net.state_dict(), keep)
            write_network(torch, net, out)
    write_network(torch, net, out)


def write_network(torch: Any, net: Any, out: Path) -> None:
    """Write the network as ONNX, for pictures of any size; batch norms are folded into their convolutions."""
    net.eval()
    halves = {2: "half_height", 3: "half_width"}
    sides = {"table": {2: "height", 3: "width"}, "common": halves, "maps": halves}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 64, 96), torch.zeros(1, SCALES, 32, 48)),
        str(out),
        input_names=["table", "common"],
        output_names=["maps"],
        dynamic_axes=sides,
        dynamo=False,
        opset_version=13,
    )
    net.train()


def main() -> None:
    """Draw scenes, or fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="what", required=True)
    for what in ("scenes", "tables"):
        drawing = parts.add_parser(what)
        drawing.add_argument("folder", type=Path)
        drawing.add_argument("--from", dest="first", type=int, default=0)
        drawing.add_argument("--count", type=int, default=1000)
    fitting = parts.add_parser("fit")
    fitting.add_argument("folder", type=Path)
    fitting.add_argument("out", type=Path)
    fitting.add_argument("--minutes", type=float, default=30.0)
    fitting.add_argument("--resume", action="store_true")
    args = parser.parse_args()
    if args.what in ("scenes", "tables"):
        (write_scenes if args.what == "scenes" else write_tables)(args.folder, args.first, args.count)
    else:
        fit(args.folder, args.out, args.minutes, resume=args.resume)


if __name__ == "__main__":
    main()

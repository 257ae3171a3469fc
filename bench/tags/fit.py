"""Fit the network that reads tags (`vision/pieces/tag.onnx`) on tags of `bench.tags.drawing`, photographed at random.

Run by hand, with PyTorch and ONNX installed beside (`pip install torch onnx`; nothing but this tool needs them):
`python -m bench.tags.fit draw FOLDER --from 0 --count 20000 --fonts /usr/share/fonts`, then
`python -m bench.tags.fit fit FOLDER vision/pieces/tag.onnx --minutes 30`, and, with tags that taught it nothing,
`python -m bench.tags.fit judge OTHER_FOLDER`.
"""

from __future__ import annotations

import argparse
import importlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from bench.tags.drawing import bare_patch, scene
from bench.tags.glyphs import fonts_in
from bench.tags.photographing import Off, photographed
from vision.pieces.tag import CLOSEUP_SHAPE, COSTS, TIMES, ask, normalised, posed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_FILE: Final = 1000
# The number of pictures of each tag.
_VIEWS: Final = 3
# The share of close-ups without a tag, or with one in another place.
_BARE: Final = 0.12
_BATCH: Final = 64
_RATE: Final = 2.5e-3
# The initial share of the time in which only the sharper half of the close-ups is used, to learn the digits.
_EASY: Final = 0.35
# The number of poses: upright, upside down, mirrored, and both; one more class means none.
_POSES: Final = 4
_UPRIGHT: Final = 0.7
# The weight of the tag's place in the loss.
_OFFSETS: Final = 0.3
_WIDTHS: Final = (20, 32, 48, 64)


def draw(folder: Path, first: int, count: int, fonts: Sequence[Path]) -> None:
    """Write close-ups of random tags, with seeds from `first` on, and their truths."""
    folder.mkdir(parents=True, exist_ok=True)
    for begin in range(first, first + count, _FILE):
        rng = np.random.default_rng(begin)
        drawn = [each for _ in range(_FILE // _VIEWS) for each in _views(rng, fonts)]
        pictures, truths = zip(*drawn, strict=True)
        np.savez(folder / f"{begin:08d}.npz", p=np.array(pictures), t=np.array(truths, np.float32))
        print(f"{begin} to {begin + len(drawn) - 1}", flush=True)


def _views(rng: np.random.Generator, fonts: Sequence[Path]) -> list[tuple[NDArray[np.uint8], list[float]]]:
    """Return close-ups of one tag with their truths: cost, time from 0, 1 if it is there, and its offset."""
    cost, hours = int(rng.integers(COSTS)), int(rng.integers(TIMES))
    drawn, lies = scene(rng, cost, hours + 1, fonts)
    views = []
    for _ in range(_VIEWS):
        there = rng.random() > _BARE
        picture = drawn if there or rng.random() < 0.5 else bare_patch(rng)
        off = _off(rng) if there else _elsewhere(rng)
        views.append((photographed(rng, picture, lies, off), [cost, hours, there, off.x, off.y, off.angle_deg]))
    return views


def _off(rng: np.random.Generator) -> Off:
    if rng.random() < 0.3:
        return Off(float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.2, 0.2)), float(rng.uniform(-14, 14)))
    return Off(float(rng.normal(0, 0.08)), float(rng.normal(0, 0.06)), float(rng.normal(0, 4)))


def _elsewhere(rng: np.random.Generator) -> Off:
    if rng.random() < 0.4:
        return Off(float(rng.uniform(-0.4, 0.4)), float(rng.uniform(-0.4, 0.4)), float(rng.choice((-90, 90))))
    far, near = float(rng.choice((-1, 1)) * rng.uniform(0.5, 1.1)), float(rng.uniform(-0.5, 0.5))
    x, y = (far, near) if rng.random() < 0.5 else (near, far)
    return Off(x, y, float(rng.normal(0, 10)))


def _network(torch: Any) -> Any:
    nn = torch.nn
    one, two, three, four = _WIDTHS

    def step(into: int, out: int, stride: int = 1, size: int = 3) -> list[Any]:
        return [nn.Conv2d(into, out, size, stride, size // 2), nn.BatchNorm2d(out), nn.ReLU()]

    height, width = (side // 8 for side in CLOSEUP_SHAPE)
    return nn.Sequential(
        *step(3, one, 2, 5), *step(one, one), *step(one, two, 2), *step(two, two), *step(two, three, 2),
        *step(three, three), nn.Flatten(), nn.Dropout(0.15),
        nn.Linear(three * height * width, four), nn.ReLU(), nn.Linear(four, COSTS + TIMES + _POSES + 1 + 3),
    )  # fmt: skip


def _loaded(folder: Path) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    stored = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    return np.concatenate([each["p"] for each in stored]), np.concatenate([each["t"] for each in stored])


def _sharper_half(pictures: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the indices of the close-ups with the larger share of fine detail in their variation."""
    grey = [cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in pictures]
    fine = np.array([(each - cv2.GaussianBlur(each, (0, 0), 2.0)).std() / (each.std() + 4) for each in grey])
    return np.flatnonzero(fine >= np.median(fine))


def _batch(
    pictures: NDArray[np.uint8], truths: NDArray[np.float32], among: NDArray[np.intp], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.intp]]:
    """Return close-ups in the network's form, their truths, and the pose of each tag."""
    chosen = rng.choice(among, size=_BATCH)
    poses = np.where(rng.random(_BATCH) < _UPRIGHT, 0, rng.integers(1, _POSES, _BATCH))
    views = [posed(_recoloured(pictures[n], rng), int(pose)) for n, pose in zip(chosen, poses, strict=True)]
    shown = np.stack([normalised(view) for view in views])
    true = truths[chosen]
    return shown, true, np.where(true[:, 2] > 0, poses, _POSES)


def _recoloured(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a picture with slightly changed colours in half of the cases.

    A blue cost usually stays blue, as its colour distinguishes it from the time.
    """
    if rng.random() < 0.5:
        return picture
    mixed = np.eye(3) + rng.normal(0, 0.06, (3, 3))
    shifted = picture.astype(np.float32) @ mixed.astype(np.float32) + rng.normal(0, 4, 3).astype(np.float32)
    return np.asarray(np.clip(shifted, 0, 255), np.uint8)


def fit(folder: Path, out: Path, minutes: float, *, resume: bool) -> None:
    """Fit for a number of minutes, and write the network."""
    torch = importlib.import_module("torch")
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    net = _network(torch)
    keep = folder / "tags.pt"
    if resume and keep.exists():
        net.load_state_dict(torch.load(keep))
    optimiser = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=1e-2)
    pictures, truths = _loaded(folder)
    easy = _sharper_half(pictures)
    began, steps, mean = time.monotonic(), 0, np.zeros(4)
    while (spent := (time.monotonic() - began) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = _RATE * min(1.0, steps / 100 + 0.02) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        among = easy if spent < _EASY and not resume else np.arange(len(pictures))
        x, true, pose = _batch(pictures, truths, among, rng)
        losses = _losses(torch, net(torch.from_numpy(x)), torch.from_numpy(true), torch.from_numpy(pose))
        loss = losses[0] + losses[1] + losses[2] + _OFFSETS * losses[3]
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        steps, mean = steps + 1, 0.98 * mean + 0.02 * np.array([float(each.detach()) for each in losses])
        if steps % 100 == 0:
            print(f"{spent:5.2f} step {steps} cost, time, pose, place: {np.round(mean, 3)}", flush=True)
            torch.save(net.state_dict(), keep)
    _write_network(torch, net, out)


def _losses(torch: Any, seen: Any, true: Any, pose: Any) -> list[Any]:
    """Return the losses of cost, time, pose and place; only upright tags count, except for the pose."""
    cost, hours, poses, offsets = torch.split(seen, [COSTS, TIMES, _POSES + 1, 3], 1)
    cross = torch.nn.functional.cross_entropy
    upright = pose == 0
    place = true[:, 3:] / torch.tensor([0.1, 0.1, 5.0])
    return [
        cross(cost[upright], true[upright, 0].long()),
        cross(hours[upright], true[upright, 1].long()),
        cross(poses, pose),
        torch.nn.functional.smooth_l1_loss(offsets[upright], place[upright]),
    ]


def _write_network(torch: Any, net: Any, out: Path) -> None:
    net.eval()
    torch.onnx.export(
        net, (torch.zeros(1, 3, *CLOSEUP_SHAPE),), str(out), input_names=["closeups"], output_names=["read"],
        dynamic_axes={"closeups": {0: "count"}, "read": {0: "count"}}, dynamo=False, opset_version=13,
    )  # fmt: skip
    net.train()


def judge(folder: Path) -> None:
    """Print the share of cost and time read correctly, by the reader's confidence."""
    pictures, truths = _loaded(folder)
    there = truths[:, 2] > 0
    answers = ask(pictures[there])
    for name, part, column in (("cost", answers.cost, 0), ("time", answers.time, 1)):
        true = truths[there, column].astype(int)
        right, sure = part.argmax(axis=1) == true, np.exp(part.max(axis=1))
        said = [f"{least:.2f}: {(sure >= least).mean():.3f} of them, {right[sure >= least].mean():.4f} right"
                for least in (0.0, 0.5, 0.9, 0.99)]  # fmt: skip
        print(name, "; ".join(said))


def main() -> None:
    """Draw tags, fit, or judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="what", required=True)
    drawing = parts.add_parser("draw")
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("--from", dest="first", type=int, default=0)
    drawing.add_argument("--count", type=int, default=20000)
    drawing.add_argument("--fonts", type=Path, nargs="*", default=[Path("/usr/share/fonts")])
    fitting = parts.add_parser("fit")
    fitting.add_argument("folder", type=Path)
    fitting.add_argument("out", type=Path)
    fitting.add_argument("--minutes", type=float, default=30.0)
    fitting.add_argument("--resume", action="store_true")
    parts.add_parser("judge").add_argument("folder", type=Path)
    args = parser.parse_args()
    if args.what == "draw":
        draw(args.folder, args.first, args.count, fonts_in(args.fonts))
    elif args.what == "fit":
        fit(args.folder, args.out, args.minutes, resume=args.resume)
    else:
        judge(args.folder)


if __name__ == "__main__":
    main()

"""Files of examples, which are drawn once and read for fitting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.quilts.photographed import Example, photographed
from bench.quilts.scenes import draw_scene

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from bench.quilts.stamps import Stamps

_A_FILE = 100


def write_scenes(folder: Path, first: int, count: int, stamps: Stamps | None = None) -> None:
    """Write boards with seeds from `first` on, a hundred per file, each photographed in two lights."""
    folder.mkdir(parents=True, exist_ok=True)
    for begin in range(first, first + count, _A_FILE):
        examples = [each for seed in range(begin, begin + _A_FILE) for each in _twice(seed, stamps)]
        store(folder / f"{'drawn' if stamps is None else 'printed'}-{begin:06d}.npz", examples)
        print(f"{begin} to {begin + _A_FILE - 1}", flush=True)


def _twice(seed: int, stamps: Stamps | None) -> list[Example]:
    rng = np.random.default_rng(seed)
    scene = draw_scene(rng, stamps)
    return [photographed(rng, scene) for _ in range(2)]


def store(path: Path, examples: Sequence[Example]) -> None:
    """Write examples to a file."""
    parts = {name: np.array([getattr(each, name) for each in examples]) for name in Example.__dataclass_fields__}
    np.savez(path, allow_pickle=False, **parts)


def load(path: Path) -> dict[str, NDArray[np.uint8]]:
    """Return the arrays of a file by the attributes of `Example`; the first axis is the example."""
    with np.load(path) as stored:
        return dict(stored)

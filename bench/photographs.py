"""How well finished quilts are read from single photographs, beside a baseline that goes by colour alone.

Run by hand: `python -m bench.photographs FOLDER... [--alone]`. A photograph `NAME.jpg` has its truth in
`NAME.truth.json` (`{"quilts": [[nine rows of X and .], [...]]}`) and, where no mats lie under the boards, its grids'
corners in `NAME.corners.toml`.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from companion.corners import read_corners
from companion.games.patchwork import cell_index
from companion.scoring.photo import PhotoError, load_photo, read_photo
from vision.boardlook import look_at_board
from vision.rectify import SIDE, rectify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from companion.scoring.photo import SeenQuilt

_BASELINE_DISTANCE = 0.1
"""Log units of colour from the commonest cell: the best of 0.1, 0.15 ... 0.3 on eight photographs."""


@dataclass
class Count:
    """What was counted over some quilts."""

    cells: int = 0
    wrong: int = 0
    silent: int = 0
    doubtful: int = 0
    baseline: int = 0
    quilts: int = 0
    perfect: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, other: Count) -> None:
        """Count another's too."""
        for name in ("cells", "wrong", "silent", "doubtful", "baseline", "quilts", "perfect"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds += other.seconds

    def line(self, name: str) -> str:
        """One row of the table."""
        right, baseline = (100 * (1 - part / self.cells) for part in (self.wrong, self.baseline))
        return (
            f"{name:<24} {right:7.2f} {self.wrong:5d} {self.silent:6d} {self.doubtful:7d} "
            f"{self.perfect:3d}/{self.quilts:<3d} {baseline:8.2f} {np.median(self.seconds):7.2f}"
        )


def judged(quilt: SeenQuilt, image: NDArray[np.uint8], true: NDArray[np.bool_]) -> Count:
    """What is right and wrong of one quilt."""
    wrong = quilt.covered != true
    doubtful = np.zeros((SIDE, SIDE), np.bool_)
    doubtful.reshape(-1)[[cell_index(name) for name in quilt.doubtful]] = True
    return Count(
        cells=true.size,
        wrong=int(wrong.sum()),
        silent=int((wrong & ~doubtful).sum()),
        doubtful=int((doubtful & ~wrong).sum()),
        baseline=int((_by_colour(rectify(image, quilt.place)) != true).sum()),
        quilts=1,
        perfect=int(not wrong.any()),
    )


def _by_colour(view: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The baseline: covered is what differs in colour from the cell that most others are like."""
    colours = look_at_board(view).colour.reshape(-1, 3)
    apart = np.linalg.norm(colours[:, None] - colours[None], axis=2)
    commonest = int((apart < _BASELINE_DISTANCE).sum(axis=1).argmax())
    return np.asarray(apart[commonest] > _BASELINE_DISTANCE).reshape(SIDE, SIDE)


def photographs(folders: list[Path]) -> Iterator[tuple[Path, NDArray[np.bool_]]]:
    """Each photograph with a truth beside it."""
    for folder in folders:
        for truth in sorted(folder.glob("*.truth.json")):
            image = truth.with_name(truth.name.replace(".truth.json", ".jpg"))
            quilts = json.loads(truth.read_text())["quilts"]
            yield image, np.array([[[cell == "X" for cell in row] for row in quilt] for quilt in quilts])


def measure(path: Path, true: NDArray[np.bool_], *, alone: bool) -> Count:
    """Read one photograph; `alone` leaves the corners' file aside."""
    image, corners = load_photo(path), path.with_suffix(".corners.toml")
    began = time.perf_counter()
    quilts = read_photo(image, read_corners(corners) if corners.exists() and not alone else None)
    count = Count(seconds=[time.perf_counter() - began])
    for quilt, cells in zip(quilts, true, strict=True):
        count.add(judged(quilt, image, cells))
    return count


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--alone", action="store_true", help="leave the corners' files aside")
    args = parser.parse_args()
    print(f"{'photograph':<24} right % wrong silent doubted quilts  colour %       s")
    total = Count()
    for path, true in photographs(args.folders):
        try:
            count = measure(path, true, alone=args.alone)
        except PhotoError as error:
            print(f"{path.stem:<24} {error}")
            continue
        print(count.line(path.stem))
        total.add(count)
    if total.quilts:
        print(total.line("all"))


if __name__ == "__main__":
    main()

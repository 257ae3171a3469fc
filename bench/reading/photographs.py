"""Benchmark of reading quilts from single photographs.

Run by hand: `python -m bench.reading.photographs FOLDER... [--alone] [--recordings FOLDER]`. A photograph `NAME.jpg`
has its truth in `NAME.truth.json` (`{"quilts": [[nine rows of X and .], [...]]}` or `{"quilt": [...]}`; `"patches"`,
where it is there, holds for each quilt a list of `{"patch": ID, "cells": [...]}`) and, where no mats lie under the
boards, its grids' corners there as `corners`. Of a table recording with a truth beside it each settled board is a
photograph.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bench.quilts.laying import BOX, LEATHER
from bench.quilts.recorded import recorded_boards
from companion.games.patchwork.cells import SIDE, cell_index, cell_name
from companion.patchwork.photograph.photo import PhotoError, read_photo
from companion.patchwork.photograph.reading import LEATHER_NAME
from companion.terminal.photograph import load_photo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bench.quilts.laying import Laid
    from companion.patchwork.photograph.photo import SeenQuilt

Named = dict[tuple[str, ...], str]
"""A quilt's pieces: the patch by its cells' names."""
# The step between a recording's settled boards that are read, as successive ones are similar.
_STEP: Final = 3
# The standard deviation of corners given by hand, in cells.
_HAND_CELLS: Final = 0.05


@dataclass
class Count:
    """Counts over some quilts."""

    cells: int = 0
    wrong: int = 0
    silent: int = 0
    doubtful: int = 0
    quilts: int = 0
    perfect: int = 0
    patches: int = 0
    named: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, other: Count) -> None:
        """Add another count."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def line(self, name: str) -> str:
        """Return a row of the table."""
        right, doubted = 100 * (1 - self.wrong / self.cells), 100 * self.doubtful / self.cells
        return (
            f"{name:<24} {right:7.2f} {self.wrong:5d} {self.silent:6d} {doubted:9.2f} "
            f"{self.perfect:4d}/{self.quilts:<4d} {self.named:4d}/{self.patches:<4d} {np.median(self.seconds):6.2f}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A picture with its truths; `corners` is None if the mats or boards are to be detected."""

    name: str
    image: NDArray[np.uint8]
    corners: Sequence[NDArray[np.float64]] | None
    covered: Sequence[NDArray[np.bool_]]
    pieces: Sequence[Named]


def judged(quilt: SeenQuilt, true: NDArray[np.bool_], pieces: Named) -> Count:
    """Return the counts for one quilt; one detected without mats may have any orientation."""
    turns = [np.rot90(true, quarters) for quarters in (range(4) if quilt.guessed else (0,))]
    wrong = min((quilt.covered != turned for turned in turns), key=np.count_nonzero)
    doubtful = np.zeros((SIDE, SIDE), np.bool_)
    doubtful.reshape(-1)[[cell_index(name) for name in quilt.doubtful]] = True
    read = {tuple(sorted(piece.cells)): piece.patch for piece in quilt.pieces}
    return Count(
        cells=true.size,
        wrong=int(wrong.sum()),
        silent=int((wrong & ~doubtful).sum()),
        doubtful=int(doubtful.sum()),
        quilts=1,
        perfect=int(not wrong.any()),
        patches=len(pieces),
        named=sum(read.get(cells) == patch for cells, patch in pieces.items()),
    )


def photographs(folder: Path, *, alone: bool) -> Iterator[Photograph]:
    """Yield each photograph of a folder with a truth file beside it; with `alone`, without its corners."""
    for path in sorted(folder.glob("*.truth.json")):
        truth = json.loads(path.read_text())
        quilts = truth["quilts"] if "quilts" in truth else [truth["quilt"]]
        covered = [np.array([[cell == "X" for cell in row] for row in quilt]) for quilt in quilts]
        pieces = [_named(each) for each in truth.get("patches", [[]] * len(quilts))]
        image = load_photo(path.with_name(path.name.replace(".truth.json", ".jpg")))
        matted = alone or truth.get("fiducials", False)
        yield Photograph(path.name.split(".")[0], image, None if matted else _corners(truth), covered, pieces)


def _corners(truth: dict[str, Any]) -> Sequence[NDArray[np.float64]]:
    return list(np.array(truth["corners"], np.float64).reshape(-1, 4, 2))


def _named(pieces: list[dict[str, Any]]) -> Named:
    return {tuple(sorted(each["cells"])): each["patch"] for each in pieces}


def recorded(truth: Path) -> Iterator[Photograph]:
    """Yield settled frames of a recording, with corners as inaccurate as given by hand."""
    rng = np.random.default_rng(1)
    boards = list(recorded_boards(truth))
    pairs = [pair for pair in pairwise(boards) if pair[0][0] is pair[1][0]]
    for number, pair in enumerate(pairs[::_STEP]):
        cell_px = float(np.hypot(*(pair[0][1][1] - pair[0][1][0]))) / SIDE
        corners = [quad + rng.normal(0, _HAND_CELLS * cell_px, (4, 2)) for _, quad, _ in pair]
        pieces = [_laid(laid) for _, _, laid in pair]
        covered = [_covered(each) for each in pieces]
        yield Photograph(f"{truth.name.split('.')[0]} {number}", pair[0][0], corners, covered, pieces)


def _laid(laid: Sequence[Laid]) -> Named:
    names = {number: patch.id for number, patch in enumerate(BOX)} | {LEATHER: LEATHER_NAME}
    return {
        tuple(sorted(cell_name(int(row) * SIDE + int(column)) for row, column in each.cells)): names[each.patch]
        for each in laid
    }


def _covered(pieces: Named) -> NDArray[np.bool_]:
    covered = np.zeros(SIDE * SIDE, np.bool_)
    covered[[cell_index(name) for cells in pieces for name in cells]] = True
    return covered.reshape(SIDE, SIDE)


def measure(photograph: Photograph) -> Count:
    """Read one photograph, and return the counts."""
    began = time.perf_counter()
    quilts = read_photo(photograph.image, photograph.corners)
    count = Count(seconds=[time.perf_counter() - began])
    known = list(zip(photograph.covered, photograph.pieces, strict=True))
    orders = (known, known[::-1]) if quilts[0].guessed else (known,)
    counts = [[judged(quilt, *each) for quilt, each in zip(quilts, order, strict=False)] for order in orders]
    for each in min(counts, key=lambda judgements: sum(judgement.wrong for judgement in judgements)):
        count.add(each)
    return count


def table(photographed: Iterator[Photograph], *, each: bool) -> Count:
    """Return the total counts of photographs, and with `each` print a row for each."""
    total = Count()
    for photograph in photographed:
        try:
            count = measure(photograph)
        except PhotoError as error:
            print(f"{photograph.name:<24} {error}")
            continue
        if each:
            print(count.line(photograph.name))
        total.add(count)
    return total


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--alone", action="store_true", help="let the boards be found by themselves")
    parser.add_argument("--recordings", type=Path, metavar="FOLDER", help="a folder of recordings with their truths")
    args = parser.parse_args()
    print(f"{'photograph':<24} right % wrong silent doubted %   quilts   patches      s")
    for folder in args.folders:
        total = table(photographs(folder, alone=args.alone), each=True)
        if not total.cells:
            parser.error(f"{folder}: no photograph with a NAME.truth.json beside it was read")
        print(total.line("all"))
    for truth in [] if args.recordings is None else sorted(args.recordings.glob("*.truth.json")):
        print(table(recorded(truth), each=False).line(truth.name.split(".")[0]))


if __name__ == "__main__":
    main()

"""Benchmark of reading the circle of patches: from the simulated table, or from pictures with their truth.

Run by hand: `python -m bench.circle.market [--circles N]` lays N circles under each step of the stress bench's light
and camera; `python -m bench.circle.market PICTURE TRUTH...` takes pictures and JSON files `{"market": [ids, clockwise],
"cut": [ids]}` in pairs; `cut` names the patches that are not wholly in view. The baseline names what Otsu's threshold
cuts out by its area alone, on the same pictures.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bench.stresses import STRESSES
from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.seeing import see_market_in_photo
from companion.terminal.photograph import load_photo
from hardware.simulated.conditions import Conditions, normal
from hardware.simulated.evening import SimulatedEvening

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from companion.patchwork.circle.seen import SeenMarket

LIGHT_AND_CAMERA: Final = (
    "gradient", "exposure", "colour-temperature", "hard-shadow", "glare", "dim", "height", "tilt", "wide-lens",
    "defocus", "jpeg",
)  # fmt: skip
_FAR_PX: Final = 12.0


@dataclass
class Count:
    """Counts over some circles.

    Attributes:
        circles: the number of circles.
        pieces: the patches wholly in view.
        right: those of them named correctly.
        silent: sure but wrong pieces: a wrong name, or no patch at all.
        doubtful: the pieces in doubt, right or wrong.
        lost: the patches wholly in view that were not found.
        whole: the circles read correctly as a whole, without a doubt.
        baseline: the patches that the baseline names correctly.
    """

    circles: int = 0
    pieces: int = 0
    right: int = 0
    silent: int = 0
    doubtful: int = 0
    lost: int = 0
    whole: int = 0
    baseline: int = 0
    seconds: list[float] = field(default_factory=list)
    confused: Counter[str] = field(default_factory=Counter)

    def add(self, other: Count) -> None:
        """Add another count."""
        for name in ("circles", "pieces", "right", "silent", "doubtful", "lost", "whole", "baseline"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds += other.seconds
        self.confused += other.confused

    def line(self, name: str) -> str:
        """Return a row of the table."""
        share, baseline = (100 * part / max(1, self.pieces) for part in (self.right, self.baseline))
        return (
            f"{name:<28} {share:7.2f} {self.pieces - self.right:5d} {self.silent:6d} {self.doubtful:8d} {self.lost:5d} "
            f"{self.whole:4d}/{self.circles:<4d} {baseline:8.1f} {1000 * np.median(self.seconds):7.0f}"
        )


@dataclass(frozen=True)
class Truth:
    """The true circle of a picture.

    Attributes:
        market: the order of the patches.
        places_px: the place of each patch wholly in view; None if unknown.
        hidden_px: the place of each patch that is partly hidden or cut by the picture's edge.
    """

    market: tuple[str, ...]
    places_px: Mapping[str, NDArray[np.float64] | None]
    hidden_px: Mapping[str, NDArray[np.float64] | None] = field(default_factory=dict)


def judged(market: SeenMarket, truth: Truth) -> Count:
    """Return the counts for one circle."""
    count = Count(circles=1, pieces=len(truth.places_px), doubtful=len(market.doubtful))
    found = {piece.patch: piece for piece in market.pieces if piece.patch is not None}
    for patch, place in truth.places_px.items():
        piece = found.get(patch)
        if piece is not None and (place is None or np.hypot(*(np.array(piece.centre_px) - place)) < _FAR_PX):
            count.right += 1
        elif place is not None and not any(np.hypot(*(np.array(p.centre_px) - place)) < 40 for p in market.pieces):
            count.lost += 1
    for piece in market.pieces:
        if piece.sure and not _is_right(piece.patch or "", piece.centre_px, truth):
            count.silent += 1
            count.confused[piece.patch or ""] += 1
    count.whole = int(market.market() == truth.market and not market.doubtful)
    return count


def _is_right(patch: str, centre_px: tuple[float, float], truth: Truth) -> bool:
    places = {**truth.hidden_px, **truth.places_px}
    if patch not in places:
        return False
    place = places[patch]
    return place is None or float(np.hypot(*(np.array(centre_px) - place))) < _FAR_PX


def baseline(image: NDArray[np.uint8], truth: Truth) -> int:
    """Return the number of patches named correctly by the area of Otsu's threshold's segment at their place."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    _, bright = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
    right = 0
    for patch, place in truth.places_px.items():
        if place is None:
            continue
        column, row = np.clip(place.round().astype(int), 0, np.array(grey.shape[::-1]) - 1)
        part = (bright == bright[row, column]).astype(np.uint8)
        _, numbers, stats, _ = cv2.connectedComponentsWithStats(part)
        area_cells = stats[numbers[row, column], cv2.CC_STAT_AREA] / _cell_px2(truth)
        right += int(_by_area(area_cells) == patch)
    return right


def _cell_px2(truth: Truth) -> float:
    """Return a cell's area, estimated from the circle's length, on which 33 patches are about 2.9 cells apart."""
    places = np.array([place for place in truth.places_px.values() if place is not None])
    return float((cv2.arcLength(cv2.convexHull(places.astype(np.float32)), True) / len(places) / 2.9) ** 2)


def _by_area(area_cells: float) -> str:
    return min(PATCHES.values(), key=lambda patch: abs(patch.size - area_cells)).id


def simulated(circles: int) -> Iterator[tuple[str, int, Conditions]]:
    """Yield each condition's name, seed and value."""
    steps = [("normal", normal())]
    for name in LIGHT_AND_CAMERA:
        steps += [(f"{name} {step}", value) for step, value in enumerate(STRESSES[name], start=1)]
    for number, (name, conditions) in enumerate(steps):
        for circle in range(circles):
            yield name, 1000 * number + circle, conditions


def read_simulated(seed: int, conditions: Conditions) -> Count:
    """Lay a simulated circle, read it, and return the counts."""
    evening = SimulatedEvening(seed, conditions, mats=seed % 4 != 3)
    image = evening.camera.capture().image
    pieces = evening.table.circle_pieces()
    whole, hidden = (
        {piece.name: _middle(piece.outline_px) for piece in pieces if piece.whole is wanted} for wanted in (True, False)
    )
    truth = Truth(tuple(evening.setup.market or ()), whole, hidden)
    began = time.perf_counter()
    market = see_market_in_photo(image, None if seed % 4 != 3 else evening.table.grid_corners_px())
    spent = time.perf_counter() - began
    count = judged(market, truth)
    count.seconds, count.baseline = [spent], baseline(image, truth)
    return count


def _middle(outline_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the centroid of a patch's outline."""
    moments = cv2.moments(outline_px.astype(np.float32))
    return np.array([moments["m10"], moments["m01"]]) / moments["m00"]


def read_picture(picture: Path, truth: Path) -> Count:
    """Read a picture of a table, and return the counts."""
    told = json.loads(truth.read_text())
    cut = set(told.get("cut", ()))
    true = Truth(tuple(told["market"]), {patch: None for patch in told["market"] if patch not in cut})
    image = load_photo(picture)
    began = time.perf_counter()
    market = see_market_in_photo(image)
    count = judged(market, true)
    count.seconds = [time.perf_counter() - began]
    return count


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="*", type=Path, metavar="PICTURE TRUTH")
    parser.add_argument("--circles", type=int, default=9, help="under each condition")
    args = parser.parse_args()
    if len(args.pairs) % 2:
        parser.error("give a truth for each picture")
    print(f"{'circle':<28} right % wrong silent doubtful  lost  whole     area %      ms")
    total = Count()
    for name, count in _pictures(args.pairs) if args.pairs else _conditions(args.circles):
        print(count.line(name), flush=True)
        total.add(count)
    print(total.line("all"))
    if total.confused:
        print("sure and wrong:", ", ".join(f"{patch} {times}" for patch, times in total.confused.most_common()))


def _pictures(pairs: Sequence[Path]) -> Iterator[tuple[str, Count]]:
    for picture, truth in zip(pairs[::2], pairs[1::2], strict=True):
        yield picture.stem, read_picture(picture, truth)


def _conditions(circles: int) -> Iterator[tuple[str, Count]]:
    last, count = "", Count()
    for name, seed, conditions in simulated(circles):
        if name != last and count.circles:
            yield last, count
            count = Count()
        last = name
        count.add(read_simulated(seed, conditions))
    yield last, count


if __name__ == "__main__":
    main()

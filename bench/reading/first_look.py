"""The findings of the first look on ordinary evenings and under each stress, beside what it ought to find.

Run by hand: `python -m bench.reading.first_look [--seeds N]`. The baseline is the row of ordinary evenings: it must be
empty.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Final

from bench.stresses import STRESSES
from companion.patchwork.watching.setup_advice import BoardFindingKind, first_look
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from vision.geometry import GRID_CORNERS, through_corners

EXPECTED: Final = {
    "gradient": BoardFindingKind.UNEVEN,
    "exposure": BoardFindingKind.BRIGHT,
    "dim": BoardFindingKind.DARK,
    "glare": BoardFindingKind.GLARE,
    "defocus": BoardFindingKind.BLURRED,
    "height": BoardFindingKind.SMALL,
    "tilt": BoardFindingKind.SLANTED,
    "wide-lens": BoardFindingKind.BENT,
}


def kinds_found(conditions: Conditions, seed: int) -> tuple[set[BoardFindingKind], float]:
    """Return the kinds of findings on a table's first picture, and the seconds that the look took."""
    table = SimulatedTable(seed, conditions, mats=seed % 2 == 0)
    image = table.frame(0.0)
    corners = zip((1, 2), table.grid_corners_px(), strict=True)
    quilts = {seat: through_corners(GRID_CORNERS, places) for seat, places in corners}
    began = time.perf_counter()
    found = first_look(image, quilts)
    return {finding.kind for finding in found}, time.perf_counter() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="evenings a row; every other one has no mats")
    seeds = range(parser.parse_args().seeds)
    rows = {"ordinary": Conditions(), **{name: steps[-1] for name, steps in STRESSES.items() if name in EXPECTED}}
    print(f"{'':12}{'expected':>10}{'found':>8}{'of':>4}{'ms':>6}  all that was found")
    for name, conditions in rows.items():
        looks = [kinds_found(conditions, seed) for seed in seeds]
        counts = Counter(kind.value for kinds, _ in looks for kind in kinds)
        expected = EXPECTED.get(name)
        hits = counts[expected.value] if expected else 0
        took_ms = sorted(took for _, took in looks)[len(looks) // 2] * 1000
        print(f"{name:12}{expected or '-':>10}{hits:>8}{len(looks):>4}{took_ms:>6.0f}  {dict(counts)}", flush=True)


if __name__ == "__main__":
    main()

"""A contact sheet of random evenings, to look at: `python -m bench.board_scenes sheet.png --seed 1`.

Each evening is a row: the empty board, some looks, and the last look's truth in colours (grey: another object).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bench.board_scenes import OBJECT, BoardEvening, board_evening

if TYPE_CHECKING:
    from numpy.typing import NDArray

_THUMB_PX = 208


def main(argv: list[str] | None = None) -> None:
    """Draw evenings, and write the contact sheet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sheet", type=Path, help="PNG file to write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evenings", type=int, default=6)
    parser.add_argument("--looks", type=int, default=16)
    args = parser.parse_args(argv)
    if args.sheet.suffix != ".png" or not args.sheet.parent.is_dir() or min(args.evenings, args.looks) < 1:
        parser.error(f"{args.sheet}: name a .png file in a folder that exists, and at least one evening and one look")
    rng, rows, began, seen = np.random.default_rng(args.seed), [], time.perf_counter(), 0
    for _ in range(args.evenings):
        evening = board_evening(rng, args.looks)
        seen += len(evening.empty) + len(evening.looks)
        rows.append(_row(evening))
    spent_ms = (time.perf_counter() - began) * 1000
    cv2.imwrite(str(args.sheet), np.concatenate(rows))
    print(f"{args.sheet}: {args.evenings} evenings, {seen} views, {spent_ms / seen:.0f} ms a view")


def _row(evening: BoardEvening) -> NDArray[np.uint8]:
    picks = np.linspace(0, len(evening.looks) - 1, 5).round().astype(int)
    views = [evening.empty[0], *(evening.looks[pick].view for pick in picks)]
    small = [cv2.resize(view, (_THUMB_PX, _THUMB_PX), interpolation=cv2.INTER_AREA) for view in views]
    truth = cv2.resize(_coloured(evening.looks[picks[-1]].covered), (_THUMB_PX, _THUMB_PX))
    return np.asarray(np.concatenate([*small, truth], axis=1), np.uint8)


def _coloured(covered: NDArray[np.uint8]) -> NDArray[np.uint8]:
    hues = (covered.astype(np.int32) * 47 % 180).astype(np.uint8)
    lit = np.where(covered > 0, np.uint8(230), np.uint8(0))
    picture = cv2.cvtColor(np.dstack([hues, np.full_like(hues, 200), lit]), cv2.COLOR_HSV2BGR)
    picture[covered == OBJECT] = 128
    return np.asarray(picture, np.uint8)


if __name__ == "__main__":
    main()

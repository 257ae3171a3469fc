"""Benchmark of reading quilts: by condition, in steps of severity, on the simulated table.

    python -m bench.reading                            # about 10,000 decisions; an hour on two cores
    python -m bench.reading --evenings 2 --only normal --only tilt
    python -m bench.reading --recording FOLDER TRUTH   # a table recording, as it is and under each light and lens

Each row is a condition: cells and decisions and whole games that were read right, silent wrong decisions, questions a
game, complaints that were missed or undeserved, frames from `confirm` to the verdict, milliseconds to read both boards
then, and milliseconds for a whole frame (registered, and read) beside the floor: finding the fiducials and
warping two views of the same frames, in the same run. Last comes what a table costs on which nothing happens.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from bench.reading.evenings import Judged, play_session
from bench.reading.restaged import KINDS, read_restaged
from bench.stresses import STRESSES
from calibration.locator import MatLocator
from calibration.mat import load_mat
from companion.patchwork.watching.watch import TableWatch
from hardware.ports import Frame
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable
from tests.ending import end_with_starter
from vision.fiducials import FiducialDetector
from vision.geometry import rectify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Row: TypeAlias = tuple[str, list[Future[Judged]]]
"""A condition's name and its running evenings."""

_WARMING_UP, _STILL_FRAMES = 20, 100
"""The number of frames until the empty boards are known, and the number measured."""
# The players' tempers in a row's evenings, in turn; some must make mistakes for these to be detected.
_TEMPERS = ("tidy", "tidy", "hasty", "forgetful")


def main(argv: list[str] | None = None) -> None:
    """Play the evenings, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--evenings", type=int, default=4, help="for each step of each condition")
    parser.add_argument("--normal", type=int, default=20, help="evenings in normal conditions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only",
        action="append",
        choices=("normal", *STRESSES),
        help="this condition alone; may be given several times",
    )
    parser.add_argument(
        "--recording",
        action="append",
        nargs=2,
        metavar=("FOLDER", "TRUTH"),
        type=Path,
        help="read this table recording, as it is and restaged, instead; may be given several times",
    )
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args(argv)
    with ProcessPoolExecutor(args.processes, initializer=end_with_starter) as pool:
        if args.recording:
            _print_rows(list(_restaged(pool, args)))
        else:
            _print_rows(list(_played(pool, args)))


def _print_rows(waiting: Sequence[Row]) -> None:
    """Print each row once its evenings are finished, and then the total."""
    print(_HEAD)
    everything: list[Judged] = []
    for name, evenings in waiting:
        judged = [evening.result() for evening in evenings]
        everything += judged
        print(_line(name, judged), flush=True)
        for number, each in enumerate(judged):
            if each.silent or each.undeserved or each.missed or each.misnamed or not each.right_quilts:
                print(f"    evening {number}: {each.faults()}", flush=True)
    print(_line("all", everything))
    print(f"\n{_reliability(everything)}\n\n{_still_table()}")


def _played(pool: ProcessPoolExecutor, args: argparse.Namespace) -> Iterator[Row]:
    for name, conditions, evenings in _rows(args):
        yield name, [pool.submit(_evening, args.seed, number, conditions) for number in range(evenings)]


def _evening(seed: int, number: int, conditions: Conditions) -> Judged:
    """Return the result of one of a row's evenings."""
    return play_session(seed + 1000 * number, conditions, _TEMPERS[number % len(_TEMPERS)])


def _restaged(pool: ProcessPoolExecutor, args: argparse.Namespace) -> Iterator[Row]:
    """Yield the recordings unchanged, and then under each stress that can be applied to pictures."""
    recordings: list[tuple[Path, Path]] = args.recording
    yield "as recorded", [pool.submit(read_restaged, folder, truth, None, args.seed) for folder, truth in recordings]
    for kind in args.only or KINDS:
        for number, conditions in enumerate(STRESSES[kind], start=1):
            yield (
                f"{kind} {number}",
                [
                    pool.submit(read_restaged, folder, truth, conditions, args.seed + number)
                    for folder, truth in recordings
                ],
            )


def _rows(args: argparse.Namespace) -> Iterator[tuple[str, Conditions, int]]:
    if args.normal and (not args.only or "normal" in args.only):
        yield "normal", Conditions(), args.normal
    for name, steps in STRESSES.items():
        if not args.only or name in args.only:
            for number, conditions in enumerate(steps, start=1):
                yield f"{name} {number}", conditions, args.evenings


_HEAD = (
    f"{'condition':22} {'games':>5} {'ended':>5} {'whole':>5} {'decis.':>6} {'silent':>6} {'cells %':>8} "
    f"{'quest./game':>11} {'undeserved':>10} {'deserved':>8} {'missed':>6} {'misnamed':>8} "
    f"{'frames':>6} {'read ms':>7} {'ms':>6} {'x floor':>7}"
)


def _line(name: str, judged: Sequence[Judged]) -> str:
    games = len(judged)
    see_ms, read_ms, floor_ms, frames = (
        float(np.median([value for each in judged for value in getattr(each, name)] or [0]))
        for name in ("see_ms", "read_ms", "floor_ms", "verdict_frames")
    )
    whole_ms = see_ms + read_ms
    cells = 100 * (1 - sum(each.wrong_cells for each in judged if each.finished) / (162 * max(1, games)))
    return (
        f"{name:22} {games:5} {sum(each.finished for each in judged):5} {sum(each.right_quilts for each in judged):5} "
        f"{sum(each.decisions for each in judged):6} {sum(each.silent for each in judged):6} {cells:8.3f} "
        f"{sum(each.questions for each in judged) / games:11.2f} {sum(each.undeserved for each in judged):10} "
        f"{sum(each.deserved for each in judged):8} {sum(each.missed for each in judged):6} "
        f"{sum(each.misnamed for each in judged):8} {frames:6.0f} {read_ms:7.1f} {whole_ms:6.1f} "
        f"{whole_ms / floor_ms:7.2f}"
    )


def _reliability(judged: Sequence[Judged]) -> str:
    """Return the calibration table: the share of right readings at each confidence."""
    said = np.array([value for each in judged for value, _ in each.confidences])
    right = np.array([kept for each in judged for _, kept in each.confidences])
    lines = [f"{'said':>17} {'readings':>8} {'right in':>9}"]
    for low, high in pairwise((0.5, 0.9, 0.97, 0.99, 0.999, 0.9999, 1.0 + 1e-9)):
        inside = (said >= low) & (said < high) if len(said) else np.zeros(0, bool)
        if inside.any():
            said_so = f"{100 * low:7.2f} - {100 * min(high, 1):6.2f} %"
            lines.append(f"{said_so} {inside.sum():8} {100 * right[inside].mean():8.2f} %")
    return "\n".join(lines)


def _still_table() -> str:
    """Return a line with the time per frame of a table at rest, beside the floor."""
    table, watch = SimulatedTable(1, Conditions(), mats=True), TableWatch(MatLocator(load_mat()))
    detector, spent_ms, floor_ms = FiducialDetector(load_mat().dictionary), [], []
    for number in range(_WARMING_UP + _STILL_FRAMES):
        frame = Frame(table.frame(number / 10), number / 10, f"{number:06d}")
        began = time.perf_counter()
        watch.see(frame)
        seen = time.perf_counter()
        detector.detect(frame.image)
        for place in watch.places.values():
            rectify(frame.image, place)
        if number >= _WARMING_UP:
            spent_ms.append((seen - began) * 1e3)
            floor_ms.append((time.perf_counter() - seen) * 1e3)
    return (
        f"a table at rest: {np.mean(spent_ms):.1f} ms a frame on average, {max(spent_ms):.1f} at most; "
        f"the floor {np.median(floor_ms):.1f} ms"
    )


if __name__ == "__main__":
    main()

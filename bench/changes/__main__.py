"""The command line; see `bench.changes` for its use."""

from __future__ import annotations

import argparse
from pathlib import Path

import bench.changes
from bench.changes.calibration import calibrate
from bench.changes.fitting import fit, report
from bench.changes.network import export
from bench.changes.pairs import save_pairs
from bench.changes.scenes import scene_pairs

_EVENINGS_A_FILE = 10


def main(argv: list[str] | None = None) -> None:
    """Draw pairs, or fit."""
    parser = argparse.ArgumentParser(
        description=bench.changes.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tasks = parser.add_subparsers(required=True)
    scenes = tasks.add_parser("scenes")
    scenes.add_argument("folder", type=Path)
    scenes.add_argument("--from", dest="first", type=int, default=0)
    scenes.add_argument("--evenings", type=int, default=160)
    scenes.set_defaults(run=_scenes)
    fitted = tasks.add_parser("fit")
    fitted.add_argument("folder", type=Path)
    fitted.add_argument("out", type=Path)
    fitted.add_argument("--epochs", type=int, default=5)
    fitted.add_argument("--seed", type=int, default=0)
    fitted.add_argument("--begin", type=Path, metavar="NETWORK", help="fit this network further")
    fitted.add_argument("--without", action="append", default=[], metavar="NAME", help="files to be tested on instead")
    fitted.set_defaults(run=_fit)
    calibrated = tasks.add_parser("calibrate")
    calibrated.add_argument("--from", dest="first", type=int, default=0)
    calibrated.add_argument("--evenings", type=int, default=60)
    calibrated.set_defaults(run=lambda args: print(calibrate(args.first, args.evenings)))
    args = parser.parse_args(argv)
    args.run(args)


def _scenes(args: argparse.Namespace) -> None:
    args.folder.mkdir(parents=True, exist_ok=True)
    for first in range(args.first, args.first + args.evenings, _EVENINGS_A_FILE):
        pairs = [pair for number in range(_EVENINGS_A_FILE) for pair in scene_pairs(first + number)]
        save_pairs(args.folder / f"scenes-{first:05d}.npz", pairs)


def _fit(args: argparse.Namespace) -> None:
    files = sorted(args.folder.glob("*.npz"))
    held_out = [path for path in files if path.stem in args.without]
    network = fit([path for path in files if path not in held_out], args.epochs, args.seed, args.begin)
    for path in held_out:
        print(report(network, path))
    export(network, args.out)


if __name__ == "__main__":
    main()

"""`companion calibrate`: the table is measured once it is set up, step by step."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.bootstrap.calibrating import (
    calibrate_lens,
    calibrate_table,
    live_source,
    photographs,
    simulated_source,
)
from companion.calibrating import Step, keep_calibrated
from companion.cli.options import config_of, config_option, language_of, language_option
from companion.cli.output import put
from companion.errors import CompanionError
from companion.languages import Language, said, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.lensfit import LensFit
    from companion.bootstrap.calibrating import CalibrationSource
    from companion.calibrating import Calibrated, LensProgress, Progress, Remark
    from companion.cli.subparsers import Subparsers
    from companion.config import Config

_PATIENCE_S: Final = 120.0
"""Where nobody sits at the terminal, a table that is not set up by then is refused."""
_STEPS: Final = (Step.MATS, Step.BOARDS, Step.REST)


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "calibrate",
        parents=[config_option(), language_option()],
        help="measure the table: where the boards lie, how they look, what the lens bends",
        description="Measure the table once. Print the mats first (companion print mats), and the lens chart for "
        "--lens (companion print charuco). The camera sees what is done: no key need be pressed.",
    )
    parser.add_argument("--simulate", action="store_true", help="at the simulated table, without any hardware")
    parser.add_argument("--image", type=Path, nargs="+", metavar="FILE", help="from photographs of the table")
    parser.add_argument(
        "--lens",
        type=Path,
        nargs="*",
        metavar="FILE",
        help="calibrate the lens first, from the chart held under the camera, or from photographs of it",
    )
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="of the simulated table")
    parser.add_argument(
        "--output", type=Path, default=Path("calibration.toml"), metavar="FILE", help="by default calibration.toml"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate, write the files, and say how well it went."""
    _check(args)
    config = config_of(args)
    says = _Says(language_of(args, config), quiet=args.json)
    patience_s = None if sys.stdin.isatty() and not args.simulate else _PATIENCE_S
    with closing(_source(args, config)) as source:
        lens = None if args.lens is None else calibrate_lens(source, says.lens, patience_s)
        found = calibrate_table(config, source, says.table, lens, patience_s)
    kept = keep_calibrated(found, args.output)
    if args.json:
        put(json.dumps(calibrated_json(found, args.output), ensure_ascii=False) + "\n")
    else:
        put(_report(found, lens, args.output, kept))
    return 0


def _check(args: argparse.Namespace) -> None:
    if args.simulate and args.image:
        raise CompanionError("calibrate: --simulate and --image do not go together: leave one out")
    if args.image and args.lens == []:
        raise CompanionError("calibrate: --lens beside --image needs photographs of the chart: --lens FILE FILE ...")
    if args.lens and not args.image:
        raise CompanionError("calibrate: --lens takes photographs beside --image only: leave the files out")
    if args.output.suffix != ".toml":
        raise CompanionError(f"--output {args.output}: must end in .toml; the picture beside it ends in .png")


def _source(args: argparse.Namespace, config: Config) -> CalibrationSource:
    if args.image:
        return photographs(args.image, args.lens or ())
    if not args.simulate:
        return live_source(config)
    return simulated_source(config, config.simulation.seed if args.seed is None else args.seed)


class _Says:
    """Tells what is to be done and what stands in the way, each once until it changes."""

    def __init__(self, language: Language, *, quiet: bool) -> None:
        self._language, self._quiet = language, quiet
        self._heading = ""
        self._remarks: Sequence[Remark] = ()

    def lens(self, progress: LensProgress) -> None:
        """A picture of the chart was looked at."""
        lens = said(
            "Lens {number}/{last}  {instruction}",
            number=progress.views,
            last=progress.wanted,
            instruction=progress.says,
        )
        self._tell(lens.told(self._language), progress.remarks)

    def table(self, progress: Progress) -> None:
        """A picture of the table was looked at."""
        if progress.step is Step.DONE:
            self._tell("", progress.remarks)
        else:
            number = _STEPS.index(progress.step) + 1
            says = said(
                "Step {number}/{last}  {instruction}", number=number, last=len(_STEPS), instruction=progress.says
            )
            self._tell(says.told(self._language), progress.remarks)

    def _tell(self, heading: str, remarks: Sequence[Remark]) -> None:
        if self._quiet:
            return
        lines = [heading] if heading and heading != self._heading else []
        lines += [f"  - {tell(remark.says, self._language)}" for remark in remarks if remark not in self._remarks]
        self._heading, self._remarks = heading or self._heading, remarks
        if lines:
            put("\n".join(lines) + "\n")


def _report(found: Calibrated, lens: LensFit | None, path: Path, kept: Path | None) -> str:
    lines = [""]
    if lens is not None:
        lines.append(f"Lens: fitted to {lens.residual_px:.2f} px in {lens.views} pictures of the chart.")
    for seat, board in sorted(found.table.boards.items()):
        lines.append(
            f"Seat {seat}: grid found to {board.residual_mm:.2f} mm ({board.residual_px:.2f} px), "
            f"{board.cell_px:.0f} px a cell, blur {board.blur_px:.1f} px."
        )
    older = "" if kept is None else f"; the older one is kept as {kept.name}"
    lines += [f"{path} is written{older}.", f"{path.with_suffix('.png')} shows the grid as it was found: have a look."]
    return "\n".join([*lines, ""])


def calibrated_json(found: Calibrated, path: Path) -> dict[str, Any]:
    """What `--json` prints."""
    seats = [
        {
            "seat": seat,
            "mat": board.mat,
            "residual_px": round(board.residual_px, 3),
            "residual_mm": round(board.residual_mm, 3),
            "cell_px": round(board.cell_px, 2),
            "blur_px": round(board.blur_px, 2),
            "paper": round(board.paper),
        }
        for seat, board in sorted(found.table.boards.items())
    ]
    lens = None if found.table.lens is None else {"residual_px": round(found.table.lens_residual_px or 0.0, 3)}
    return {"file": str(path), "picture": str(path.with_suffix(".png")), "seats": seats, "lens": lens}

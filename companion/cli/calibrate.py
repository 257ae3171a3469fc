"""`companion calibrate`: the step-by-step measurement of a table."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from calibration.lensfit import LensFit
from companion.calibrating.guide import CalibrationStep, Progress
from companion.calibrating.remarks import Remark
from companion.calibrating.result import Calibrated, save_calibrated
from companion.calibrating.running import CalibrationSource, LensProgress, calibrate_lens, calibrate_table
from companion.cli.options import add_shared, config_of, language_of, seed_number
from companion.compose.workbench import live_source, photographs, simulated_source
from companion.config import Config
from companion.errors import CompanionError
from companion.languages import Language, Sentence, all_of, counted, render, said
from companion.terminal.output import put

# How long to wait for a table to be set up if there is no user at the terminal.
_PATIENCE_S: Final = 120.0
_STEPS: Final = (CalibrationStep.MATS, CalibrationStep.BOARDS, CalibrationStep.REST)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language", "--table")
    parser.description = said(
        "Measure the table once. Print the mats first ({mats}), and the lens chart for {option} ({chart}). The "
        "camera follows each step: you do not need to press any key.",
        mats="companion print mats",
        option="--lens",
        chart="companion print charuco",
    )
    parser.add_argument("--simulate", action="store_true", help=said("use the simulated table, without any hardware"))
    parser.add_argument(
        "--image", type=Path, nargs="+", metavar="FILE", help=said("use these photographs of the table")
    )
    parser.add_argument(
        "--lens",
        type=Path,
        nargs="*",
        metavar="FILE",
        help=said("calibrate the lens first, with the chart held under the camera or with photographs of it"),
    )
    parser.add_argument("--seed", type=seed_number, default=None, metavar="N", help=said("of the simulated table"))
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("calibration.toml"),
        metavar="FILE",
        help=said("by default {file}", file="calibration.toml"),
    )
    parser.add_argument("--json", action="store_true", help=said("print one JSON object"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate, write the files, and report the quality."""
    _check(args)
    config = config_of(args)
    says = _Says(language_of(args, config), quiet=args.json)
    patience_s = None if sys.stdin.isatty() and not args.simulate else _PATIENCE_S
    with closing(_source(args, config)) as source:
        lens = None if args.lens is None else calibrate_lens(source, says.lens, patience_s)
        found = calibrate_table(config, source, says.table, lens, patience_s)
    kept = save_calibrated(found, args.output)
    if args.json:
        put(json.dumps(calibrated_json(found, args.output), ensure_ascii=False) + "\n")
    else:
        put(_report(found, lens, args.output, kept, says.language))
    return 0


def _check(args: argparse.Namespace) -> None:
    if args.simulate and args.image:
        raise CompanionError.said(
            "{command}: {options} cannot be used together: leave one out",
            command="calibrate",
            options=all_of(["--simulate", "--image"]),
        )
    if args.table is not None and not args.simulate:
        raise CompanionError.said(
            "{command}: {option} is for the simulated table: add {other}",
            command="calibrate",
            option="--table",
            other="--simulate",
        )
    if args.image and args.lens == []:
        raise CompanionError.said(
            "{command}: {option} with {other} needs photographs of the chart: {example}",
            command="calibrate",
            option="--lens",
            other="--image",
            example="--lens FILE FILE ...",
        )
    if args.lens and not args.image:
        raise CompanionError.said(
            "{command}: {option} takes photographs only together with {other}: leave the files out",
            command="calibrate",
            option="--lens",
            other="--image",
        )
    if args.output.suffix != ".toml":
        raise CompanionError.said(
            "{path}: must end in {ending}; the picture stored next to it ends in {other}",
            path=f"--output {args.output}",
            ending=".toml",
            other=".png",
        )


def _source(args: argparse.Namespace, config: Config) -> CalibrationSource:
    if args.image:
        return photographs(args.image, args.lens or ())
    if not args.simulate:
        return live_source(config)
    return simulated_source(config, config.simulation.seed if args.seed is None else args.seed)


class _Says:
    """The printed instructions and obstacles, each only when it changes."""

    def __init__(self, language: Language, *, quiet: bool) -> None:
        self.language, self._quiet = language, quiet
        self._heading = ""
        self._remarks: Sequence[Remark] = ()

    def lens(self, progress: LensProgress) -> None:
        """Report the progress after a picture of the chart."""
        lens = said(
            "Lens {number}/{last}  {instruction}",
            number=progress.views,
            last=progress.wanted,
            instruction=progress.says,
        )
        self._print_progress(lens.rendered(self.language), progress.remarks)

    def table(self, progress: Progress) -> None:
        """Report the progress after a picture of the table."""
        if progress.step is CalibrationStep.DONE:
            self._print_progress("", progress.remarks)
        else:
            number = _STEPS.index(progress.step) + 1
            says = said(
                "Step {number}/{last}  {instruction}", number=number, last=len(_STEPS), instruction=progress.says
            )
            self._print_progress(says.rendered(self.language), progress.remarks)

    def _print_progress(self, heading: str, remarks: Sequence[Remark]) -> None:
        if self._quiet:
            return
        lines = [heading] if heading and heading != self._heading else []
        lines += [f"  - {render(remark.says, self.language)}" for remark in remarks if remark not in self._remarks]
        self._heading, self._remarks = heading or self._heading, remarks
        if lines:
            put("\n".join(lines) + "\n")


def _report(found: Calibrated, lens: LensFit | None, path: Path, kept: Path | None, language: Language) -> str:
    lines: list[Sentence] = []
    if lens is not None:
        lines.append(
            counted(
                "Lens: calibrated to {px} px from {count} picture of the chart.",
                "Lens: calibrated to {px} px from {count} pictures of the chart.",
                lens.views,
                px=round(lens.residual_px, 2),
            )
        )
    for seat, board in sorted(found.table.boards.items()):
        lines.append(
            said(
                "Seat {seat}: grid found to {mm} mm ({px} px), {cell} px a square, blur {blur} px.",
                seat=seat,
                mm=round(board.residual_mm, 2),
                px=round(board.residual_px, 2),
                cell=round(board.cell_px),
                blur=round(board.blur_px, 1),
            )
        )
    if kept is None:
        lines.append(said("{file} is written.", file=str(path)))
    else:
        lines.append(said("{file} is written; the previous one is kept as {kept}.", file=str(path), kept=kept.name))
    picture = str(path.with_suffix(".png"))
    lines.append(said("{file} shows the grid that was found: check that it fits.", file=picture))
    return "\n".join(["", *(render(line, language) for line in lines), ""])


def calibrated_json(found: Calibrated, path: Path) -> dict[str, Any]:
    """Return the JSON that `--json` prints."""
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

"""`companion hardware-test`: every device tried, one after the other, with somebody who presses and looks."""

from __future__ import annotations

import select
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from companion.bootstrap.standins import Plant
from companion.bootstrap.wiring import facts_of
from companion.bootstrap.workbench import course_of, open_bench
from companion.cli.options import config_of, config_option
from companion.cli.output import put
from companion.config.devices import CAMERA_DRIVERS, CONTROLS_DRIVERS, STRIP_DRIVERS
from companion.errors import CompanionError
from companion.hardwaretest import report_text, wiring_lines
from companion.hardwaretest.report import outcome_lines
from companion.hardwaretest.step import SKIP

if TYPE_CHECKING:
    import argparse

    from companion.bootstrap.workbench import Bench
    from companion.cli.subparsers import Subparsers
    from companion.config import CameraConfig, Config, ControlsConfig, StripConfig
    from companion.hardwaretest import HardwareTest, Prompt

Section = TypeVar("Section", "CameraConfig", "ControlsConfig", "StripConfig")

EXIT_FAULTS: Final = 1
NO_PLANT: Final = "none"
PLANTED_BY_DEFAULT: Final = "dead-pixel,stuck-button,blurred-camera"


class HardwareTestError(CompanionError):
    """The test cannot be made so."""


def add_parser(subparsers: Subparsers) -> None:
    """Announce the command."""
    parser = subparsers.add_parser(
        "hardware-test",
        parents=[config_option()],
        help="try every button, pixel and the camera, step by step",
        description="Try every device, one after the other: press and look as you are asked to. Ends with a summary of "
        "the wiring, and a report that can be attached to a bug. The exit status is 1 where something is wrong.",
    )
    parser.add_argument(
        "--simulate", action="store_true", help="with simulated devices, and simulated people; some have faults"
    )
    parser.add_argument(
        "--plant",
        metavar="FAULTS",
        help=f"faults of the simulated devices, with commas: {', '.join(Plant)}; {NO_PLANT} for sound ones "
        f"(with --simulate: {PLANTED_BY_DEFAULT})",
    )
    parser.add_argument("--camera", choices=CAMERA_DRIVERS, help="this camera instead of the configuration's")
    parser.add_argument("--buttons", choices=CONTROLS_DRIVERS, help="these push-buttons, likewise")
    parser.add_argument("--strip", choices=STRIP_DRIVERS, help="this strip, likewise")
    parser.add_argument(
        "--report", type=Path, default=Path("hardware-test.txt"), metavar="FILE", help="by default hardware-test.txt"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the test, print what was found, and write the report."""
    planted = _planted(args)
    config = _config(args)
    with closing(open_bench(config, planted)) as bench:
        if bench.needs_a_person and not sys.stdin.isatty():
            raise HardwareTestError(
                "hardware-test: somebody must press and look, and there is no terminal: run it at one, or --simulate"
            )
        test = course_of(bench)
        _follow(test, bench)
    facts = facts_of(config)
    put("\n".join(["", "Wiring", *wiring_lines(facts, test.outcomes), ""]))
    _write(report_text(facts, test.outcomes, datetime.now(UTC).date()), args.report)
    count = len(test.faults)
    said = "Nothing is wrong." if not count else f"{count} thing{' is' if count == 1 else 's are'} wrong."
    put(f"\n{said} The report is in {args.report}.\n")
    return EXIT_FAULTS if count else 0


def _planted(args: argparse.Namespace) -> tuple[Plant, ...]:
    wanted = args.plant if args.plant is not None else PLANTED_BY_DEFAULT if args.simulate else NO_PLANT
    if wanted == NO_PLANT:
        return ()
    try:
        return tuple(Plant(name) for name in wanted.split(","))
    except ValueError as error:
        known = ", ".join([*Plant, NO_PLANT])
        raise HardwareTestError(f"hardware-test: --plant: {error}; there are {known}, with commas") from error


def _config(args: argparse.Namespace) -> Config:
    config = config_of(args)
    names = ["simulated"] * 3 if args.simulate else [args.camera, args.buttons, args.strip]
    camera, controls, strip = names
    try:
        config = config if camera is None else replace(config, camera=_driven(config.camera, camera))
        config = config if controls is None else replace(config, controls=_driven(config.controls, controls))
        return config if strip is None else replace(config, strip=_driven(config.strip, strip))
    except ValueError as error:
        raise HardwareTestError(f"hardware-test: {error}, in the configuration") from error


def _driven(section: Section, driver: str) -> Section:
    changed = replace(section, driver=driver)
    changed.check()
    return changed


def _follow(test: HardwareTest, bench: Bench) -> None:
    """Let the test go on until its end, and show it to whoever is at the terminal."""
    shown = _Shown()
    while not test.done:
        shown.show(test)
        test.tick(bench.moment(test, _typed(test.prompt) if bench.needs_a_person else None))
    shown.show(test)


def _typed(prompt: Prompt | None) -> str | None:
    """What was typed meanwhile, if it is an answer; never waits."""
    if not select.select([sys.stdin], [], [], 0)[0]:
        return None
    line = sys.stdin.readline()
    if not line:
        raise KeyboardInterrupt
    text = line.strip().lower()
    choices = () if prompt is None else prompt.choices
    if text in {SKIP, "s"}:
        return SKIP
    if text in choices:
        return text
    near = [choice for choice in choices if choice.startswith(text)] if text else []
    if len(near) == 1:
        return near[0]
    if choices:
        put(f"  Type one of: {', '.join(choices)}; or skip.\n")
    return None


class _Shown:
    """Prints what is new."""

    def __init__(self) -> None:
        self._title, self._prompt, self._told = "", "", 0

    def show(self, test: HardwareTest) -> None:
        """Print it."""
        for outcome in test.outcomes[self._told :]:
            put("\n".join(f"  {line}" for line in outcome_lines(outcome)) + "\n")
        self._told = len(test.outcomes)
        if not test.done and test.step.title != self._title:
            self._title = test.step.title
            put("\nStep {} of {}: {}\n".format(*test.number, self._title))
        prompt = test.prompt
        if prompt is not None and prompt.says != self._prompt:
            self._prompt = prompt.says
            put(f"  {prompt.says}{_offered(prompt.choices)}\n")


def _offered(choices: tuple[str, ...]) -> str:
    if choices and choices[-1].isdecimal():
        return f" [{choices[0]} to {choices[-1]}]"
    return f" [{', '.join(choices)}]" if choices else ""


def _write(text: str, path: Path) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise HardwareTestError(f"--report {path}: cannot be written: {error.strerror}") from error

"""`companion hardware-test`: a test of each device in turn, with a user who presses and looks."""

import argparse
import select
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion.cli.options import add_shared, config_of, language_of
from companion.compose.workbench import course_of, open_bench
from companion.config import Config
from companion.durable import write_named
from companion.errors import CompanionError
from companion.languages import ENGLISH, Language, Sentence, counted, in_turn, listed, reason, render, said, unwritable
from companion.ownership import as_owner_of
from companion.terminal.output import put, words
from companion.upkeep.hardware_test.bench import Bench, SimulatedFault, facts_of
from companion.upkeep.hardware_test.course import (
    SKIP,
    HardwareTest,
    Prompt,
    outcome_lines,
    report_text,
    wiring_lines,
)
from hardware.driver import CameraDriver, ControlsDriver, StripDriver, drivers

EXIT_FAULTS: Final = 1
_SKIP: Final = said("skip")
NO_PLANT: Final = "none"
PLANTED_BY_DEFAULT: Final = "dead-pixel,stuck-button,blurred-camera"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    parser.description = said(
        "Test every device, one after another: press and look as the program asks. Ends with a summary of the "
        "wiring, and a report that you can attach to a bug report. The exit status is 1 if something is wrong."
    )
    parser.add_argument(
        "--simulate", action="store_true", help=said("use simulated devices, some of them faulty, and simulated people")
    )
    parser.add_argument(
        "--plant",
        metavar="FAULTS",
        help=said(
            "faults of the simulated devices, separated by commas: {names}; {none} for no faults (with {option}: "
            "{usual})",
            names=", ".join(SimulatedFault),
            none=NO_PLANT,
            option="--simulate",
            usual=PLANTED_BY_DEFAULT,
        ),
    )
    parser.add_argument(
        "--camera", choices=tuple(drivers(CameraDriver)), help=said("use this camera instead of the configured one")
    )
    parser.add_argument(
        "--buttons", choices=tuple(drivers(ControlsDriver)), help=said("use these push-buttons instead")
    )
    parser.add_argument("--strip", choices=tuple(drivers(StripDriver)), help=said("use this strip instead"))
    parser.add_argument(
        "--report",
        type=Path,
        default=Path("hardware-test.txt"),
        metavar="FILE",
        help=said("by default {file}", file="hardware-test.txt"),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Carry out the test, print the findings, and write the report."""
    planted = _planted(args)
    config = _config(args)
    twins = _unasked(args, config)
    language = language_of(args, config)
    with closing(open_bench(config, planted)) as bench:
        # After opening the devices, as only then it is known which of them work and need a person.
        if bench.needs_a_person and not sys.stdin.isatty():
            raise CompanionError.said(
                "hardware-test: somebody must press and look, and this is not a terminal: run it in one, or "
                "with {option}",
                option="--simulate",
            )
        if planted:
            staged = said(
                "Staged faults, to show what the test finds: {names}.",
                names=listed([_STAGED[fault] for fault in planted]),
            )
            put(render(staged, language) + "\n")
        test = course_of(bench)
        _follow(test, bench, language)
    facts = facts_of(config)
    put("\n".join(["", render(said("Wiring"), language), *wiring_lines(facts, test.outcomes, language), ""]))
    _write(report_text(facts, test.outcomes, datetime.now(UTC).date()), args.report)
    count = len(test.faults)
    wrong = counted("{count} problem.", "{count} problems.", count) if count else said("No problems.")
    summary = in_turn([wrong, *_untried(twins), said("The report is saved in {file}.", file=str(args.report))])
    put(f"\n{render(summary, language)}\n")
    return EXIT_FAULTS if count else 0


_STAGED: Final[Mapping[SimulatedFault, Sentence]] = {
    SimulatedFault.DEAD_PIXEL: said("a dead pixel"),
    SimulatedFault.STUCK_BUTTON: said("a stuck button"),
    SimulatedFault.BLURRED_CAMERA: said("a blurred camera"),
    SimulatedFault.CROSSED_WIRES: said("crossed wires"),
    SimulatedFault.COLOUR_ORDER: said("colours in another order"),
}


def _planted(args: argparse.Namespace) -> tuple[SimulatedFault, ...]:
    wanted = args.plant if args.plant is not None else PLANTED_BY_DEFAULT if args.simulate else NO_PLANT
    if wanted == NO_PLANT:
        return ()
    try:
        return tuple(SimulatedFault(name) for name in wanted.split(","))
    except ValueError as error:
        unknown = next(name for name in wanted.split(",") if name not in list(SimulatedFault))
        raise CompanionError.said(
            "{option}: {fault} is not a fault; use {names}, separated by commas",
            option="hardware-test: --plant",
            fault=repr(unknown),
            names=listed([*SimulatedFault, NO_PLANT]),
        ) from error


def _config(args: argparse.Namespace) -> Config:
    config = config_of(args)
    names = ["simulated"] * 3 if args.simulate else [args.camera, args.buttons, args.strip]
    camera, controls, strip = (driver and {"driver": driver} for driver in names)
    try:
        return replace(
            config,
            camera=CameraDriver.changed(config.camera, **camera or {}),
            controls=ControlsDriver.changed(config.controls, **controls or {}),
            strip=StripDriver.changed(config.strip, **strip or {}),
        )
    except ValueError as error:
        raise CompanionError.said(
            "{command}: {fault}, in the configuration", command="hardware-test", fault=reason(error)
        ) from error


def _unasked(args: argparse.Namespace, config: Config) -> list[Sentence]:
    """Return the names of the devices that are simulated without `--simulate` or an option for them.

    Raises:
        CompanionError: all devices are.
    """
    devices = (
        (said("the camera"), args.camera, config.camera.driver),
        (said("the push-buttons"), args.buttons, config.controls.driver),
        (said("the strip"), args.strip, config.strip.driver),
    )
    twins = [name for name, asked, driver in devices if driver == "simulated" and asked is None and not args.simulate]
    if len(twins) == len(devices):
        raise CompanionError.said(
            "hardware-test: there is no configuration with this table’s devices: write one ({config}, then "
            "{option}), name the devices ({drivers}), or add {simulate}",
            config="companion config > config.toml",
            option="--config config.toml",
            drivers="--camera pi --buttons gpio --strip neopixel",
            simulate="--simulate",
        )
    return twins


def _untried(twins: Sequence[Sentence]) -> list[Sentence]:
    if not twins:
        return []
    return [said("Not tested, because they are simulated in the configuration: {names}.", names=listed(twins))]


def _follow(test: HardwareTest, bench: Bench, language: Language) -> None:
    """Run the test to its end, showing it at the terminal."""
    shown = _Shown(language)
    while not test.done:
        shown.show(test)
        test.tick(bench.moment(test, _typed(test.prompt, language) if bench.needs_a_person else None))
    shown.show(test)


def _typed(prompt: Prompt | None, language: Language = ENGLISH) -> str | None:
    """Return the typed answer, if there is one, or None; do not wait."""
    if not select.select([sys.stdin], [], [], 0)[0]:
        return None
    line = sys.stdin.readline()
    # The terminal was closed.
    if not line:
        raise KeyboardInterrupt
    text = line.strip().lower()
    choices = () if prompt is None else prompt.choices
    if text in {SKIP, "s", render(_SKIP, language)}:
        return SKIP
    # English answers are accepted in all languages, as a keyboard may have no other letters.
    answers = {name.lower(): choice for choice in choices for name in (str(choice), _named(choice, language))}
    if text in answers:
        return answers[text]
    # Both names of one choice may match.
    near = {choice for name, choice in answers.items() if name.startswith(text)} if text else set()
    if len(near) == 1:
        return near.pop()
    if choices:
        says = said(
            "Type one of: {choices}; or {skip}.", choices=listed([_choice(each) for each in choices]), skip=_SKIP
        )
        put(f"  {render(says, language)}\n")
    return None


def _choice(choice: str) -> str:
    """Return an answer for display, with numbers in the reader's digits."""
    return said("{number}", number=int(choice)) if choice.isdecimal() else choice


def _named(choice: str, language: Language) -> str:
    return render(_choice(choice), language)


class _Shown:
    """The printed state of a test, which prints only what is new."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._title, self._prompt, self._printed = "", "", 0

    def show(self, test: HardwareTest) -> None:
        """Print what is new since the last call."""
        for outcome in test.outcomes[self._printed :]:
            put("\n".join(f"  {line}" for line in outcome_lines(outcome, self._language)) + "\n")
        self._printed = len(test.outcomes)
        if not test.done and test.step.title != self._title:
            self._title = test.step.title
            number, last = test.number
            step = said("Step {number} of {last}: {title}", number=number, last=last, title=self._title)
            put(f"\n{render(step, self._language)}\n")
        prompt = test.prompt
        if prompt is not None and prompt.says != self._prompt:
            self._prompt = prompt.says
            put(f"  {words(prompt.says, self._language)}{_offered(prompt.choices, self._language)}\n")


def _offered(choices: tuple[str, ...], language: Language = ENGLISH) -> str:
    if not choices:
        return ""
    if choices[-1].isdecimal():
        offered: str = said("{first} to {last}", first=int(choices[0]), last=int(choices[-1]))
    else:
        offered = listed(choices)
    return f" [{words(offered, language)}]"


def _write(text: str, path: Path) -> None:
    try:
        with as_owner_of(path.parent):
            write_named(path, text.encode())
    except OSError as error:
        raise CompanionError(unwritable(f"--report {path}", error)) from error

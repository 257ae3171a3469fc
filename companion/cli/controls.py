"""`companion controls`: keys that act as push-buttons, learnt by pressing them; `companion lights-off`."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from companion.cli.backup import is_for_service, places_of
from companion.cli.options import add_shared, config_of, terminal_language
from companion.compose.devices import open_strip
from companion.configuration import write_section, written_config
from companion.errors import CompanionError
from companion.languages import Sentence, render, said, system_says, unwritable
from companion.terminal.output import put
from companion.upkeep.install import UNIT
from hardware.clock import SystemClock
from hardware.driver import ControlsDriver
from hardware.drivers.keys import KeyRequest, KeysDriver, Learner, LearntPress
from hardware.keys import Binding, Found, InputBus, LinuxInputBus, key_name, line_of
from hardware.ports import Button, Clock
from hardware.pushbuttons import button_word


def add_lights_off_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config")
    parser.description = said(
        "Switch the light strip off, for instance after the program was killed; the service does this when it stops."
    )
    parser.set_defaults(run=run_lights_off)


def run_lights_off(args: argparse.Namespace) -> int:
    """Switch the strip off: a driver turns all pixels off when it is opened, and again when it is closed."""
    open_strip(config_of(args).strip, SystemClock()).close()
    return 0


_TICK_S: Final = 0.05
_NONE: Final = said("none")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    parser.description = said("List the connected devices with keys, and what their keys do.")
    parser.set_defaults(run=run_list)
    actions = parser.add_subparsers(title=said("actions"), metavar="ACTION")
    learn = actions.add_parser(
        "learn",
        help=said("ask for each key, and write its function into the configuration"),
        description=said(
            "Choose a key for each push-button: press it on a number pad, a remote, a camera shutter or a foot "
            "pedal. Ctrl-C leaves everything as it was."
        ),
    )
    add_shared(learn, "--config", "--language")
    learn.add_argument("--seats", type=int, choices=(2, 3, 4), help=said("choose separate keys for this many seats"))
    learn.set_defaults(run=run_learn)


def run_list(args: argparse.Namespace) -> int:
    """List the connected devices and the configured keys."""
    language = terminal_language(args)
    config = written_config(places_of(args).config)
    keys = config.controls.places if isinstance(config.controls, KeysDriver) else ()
    for sentence in listed(LinuxInputBus().found(), keys):
        put(render(sentence, language) + "\n")
    return 0


def run_learn(args: argparse.Namespace) -> int:
    """Ask for each key, and write the configuration."""
    language, path = terminal_language(args), places_of(args).config
    # A configuration that cannot be read is reported before any key is asked for.
    written_config(path)

    def say(sentence: str) -> None:
        put(render(sentence, language) + "\n")

    lines = learn(wanted_of(args.seats), LinuxInputBus(), SystemClock(), say)
    _forget_typed()
    if path is not None:
        write_keys(path, lines)
        say(said("{path} is updated.", path=str(path)))
    if is_for_service(args):
        say(said("Continue with {command}", command=f"sudo systemctl restart {UNIT}"))
    return 0


def wanted_of(seats: int | None) -> tuple[KeyRequest, ...]:
    """Return the keys to ask for: one set for all seats, or one for each."""
    return tuple(
        KeyRequest(button, seat)
        for seat in ((None,) if seats is None else range(1, seats + 1))
        for button in (Button.CONFIRM, Button.ADVANCE, Button.UNDO)
    )


def learn(wanted: Sequence[KeyRequest], bus: InputBus, clock: Clock, say: Callable[[str], None]) -> tuple[str, ...]:
    """Ask for each key, and return the configuration's lines for them.

    Raises:
        CompanionError: the user may not use any device.
    """
    with closing(Learner(wanted, bus, clock)) as learner:
        asked: KeyRequest | None = None
        had_device = True
        while learner.request is not None:
            if asked != learner.request:
                asked = learner.request
                say(_asking(asked))
            for taken in learner.tick():
                say(_learnt_sentence(taken))
            # A device that may not be used is no obstacle while there is another one.
            if learner.refused and not learner.has_device:
                raise CompanionError(_refused(next(iter(learner.refused.values()))))
            if had_device and not learner.has_device:
                say(said("No device with keys is connected: plug one in or switch it on."))
            had_device = learner.has_device
            clock.sleep(_TICK_S)
        return tuple(line_of(binding) for binding in learner.bindings())


def listed(found: Iterable[Found], keys: Iterable[Binding]) -> Iterator[Sentence]:
    """Yield a line for each connected device, and one for each configured key."""
    there = list(found)
    if not there:
        yield said("No device with keys is connected.")
    for each in there:
        yield said("{name}: {model}, {path}", name=each.name, model=_model(each), path=each.path)
    for binding in keys:
        is_there = any(each.is_a(binding.model) and binding.key in each.keys for each in there)
        state = said("connected") if is_there else said("not connected")
        yield said("{key} on {model}: {state}", key=binding.name, model=str(binding.model), state=state)


def write_keys(path: Path, lines: Sequence[str]) -> None:
    """Write the keys into a configuration; the rest of it is not changed.

    Raises:
        CompanionError: it cannot be written.
        ConfigError: it cannot be read.
    """
    config = written_config(path)
    controls = ControlsDriver.changed(config.controls, driver="keys", keys=list(lines))
    values = {"driver": '"keys"', "keys": "[\n" + "".join(f'    "{line}",\n' for line in lines) + "]"}
    try:
        write_section(path, replace(config, controls=controls), "controls", values)
    except OSError as error:
        raise CompanionError(unwritable(path, error)) from error


def _asking(wanted: KeyRequest) -> Sentence:
    button = button_word(wanted.button)
    if wanted.button is Button.CONFIRM:
        if wanted.seat is None:
            return said("Press the key for {button}.", button=button)
        return said("Seat {seat}: press the key for {button}.", seat=wanted.seat, button=button)
    confirm = button_word(Button.CONFIRM)
    if wanted.seat is None:
        return said(
            "Press the key for {button}, or the key for {confirm} to have none.", button=button, confirm=confirm
        )
    return said(
        "Seat {seat}: press the key for {button}, or the key for {confirm} to have none.",
        seat=wanted.seat,
        button=button,
        confirm=confirm,
    )


def _learnt_sentence(taken: LearntPress) -> Sentence:
    key = said("{key} on {device}", key=key_name(taken.key), device=taken.found.name)
    button = button_word(taken.wanted.button)
    if taken.is_left_out:
        return said("{button}: {key}", button=button, key=_NONE)
    if taken.taken_by is not None:
        other = button_word(taken.taken_by.button)
        return said("{key} is already {button}; press a different one.", key=key, button=other)
    return said("{button}: {key}", button=button, key=key)


def _refused(error: OSError) -> Sentence:
    return said(
        "controls: this user is not allowed to use any of the devices ({fault}): {command}, then log in again; or "
        "run this as root",
        fault=system_says(error),
        command="sudo usermod -aG input $USER",
    )


def _model(found: Found) -> str:
    place = f" {found.place}" if found.place else ""
    return f"{found.vendor:04x}:{found.product:04x}{place}"


def _forget_typed() -> None:
    """Discard the input typed by the pressed keys, so that the shell does not take it for a command."""
    if sys.stdin.isatty():
        import termios  # noqa: PLC0415  # Only a terminal has it.

        termios.tcflush(sys.stdin, termios.TCIFLUSH)

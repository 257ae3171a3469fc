"""The checks of a Raspberry Pi's pins: push-buttons, and the strip's data wire."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.languages import Sentence, all_of, any_of, halves, listed, said
from hardware import espeak, piper
from hardware.diagnosis import Finding, Machine, fault, note, ok
from hardware.environment import Environment, pins_command
from hardware.keys.bus import Found

if TYPE_CHECKING:
    from companion.config import ControlsConfig, StripConfig
    from companion.upkeep.doctor.libraries import Load
    from hardware.keys.binding import Binding, Model

_ABOUT_VOICE: Final = said("voice")
_SILENT: Final = said("The companion does not speak; everything else works as usual.")
# The folder for piper; the service has no access to home folders.
_PIPER: Final = "/opt/piper"
_INSTALL: Final = (
    f"sudo python3 -m venv {_PIPER} && sudo {_PIPER}/bin/pip install piper-tts && "
    f"sudo ln -s {_PIPER}/bin/piper /usr/local/bin/"
)
# piper's command for downloading voices; the companion itself downloads nothing.
_VOICES: Final = f"sudo {_PIPER}/bin/python3 -m piper.download_voices"


def check_espeak(machine: Machine) -> Finding:
    """Return the finding on whether espeak-ng can speak the news."""
    if machine.run([espeak.PROGRAM, "--version"]) is None:
        return _missing(espeak.PROGRAM, f"sudo apt install {espeak.PROGRAM}")
    return ok(_ABOUT_VOICE, said("{program} is installed.", program=espeak.PROGRAM))


def check_piper(machine: Machine, folder: Path, language: str) -> Finding:
    """Return the finding on whether piper can speak the news.

    Args:
        machine: the machine under examination.
        folder: the folder of piper's voices.
        language: the code of the spoken language.
    """
    if machine.run([piper.PROGRAM, "--help"]) is None:
        return _missing(piper.PROGRAM, _INSTALL)
    if machine.run([piper.PLAYER, "--version"]) is None:
        return _missing(piper.PLAYER, "sudo apt install alsa-utils")
    model = piper.model_for(folder, language)
    if model is None:
        found = said("{path}: no voice of {program} for {language}", path=str(folder), program=piper.PROGRAM,
                     language=language)  # fmt: skip
        return note(_ABOUT_VOICE, found, _SILENT, f"{_VOICES} --data-dir {folder}")
    says = said("{program} is installed, with the voice {voice}.", program=piper.PROGRAM, voice=model.path.stem)
    return ok(_ABOUT_VOICE, says)


def _missing(program: str, mend: str) -> Finding:
    return note(_ABOUT_VOICE, said("{program} is not installed.", program=program), _SILENT, mend)


_KEYS: Final = said("keys")


def check_keys(bindings: Iterable[Binding], found: Iterable[Found], machine: Machine) -> Iterator[Finding]:
    """Yield the findings on the input devices whose keys serve as push-buttons.

    Args:
        bindings: the function of each key.
        found: the devices that are connected.
        machine: tells which of them this user may use.
    """
    there = list(found)
    keys: dict[Model, set[int]] = {}
    for binding in bindings:
        keys.setdefault(binding.model, set()).add(binding.key)
    for model, codes in keys.items():
        yield from _of_model(model, [each for each in there if each.is_a(model) and each.keys & codes], machine)


def _of_model(model: Model, devices: list[Found], machine: Machine) -> Iterator[Finding]:
    if not devices:
        says = said("The companion waits for it. A remote may be asleep until it is pressed.")
        do = said("plug it in, or {command}", command="companion controls learn")
        yield note(_KEYS, said("No device {model} is connected.", model=str(model)), says, do)
    for found in devices:
        device = f"{found.name} ({found.path})"
        if machine.reaches(machine.path(found.path)):
            yield ok(_KEYS, said("{device} can be used.", device=device))
        else:
            do = said("{command}, then log in again", command="sudo usermod -aG input $USER")
            what = said("{device} cannot be used by this user.", device=device)
            yield fault(_KEYS, what, said("Its keys cannot be read."), do)


FILES: Final = ("/boot/firmware/config.txt", "/boot/config.txt")
"""The path of the settings since bookworm, and the path before."""
_ABOUT: Final = said("strip")


def check_core_clock(machine: Machine, key: str, value: int, filters: Collection[str]) -> Finding:
    """Return the finding on the core clock, from which the SPI clock is derived, and which must not vary with the load.

    Args:
        machine: the Raspberry Pi.
        key: the setting that fixes it, such as "core_freq".
        value: its required value, in MHz.
        filters: the file's sections that apply to this board, such as "pi4".
    """
    file, wanted = next((name for name in FILES if machine.path(name).exists()), None), f"{key}={value}"
    says = said("The SPI clock depends on it, so colours flicker or are wrong whenever the load changes.")
    if file is None:
        title = said("{file} does not exist, so it is not known whether the core clock is fixed.", file=FILES[0])
        return note(_ABOUT, title, says, said("Set {setting} where this system keeps such settings.", setting=wanted))
    if settings_of(machine.text(file) or "", filters).get(key) == str(value):
        return ok(_ABOUT, said("The core clock is fixed: {setting}.", setting=wanted))
    command = f"printf '[all]\\n{wanted}\\n' | sudo tee -a {file}"
    do = said("{command}, then restart the Pi", command=command)
    return fault(_ABOUT, said("The core clock is not fixed: {setting} is missing.", setting=wanted), says, do)


def settings_of(text: str, filters: Collection[str]) -> dict[str, str]:
    """Return the settings in a `config.txt` that apply to this board; later ones win, as in the firmware.

    Args:
        text: the file's text.
        filters: the sections that apply to this board, beside `[all]`.
    """
    settings: dict[str, str] = {}
    # Settings before the first section apply to all boards.
    holds = True
    for line in (line.partition("#")[0].strip() for line in text.splitlines()):
        if line.startswith("["):
            holds = line.strip("[]").lower() in {"all", *filters}
        elif holds and "=" in line:
            key, _, value = line.partition("=")
            settings[key.strip()] = value.strip()
    return settings


SPI_PINS: Final = (7, 8, 9, 10, 11)
"""The pins that the kernel's SPI occupies once it is enabled: two chip selects, MISO, MOSI, clock."""
_I2C_PINS: Final = (2, 3)
_SERIAL_PINS: Final = (14, 15)
_MODULES: Final = ("gpiozero", "lgpio")
_BUTTONS: Final = said("buttons")
_STRIP: Final = said("strip")


def check_buttons(
    controls: ControlsConfig, machine: Machine, load: Load, environment: Environment
) -> Iterator[Finding]:
    """Yield the findings on the push-buttons' pins."""
    chips = machine.devices("gpiochip*")
    if not chips:
        yield fault(
            _BUTTONS,
            said("There are no GPIO pins on this machine."),
            said("Push-buttons cannot be read."),
            said(
                "Use a Raspberry Pi, or set {key} and play hands-free or on the page.", key='[controls] driver = "none"'
            ),
        )
        return
    if not any(machine.reaches(machine.path(chip)) for chip in chips):
        says = said("Push-buttons cannot be read.")
        do = said("{command}, then log in again", command="sudo usermod -aG gpio $USER")
        yield fault(_BUTTONS, said("{device} cannot be used by this user.", device=chips[0]), says, do)
    else:
        yield ok(_BUTTONS, said("{device} can be used.", device=chips[0]))
    yield from _gpiozero(load, environment)
    yield from _special_pins(controls, machine)


def check_strip(strip: StripConfig, controls: ControlsConfig, in_the_way: str | None) -> Iterator[Finding]:
    """Yield the findings on whether the strip can be driven.

    Args:
        strip: the strip's configuration.
        controls: the push-buttons' configuration, whose pins must be different.
        in_the_way: the reason why the driver cannot work on this board, with the remedy, or None if it can.
    """
    if in_the_way is not None:
        what, do = halves(in_the_way)
        do = do or said("See {file}.", file="docs/build.md")
        says = said("The strip shows no light; you can play without it.")
        yield fault(_STRIP, said("The strip cannot be driven: {fault}.", fault=what), says, do)
        return
    if strip.driver == "wled":
        yield ok(_STRIP, said("WLED answers at {name}.", name=strip.wled_host or ""))
        return
    yield ok(_STRIP, said("A strip at {pin} can be driven on this board.", pin=f"GPIO{strip.pin}"))
    used = {*controls.confirm_pins, *controls.advance_pins, *controls.undo_pins, *controls.lamp_pins}
    taken = sorted(used & ({strip.pin} | (set(SPI_PINS) if strip.pin == 10 else set())))
    # The pins of other drivers are defaults without meaning.
    if taken and controls.driver == "gpio":
        spi = said("The strip is driven by SPI, which uses {first} to {last}.", first="GPIO7", last="GPIO11")
        says = spi if strip.pin == 10 else said("The strip uses that pin.")
        yield fault(
            _STRIP,
            _button_at(taken),
            says,
            said("Connect it to another pin and change {section}.", section="[controls]"),
        )


def _button_at(pins: Sequence[int]) -> Sentence:
    return said("A push-button is at {pins}.", pins=listed([f"GPIO{pin}" for pin in pins]))


def _gpiozero(load: Load, environment: Environment) -> Iterator[Finding]:
    try:
        for module in _MODULES:
            load(module)
    # lgpio writes a file into the working directory when it is imported, and fails if it cannot.
    except (ImportError, OSError, RuntimeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        yield fault(
            _BUTTONS,
            said("{modules} cannot be imported: {fault}", modules=any_of(_MODULES), fault=reason),
            said("No press is noticed."),
            pins_command(environment),
        )
    else:
        yield ok(_BUTTONS, said("{modules} can be imported.", modules=all_of(_MODULES)))


def _special_pins(controls: ControlsConfig, machine: Machine) -> Iterator[Finding]:
    used = {*controls.confirm_pins, *controls.advance_pins, *controls.undo_pins, *controls.lamp_pins}
    for pins, device, says, key in (
        (_I2C_PINS, "/dev/i2c-1", said("I2C is switched on and uses that pin."), "do_i2c 1"),
        (
            _SERIAL_PINS,
            "/dev/serial0",
            said("The serial console is switched on and uses that pin."),
            "do_serial_cons 1",
        ),
    ):
        taken = sorted(used & set(pins))
        if taken and machine.path(device).exists():
            do = said("{command}, or connect the button to another pin", command=f"sudo raspi-config nonint {key}")
            yield note(_BUTTONS, _button_at(taken[:1]), says, do)

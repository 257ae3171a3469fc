"""The checks of the configuration: devices and calibration."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from calibration.stored import CalibrationError, load_calibration
from companion.calibrating.result import EMPTY_SUFFIX
from companion.config import Config
from companion.languages import halves, listed, reason, said
from hardware.diagnosis import Finding, Machine, fault, note, ok

_ABOUT: Final = said("configuration")
_BOARD: Final = said("board")
_CALIBRATE: Final = "companion calibrate"


def check_file(path: Path | None) -> Finding:
    """Return the finding that names the configuration's file, which was read already; None means that there is none."""
    if path is None:
        says = said("All settings have their defaults: a simulated table.")
        return note(_ABOUT, said("There is no configuration file."), says, "companion config > config.toml")
    return ok(_ABOUT, said("{path} is valid.", path=str(path)))


def check_devices(config: Config, machine: Machine) -> Iterator[Finding]:
    """Yield the findings on each configured device, as its driver examines it, and on how they go together."""
    controls, strip = config.controls, config.strip
    needy = [each.driver for each in (config.camera, controls, strip) if each.needs_pi]
    yield _board(None if machine.board is None else machine.board.model, needy)
    for device in (config.camera, controls, strip, config.voice):
        yield from device.examine(machine)
    yield from strip.examine_pins(controls.pins)
    if controls.driver == "none" and not config.reading.hands_free and not config.page.enabled:
        do = said("{first} or {last}", first="[reading] hands_free = true", last="[page] enabled = true")
        yield fault(_ABOUT, said("There are no push-buttons and no page."), said("Nobody can make a move."), do)


def check_calibration(config: Config) -> Iterator[Finding]:
    """Yield the findings on whether the configured calibration fits this camera."""
    path = config.table.calibration
    if path is not None:
        yield from _named(path, config)
    elif config.table.boards == "mats" and config.camera.reopens:
        says = said("Boards are looked for on the mats’ frames; calibration finds them more accurately.")
        yield note(_ABOUT, said("The table is not calibrated."), says, "companion calibrate; [table] calibration")


def _named(path: Path, config: Config) -> Iterator[Finding]:
    if not path.is_file():
        says = said("The table cannot be opened with it.")
        yield fault(_ABOUT, said("The calibration {path} does not exist.", path=str(path)), says, _CALIBRATE)
        return
    try:
        calibration = load_calibration(path)
    except CalibrationError as error:
        what, do = halves(reason(error))
        yield fault(_ABOUT, said("{fault}.", fault=what), said("The table cannot be opened with it."), do or _CALIBRATE)
        return
    yield ok(_ABOUT, said("The table was calibrated on {date}.", date=f"{calibration.taken:%Y-%m-%d}"))
    wanted, taken = "{}x{}".format(*config.camera.size), "{}x{}".format(*calibration.size_px)
    # A webcam may deliver another size than the configured one.
    if calibration.lens is not None and wanted != taken and config.camera.driver == "pi":
        title = said(
            "The lens was calibrated at {taken}, but the camera is set to {wanted}.", taken=taken, wanted=wanted
        )
        says = said("The lens’s distortion cannot be corrected, and no game can be started.")
        key = f"[camera] size = [{taken.replace('x', ', ')}]"
        do = said("Set {key}, or {command}", key=key, command=f"{_CALIBRATE} --lens")
        yield fault(_ABOUT, title, says, do)
    if not path.with_suffix(EMPTY_SUFFIX).is_file():
        says = said("Anything that lies on a board before the game starts cannot be told apart from the board.")
        do = said("Copy {file} next to it, or {command}", file="calibration.npz", command=_CALIBRATE)
        yield note(_ABOUT, said("There is no picture of the empty boards next to the calibration."), says, do)


def _board(model: str | None, drivers: list[str]) -> Finding:
    if model is not None:
        return ok(_BOARD, said("{fault}.", fault=model))
    if drivers:
        named = listed([f'"{name}"' for name in drivers])
        return fault(
            _BOARD,
            said("This is not a Raspberry Pi, so {names} will not work.", names=named),
            said("It does not have a Pi’s camera connector, pins and strip."),
            said(
                "Use a Raspberry Pi; or a webcam, a WLED strip and {key} on this machine.",
                key='[controls] driver = "none"',
            ),
        )
    says = said("A webcam, a WLED strip and the page can be used here; a Pi’s camera, pins and NeoPixels cannot.")
    return note(_BOARD, said("This is not a Raspberry Pi."), says)

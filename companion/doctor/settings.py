"""The configuration: what is chosen in it, and whether that makes a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.stored import CalibrationError, load_calibration
from companion.calibrating.result import EMPTY_SUFFIX
from companion.doctor.finding import Finding, fault, note, ok

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.config import Config


def check_file(path: Path | None) -> Finding:
    """Which file the configuration comes from; that it can be read is known already."""
    if path is None:
        says = "Every setting has its default: a simulated table."
        return note("configuration", "There is no configuration file.", says, "companion config > config.toml")
    return ok("configuration", f"{path} is sound.")


def check_drivers(config: Config, model: str | None) -> Iterator[Finding]:
    """Whether the chosen drivers make a real table on this machine.

    Args:
        config: the configuration.
        model: which Raspberry Pi this is, None for none.
    """
    camera, controls, strip = config.camera.driver, config.controls.driver, config.strip.driver
    if camera == "simulated":
        do = '[camera] driver = "pi", "webcam" or "folder"'
        yield fault("configuration", "The camera is a simulated one.", "It sees no real table.", do)
    if controls == "simulated":
        do = '[controls] driver = "gpio", or "none" to play hands-free or by the page'
        yield fault("configuration", "The push-buttons are simulated ones.", "Nobody can press them.", do)
    elif controls == "none" and not config.reading.hands_free and not config.page.enabled:
        do = "[reading] hands_free = true, or [page] enabled = true"
        yield fault("configuration", "There are no push-buttons, and no page.", "Nobody can decide anything.", do)
    if strip == "simulated":
        do = '[strip] driver = "neopixel" or "wled", or "none" to do without'
        yield fault("configuration", "The strip is a simulated one.", "Nobody sees its light.", do)
    yield _board(model, [name for name in (camera, controls, strip) if name in {"pi", "gpio", "neopixel"}])


def check_calibration(config: Config) -> Iterator[Finding]:
    """Whether the calibration that the configuration names can be used with this camera."""
    path = config.table.calibration
    if path is not None:
        yield from _named(path, config)
    elif config.table.boards == "mats" and config.camera.driver in {"pi", "webcam"}:
        says = "Boards are looked for on the mats' frames; measured once, they are found more exactly."
        yield note("configuration", "The table is not calibrated.", says, "companion calibrate; [table] calibration")


def _named(path: Path, config: Config) -> Iterator[Finding]:
    if not path.is_file():
        says = "The table cannot be opened with it."
        yield fault("configuration", f"The calibration {path} is not there.", says, "companion calibrate")
        return
    try:
        calibration = load_calibration(path)
    except CalibrationError as error:
        what, _, do = str(error).partition("; ")
        yield fault("configuration", f"{what}.", "The table cannot be opened with it.", do or "companion calibrate")
        return
    yield ok("configuration", f"The table was calibrated on {calibration.taken:%Y-%m-%d}.")
    wanted, taken = "{}x{}".format(*config.camera.size), "{}x{}".format(*calibration.size_px)
    # A webcam has sizes of its own, whatever it is asked for.
    if calibration.lens is not None and wanted != taken and config.camera.driver == "pi":
        title = f"The lens was calibrated at {taken}, and the camera is set to {wanted}."
        says = "Its pictures cannot be straightened, and no game can be begun."
        do = f"Set [camera] size = [{taken.replace('x', ', ')}], or companion calibrate --lens"
        yield fault("configuration", title, says, do)
    if not path.with_suffix(EMPTY_SUFFIX).is_file():
        says = "What lies on a board before the game has begun cannot be told from the board."
        do = "Copy calibration.npz beside it, or companion calibrate"
        yield note("configuration", "The calibration has no picture of the empty boards beside it.", says, do)


def _board(model: str | None, drivers: list[str]) -> Finding:
    if model is not None:
        return ok("board", f"{model}.")
    if drivers:
        named = ", ".join(f'"{name}"' for name in drivers)
        return fault(
            "board",
            f"This is no Raspberry Pi, and {named} will not work.",
            "Its camera connector, pins and strip are not there.",
            'Use a Raspberry Pi; or a webcam, a WLED strip and [controls] driver = "none" on this machine.',
        )
    says = "A webcam, a WLED strip and the page can be used here; a Pi's camera, pins and NeoPixels cannot."
    return note("board", "This is no Raspberry Pi.", says)

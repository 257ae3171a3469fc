"""The order of the checks of `companion doctor`, and those of the configuration, the service and its network."""

import platform
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from calibration.stored import CalibrationError, load_calibration
from companion.calibrating.configured import calibration_path, with_own_calibration
from companion.calibrating.result import EMPTY_SUFFIX
from companion.config import Config, PageConfig
from companion.config.broker import Broker, MqttConfig
from companion.config.text import DATA_VARIABLE, SYSTEM_CONFIG, ConfigError, data_folder, find_config
from companion.configuration import load_config
from companion.journal import TABLE_NAME
from companion.languages import Sentence, counted, halves, listed, reason, said
from companion.ownership import as_owner_of
from companion.play.speaker import voice_language
from companion.record import Games
from companion.upkeep.doctor.books import check_hall, check_journal
from companion.upkeep.doctor.system import (
    AUDIO,
    check_arithmetic,
    check_disk,
    check_environment,
    check_groups,
    check_os,
    check_power,
    check_python,
    check_vision,
    this_membership,
)
from companion.upkeep.install import STATE, UNIT, UNIT_FOLDERS
from hardware.diagnosis import Finding, Level, Machine, fault, note, ok

_ABOUT_SETTINGS: Final = said("configuration")
_BOARD: Final = said("board")
_CALIBRATE: Final = "companion calibrate"


def check_file(path: Path | None) -> Finding:
    """Return the finding that names the configuration's file, which was read already; None means that there is none."""
    if path is None:
        says = said("All settings have their defaults: a simulated table.")
        return note(_ABOUT_SETTINGS, said("There is no configuration file."), says, "companion config > config.toml")
    return ok(_ABOUT_SETTINGS, said("{path} is valid.", path=str(path)))


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
        yield fault(
            _ABOUT_SETTINGS, said("There are no push-buttons and no page."), said("Nobody can make a move."), do
        )


def check_calibration(config: Config) -> Iterator[Finding]:
    """Yield the findings on whether the configured calibration fits this camera."""
    path = config.table.calibration
    if path is not None:
        yield from _named(path, config)
    elif config.table.boards == "mats" and config.camera.reopens:
        says = said("Boards are looked for on the mats’ frames; calibration finds them more accurately.")
        yield note(
            _ABOUT_SETTINGS, said("The table is not calibrated."), says, "companion calibrate; [table] calibration"
        )


def _named(path: Path, config: Config) -> Iterator[Finding]:
    if not path.is_file():
        says = said("The table cannot be opened with it.")
        yield fault(_ABOUT_SETTINGS, said("The calibration {path} does not exist.", path=str(path)), says, _CALIBRATE)
        return
    try:
        calibration = load_calibration(path)
    except CalibrationError as error:
        what, do = halves(reason(error))
        yield fault(
            _ABOUT_SETTINGS, said("{fault}.", fault=what), said("The table cannot be opened with it."), do or _CALIBRATE
        )
        return
    yield ok(_ABOUT_SETTINGS, said("The table was calibrated on {date}.", date=f"{calibration.taken:%Y-%m-%d}"))
    wanted, taken = "{}x{}".format(*config.camera.picture_size), "{}x{}".format(*calibration.size_px)
    # A webcam may deliver another size than the configured one.
    if calibration.lens is not None and wanted != taken and config.camera.driver == "pi":
        title = said(
            "The lens was calibrated at {taken}, but the camera is set to {wanted}.", taken=taken, wanted=wanted
        )
        says = said("The lens’s distortion cannot be corrected, and no game can be started.")
        key = f"[camera] size = [{taken.replace('x', ', ')}]"
        do = said("Set {key}, or {command}", key=key, command=f"{_CALIBRATE} --lens")
        yield fault(_ABOUT_SETTINGS, title, says, do)
    if not path.with_suffix(EMPTY_SUFFIX).is_file():
        says = said("Anything that lies on a board before the game starts cannot be told apart from the board.")
        do = said("Copy {file} next to it, or {command}", file="calibration.npz", command=_CALIBRATE)
        yield note(_ABOUT_SETTINGS, said("There is no picture of the empty boards next to the calibration."), says, do)


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


_ABOUT_SERVICE: Final = said("service")


def check_service(machine: Machine) -> Iterator[Finding]:
    """Yield the findings on the service; none if it is not installed."""
    if not _is_installed(machine):
        return
    shown = machine.run(["systemctl", "show", UNIT, "--property=ActiveState,NRestarts,UnitFileState"])
    if shown is None:
        yield note(_ABOUT_SERVICE, said("systemd does not report the state of the service."))
        return
    state = dict(line.partition("=")[::2] for line in shown.splitlines())
    restarts = state.get("NRestarts", "0")
    if state.get("ActiveState") == "failed":
        says = said("The companion does not run when the Pi is switched on.")
        yield fault(_ABOUT_SERVICE, said("The service has failed."), says, _why(30))
    elif restarts.isdecimal() and int(restarts) > 0:
        says = counted(
            "The service was restarted {count} time.", "The service was restarted {count} times.", int(restarts)
        )
        yield note(_ABOUT_SERVICE, says, do=_why(100))
    elif state.get("ActiveState") == "active":
        yield ok(_ABOUT_SERVICE, said("The service is running."))
    elif state.get("UnitFileState") == "enabled":
        says = said("The service is stopped until the next start.")
        yield note(_ABOUT_SERVICE, says, do=f"sudo systemctl start {UNIT}")
    else:
        says = said("The service is installed but not enabled.")
        yield note(_ABOUT_SERVICE, says, do=f"sudo systemctl enable --now {UNIT}")


def _is_installed(machine: Machine) -> bool:
    return any(machine.path(f"{folder}/{UNIT}").exists() for folder in UNIT_FOLDERS)


def _why(lines: int) -> Sentence:
    return said("{command} says why", command=f"journalctl -u {UNIT} -n {lines}")


_LABEL: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE)
_AVAHI: Final = "/run/avahi-daemon/socket"
_ABOUT_NETWORK: Final = said("network")


def check_network(machine: Machine, page: PageConfig, host_name: str) -> Iterator[Finding]:
    """Yield the findings on whether other machines can find the page."""
    if not page.enabled:
        yield note(_ABOUT_NETWORK, said("The page is switched off."), do="[page] enabled = true")
        return
    if not page.lan:
        says = said("Phones and other machines cannot reach it.")
        yield note(
            _ABOUT_NETWORK,
            said("The page is available only on this machine."),
            says,
            said("{key} opens it to the network", key="[page] lan = true"),
        )
        return
    name = host_name.partition(".")[0]
    if not _LABEL.fullmatch(name) or name == "localhost":
        says = said("No network can find it by this name.")
        do = "sudo hostnamectl set-hostname quilt"
        yield fault(
            _ABOUT_NETWORK,
            said("This machine is called {name}, which is not a valid name on a network.", name=repr(host_name)),
            says,
            do,
        )
        return
    address = f"http://{name}.local:{page.port}/"
    if machine.path(_AVAHI).exists():
        yield ok(_ABOUT_NETWORK, said("The page will be at {address}", address=address))
    else:
        says = said("{address} cannot be found; the machine’s IP address can.", address=address)
        do = "sudo apt install avahi-daemon && sudo systemctl enable --now avahi-daemon"
        yield note(_ABOUT_NETWORK, said("Nothing announces this machine’s name on the network."), says, do)


EARLIEST_YEAR: Final = 2025
"""The year of this version; a clock before it is wrong."""
_SET: Final = "timedatectl set-ntp true"
_ABOUT_CLOCK: Final = said("clock")


def check_clock(machine: Machine, now: datetime, *, is_pi: bool) -> Finding:
    """Return the finding on whether the clock is right."""
    says = said("Games are stored under the wrong date; nothing else depends on it.")
    if now.year < EARLIEST_YEAR:
        do = said(
            "Connect the Pi to a network for a minute, or: {command}", command="sudo date --set '2026-01-31 20:00'"
        )
        return note(_ABOUT_CLOCK, said("The clock says {time}, which is impossible.", time=f"{now:%Y-%m-%d}"), says, do)
    shown, synchronised = f"{now:%Y-%m-%d %H:%M}", _synchronised(machine)
    if synchronised:
        return ok(_ABOUT_CLOCK, said("{time}, set by the network.", time=shown))
    # Without a battery-backed clock, the time is that of the last shutdown until a network sets it.
    if is_pi and not machine.path("/dev/rtc0").exists():
        title = said("The clock says {time}, and nobody has set it since the Pi was switched on.", time=shown)
        return note(_ABOUT_CLOCK, title, says, said("Connect the Pi to a network: {command}", command=_SET))
    if synchronised is None:
        return ok(_ABOUT_CLOCK, said("{time}; whether the network sets it is not known.", time=shown))
    return note(_ABOUT_CLOCK, said("{time}; the network does not set the clock.", time=shown), says, _SET)


def _synchronised(machine: Machine) -> bool | None:
    if machine.path("/run/systemd/timesync/synchronized").exists():
        # The file of systemd-timesyncd; timedatectl needs D-Bus, which a minimal system may lack.
        return True
    answer = machine.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    return None if answer is None else answer.strip() == "yes"


_ABOUT: Final = said("broker")


def check_broker(broker: Broker, trouble: str | None) -> Finding:
    """Return the finding on a broker, at most a note, as games do not depend on it.

    Args:
        broker: the broker.
        trouble: the reason why it cannot be used, or None if it can.
    """
    if trouble is None:
        return ok(_ABOUT, said("{broker} accepts this machine.", broker=str(broker)))
    what, do = halves(trouble)
    says = said("This table’s reports are stored, and sent as soon as possible.")
    return note(_ABOUT, said("{fault}.", fault=what), says, do)


def _look_at_grey() -> object:
    """Run the quilt network on a grey picture."""
    import numpy as np  # noqa: PLC0415  # Its import is among the checks.

    from vision.geometry import VIEW_PX  # noqa: PLC0415
    from vision.quilt.network import look_at_quilt  # noqa: PLC0415

    return look_at_quilt(np.full((VIEW_PX, VIEW_PX, 3), 128, np.uint8), ways=1)


@dataclass(frozen=True, slots=True)
class Installation:
    """The machine, configuration and libraries under examination.

    Attributes:
        machine: the machine.
        environ: its environment variables.
        config: the configuration's file; None for the default one.
        data: the data folder; None for the configured one.
        look: runs a neural network on a picture; raises NoNumbersError if the results are not numbers.
        games: the codecs of the games that a journal may contain.
        profiled: the names of the games that need a file with the look of their empty boards to be resumed.
        broker: returns the reason why a broker cannot be used, or None if it can.
    """

    machine: Machine
    environ: Mapping[str, str]
    games: Games
    profiled: Collection[str]
    config: Path | None = None
    data: Path | None = None
    look: Callable[[], object] = _look_at_grey
    broker: Callable[[MqttConfig], str | None] = lambda _: None


def diagnose(installation: Installation, *, simulate: bool = False) -> Iterator[Finding]:
    """Yield the findings on everything that a table needs; with `simulate`, that a simulated one needs."""
    path = installation.config or find_config(installation.environ)
    config, found = _configured(path)
    machine, is_pi = installation.machine, installation.machine.board is not None
    yield check_os(machine, is_pi=is_pi)
    yield check_python(sys.version_info[:3])
    libraries = list(check_vision(machine))
    yield from libraries
    # The arithmetic needs both libraries; a second fault for the same reason would only confuse.
    if all(finding.level is not Level.FAULT for finding in libraries):
        yield check_arithmetic(installation.look, machine.environment)
    yield found
    folder = _folder(installation, config, path)
    if not simulate:
        yield from _table(installation, config, folder)
    yield from _stored(installation, folder)
    yield check_clock(installation.machine, datetime.now().astimezone(), is_pi=is_pi)
    if not simulate:
        yield from check_network(installation.machine, config.page, platform.node())
        yield from check_service(installation.machine)
        if config.mqtt.broker is not None:
            yield check_broker(config.mqtt.broker, installation.broker(config.mqtt))


def _folder(installation: Installation, config: Config, path: Path | None) -> Path | None:
    """Return the data folder, or None if only root reaches it.

    It is the service's if the service's configuration was read and no folder is given.
    """
    machine, environ = installation.machine, installation.environ
    named = installation.data is not None or environ.get(DATA_VARIABLE) or config.data.folder is not None
    if named or path != SYSTEM_CONFIG or not _is_installed(machine):
        return data_folder(config, environ, installation.data)
    folder = machine.path(STATE)
    return folder if machine.reaches(folder) or not folder.exists() else None


def _stored(installation: Installation, folder: Path | None) -> Iterator[Finding]:
    """Yield the findings on the data folder."""
    if folder is None:
        title = said("The service’s games in {folder} can be read by root only.", folder=STATE)
        yield note(_ABOUT_SERVICE, title, do="sudo companion doctor")
        return
    yield from check_disk(folder, installation.machine)
    yield from check_journal(folder, installation.games, installation.profiled)
    yield from check_hall(folder)


def _table(installation: Installation, config: Config, folder: Path | None) -> Iterator[Finding]:
    """Yield the findings on what only a real table needs."""
    machine = installation.machine
    if folder is None:
        yield from check_calibration(config)
    else:
        with as_owner_of(folder):
            # That made on the page, if none is configured.
            found = [*check_calibration(with_own_calibration(config, calibration_path(folder, TABLE_NAME)))]
        yield from found
    yield from check_environment(machine.environment, needs_system=config.camera.needs_system)
    language = voice_language(config, installation.environ).code
    yield from check_devices(replace(config, voice=replace(config.voice, language=language)), machine)
    groups = _groups_needed(config, machine)
    if groups:
        yield from check_groups(groups, this_membership(), machine)
    yield from check_power(machine, is_pi=machine.board is not None)


def _configured(path: Path | None) -> tuple[Config, Finding]:
    try:
        return load_config(path), check_file(path)
    except ConfigError as error:
        what, do = halves(reason(error))
        says = said("No game can be started; the checks below assume that there is no configuration.")
        return Config(), fault(
            said("configuration"),
            said("{fault}.", fault=what),
            says,
            do or said("{command} prints a valid one", command="companion config"),
        )


def _groups_needed(config: Config, machine: Machine) -> set[str]:
    devices = (config.camera, config.controls, config.strip)
    sound = {AUDIO} if config.voice.driver != "none" else set()
    return sound | {each.group_on(machine) for each in devices} - {""}


def simulated_says() -> Finding:
    """Return the finding that a simulated table needs no devices."""
    return ok(
        said("table"), said("A simulated table needs no camera, push-buttons or strip, so these were not checked.")
    )

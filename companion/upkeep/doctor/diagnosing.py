"""The selection of the checks of `companion doctor` for the configured devices."""

from __future__ import annotations

import http.client
import importlib
import os
import platform
import sys
from dataclasses import dataclass, field
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config import Config, ConfigError, data_folder, find_config, load_config
from companion.languages import halves, reason, said, system_says
from companion.play.devices.wiring import bindings_of
from companion.play.speaker import voice_language
from companion.upkeep.doctor import Finding, Level, Machine, fault, ok
from companion.upkeep.doctor.books import check_journal
from companion.upkeep.doctor.boot import check_core_clock
from companion.upkeep.doctor.broker import check_broker
from companion.upkeep.doctor.camera import cameras_there, check_camera
from companion.upkeep.doctor.clock import check_clock
from companion.upkeep.doctor.disk import check_disk
from companion.upkeep.doctor.groups import AUDIO, check_groups, this_membership
from companion.upkeep.doctor.keys import check_keys
from companion.upkeep.doctor.libraries import Load, check_arithmetic, check_picamera2, check_vision
from companion.upkeep.doctor.network import check_network
from companion.upkeep.doctor.pins import check_buttons, check_strip
from companion.upkeep.doctor.power import check_power
from companion.upkeep.doctor.service import check_service
from companion.upkeep.doctor.settings import check_calibration, check_drivers, check_file
from companion.upkeep.doctor.system import check_environment, check_os, check_python
from companion.upkeep.doctor.voice import check_espeak, check_piper
from hardware.environment import Environment, this_environment
from hardware.keys.linux import LinuxInputBus
from hardware.pi.backends import SPI_PIN, backend_for, fault_of
from hardware.pi.board import board_of
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from companion.config import MqttConfig, StripConfig
    from companion.record import Games
    from hardware.pi.board import PiBoard

_WLED_TIMEOUT_S = 2.0


def _look_at_grey() -> object:
    """Run the quilt network on a grey picture."""
    import numpy as np  # noqa: PLC0415  # Its import is among the checks.

    from vision.geometry.rectify import VIEW_PX  # noqa: PLC0415
    from vision.quilt.network import look_at_quilt  # noqa: PLC0415

    return look_at_quilt(np.full((VIEW_PX, VIEW_PX, 3), 128, np.uint8), ways=1)


@dataclass(frozen=True, slots=True)
class Patient:
    """The machine, configuration and libraries under examination.

    Attributes:
        machine: the machine.
        environ: its environment variables.
        config: the configuration's file; None for the default one.
        data: the data folder; None for the configured one.
        load: imports a module.
        look: runs a neural network on a picture; raises NoNumbersError if the results are not numbers.
        environment: the Python environment.
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
    load: Load = importlib.import_module
    look: Callable[[], object] = _look_at_grey
    environment: Environment = field(default_factory=this_environment)
    broker: Callable[[MqttConfig], str | None] = lambda _: None


def diagnose(patient: Patient, *, simulate: bool = False) -> Iterator[Finding]:
    """Yield the findings on everything that a table needs; with `simulate`, that a simulated one needs."""
    path = patient.config or find_config(patient.environ)
    config, found = _configured(path)
    model = patient.machine.text("/proc/device-tree/model")
    board = None if model is None else board_of(model)
    yield check_os(patient.machine, is_pi=board is not None)
    yield check_python(sys.version_info[:3])
    libraries = list(check_vision(patient.load, _version, patient.environment))
    yield from libraries
    # The arithmetic needs both libraries; a second fault for the same reason would only confuse.
    if all(finding.level is not Level.FAULT for finding in libraries):
        yield check_arithmetic(patient.look, patient.environment)
    yield found
    if not simulate:
        yield from _table(patient, config, board)
    folder = data_folder(config, patient.environ, patient.data)
    yield from check_disk(folder, patient.machine)
    yield from check_journal(folder, patient.games, patient.profiled)
    yield check_clock(patient.machine, datetime.now().astimezone(), is_pi=board is not None)
    if not simulate:
        yield from check_network(patient.machine, config.page, platform.node())
        yield from check_service(patient.machine)
        if config.mqtt.broker is not None:
            yield check_broker(config.mqtt.broker, patient.broker(config.mqtt))


def _table(patient: Patient, config: Config, board: PiBoard | None) -> Iterator[Finding]:
    """Yield the findings on what only a real table needs."""
    machine, camera, controls, strip = patient.machine, config.camera, config.controls, config.strip
    yield from check_drivers(config, None if board is None else board.model)
    yield from check_calibration(config)
    yield from check_environment(patient.environment, needs_system=camera.driver == "pi")
    if camera.driver == "pi":
        yield check_picamera2(patient.load, _version, patient.environment)
    yield from check_camera(camera, machine, os.getpid())
    if camera.driver == "simulated":
        yield cameras_there(machine)
    if controls.driver == "gpio":
        yield from check_buttons(controls, machine, patient.load, patient.environment)
    if controls.driver == "keys":
        yield from check_keys(bindings_of(controls), LinuxInputBus(machine.root).found(), machine)
    if strip.driver in {"neopixel", "wled"}:
        yield from check_strip(strip, controls, _in_the_way(strip, board, machine))
    if board is not None and strip.driver == "neopixel" and strip.pin == SPI_PIN and board.core_clock is not None:
        yield check_core_clock(machine, *board.core_clock, board.filters)
    if config.voice.driver == "espeak-ng":
        yield check_espeak(machine)
    if config.voice.driver == "piper" and config.voice.voices is not None:
        yield check_piper(machine, config.voice.voices, voice_language(config, patient.environ).code)
    groups = _groups_needed(config, board)
    if groups:
        yield from check_groups(groups, this_membership(), machine)
    yield from check_power(machine, is_pi=board is not None)


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


def _in_the_way(strip: StripConfig, board: PiBoard | None, machine: Machine) -> str | None:
    """Return the reason why the strip cannot be driven, or None if it can."""
    if strip.driver == "wled":
        return _wled_fault(strip.wled_host or "")
    try:
        return fault_of(backend_for(board, strip.pin), strip.pin, strip.pixels, machine.root)
    except HardwareError as error:
        return reason(error)


def _wled_fault(host: str) -> str | None:
    """Return the reason why WLED cannot be used, or None if it can; its lights are not changed."""
    connection = http.client.HTTPConnection(host, timeout=_WLED_TIMEOUT_S)
    try:
        # Opening the driver instead would switch the lights off.
        connection.request("GET", "/json/info")
        connection.getresponse().read()
    except (OSError, http.client.HTTPException) as error:
        return said(
            "WLED at {name} does not answer: {fault}; switch it on, and check {key}",
            name=host,
            fault=system_says(error),
            key="[strip] wled_host",
        )
    finally:
        connection.close()
    return None


def _groups_needed(config: Config, board: PiBoard | None) -> set[str]:
    needed = {"video"} if config.camera.driver in {"pi", "webcam"} else set()
    if config.controls.driver == "gpio":
        needed.add("gpio")
    if config.controls.driver == "keys":
        needed.add("input")
    if config.voice.driver != "none":
        needed.add(AUDIO)
    if config.strip.driver == "neopixel":
        try:
            needed |= {backend_for(board, config.strip.pin).group} - {""}
        except HardwareError:
            # The check of the strip reports why this board cannot drive it.
            return needed
    return needed


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def simulated_says() -> Finding:
    """Return the finding that a simulated table needs no devices."""
    return ok(
        said("table"), said("A simulated table needs no camera, push-buttons or strip, so these were not checked.")
    )

"""The opening of each device with its configured driver."""

import shutil
from collections.abc import Callable
from functools import partial
from typing import Final

from companion.config import CameraConfig, Config, ControlsConfig, StripConfig
from companion.languages import reason, said
from companion.play.devices import bindings_of, by_seat, wirings_of
from hardware import espeak, piper
from hardware.current import CappedStrip
from hardware.folder import FolderCamera
from hardware.gamma import GammaStrip
from hardware.keys.controls import KeyControls
from hardware.keys.linux import LinuxInputBus
from hardware.nothing import NoControls, NoStrip
from hardware.pi.camera import PiCamera, PiCameraOptions
from hardware.pi.controls import GpioControls
from hardware.pi.strip import NeoPixelStrip
from hardware.ports import Camera, Clock, Controls, HardwareError, LightStrip, StillCamera, Voice
from hardware.reopening import ReopeningCamera
from hardware.resilient import ResilientStrip
from hardware.simulated.devices.camera import SimulatedCamera
from hardware.simulated.devices.controls import SimulatedControls
from hardware.simulated.devices.strip import SimulatedLightStrip
from hardware.switched import SwitchedVoice
from hardware.webcam import Webcam
from hardware.wled import WledStrip

# WLED returns to its own light 2.5 seconds after our last frame.
_WLED_REFRESH_S: Final = 1.0
# How long the turn loop waits when a lost strip is tried again.
_WLED_TIMEOUT_S: Final = 1.5


def open_camera(config: Config, clock: Clock, say: Callable[[str], None] | None = None) -> StillCamera:
    """Return the camera's driver, without automatic reconnection.

    Args:
        config: the configuration.
        clock: the clock for frames.
        say: called with remarks on a camera that works; None for the log.

    Raises:
        HardwareError: it cannot be opened; the message says what to do.
    """
    camera = config.camera
    match camera.driver:
        case "pi":
            return PiCamera(_pi_options(camera), clock, say=say)
        case "webcam":
            return Webcam(camera.device, camera.size, camera.fps, clock)
        case "folder":
            if camera.path is None:
                raise HardwareError(said("{key}: is missing", key="[camera] path"))
            return FolderCamera(camera.path, camera.fps, clock)
        case "simulated":
            # The settings by which a simulated table is drawn; a real camera does not need them.
            from hardware.simulated.scene.still import StillTable  # noqa: PLC0415
            from hardware.simulated.scene.tables import TABLES  # noqa: PLC0415

            simulation = config.simulation
            return SimulatedCamera(StillTable(simulation.seed, TABLES[simulation.table]), clock, camera.fps)
        case unknown:
            raise ValueError(f"there is no camera driver {unknown!r}")


def lasting_camera(config: Config, clock: Clock, say: Callable[[str], None], idle: Callable[[], None]) -> Camera:
    """Return the camera for an evening; one that can be unplugged is reconnected automatically.

    Args:
        config: the configuration.
        clock: the clock for waiting.
        say: called when it is lost, when it is back, and when it finds no focus.
        idle: called repeatedly while it is absent.

    Raises:
        HardwareError: it cannot be opened now.
    """
    if config.camera.driver in {"pi", "webcam"}:
        return ReopeningCamera(partial(open_camera, config, clock, say), clock, say, idle)
    return open_camera(config, clock)


def open_voice(config: Config, which: Callable[[str], str | None] = shutil.which) -> SwitchedVoice:
    """Return the available speech drivers; the configured one is selected unless the voice is muted.

    Args:
        config: the configuration.
        which: returns the path of a program, or None if this machine does not have it.
    """
    voice = config.voice
    openers: dict[str, Callable[[], Voice]] = {}
    # A configured driver is offered without its program, too: its first sentence then reports what is missing.
    if voice.driver == "espeak-ng" or which(espeak.PROGRAM):
        openers["espeak-ng"] = espeak.EspeakVoice
    if voice.voices is not None and (voice.driver == "piper" or (which(piper.PROGRAM) and which(piper.PLAYER))):
        openers["piper"] = partial(piper.PiperVoice, voice.voices)
    return SwitchedVoice(openers, None if voice.mute or voice.driver == "none" else voice.driver)


def open_controls(config: ControlsConfig, clock: Clock) -> Controls:
    """Return the push-buttons.

    Raises:
        HardwareError: they cannot be opened; the message says what to do.
    """
    match config.driver:
        case "gpio":
            return GpioControls(
                wirings_of(config),
                clock,
                debounce_s=config.debounce_s,
                hold_s=config.hold_s,
                lamps=dict(by_seat(config.lamp_pins)),
                pull_up=config.pull == "up",
            )
        case "keys":
            return KeyControls(
                bindings_of(config),
                LinuxInputBus(),
                clock,
                debounce_s=config.debounce_s,
                hold_s=config.hold_s,
                grab=config.grab,
            )
        case "none":
            return NoControls()
        case "simulated":
            return SimulatedControls(clock)
        case unknown:
            raise ValueError(f"there is no driver of push-buttons {unknown!r}")


def open_strip(config: StripConfig) -> LightStrip:
    """Return the strip's driver, limited to its maximum current, without automatic reconnection.

    Raises:
        HardwareError: it cannot be opened; the message says what to do.
    """
    strip: LightStrip = CappedStrip(_driven(config), config.max_ma)
    # Colours are defined for screens, and a simulated strip is shown on one.
    # Around the cap, which thus counts the values that are sent.
    return GammaStrip(strip, config.gamma) if config.driver in {"neopixel", "wled"} else strip


def lasting_strip(config: StripConfig, clock: Clock, say: Callable[[str], None]) -> ResilientStrip:
    """Return the strip for an evening: the game continues while it is lost, and it is reconnected automatically.

    Args:
        config: the configuration.
        clock: the clock for reconnection attempts.
        say: called when it is lost, and when it is back.
    """
    refresh_s = _WLED_REFRESH_S if config.driver == "wled" else None
    return ResilientStrip(partial(open_strip, config), config.pixels, clock, say, refresh_s)


def _driven(config: StripConfig) -> LightStrip:
    match config.driver:
        case "neopixel":
            return NeoPixelStrip(config.pixels, pin=config.pin, order=config.order)
        case "wled":
            try:
                return WledStrip(config.pixels, config.wled_host or "", timeout_s=_WLED_TIMEOUT_S)
            except ValueError as error:
                raise HardwareError(said("{key}: {fault}", key="[strip] wled_host", fault=reason(error))) from error
        case "none":
            return NoStrip(config.pixels)
        case "simulated":
            return SimulatedLightStrip(config.pixels)
        case unknown:
            raise ValueError(f"there is no strip driver {unknown!r}")


def _pi_options(config: CameraConfig) -> PiCameraOptions:
    return PiCameraOptions(
        size=config.size,
        fps=config.fps,
        number=int(config.device),
        mains_hz=config.mains_hz,
        lens_position=config.lens_position,
    )

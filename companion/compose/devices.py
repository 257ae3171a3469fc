"""The opening of each configured device, alone or for a whole game."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from companion.config import Config
from companion.errors import CompanionError
from companion.languages import any_of, said
from companion.settings import SettingError, quoted
from hardware.driver import CameraDriver, OpenContext, StripDriver, VoiceDriver, drivers
from hardware.ports import Camera, Clock, Controls, StillCamera
from hardware.reconnecting import ReopeningCamera
from hardware.strips import DrivenStrip, ResilientStrip
from hardware.turned import turned
from hardware.voices import SwitchedVoice


def no_table(command: str, *options: str) -> CompanionError:
    """Return the error of a command that needs a real camera, or one of these options."""
    places = {"command": command, "key": "[camera] driver", "value": '"simulated"', "config": "companion config"}
    places["names"] = quoted(name for name in drivers(CameraDriver) if name != "simulated")
    if options:
        says = said(
            "{command}: {key} is {value}, so there is no real table to look at: set it to {names} in the configuration "
            "({config}), or add {options}",
            options=any_of(options),
            **places,
        )
    else:
        says = said(
            "{command}: {key} is {value}, so there is no real table to look at: set it to {names} in the configuration "
            "({config})",
            **places,
        )
    return CompanionError(says)


def need_a_table(config: Config, *, by_service: bool = False) -> None:
    """Refuse a configured camera that is simulated, at which `serve` (`by_service`) cannot play at all.

    Raises:
        CompanionError: it is.
    """
    if config.camera.driver == "simulated":
        if by_service:
            raise no_table("serve")
        raise no_table("play", "--simulate")


def open_camera(config: Config, clock: Clock, say: Callable[[str], None] | None = None) -> StillCamera:
    """Open the camera, without automatic reconnection; `say` gets remarks on a camera that works, None logs them.

    Raises:
        HardwareError: it cannot be opened; the message says what to do.
    """
    options, context = config.camera, OpenContext(clock, say, config.simulation.seed, config.simulation.table)
    return turned(options.open(context), options.rotate, flip=options.flip)


def lasting_camera(config: Config, clock: Clock, say: Callable[[str], None], idle: Callable[[], None]) -> Camera:
    """Return the camera for a game; one that can be unplugged is reconnected automatically.

    Args:
        config: the configuration.
        clock: the clock for waiting.
        say: called when it is lost, when it is back, and when it finds no focus.
        idle: called repeatedly while it is absent.

    Raises:
        HardwareError: it cannot be opened now.
    """
    if config.camera.reopens:
        return ReopeningCamera(partial(open_camera, config, clock, say), clock, say, idle)
    return open_camera(config, clock)


def open_controls(config: Config, clock: Clock) -> Controls:
    """Open the push-buttons.

    Raises:
        HardwareError: they cannot be opened; the message says what to do.
    """
    return config.controls.open(OpenContext(clock))


def open_strip(config: StripDriver, clock: Clock) -> DrivenStrip:
    """Open the strip, limited to its maximum current, without automatic reconnection.

    Raises:
        HardwareError: it cannot be opened; the message says what to do.
    """
    # Colours are defined for screens, and a simulated strip is shown on one.
    gamma = config.gamma if config.is_linear else 1.0
    return DrivenStrip(config.open(OpenContext(clock)), config.max_ma, gamma, clock, config.refresh_s)


def lasting_strip(config: StripDriver, clock: Clock, say: Callable[[str], None]) -> ResilientStrip:
    """Return the strip for a game, which continues while it is lost; `say` gets the news of that."""
    return ResilientStrip(partial(open_strip, config, clock), config.pixels, clock, say)


def open_voice(config: Config, which: Callable[[str], str | None] = shutil.which) -> SwitchedVoice:
    """Return the available voices, the configured one selected; `which` returns a program's path, or None."""
    chosen = None if config.voice.driver == "none" else config.voice.driver
    return SwitchedVoice(
        # The configured one is offered without its program, too: its first sentence then reports what is missing.
        {each.driver: each.open for each in _voices(config) if each.driver == chosen or each.is_installed(which)},
        chosen,
    )


def _voices(config: Config) -> Iterator[VoiceDriver]:
    """Yield the voices that the configuration is complete for."""
    for name in drivers(VoiceDriver):
        with suppress(SettingError):
            yield VoiceDriver.changed(config.voice, driver=name)

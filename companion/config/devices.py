"""The sections of the devices; each has its own driver, so that they can be combined freely."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from companion.config import checks
from companion.config.checks import Setting
from companion.languages import LANGUAGES, any_of, said
from hardware.keys.binding import binding_of
from hardware.ports import Button

CAMERA_DRIVERS = ("simulated", "pi", "webcam", "folder")
CONTROLS_DRIVERS = ("simulated", "gpio", "keys", "none")
VOICE_DRIVERS = ("none", "espeak-ng", "piper")
STRIP_DRIVERS = ("simulated", "neopixel", "wled", "none")
HELD_MEANINGS = ("none", "advance", "undo")
PULLS = ("up", "down")
ORDERS = ("GRB", "RGB", "BRG", "BGR", "GBR", "RBG", "GRBW", "RGBW")


_LEARN: Final = "companion controls learn"


def _bindings(value: object) -> tuple[str, ...]:
    """Return a list of key bindings, one per line."""
    lines = checks.texts(value)
    for line in lines:
        try:
            binding_of(line)
        except ValueError:
            allowed = said(
                "a list of lines such as {example}; {command} writes it",
                example='"confirm@1 KEY_KPENTER 1a2c:0e24"',
                command=_LEARN,
            )
            raise checks.refuse(line, allowed) from None
    return lines


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """The camera over the table."""

    driver: Annotated[
        str,
        Setting(
            checks.one_of(*CAMERA_DRIVERS),
            said(
                "Where pictures come from: {pi} (its own camera), {webcam} (USB), {folder} (pictures or a video file).",
                pi='"pi"',
                webcam='"webcam"',
                folder='"folder"',
            ),
        ),
    ] = "simulated"
    size: Annotated[tuple[int, int], Setting(checks.size, said("Width and height of a picture, in pixels."))] = (
        1536,
        864,
    )
    fps: Annotated[float, Setting(checks.number(0.5, 60), said("Pictures per second."))] = 10.0
    device: Annotated[
        str,
        Setting(
            checks.word,
            said("Which camera: its number, or for a webcam its file, such as {example}.", example='"/dev/video2"'),
        ),
    ] = "0"
    path: Annotated[
        Path | None,
        Setting(
            checks.folder,
            said("The folder of pictures, or the video file, of the driver {driver}.", driver="folder"),
            '"~/evening.mp4"',
        ),
    ] = None
    mains_hz: Annotated[
        int,
        Setting(
            checks.one_number_of(50, 60),
            said("The mains frequency, at which lamps flicker: {low} or {high}.", low=50, high=60),
        ),
    ] = 50
    lens_position: Annotated[
        float | None,
        Setting(checks.number(0, 32), said("The focus in dioptres (1 / metres); absent: set by the autofocus."), "1.2"),
    ] = None

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        if self.driver == "folder" and self.path is None:
            raise ValueError(
                said(
                    "{key}: is missing; the driver {driver} needs a folder of pictures or a video file",
                    key="path",
                    driver='"folder"',
                )
            )
        if self.driver == "pi" and not self.device.isdecimal():
            raise ValueError(
                said(
                    "{key}: {value} is not valid; allowed: with the driver {driver}, a number from {least}",
                    key="device",
                    value=repr(self.device),
                    driver='"pi"',
                    least=0,
                )
            )


@dataclass(frozen=True, slots=True)
class ControlsConfig:
    """The push-buttons."""

    driver: Annotated[
        str,
        Setting(
            checks.one_of(*CONTROLS_DRIVERS),
            said(
                "Where presses come from: {gpio} (the pins of a Raspberry Pi), {keys} (number pads, remotes, "
                "pedals) or {none} (hands-free, or on the page).",
                gpio='"gpio"',
                keys='"keys"',
                none='"none"',
            ),
        ),
    ] = "simulated"
    debounce_s: Annotated[
        float,
        Setting(checks.number(0, 1), said("Presses of a contact closer together than this, in seconds, count as one.")),
    ] = 0.05
    hold_s: Annotated[
        float, Setting(checks.number(0.3, 10), said("A press of this many seconds counts as a long one."))
    ] = 1.0
    hold_confirm: Annotated[
        str,
        Setting(
            checks.one_of(*HELD_MEANINGS),
            said(
                "What a long press of confirm does: {meanings}; for tables with fewer buttons.",
                meanings=any_of([f'"{meaning}"' for meaning in HELD_MEANINGS]),
            ),
        ),
    ] = "none"
    confirm_pins: Annotated[
        tuple[int, ...],
        Setting(
            checks.pins, said("GPIO numbers (BCM) of confirm: one for a set in the middle, two for a set at each seat.")
        ),
    ] = (17,)
    advance_pins: Annotated[
        tuple[int, ...],
        Setting(checks.pins, said("GPIO numbers of advance, in the same way; {none} for none.", none="[]")),
    ] = (27,)
    undo_pins: Annotated[
        tuple[int, ...],
        Setting(checks.pins, said("GPIO numbers of undo, in the same way; {none} for none.", none="[]")),
    ] = (22,)
    lamp_pins: Annotated[
        tuple[int, ...],
        Setting(
            checks.pins,
            said(
                "GPIO numbers of lamps in the buttons, lit while the table waits for a press; {none} for none.",
                none="[]",
            ),
        ),
    ] = ()
    pull: Annotated[
        str,
        Setting(
            checks.one_of(*PULLS),
            said(
                "Whether buttons connect their pins to ground ({up}) or to {volts} V ({down}).",
                up='"up"',
                volts=3.3,
                down='"down"',
            ),
        ),
    ] = "up"
    keys: Annotated[
        tuple[str, ...],
        Setting(
            _bindings,
            said(
                "{driver}: what each key does, as written by {command}; {seat} is the seat that it belongs to.",
                driver="keys",
                command="companion controls learn",
                seat="@1",
            ),
        ),
    ] = ()
    grab: Annotated[
        bool,
        Setting(
            checks.flag,
            said("{driver}: whether to keep these devices from typing anywhere else meanwhile.", driver="keys"),
        ),
    ] = True

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        if self.driver == "keys" and Button.CONFIRM not in {binding_of(line).button for line in self.keys}:
            raise ValueError(
                said("{key}: no key is {button}; {command} asks for one", key="keys", button="confirm", command=_LEARN)
            )
        if not self.confirm_pins:
            raise ValueError(said("{key}: is empty; allowed: one GPIO number, or one per seat", key="confirm_pins"))
        used = Counter((*self.confirm_pins, *self.advance_pins, *self.undo_pins, *self.lamp_pins))
        twice = [pin for pin, count in used.items() if count > 1]
        if twice:
            raise ValueError(said("{pin} is used twice; each button and lamp needs its own pin", pin=f"GPIO{twice[0]}"))


@dataclass(frozen=True, slots=True)
class StripConfig:
    """The strip of lights."""

    driver: Annotated[
        str,
        Setting(
            checks.one_of(*STRIP_DRIVERS),
            said(
                "What drives the strip: {neopixel} (a pin of a Raspberry Pi), {wled} (over the network) or {none}.",
                neopixel='"neopixel"',
                wled='"wled"',
                none='"none"',
            ),
        ),
    ] = "simulated"
    pixels: Annotated[
        int, Setting(checks.whole(8, 1000), said("How many pixels; {least} or more mirror the time track.", least=54))
    ] = 60
    brightness: Annotated[
        float,
        Setting(checks.number(0, 1), said("The brightness, from {dark} (dark) to {full} (full).", dark=0, full=1)),
    ] = 0.6
    gamma: Annotated[
        float,
        Setting(
            checks.number(1, 4),
            said(
                "How much colours are corrected for the eye: {usual} shows them as on the page, {none} leaves them "
                "unchanged.",
                usual=2.2,
                none=1,
            ),
        ),
    ] = 2.2
    max_ma: Annotated[
        int, Setting(checks.whole(50, 60000), said("The current that the power supply has to spare, in mA."))
    ] = 1500
    reversed: Annotated[
        bool, Setting(checks.flag, said("Whether the strip’s first pixel is at the far end of the track."))
    ] = False
    first_pixel: Annotated[
        int, Setting(checks.whole(0, 992), said("How many pixels at the start of the strip to leave dark."))
    ] = 0
    pin: Annotated[
        int,
        Setting(
            checks.whole(0, 27),
            said(
                "{driver}: the GPIO number (BCM) of the data wire; {usual} works without root.",
                driver="neopixel",
                usual=10,
            ),
        ),
    ] = 10
    order: Annotated[
        str,
        Setting(
            checks.one_of(*ORDERS),
            said(
                "{driver}: the order of the colours in a pixel; most strips are {usual}.",
                driver="neopixel",
                usual="GRB",
            ),
        ),
    ] = "GRB"
    wled_host: Annotated[
        str | None,
        Setting(checks.word, said("{driver}: the controller’s name or address.", driver="wled"), '"wled.local"'),
    ] = None

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        if self.pixels - self.first_pixel < 8:
            raise ValueError(
                said(
                    "{key}: leaves fewer than {least} pixels; allowed: at most {most}",
                    key="first_pixel",
                    least=8,
                    most="pixels - 8",
                )
            )
        if self.driver == "wled" and self.wled_host is None:
            raise ValueError(
                said(
                    "{key}: is missing; the driver {driver} needs its name or address", key="wled_host", driver='"wled"'
                )
            )


@dataclass(frozen=True, slots=True)
class VoiceConfig:
    """The voice that speaks the news."""

    driver: Annotated[
        str,
        Setting(
            checks.one_of(*VOICE_DRIVERS),
            said(
                "The program that speaks: {espeak}, {piper} (more natural; needs voices), or {none}.",
                espeak='"espeak-ng"',
                piper='"piper"',
                none='"none"',
            ),
        ),
    ] = "none"
    voices: Annotated[
        Path | None,
        Setting(
            checks.folder,
            said(
                "The folder of piper’s voices: for each one a file such as {example}, and the {json} that belongs "
                "to it.",
                example="ru_RU-irina-medium.onnx",
                json=".onnx.json",
            ),
            '"~/voices"',
        ),
    ] = None
    language: Annotated[
        str | None,
        Setting(
            checks.one_of(*LANGUAGES),
            said("Its language: {names}; absent: the terminal’s.", names=", ".join(LANGUAGES)),
            '"ru"',
        ),
    ] = None
    mute: Annotated[
        bool, Setting(checks.flag, said("Whether it is silent until somebody turns it on on the page."))
    ] = False

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        if self.driver == "piper" and self.voices is None:
            raise ValueError(
                said(
                    "{key}: is missing; the driver {driver} needs the folder of its voices",
                    key="voices",
                    driver='"piper"',
                )
            )

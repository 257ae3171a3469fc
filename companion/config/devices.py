"""The sections of the three devices; each chooses its driver by itself, so that any mix can be had."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from companion.config import checks
from companion.config.setting import Setting

CAMERA_DRIVERS = ("simulated", "pi", "webcam", "folder")
CONTROLS_DRIVERS = ("simulated", "gpio", "none")
STRIP_DRIVERS = ("simulated", "neopixel", "wled", "none")
HELD_MEANINGS = ("none", "advance", "undo")
PULLS = ("up", "down")
ORDERS = ("GRB", "RGB", "BRG", "BGR", "GBR", "RBG", "GRBW", "RGBW")


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """The camera over the table."""

    driver: Annotated[
        str,
        Setting(
            checks.one_of(*CAMERA_DRIVERS),
            'Where pictures come from: "pi" (its own camera), "webcam" (USB), "folder" (pictures or a video file).',
        ),
    ] = "simulated"
    size: Annotated[tuple[int, int], Setting(checks.size, "Width and height of a picture, in pixels.")] = (1536, 864)
    fps: Annotated[float, Setting(checks.number(0.5, 60), "Pictures a second.")] = 10.0
    device: Annotated[
        str, Setting(checks.word, 'Which camera: its number, or for a webcam its file, such as "/dev/video2".')
    ] = "0"
    path: Annotated[
        Path | None,
        Setting(checks.folder, "The folder of pictures, or the video file, of the driver folder.", '"~/evening.mp4"'),
    ] = None
    mains_hz: Annotated[
        int, Setting(checks.one_number_of(50, 60), "The frequency of the mains, with which lamps flicker: 50 or 60.")
    ] = 50
    lens_position: Annotated[
        float | None,
        Setting(checks.number(0, 32), "The focus in dioptres (1 / metres); absent: as the autofocus finds it.", "1.2"),
    ] = None

    def check(self) -> None:
        """Raise ValueError where the keys do not fit one another."""
        if self.driver == "folder" and self.path is None:
            raise ValueError('path: is missing; the driver "folder" needs a folder of pictures or a video file')
        if self.driver == "pi" and not self.device.isdecimal():
            raise ValueError(f'device: {self.device!r} will not do; allowed: with the driver "pi" a number, from 0')


@dataclass(frozen=True, slots=True)
class ControlsConfig:
    """The push-buttons."""

    driver: Annotated[
        str,
        Setting(
            checks.one_of(*CONTROLS_DRIVERS),
            'Where presses come from: "gpio" (the pins of a Raspberry Pi) or "none" (hands-free, or by the page).',
        ),
    ] = "simulated"
    debounce_s: Annotated[
        float, Setting(checks.number(0, 1), "A contact's presses closer together than this, in seconds, are one.")
    ] = 0.05
    hold_s: Annotated[float, Setting(checks.number(0.3, 10), "A press that lasts so many seconds is a long one.")] = 1.0
    hold_confirm: Annotated[
        str,
        Setting(
            checks.one_of(*HELD_MEANINGS),
            'What a long press of confirm stands for: "none", "advance" or "undo"; for tables with fewer buttons.',
        ),
    ] = "none"
    confirm_pins: Annotated[
        tuple[int, ...],
        Setting(checks.pins, "GPIO numbers (BCM) of confirm: one for a set in the middle, two for one per seat."),
    ] = (17,)
    advance_pins: Annotated[
        tuple[int, ...], Setting(checks.pins, "GPIO numbers of advance, likewise; [] for none.")
    ] = (27,)
    undo_pins: Annotated[tuple[int, ...], Setting(checks.pins, "GPIO numbers of undo, likewise; [] for none.")] = (22,)
    lamp_pins: Annotated[
        tuple[int, ...],
        Setting(checks.pins, "GPIO numbers of lamps in the buttons, lit while a press is awaited; [] for none."),
    ] = ()
    pull: Annotated[
        str,
        Setting(checks.one_of(*PULLS), 'Whether buttons connect their pins to ground ("up") or to 3.3 V ("down").'),
    ] = "up"

    def check(self) -> None:
        """Raise ValueError where the keys do not fit one another."""
        if not self.confirm_pins:
            raise ValueError("confirm_pins: is empty; allowed: one GPIO number, or one per seat")
        used = Counter((*self.confirm_pins, *self.advance_pins, *self.undo_pins, *self.lamp_pins))
        twice = [pin for pin, count in used.items() if count > 1]
        if twice:
            raise ValueError(f"GPIO{twice[0]} is used twice; each button and lamp needs a pin of its own")


@dataclass(frozen=True, slots=True)
class StripConfig:
    """The strip of lights."""

    driver: Annotated[
        str,
        Setting(
            checks.one_of(*STRIP_DRIVERS),
            'What drives the strip: "neopixel" (a pin of a Raspberry Pi), "wled" (over the network) or "none".',
        ),
    ] = "simulated"
    pixels: Annotated[int, Setting(checks.whole(8, 1000), "How many pixels; 54 or more mirror the time track.")] = 60
    brightness: Annotated[float, Setting(checks.number(0, 1), "From 0 (dark) to 1 (full).")] = 0.6
    max_ma: Annotated[
        int, Setting(checks.whole(50, 60000), "The current that the supply can spare, in mA.")
    ] = 1500
    reversed: Annotated[
        bool, Setting(checks.flag, "Whether the strip's first pixel is at the far end of the track.")
    ] = False
    first_pixel: Annotated[int, Setting(checks.whole(0, 992), "Pixels to leave dark at the strip's beginning.")] = 0
    pin: Annotated[
        int, Setting(checks.whole(0, 27), "neopixel: the GPIO number (BCM) of the data wire; 10 needs no root.")
    ] = 10
    order: Annotated[
        str, Setting(checks.one_of(*ORDERS), "neopixel: the order of the colours in a pixel; most strips are GRB.")
    ] = "GRB"
    wled_host: Annotated[
        str | None, Setting(checks.word, "wled: the controller's name or address.", '"wled.local"')
    ] = None

    def check(self) -> None:
        """Raise ValueError where the keys do not fit one another."""
        if self.pixels - self.first_pixel < 8:
            raise ValueError("first_pixel: leaves fewer than 8 pixels; allowed: at most pixels - 8")
        if self.driver == "wled" and self.wled_host is None:
            raise ValueError('wled_host: is missing; the driver "wled" needs its name or address')

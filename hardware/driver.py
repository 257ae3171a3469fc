"""Drivers by name: each is a frozen value of its device's settings, which opens the device and checks a machine for it.

A driver is a subclass of its kind (camera, controls, strip, voice) in a module of `hardware.drivers`, where it is found
by its name; nothing else lists it. These modules are imported with every configuration, so they import the libraries of
vendors, OpenCV and NumPy in the functions that need them.
"""

import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import ClassVar, Final, NamedTuple, Self, TypeVar

from companion.languages import LANGUAGES, Sentence, halves, listed, said
from companion.settings import (
    Entry,
    Section,
    Setting,
    as_toml,
    checked,
    flag,
    is_whole,
    number,
    one_of,
    quoted,
    refuse,
    setting,
    settings_of,
    whole,
)
from hardware.diagnosis import Finding, Machine, fault, ok
from hardware.ports import Button, Clock, Controls, LightStrip, StillCamera, Voice
from hardware.pushbuttons import ButtonPlace

DriverT = TypeVar("DriverT", bound="Driver")

ABOUT_CAMERA: Final = said("camera")
ABOUT_STRIP: Final = said("strip")
_WHEN_HELD: Final = {"none": None, "advance": Button.ADVANCE, "undo": Button.UNDO}
FEWEST_PIXELS: Final = 8
"""Shorter strips have no room for the news of two seats."""


class OpenContext(NamedTuple):
    """Whatever a driver needs beside its settings to open its device.

    Attributes:
        clock: the clock of frames and presses.
        say: called with remarks on a device that works; None for the log.
        seed: the seed of a simulated table.
        table: the name of the simulated table.
    """

    clock: Clock
    say: Callable[[str], None] | None = None
    seed: int = 1
    table: str = "evening"


@dataclass(frozen=True, slots=True)
class Driver(Section):
    """A driver of any kind; its fields are the keys that it reads in the section of its kind.

    Attributes:
        choice: of a kind, the comment above the key `driver`.
        default: of a kind, the driver of a configuration that names none.
        driver: the driver's name.
        summary: its line in the comment above the key `driver`.
        needs_pi: whether the device can only be connected to a Raspberry Pi.
        group: what `group_on` returns on any machine.
        given: all values of the section's text, also those that only other drivers of the kind read.
    """

    choice: ClassVar[Sentence]
    default: ClassVar[str]
    driver: ClassVar[str]
    summary: ClassVar[Sentence]
    needs_pi: ClassVar[bool] = False
    group: ClassVar[str] = ""

    given: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False, kw_only=True)

    @classmethod
    def known_keys(cls) -> Mapping[str, Setting]:
        """Return the settings of all drivers of this kind by key; the first driver that reads a key describes it."""
        known = {"driver": Setting(one_of(*drivers(cls)), cls.choice)}
        for each in (cls, *drivers(cls).values()):
            known |= {key: each_setting for key, each_setting in settings_of(each).items() if key not in known}
        return known

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """Return the driver of this kind that the key `driver` names, with these decoded TOML values.

        Raises:
            SettingError: a value is refused, or values contradict one another.
        """
        known = cls.known_keys()
        chosen = drivers(cls)[checked("driver", known["driver"], values.get("driver", cls.default))]
        own = settings_of(chosen)
        # Keys of other drivers have no effect, but a mistake in them would come up when the driver is changed.
        read = {key: checked(key, own.get(key, known[key]), value) for key, value in values.items()}
        return chosen(**{key: value for key, value in read.items() if key in own}, given=dict(values)).verified()

    @classmethod
    def changed(cls, section: "Driver", **values: object) -> Self:
        """Return the driver of this kind with the values of a section and these decoded TOML values.

        Raises:
            SettingError: a value is refused, or values contradict one another.
        """
        own = {key: getattr(section, key) for key in settings_of(type(section))}
        here = {key: as_toml(value) for key, value in own.items() if value is not None}
        return cls.of({**section.given, **here, "driver": section.driver, **values})

    def entries(self) -> Iterator[Entry]:
        """Yield the keys of all drivers of this kind, with comments that name the drivers that read them."""
        kind = self._kind()
        summaries = ((f'  "{name}": ', each.summary) for name, each in drivers(kind).items())
        yield Entry("driver", (("", kind.choice), *summaries), self.driver)
        for key, known in kind.known_keys().items():
            if key in settings_of(kind):
                yield Entry(key, (("", known.comment),), getattr(self, key), known.example)
            elif key != "driver":
                yield self._entry_of_drivers(key, known.example)

    def _entry_of_drivers(self, key: str, example: str) -> Entry:
        """Return a key that only some drivers read."""
        readers = {name: each for name, each in drivers(self._kind()).items() if key in settings_of(each)}
        names: dict[str, list[str]] = {}
        for name, each in readers.items():
            names.setdefault(settings_of(each)[key].comment, []).append(name)
        if key in settings_of(type(self)):
            value = getattr(self, key)
        else:
            value = self.given.get(key, getattr(next(iter(readers.values()))(), key))
        return Entry(key, tuple((f"{', '.join(each)}: ", comment) for comment, each in names.items()), value, example)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the findings of `companion doctor` on whether the device works on a machine; it is not opened."""
        del machine
        yield from ()

    def group_on(self, machine: Machine) -> str:
        """Return the group that a user of a machine must be in to use the device; empty for none."""
        del machine
        return self.group

    @classmethod
    def _kind(cls) -> "type[Driver]":
        return next(each for each in cls.__mro__ if issubclass(each, Driver) and "choice" in vars(each))


def drivers(kind: type[DriverT]) -> Mapping[str, type[DriverT]]:
    """Return the drivers of a kind by name."""
    there = (value for module in _modules() for value in vars(module).values() if isinstance(value, type))
    found = [each for each in there if issubclass(each, kind) and "driver" in vars(each)]
    return {each.driver: each for each in found}


@cache
def _modules() -> tuple[ModuleType, ...]:
    package = import_module("hardware.drivers")
    return tuple(import_module(f"{package.__name__}.{each.name}") for each in pkgutil.iter_modules(package.__path__))


def _size(value: object) -> tuple[int, int]:
    """Return a picture's width and height, in pixels."""
    if not isinstance(value, list) or len(value) != 2:
        raise refuse(value, said("width and height, such as {example}", example="[1536, 864]"))
    check = whole(320, 8192)
    return check(value[0]), check(value[1])


def _quarter_turns(value: object) -> int:
    if is_whole(value, 0, 270) and int(str(value)) % 90 == 0:
        return int(str(value))
    raise refuse(value, "0, 90, 180, 270")


@dataclass(frozen=True, slots=True)
class CameraDriver(Driver):
    """The camera over the table.

    Attributes:
        reopens: whether the camera can be unplugged, so that it is reopened during a game.
        has_finer_stills: whether its stills are finer than its frames.
        is_photographs: whether each of its pictures is a separate photograph.
        needs_system: whether its library is packaged for the system's Python only.
    """

    title = said("The camera over the table")
    choice = said("Where pictures come from.")
    default = "simulated"
    reopens: ClassVar[bool] = False
    has_finer_stills: ClassVar[bool] = False
    is_photographs: ClassVar[bool] = False
    needs_system: ClassVar[bool] = False

    size: tuple[int, int] = setting((1536, 864), _size, said("Width and height of a picture, in pixels."))
    fps: float = setting(10.0, number(0.5, 60), said("Pictures per second."))
    rotate: int = setting(
        0,
        _quarter_turns,
        said("By how many degrees pictures are turned clockwise: {angles}.", angles="0, 90, 180, 270"),
    )
    flip: bool = setting(
        False, flag, said("Whether to mirror pictures, before they are turned: for a camera that shows them mirrored.")
    )

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of a turned picture, in pixels."""
        width, height = self.size
        return (height, width) if self.rotate % 180 else (width, height)

    def open(self, context: OpenContext) -> StillCamera:
        """Open the camera.

        Raises:
            HardwareError: it cannot be opened; the message says what to do.
        """
        raise NotImplementedError


def _mains_hz(value: object) -> int:
    if is_whole(value, 50, 50) or is_whole(value, 60, 60):
        return int(str(value))
    raise refuse(value, said("{low} or {high}", low=50, high=60))


@dataclass(frozen=True, slots=True)
class ExposedCameraDriver(CameraDriver):
    """A camera whose exposure can be set."""

    mains_hz: int = setting(
        50, _mains_hz, said("The mains frequency, at which lamps flicker: {low} or {high}.", low=50, high=60)
    )
    exposure_us: float | None = setting(
        None,
        number(20, 1_000_000),
        said("The exposure in microseconds; absent: chosen by the camera at the start."),
        "10000",
    )


def device_findings(machine: Machine, devices: Sequence[str]) -> Iterator[Finding]:
    """Yield the findings on whether this user may use a camera's devices, and whether no other program uses them."""
    closed = [device for device in devices if not machine.reaches(machine.path(device))]
    if closed:
        title = said("This user is not allowed to read and write {device}.", device=closed[0])
        do = said("{command}, then log in again", command="sudo usermod -aG video $USER")
        yield fault(ABOUT_CAMERA, title, said("This user is not allowed to use the camera."), do)
    taken = machine.holders(devices)
    if taken:
        yield fault(
            ABOUT_CAMERA,
            said("The camera is in use by {names}.", names=listed(taken)),
            said("A camera serves one program at a time."),
            said(
                "Stop that program; to stop the companion’s own service: {command}",
                command="sudo systemctl stop quilt-companion",
            ),
        )
    if not closed and not taken:
        named = listed(devices[:3])
        more, free = (
            said("{devices} and more: free to use.", devices=named),
            said("{devices}: free to use.", devices=named),
        )
        yield ok(ABOUT_CAMERA, more if len(devices) > 3 else free)


@dataclass(frozen=True, slots=True)
class ControlsDriver(Driver):
    """The push-buttons."""

    title = said("The push-buttons")
    choice = said("Where presses come from.")
    default = "simulated"

    @property
    def places(self) -> tuple[ButtonPlace, ...]:
        """The configured push-buttons or keys."""
        return ()

    @property
    def pins(self) -> frozenset[int]:
        """The GPIO numbers (BCM) that are in use."""
        return frozenset()

    def open(self, context: OpenContext) -> Controls:
        """Open the push-buttons.

        Raises:
            HardwareError: they cannot be opened; the message says what to do.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class PushButtonDriver(ControlsDriver):
    """Push-buttons that are pressed by hand: contacts, or keys."""

    debounce_s: float = setting(
        0.05, number(0, 1), said("Presses of a contact closer together than this, in seconds, count as one.")
    )
    hold_confirm: str = setting(
        "none",
        one_of(*_WHEN_HELD),
        said(
            "What a long press of confirm does: {meanings}; for tables with fewer buttons.", meanings=quoted(_WHEN_HELD)
        ),
    )

    @property
    def confirm_held(self) -> Button | None:
        """The button that a long press of confirm stands for, or None if it has no meaning of its own."""
        return _WHEN_HELD[self.hold_confirm]


@dataclass(frozen=True, slots=True)
class StripDriver(Driver):
    """The strip of lights.

    Attributes:
        is_linear: whether the light of a pixel is proportional to its value, so that colours need a correction.
        refresh_s: the interval at which pixels must be sent again, in seconds; None for never.
    """

    title = said("The strip of lights")
    choice = said("What drives the strip.")
    default = "simulated"
    is_linear: ClassVar[bool] = False
    refresh_s: ClassVar[float | None] = None

    pixels: int = setting(
        60, whole(FEWEST_PIXELS, 1000), said("How many pixels; {least} or more mirror the time track.", least=54)
    )
    brightness: float = setting(
        0.6, number(0, 1), said("The brightness, from {dark} (dark) to {full} (full).", dark=0, full=1)
    )
    gamma: float = setting(
        2.2,
        number(1, 4),
        said(
            "How much colours are corrected for the eye: {usual} shows them as on the page, {none} leaves them "
            "unchanged.",
            usual=2.2,
            none=1,
        ),
    )
    max_ma: int = setting(1500, whole(50, 60000), said("The current that the power supply has to spare, in mA."))
    reversed: bool = setting(False, flag, said("Whether the strip’s first pixel is at the far end of the track."))
    first_pixel: int = setting(0, whole(0, 992), said("How many pixels at the start of the strip to leave dark."))

    def check(self) -> None:
        """Check that enough pixels are left."""
        if self.pixels - self.first_pixel < FEWEST_PIXELS:
            raise ValueError(
                said(
                    "{key}: leaves fewer than {least} pixels; allowed: at most {most}",
                    key="first_pixel",
                    least=FEWEST_PIXELS,
                    most=f"pixels - {FEWEST_PIXELS}",
                )
            )

    @property
    def wiring(self) -> Sentence | None:
        """A description of its connection for the report of a hardware test, or None if there is no strip."""
        return said(
            "{driver}, {pixels} pixels, at most {current} mA",
            driver=self.driver,
            pixels=self.pixels,
            current=self.max_ma,
        )

    def examine_pins(self, used: frozenset[int]) -> Iterator[Finding]:
        """Yield the findings on push-buttons at pins that the strip needs."""
        del used
        yield from ()

    @staticmethod
    def undrivable(trouble: str) -> Finding:
        """Return the finding that a strip cannot be driven; `trouble` is the reason with the remedy."""
        what, do = halves(trouble)
        says = said("The strip shows no light; you can play without it.")
        title = said("The strip cannot be driven: {fault}.", fault=what)
        return fault(ABOUT_STRIP, title, says, do or said("See {file}.", file="docs/build.md"))

    def open(self, context: OpenContext) -> LightStrip:
        """Open the strip.

        Raises:
            HardwareError: it cannot be opened; the message says what to do.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class VoiceDriver(Driver):
    """The voice that speaks the news."""

    title = said("The voice that speaks the news")
    choice = said("The program that speaks.")
    default = "none"

    language: str | None = setting(
        None,
        one_of(*LANGUAGES),
        said("Its language: {names}; absent: the terminal’s.", names=", ".join(LANGUAGES)),
        '"ru"',
    )

    def open(self) -> Voice:
        """Return the voice, which looks for its programs when it speaks."""
        raise NotImplementedError

    def is_installed(self, which: Callable[[str], str | None]) -> bool:
        """Return whether the voice can be offered; `which` returns the path of a program, or None."""
        raise NotImplementedError

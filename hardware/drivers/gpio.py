"""Push-buttons on the pins of a Raspberry Pi, by gpiozero with any of its pin factories.

gpiozero reports edges, with the kernel's times; `hardware.pushbuttons` interprets them. Its own `bounce_time` is not
used, because some pin factories ignore it.
"""

import os
import tempfile
import warnings
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from companion.languages import Sentence, all_of, any_of, listed, reason, said
from companion.settings import is_whole, list_of, one_of, setting
from hardware.diagnosis import Finding, Machine, fault, note, ok
from hardware.driver import OpenContext, PushButtonDriver
from hardware.environment import first_line, pins_command, this_environment, vendor_module
from hardware.ports import Button, Clock, HardwareError, Press
from hardware.pushbuttons import HOLD_S, ButtonPlace, Contact, PushButton, button_word

# The pins of I2C and of the serial console, with their devices and the keys of raspi-config.
_SPECIAL: Final = (
    ((2, 3), "/dev/i2c-1", said("I2C is switched on and uses that pin."), "do_i2c 1"),
    ((14, 15), "/dev/serial0", said("The serial console is switched on and uses that pin."), "do_serial_cons 1"),
)
_MODULES: Final = ("gpiozero", "lgpio")
_ABOUT: Final = said("push-buttons")
_pins = list_of(
    lambda value: is_whole(value, 0, 27),
    said(
        "a list of at most two GPIO numbers from {low} to {high}, such as {example}",
        low=0,
        high=27,
        example=any_of(["[17]", "[17, 5]"]),
    ),
    high=2,
)


@dataclass(frozen=True, slots=True)
class Wiring(ButtonPlace):
    """The wiring of a push-button; `pin` is the GPIO number (BCM) that it connects."""

    pin: int

    @property
    def name(self) -> str:
        """The button's display name."""
        pin, button = f"GPIO{self.pin}", button_word(self.button)
        if self.seat is None:
            return said("{button} button ({pin})", button=button, pin=pin)
        return said("{button} button of seat {seat} ({pin})", button=button, seat=self.seat, pin=pin)


@dataclass(frozen=True, slots=True)
class GpioDriver(PushButtonDriver):
    """Push-buttons on the pins of a Raspberry Pi."""

    driver = "gpio"
    summary = said("push-buttons on the pins of a Raspberry Pi")
    group = "gpio"
    needs_pi = True

    confirm_pins: tuple[int, ...] = setting(
        (17,), _pins, said("GPIO numbers (BCM) of confirm: one for a set in the middle, two for a set at each seat.")
    )
    advance_pins: tuple[int, ...] = setting(
        (27,), _pins, said("GPIO numbers of advance, in the same way; {none} for none.", none="[]")
    )
    undo_pins: tuple[int, ...] = setting(
        (22,), _pins, said("GPIO numbers of undo, in the same way; {none} for none.", none="[]")
    )
    lamp_pins: tuple[int, ...] = setting(
        (),
        _pins,
        said(
            "GPIO numbers of lamps in the buttons, lit while the table waits for a press; {none} for none.", none="[]"
        ),
    )
    pull: str = setting(
        "up",
        one_of("up", "down"),
        said(
            "Whether buttons connect their pins to ground ({up}) or to {volts} V ({down}).",
            up='"up"',
            volts=3.3,
            down='"down"',
        ),
    )

    def check(self) -> None:
        """Check that there is a button for confirm, and that no pin is used twice."""
        if not self.confirm_pins:
            raise ValueError(said("{key}: is empty; allowed: one GPIO number, or one per seat", key="confirm_pins"))
        used = Counter((*self.confirm_pins, *self.advance_pins, *self.undo_pins, *self.lamp_pins))
        twice = [pin for pin, count in used.items() if count > 1]
        if twice:
            raise ValueError(said("{pin} is used twice; each button and lamp needs its own pin", pin=f"GPIO{twice[0]}"))

    @property
    def pins(self) -> frozenset[int]:
        """The GPIO numbers of all buttons and lamps."""
        return frozenset({*self.confirm_pins, *self.advance_pins, *self.undo_pins, *self.lamp_pins})

    @property
    def places(self) -> tuple[Wiring, ...]:
        """The wiring of each push-button."""
        confirms = (
            Wiring(Button.CONFIRM, pin, seat=seat, when_held=self.confirm_held)
            for seat, pin in _by_seat(self.confirm_pins).items()
        )
        others = ((Button.ADVANCE, self.advance_pins), (Button.UNDO, self.undo_pins))
        return (
            *confirms,
            *(Wiring(button, pin, seat=seat) for button, pins in others for seat, pin in _by_seat(pins).items()),
        )

    def open(self, context: OpenContext) -> "GpioControls":
        """Open the push-buttons and their lamps."""
        return GpioControls(
            self.places,
            context.clock,
            debounce_s=self.debounce_s,
            lamps=_by_seat(self.lamp_pins),
            pull_up=self.pull == "up",
        )

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the findings on the push-buttons' pins."""
        chips = machine.devices("gpiochip*")
        if not chips:
            do = said(
                "Use a Raspberry Pi, or set {key} and play hands-free or on the page.", key='[controls] driver = "none"'
            )
            yield fault(
                _ABOUT, said("There are no GPIO pins on this machine."), said("Push-buttons cannot be read."), do
            )
            return
        if not any(machine.reaches(machine.path(chip)) for chip in chips):
            says = said("Push-buttons cannot be read.")
            do = said("{command}, then log in again", command="sudo usermod -aG gpio $USER")
            yield fault(_ABOUT, said("{device} cannot be used by this user.", device=chips[0]), says, do)
        else:
            yield ok(_ABOUT, said("{device} can be used.", device=chips[0]))
        yield _library(machine)
        for pins, device, says, key in _SPECIAL:
            taken = sorted(self.pins & set(pins))
            if taken and machine.path(device).exists():
                do = said("{command}, or connect the button to another pin", command=f"sudo raspi-config nonint {key}")
                yield note(_ABOUT, button_at(taken[:1]), says, do)


def _by_seat(pins: Sequence[int]) -> dict[int | None, int]:
    """Return the pins by seat; a single pin has the seat None, as it is for all."""
    return {None if len(pins) == 1 else place: pin for place, pin in enumerate(pins, start=1)}


def button_at(pins: Sequence[int]) -> Sentence:
    """Return the finding that a push-button is at pins that something else needs."""
    return said("A push-button is at {pins}.", pins=listed([f"GPIO{pin}" for pin in pins]))


def _library(machine: Machine) -> Finding:
    try:
        for module in _MODULES:
            machine.load(module)
    # lgpio writes a file into the working directory when it is imported, and fails if it cannot.
    except (ImportError, OSError, RuntimeError) as error:
        return fault(
            _ABOUT,
            said("{modules} cannot be imported: {fault}", modules=any_of(_MODULES), fault=first_line(error)),
            said("No press is noticed."),
            pins_command(machine.environment),
        )
    return ok(_ABOUT, said("{modules} can be imported.", modules=all_of(_MODULES)))


class GpioControls:
    """Push-buttons, and the lamps in them, if any.

    Args:
        wirings: the wiring of each push-button.
        clock: the frames' clock.
        debounce_s: interval below which two presses of one button count as one.
        hold_s: duration from which a press is a long one.
        lamps: GPIO numbers of lamps by seat, None for the lamp of a shared set.
        pull_up: whether the buttons connect their pins to ground, as opposed to 3.3 V.
        pin_factory: gpiozero's pin factory; None for its default, or the one named by `GPIOZERO_PIN_FACTORY`.

    Raises:
        HardwareError: gpiozero is missing, this machine has no pins, or one of them is in use.
    """

    def __init__(
        self,
        wirings: Sequence[Wiring],
        clock: Clock,
        *,
        debounce_s: float,
        hold_s: float = HOLD_S,
        lamps: Mapping[int | None, int] | None = None,
        pull_up: bool = True,
        pin_factory: Any = None,
    ) -> None:
        self._clock = clock
        self._notices: list[str] = []
        self._lines: list[_Line] = []
        self._lamps: dict[int | None, Any] = {}
        self._closed = False
        gpiozero = _gpiozero()
        try:
            factory = _factory(gpiozero) if pin_factory is None else pin_factory
            for wiring in wirings:
                # The pin's state is read once its edges are reported: one in between would be lost otherwise.
                line = _Line(gpiozero, factory, wiring, clock, pull_up=pull_up)
                self._lines.append(line)
                contact = Contact(debounce_s, hold_s, closed=line.closed, now_s=clock.now())
                line.button = PushButton(wiring, contact, self._notices.append)
            for seat, pin in (lamps or {}).items():
                self._lamps[seat] = _lamp(gpiozero, factory, pin)
        except BaseException:
            self.close()
            raise

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call, in order; never waits."""
        presses = [press for line in self._lines for press in line.presses(self._clock.now())]
        return sorted(presses, key=lambda press: press.t_s)

    @property
    def stuck(self) -> tuple[tuple[Button, int | None], ...]:
        """The logical button and seat of each one that was stuck at the last call of `presses`."""
        return tuple(chain.from_iterable(line.button.stuck for line in self._lines))

    def notices(self) -> tuple[str, ...]:
        """Return new problems with buttons, a sentence each."""
        notices = tuple(self._notices)
        self._notices.clear()
        return notices

    def light(self, seats: Sequence[int]) -> None:
        """Switch on the lamps of these seats, and that of a shared set if there are any; switch off all others."""
        for seat, lamp in self._lamps.items():
            lamp.value = bool(seats) if seat is None else seat in seats

    def close(self) -> None:
        """Release the pins; may be called more than once. There are no presses afterwards."""
        for device in (*self._lines, *self._lamps.values()):
            device.close()
        self._lines.clear()
        self._lamps.clear()
        self._closed = True


class _Line:
    """A pin, its queue of edges, and the button that receives them."""

    button: PushButton

    def __init__(self, gpiozero: Any, factory: Any, wiring: Wiring, clock: Clock, *, pull_up: bool) -> None:
        self._factory, self._clock = factory, clock
        # Appended to by gpiozero's thread, taken from by the loop's: both are atomic for a deque, without a lock.
        self._edges: deque[tuple[bool, float]] = deque()
        self._pull_up = pull_up
        self._device: Any = None
        try:
            self._device = gpiozero.InputDevice(wiring.pin, pull_up=pull_up, pin_factory=factory)
            # The pin's own edges, without the debouncing of gpiozero's Button.
            self._device.pin.edges = "both"
            self._device.pin.when_changed = self._changed
        except gpiozero.GPIOZeroError as error:
            self.close()
            raise HardwareError.said(
                "the {button} cannot be used: {fault}; check the pins under {section}",
                button=wiring.name,
                fault=reason(error),
                section="[controls]",
            ) from error

    @property
    def closed(self) -> bool:
        """True if the contact is closed now."""
        return bool(self._device.is_active)

    def presses(self, now_s: float) -> list[Press]:
        """Return the presses since the last call."""
        while self._edges:
            self.button.contact.edge(*self._edges.popleft())
        # A lost edge would leave a button pressed for ever.
        self.button.contact.edge(self.closed, now_s)
        return self.button.presses(now_s)

    def close(self) -> None:
        """Release the pin."""
        if self._device is not None:
            self._device.close()

    def _changed(self, ticks: float, state: int) -> None:
        """Queue an edge; called by gpiozero in its own thread, with `ticks` of the pin factory's clock."""
        ago_s = max(0.0, self._factory.ticks_diff(self._factory.ticks(), ticks))
        self._edges.append((bool(state) != self._pull_up, self._clock.now() - ago_s))


def _gpiozero() -> Any:
    # lgpio creates its pipes in the working directory, and its import fails if that is read-only.
    if not os.access(".", os.W_OK):
        os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", tempfile.gettempdir()))
    return vendor_module("gpiozero", pins_command(this_environment()))


def _factory(gpiozero: Any) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # one for each back-end that fails
            gpiozero.Device.ensure_pin_factory()
    except Exception as error:
        # gpiozero passes on any exception of its back-ends.
        why = str(error).rstrip("!") or type(error).__name__
        raise HardwareError.said(
            "there are no GPIO pins here: {fault}; on a Raspberry Pi: {command}, and add yourself to the group {group}",
            fault=why,
            command=pins_command(this_environment()),
            group="gpio",
        ) from error
    return gpiozero.Device.pin_factory


def _lamp(gpiozero: Any, factory: Any, pin: int) -> Any:
    try:
        return gpiozero.DigitalOutputDevice(pin, pin_factory=factory)
    except gpiozero.GPIOZeroError as error:
        raise HardwareError.said(
            "the lamp on {pin} cannot be used: {fault}; check {key}",
            pin=f"GPIO{pin}",
            fault=reason(error),
            key="lamp_pins",
        ) from error

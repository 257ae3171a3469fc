"""Push-buttons on the pins of a Raspberry Pi, by gpiozero with any of its pin factories.

gpiozero reports edges, with the kernel's times; `hardware.debounce` interprets them. Its own `bounce_time` is not used,
because some pin factories ignore it.
"""

import os
import tempfile
import warnings
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from companion.languages import reason, said
from hardware.debounce import Contact
from hardware.environment import pins_command, this_environment
from hardware.ports import Button, Clock, HardwareError, Press
from hardware.pushbuttons import PushButton, Wiring
from hardware.vendors import vendor_module


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
        hold_s: float,
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
            says = said(
                "the {button} cannot be used: {fault}; check the pins under {section}",
                button=wiring.name,
                fault=reason(error),
                section="[controls]",
            )
            raise HardwareError(says) from error

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
        raise HardwareError(
            said(
                "there are no GPIO pins here: {fault}; on a Raspberry Pi: {command}, and add yourself to the group "
                "{group}",
                fault=why,
                command=pins_command(this_environment()),
                group="gpio",
            )
        ) from error
    return gpiozero.Device.pin_factory


def _lamp(gpiozero: Any, factory: Any, pin: int) -> Any:
    try:
        return gpiozero.DigitalOutputDevice(pin, pin_factory=factory)
    except gpiozero.GPIOZeroError as error:
        raise HardwareError(
            said(
                "the lamp on {pin} cannot be used: {fault}; check {key}",
                pin=f"GPIO{pin}",
                fault=reason(error),
                key="lamp_pins",
            )
        ) from error

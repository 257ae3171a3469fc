"""Keys as push-buttons, on devices that may be connected and disconnected at any time."""

import errno
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from companion.languages import said, system_says
from hardware.debounce import Contact
from hardware.keys.binding import Binding, Model
from hardware.keys.bus import BLUETOOTH, Found, InputBus, InputDevice
from hardware.ports import Button, Clock, HardwareError, Press
from hardware.pushbuttons import PushButton

LOOKS_S: Final = 1.0
"""Interval of searches for missing devices; a search lists a folder of a dozen names."""


class KeyControls:
    """Push-buttons that are keys of input devices.

    Args:
        bindings: the button of each key.
        bus: the input devices.
        clock: the frames' clock.
        debounce_s: interval below which two presses of one key count as one.
        hold_s: duration from which a press is a long one.
        grab: whether the keys are taken exclusively, without effect in other programs.

    Raises:
        HardwareError: this user has no access to a device. Missing devices are waited for.
    """

    def __init__(
        self,
        bindings: Iterable[Binding],
        bus: InputBus,
        clock: Clock,
        *,
        debounce_s: float,
        hold_s: float,
        grab: bool = True,
    ) -> None:
        self._bus, self._clock, self._grab = bus, clock, grab
        self._notices: list[str] = []
        self._keys = [_Key(each, self._push_button(each, debounce_s, hold_s)) for each in bindings]
        self._open: dict[str, _Opened] = {}
        self._known: dict[Model, Found] = {}
        self._reported: set[tuple[str, str]] = set()
        self._missing: set[Model] = set()
        self._closed = False
        self._looked_s = clock.now()
        try:
            self._look(is_first=True)
        except BaseException:
            self.close()
            raise

    def presses(self) -> Sequence[Press]:
        """Return the presses since the last call, in order; never waits."""
        if self._closed:
            return ()
        now_s = self._clock.now()
        if now_s - self._looked_s >= LOOKS_S and self._is_one_missing():
            self._looked_s = now_s
            self._look()
        # A copy, because a device that is gone is removed.
        for path in list(self._open):
            self._read(path, now_s)
        presses = [press for key in self._keys for press in key.push_button.presses(now_s)]
        return sorted(presses, key=lambda press: press.t_s)

    @property
    def stuck(self) -> tuple[tuple[Button, int | None], ...]:
        """The logical button and seat of each one that was stuck at the last call of `presses`."""
        return tuple(chain.from_iterable(key.push_button.stuck for key in self._keys))

    def notices(self) -> tuple[str, ...]:
        """Return new problems with keys and devices, a sentence each."""
        reported = tuple(self._notices)
        self._notices.clear()
        return reported

    def close(self) -> None:
        """Release the devices; may be called more than once. There are no presses afterwards."""
        for opened in self._open.values():
            opened.device.close()
        self._open.clear()
        self._closed = True

    def _push_button(self, binding: Binding, debounce_s: float, hold_s: float) -> PushButton:
        # A remote determines how long its key is down, and contact bounce is not transmitted.
        contact = Contact(debounce_s, hold_s, least_s=0.0, now_s=self._clock.now())
        return PushButton(binding, contact, self._notices.append)

    def _is_one_missing(self) -> bool:
        return any(not self._holds(key.binding) for key in self._keys)

    def _holds(self, binding: Binding) -> bool:
        return any(binding.key in opened.keys and opened.found.is_a(binding.model) for opened in self._open.values())

    def _look(self, *, is_first: bool = False) -> None:
        """Open the bound devices that are connected, and announce missing ones."""
        for found in self._bus.found():
            wanted = frozenset(key.binding.key for key in self._keys if found.is_a(key.binding.model)) & found.keys
            if wanted and found.path not in self._open:
                self._open_one(found, wanted, is_first=is_first)
        for model in {key.binding.model for key in self._keys}:
            self._announce(model, is_first=is_first)

    def _announce(self, model: Model, *, is_first: bool) -> None:
        there = next((each.found for each in self._open.values() if each.found.is_a(model)), None)
        if there is not None:
            self._known[model] = there
            if model in self._missing:
                self._missing.discard(model)
                # A remote that sleeps between two presses is not worth a notice.
                if there.bus != BLUETOOTH:
                    self._notices.append(said("{device} is connected again.", device=there.name))
        elif model not in self._missing:
            self._missing.add(model)
            known = self._known.get(model)
            if is_first:
                self._notices.append(
                    said(
                        "The keys on {device} are not connected; the companion is waiting for them.", device=str(model)
                    )
                )
            elif known is not None and known.bus != BLUETOOTH:
                self._notices.append(
                    said("{device} was unplugged; the companion is waiting for it.", device=known.name)
                )

    def _open_one(self, found: Found, keys: frozenset[int], *, is_first: bool) -> None:
        try:
            device = self._bus.open(found.path)
        except OSError as error:
            self._complain(found, error, is_first=is_first)
            return
        try:
            if self._grab:
                device.grab()
        except OSError as error:
            device.close()
            self._complain(found, error, is_first=is_first)
            return
        # The same fault is news again after the device was usable.
        self._reported = {reported for reported in self._reported if reported[0] != found.path}
        self._open[found.path] = _Opened(found, device, keys)

    def _complain(self, found: Found, error: OSError, *, is_first: bool) -> None:
        says = _refused(found, error)
        # At the start the user can add the group; a running game goes on.
        if is_first and isinstance(error, PermissionError):
            raise HardwareError(says) from error
        # A device that was disconnected meanwhile is reported as missing anyway.
        if error.errno not in (errno.ENODEV, errno.ENOENT) and (found.path, says) not in self._reported:
            self._reported.add((found.path, says))
            self._notices.append(said("{fault}.", fault=says))

    def _read(self, path: str, now_s: float) -> None:
        opened = self._open[path]
        try:
            events = opened.device.events()
        except OSError:
            self._lose(path, now_s)
            return
        for event in events:
            for key in self._keys:
                if key.binding.key == event.code and opened.found.is_a(key.binding.model):
                    key.push_button.contact.edge(event.down, now_s - event.ago_s)
                    opened.note(event.code, down=event.down)

    def _lose(self, path: str, now_s: float) -> None:
        opened = self._open.pop(path)
        opened.device.close()
        for key in self._keys:
            # A device that is gone sends no release, and its key would be stuck.
            if key.binding.key in opened.down and opened.found.is_a(key.binding.model):
                key.push_button.contact.edge(closed=False, t_s=now_s)
        self._announce_lost()

    def _announce_lost(self) -> None:
        for model in {key.binding.model for key in self._keys}:
            self._announce(model, is_first=False)


@dataclass(frozen=True, slots=True)
class _Key:
    binding: Binding
    push_button: PushButton


@dataclass(slots=True)
class _Opened:
    """An open device, its bound keys, and those of them that are down."""

    found: Found
    device: InputDevice
    keys: frozenset[int]
    down: set[int] = field(default_factory=set)

    def note(self, code: int, *, down: bool) -> None:
        (self.down.add if down else self.down.discard)(code)


def _refused(found: Found, error: OSError) -> str:
    if isinstance(error, PermissionError):
        return said(
            "{device} cannot be used by this user: {command}, then log in again",
            device=found.name,
            command="sudo usermod -aG input $USER",
        )
    if error.errno == errno.EBUSY:
        return said("{device} is in use by another program; close that program", device=found.name)
    return said("{device} cannot be used: {fault}", device=found.name, fault=system_says(error))

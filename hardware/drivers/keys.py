"""Keys of number pads, remotes and pedals as push-buttons, on devices that come and go; and how keys are learnt."""

import errno
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, NamedTuple

from companion.languages import said, system_says
from companion.settings import flag, refuse, setting, texts
from hardware.diagnosis import Finding, Machine, fault, note, ok
from hardware.driver import OpenContext, PushButtonDriver
from hardware.keys import BLUETOOTH, Binding, Found, InputBus, InputDevice, LinuxInputBus, Model, binding_of
from hardware.ports import Button, Clock, HardwareError, Press
from hardware.pushbuttons import HOLD_S, Contact, PushButton

_LEARN: Final = "companion controls learn"
_ABOUT: Final = said("keys")


def _lines(value: object) -> tuple[str, ...]:
    """Return a list of key bindings, one per line."""
    lines = texts(value)
    for line in lines:
        try:
            binding_of(line)
        except ValueError:
            allowed = said(
                "a list of lines such as {example}; {command} writes it",
                example='"confirm@1 KEY_KPENTER 1a2c:0e24"',
                command=_LEARN,
            )
            raise refuse(line, allowed) from None
    return lines


@dataclass(frozen=True, slots=True)
class KeysDriver(PushButtonDriver):
    """Keys of input devices as push-buttons."""

    driver = "keys"
    summary = said("number pads, remotes, pedals")
    group = "input"

    keys: tuple[str, ...] = setting(
        (),
        _lines,
        said(
            "What each key does, as written by {command}; {seat} is the seat that it belongs to.",
            command=_LEARN,
            seat="@1",
        ),
    )
    grab: bool = setting(True, flag, said("Whether to keep these devices from typing anywhere else meanwhile."))

    def check(self) -> None:
        """Check that there is a key for confirm."""
        if Button.CONFIRM not in {place.button for place in self.places}:
            raise ValueError(
                said("{key}: no key is {button}; {command} asks for one", key="keys", button="confirm", command=_LEARN)
            )

    @property
    def places(self) -> tuple[Binding, ...]:
        """The binding of each key."""
        bindings = map(binding_of, self.keys)
        held = self.confirm_held
        return tuple(replace(each, when_held=held) if each.button is Button.CONFIRM else each for each in bindings)

    def open(self, context: OpenContext) -> "KeyControls":
        """Open the devices that are connected."""
        return KeyControls(self.places, LinuxInputBus(), context.clock, debounce_s=self.debounce_s, grab=self.grab)

    def examine(self, machine: Machine) -> Iterator[Finding]:
        """Yield the findings on the input devices whose keys serve as push-buttons."""
        there = list(LinuxInputBus(machine.root).found())
        codes: dict[Model, set[int]] = {}
        for binding in self.places:
            codes.setdefault(binding.model, set()).add(binding.key)
        for model, keys in codes.items():
            devices = [each for each in there if each.is_a(model) and each.keys & keys]
            if not devices:
                says = said("The companion waits for it. A remote may be asleep until it is pressed.")
                do = said("plug it in, or {command}", command=_LEARN)
                yield note(_ABOUT, said("No device {model} is connected.", model=str(model)), says, do)
            yield from (_device(found, machine) for found in devices)


def _device(found: Found, machine: Machine) -> Finding:
    device = f"{found.name} ({found.path})"
    if machine.reaches(machine.path(found.path)):
        return ok(_ABOUT, said("{device} can be used.", device=device))
    do = said("{command}, then log in again", command="sudo usermod -aG input $USER")
    return fault(
        _ABOUT, said("{device} cannot be used by this user.", device=device), said("Its keys cannot be read."), do
    )


LEARNING_LOOKS_S: Final = 0.5
"""Interval of searches for devices."""


class KeyRequest(NamedTuple):
    """A button, and its seat, for which a key is requested.

    Attributes:
        button: the button.
        seat: the seat, None for all.
    """

    button: Button
    seat: int | None


class LearntPress(NamedTuple):
    """The result of a press.

    Attributes:
        wanted: the request at the time of the press.
        found: the device whose key was pressed.
        key: code of the key.
        taken_by: existing binding of the key, which is then not bound again; None if it was bound now.
        is_left_out: whether the press skipped the request.
    """

    wanted: KeyRequest
    found: Found
    key: int
    taken_by: KeyRequest | None = None
    is_left_out: bool = False


@dataclass(frozen=True, slots=True)
class _Learnt:
    wanted: KeyRequest
    key: int
    found: Found


class Learner:
    """A sequence of requests for keys.

    The key of `confirm` skips the request for another button.

    Args:
        wanted: the requests, in order; `confirm` first for each seat.
        bus: the input devices; those connected later are included.
        clock: for the interval of searches.

    Attributes:
        refused: the error of each device that cannot be opened, by its file.
    """

    def __init__(self, wanted: Sequence[KeyRequest], bus: InputBus, clock: Clock) -> None:
        self._left, self._bus, self._clock = list(wanted), bus, clock
        self._learnt: list[_Learnt] = []
        self._open: dict[str, tuple[Found, InputDevice]] = {}
        self._seen: set[Found] = set()
        self.refused: dict[str, OSError] = {}
        self._looked_s = float("-inf")

    @property
    def request(self) -> KeyRequest | None:
        """The current request, or None at the end."""
        return self._left[0] if self._left else None

    @property
    def has_device(self) -> bool:
        """True if a device is open."""
        return bool(self._open)

    def tick(self) -> list[LearntPress]:
        """Return the results of the presses since the last call, without waiting."""
        self._look()
        learnt: list[LearntPress] = []
        for path, (found, device) in list(self._open.items()):
            try:
                events = device.events()
            except OSError:
                device.close()
                del self._open[path]
                continue
            learnt += [self._take(found, event.code) for event in events if event.down and self._left]
        return learnt

    def bindings(self) -> tuple[Binding, ...]:
        """Return the learnt bindings. Equal devices are distinguished by their place."""
        return tuple(
            Binding(each.wanted.button, each.key, self._model(each.found), seat=each.wanted.seat)
            for each in self._learnt
        )

    def close(self) -> None:
        """Release all devices; may be called more than once."""
        for _, device in self._open.values():
            device.close()
        self._open.clear()

    def _look(self) -> None:
        if self._clock.now() - self._looked_s < LEARNING_LOOKS_S:
            return
        self._looked_s = self._clock.now()
        for found in self._bus.found():
            # Remembered after it is unplugged: the second of two equal pads may be learnt in the first one's absence.
            self._seen.add(found)
            if found.path not in self._open:
                try:
                    self._open[found.path] = found, self._bus.open(found.path)
                except OSError as error:
                    self.refused[found.path] = error
                else:
                    with suppress(KeyError):
                        del self.refused[found.path]

    def _take(self, found: Found, key: int) -> LearntPress:
        wanted = self._left[0]
        before = next((each for each in self._learnt if each.key == key and self._is_same(each.found, found)), None)
        if before is None:
            self._learnt.append(_Learnt(wanted, key, found))
            self._left.pop(0)
            return LearntPress(wanted, found, key)
        is_left_out = before.wanted == KeyRequest(Button.CONFIRM, wanted.seat)
        if is_left_out:
            self._left.pop(0)
        return LearntPress(wanted, found, key, before.wanted, is_left_out)

    def _is_same(self, one: Found, other: Found) -> bool:
        return (one.vendor, one.product, one.place) == (other.vendor, other.product, other.place)

    def _model(self, found: Found) -> Model:
        alike = {each.place for each in self._seen if (each.vendor, each.product) == (found.vendor, found.product)}
        return Model(found.vendor, found.product, found.place if len(alike) > 1 else "")


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
        hold_s: float = HOLD_S,
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

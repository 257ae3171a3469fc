"""Temporary faults at random moments in all devices and services of a simulated table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hardware.ports import Button
from hardware.simulated.camera import Spoilt
from tests.soak import disk, network, sqlite

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.soak.time_of_day import SimulatedTimeOfDay

_SHORTEST_S, _LONGEST_S = 0.5, 20.0
_JUMP_S: Final = timedelta(days=3).total_seconds()


@dataclass(slots=True)
class Faults:
    """Random temporary faults, timed by the frames' clock.

    Attributes:
        rng: chooses the faults.
        every_s: the mean interval between faults, in simulated seconds; 0 for none.
        evening: the evening whose devices are affected; None until there is one.
        time_of_day: the wall clock.
        disk: the disk of the journal's logs.
        sqlite: SQLite's access to the journal.
        network: the page's readers, and the broker.
        strip: the current strip; None until there is one.
        begun: the number of times that each fault has begun.
    """

    rng: random.Random
    every_s: float
    time_of_day: SimulatedTimeOfDay
    disk: disk.FaultyDisk
    sqlite: sqlite.FaultySQLite
    network: network.Network
    evening: Any = None
    strip: Any = None
    begun: Counter[str] = field(default_factory=Counter)
    _due_s: float = float("-inf")
    _ends: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def tick(self, now_s: float) -> None:
        """End and begin faults that are due; called with every frame, and while there are no frames."""
        for ends_s, end in [each for each in self._ends if each[0] <= now_s]:
            self._ends.remove((ends_s, end))
            end()
        if not self.every_s or self.evening is None:
            return
        if self._due_s > float("-inf") and now_s >= self._due_s:
            name, begin = self.rng.choice(sorted(self._all().items()))
            self.begun[name] += 1
            end_now = begin()
            self._ends.append((now_s + self.rng.uniform(_SHORTEST_S, _LONGEST_S), end_now))
        if now_s >= self._due_s:
            self._due_s = now_s + self.rng.expovariate(1 / self.every_s)

    def mend(self) -> None:
        """End all faults."""
        for _, end in self._ends:
            end()
        self._ends.clear()
        self.network.close()

    def anew(self) -> None:
        """End all faults, for another evening with a new clock."""
        self.mend()
        self._due_s = float("-inf")

    def _all(self) -> dict[str, Callable[[], Callable[[], None]]]:
        """Return the functions that begin each fault, by name; each returns a function that ends it."""
        camera, rng = self.evening.camera, self.rng
        momentary: dict[str, Callable[[], None]] = {
            "buttons: storm": self._storm,
            "buttons: both at once": self._both,
            "time of day: forwards": lambda: self.time_of_day.jump(rng.uniform(0, _JUMP_S)),
            "time of day: backwards": lambda: self.time_of_day.jump(-rng.uniform(0, _JUMP_S)),
            "time of day: never set": self.time_of_day.forget,
        }
        return {
            **{name: partial(_started, begin, _nothing) for name, begin in momentary.items()},
            **{f"camera: {how.value}": partial(self._spoil, how) for how in Spoilt},
            **{f"disk: {fault}": partial(_spoilt, self.disk, fault) for fault in disk.FAULTS},
            **{f"SQLite: {fault}": partial(_spoilt, self.sqlite, fault) for fault in sqlite.FAULTS},
            **{f"network: {fault}": partial(self.network.begin, fault) for fault in network.FAULTS},
            "camera: missing": lambda: _started(camera.unplug, camera.plug_in),
            "camera: busy": self._busy,
            "buttons: stuck": self._stuck,
            "strip: raising": self._dark,
            "strip: slow": self._slow,
        }

    def _spoil(self, how: Spoilt) -> Callable[[], None]:
        """Spoil some pictures, at most until the fault ends, as a camera that counts as frozen takes only a few."""
        camera = self.evening.camera
        camera.spoil_next(how, self.rng.randint(1, 60))
        spoil_no_more: Callable[[], None] = camera.spoil_no_more
        return spoil_no_more

    def _both(self) -> None:
        self.evening.controls.storm([Button.CONFIRM, self.rng.choice([Button.UNDO, Button.CONFIRM])])

    def _busy(self) -> Callable[[], None]:
        camera = self.evening.camera
        camera.occupy()
        # A busy camera is noticed only when it is reopened.
        camera.fail_next()
        vacate: Callable[[], None] = camera.vacate
        return vacate

    def _storm(self) -> None:
        """Press confirm repeatedly; a storm of `advance` would be a decision that the players did not mean."""
        self.evening.controls.storm(self.rng.choices([Button.CONFIRM], k=self.rng.randint(5, 40)))

    def _stuck(self) -> Callable[[], None]:
        controls, button = self.evening.controls, self.rng.choice(list(Button))
        controls.stick(button)
        return lambda: controls.free(button)

    def _dark(self) -> Callable[[], None]:
        strip = self.strip
        if strip is None:
            return lambda: None
        strip.unplug()
        plug_in: Callable[[], None] = strip.plug_in
        return plug_in

    def _slow(self) -> Callable[[], None]:
        strip, clock = self.strip, self.evening.clock
        if strip is None:
            return lambda: None
        strip.slow_down(lambda: clock.sleep(0.3))
        slow_down: Callable[[], None] = strip.slow_down
        return slow_down


def _spoilt(what: disk.FaultyDisk | sqlite.FaultySQLite, fault: str) -> Callable[[], None]:
    what.fault = fault

    def mended() -> None:
        what.fault = ""

    return mended


def _started(begin: Callable[[], None], end: Callable[[], None]) -> Callable[[], None]:
    begin()
    return end


def _nothing() -> None:
    """Do nothing, to end a momentary fault."""

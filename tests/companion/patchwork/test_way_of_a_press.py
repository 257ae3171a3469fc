"""The way from a press of `confirm` to the strip's light: each part that keeps something is called once."""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import companion
from companion.config import Config
from companion.games.history import GameHistory
from companion.patchwork.rehearsal import TurnRehearsal
from companion.play.events import DecisionTaken
from companion.play.loop import TurnLoop
from hardware.ports import Button, Press
from hardware.simulated.devices.clock import SimulatedClock
from hardware.simulated.devices.strip import SimulatedLightStrip

if TYPE_CHECKING:
    from types import FrameType

_PACKAGE: Final = str(Path(companion.__file__).parent)


class Way:
    """The calls from the look that is read until the strip shows the decision.

    A call counts if an object calls another one's method in another file. Values, which keep nothing, do not count, nor
    do the game itself and its turn loop, which hands the result of each part to the next.
    """

    def __init__(self) -> None:
        self.entered: dict[str, list[str]] = defaultdict(list)
        self.shown = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Note a call, as a profiler."""
        code, by = frame.f_code, frame.f_back
        if event != "call" or by is None or self.shown:
            return
        if code.co_name == "_try_look":
            self.entered.clear()
        called, caller = frame.f_locals.get("self"), by.f_locals.get("self")
        if code.co_name == "show" and isinstance(called, SimulatedLightStrip):
            self.shown = "announce" in _callers(by)
        elif (
            code.co_filename.startswith(_PACKAGE)
            and code.co_filename != by.f_code.co_filename
            and called is not caller
            and _keeps_something(called)
        ):
            self.entered[code.co_filename.removeprefix(_PACKAGE)].append(code.co_qualname)


def _keeps_something(called: Any) -> bool:
    is_value = called is None or is_dataclass(called) or isinstance(called, str | tuple)
    return not is_value and not isinstance(called, GameHistory | TurnLoop)


def _callers(frame: FrameType | None) -> set[str]:
    names = set()
    while frame is not None:
        names.add(frame.f_code.co_name)
        frame = frame.f_back
    return names


def test_each_part_is_called_once_from_the_look_to_the_light() -> None:
    clock = SimulatedClock()
    rehearsal, way = TurnRehearsal(Config(), SimulatedLightStrip(60), clock), Way()
    while not rehearsal.ready:
        rehearsal.step(())
    rehearsal.lay()
    for _ in range(3):
        rehearsal.step(())
    rehearsal.step([Press(Button.CONFIRM, 0.0)])
    sys.setprofile(way)
    try:
        taken = [event for _ in range(4) for event in rehearsal.step(()) if isinstance(event, DecisionTaken)]
    finally:
        sys.setprofile(None)
    assert len(taken) == 1
    assert way.shown
    parts = ("reading/observer", "reading/comparer", "watching/tracking", "journal/memory", "patchwork/lights/show")
    assert all(any(part in file for file in way.entered) for part in parts), "the whole way was seen"
    assert {file: calls for file, calls in way.entered.items() if len(calls) > 1} == {}

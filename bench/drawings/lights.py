"""Drawing of docs/pictures/lights/: the strip at several moments after each event, as the light show renders it.

Run it as `python -m bench.drawings.lights`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.facts import (
    BonusTileTaken,
    ButtonsEarned,
    GameEnded,
    IncomePaid,
    LeatherWon,
    PatchPlaced,
    TurnPassed,
)
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import new_game
from companion.games.patchwork.state import Setup
from companion.patchwork.lights import LightShow
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.play import events
from companion.upkeep.service import waiting_picture
from hardware.drivers.simulated import SimulatedStripDriver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.patchwork.facts import Fact
    from companion.games.patchwork.state import State
    from hardware.ports import RGB

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures" / "lights"
PIXELS: Final = 60
SHORT: Final = 16

_PITCH: Final = 11
_ROW: Final = 18
_LEFT: Final = 58


@dataclass(frozen=True, slots=True)
class Shown:
    """The strip's pictures after an event.

    Attributes:
        event: the event at 0 s.
        moments_s: the times at which the strip is drawn.
        pixels: the number of pixels of the strip.
    """

    event: events.Event
    moments_s: tuple[float, ...]
    pixels: int = PIXELS


def strips() -> dict[str, list[tuple[float, Sequence[RGB]]]]:
    """Return the moments and the strip's pixels at each of them, by the picture's name."""
    drawn = {name: list(_frames(shown)) for name, shown in _shown().items()}
    waiting = SimulatedStripDriver(pixels=PIXELS, brightness=1.0)
    drawn["waiting"] = [(at_s, waiting_picture(PIXELS, waiting, at_s)) for at_s in (0.0, 1.0, 2.0)]
    return drawn


def drawing(frames: Sequence[tuple[float, Sequence[RGB]]]) -> str:
    """Return a strip at several moments, as SVG."""
    width = _LEFT + len(frames[0][1]) * _PITCH + 10
    height = len(frames) * _ROW + 8
    rows = "\n".join(_row(place, at_s, pixels) for place, (at_s, pixels) in enumerate(frames))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11" fill="#c9c2b6">\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="#1d1b19"/>\n{rows}\n</svg>\n'
    )


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, frames in strips().items():
        (FOLDER / f"{name}.svg").write_text(drawing(frames), encoding="utf-8")


def _row(place: int, at_s: float, pixels: Sequence[RGB]) -> str:
    y = place * _ROW + _ROW / 2 + 4
    dots = "".join(
        f'<circle cx="{_LEFT + index * _PITCH + 5}" cy="{y:g}" r="4" fill="{_colour(pixel)}"/>'
        for index, pixel in enumerate(pixels)
    )
    return f'<text x="10" y="{y + 4:g}">{at_s:.2f} s</text>{dots}'


def _colour(pixel: RGB) -> str:
    """Return a pixel as a screen colour, brightened because the eye sees dim LEDs brighter than a screen shows them."""
    return "#" + "".join(f"{round(34 + 221 * (value / 255) ** 0.5):02x}" for value in pixel)


def _frames(shown: Shown) -> list[tuple[float, Sequence[RGB]]]:
    show = LightShow(shown.pixels)
    show.event(shown.event, 0.0)
    return [(at_s, show.frame(at_s)) for at_s in shown.moments_s]


def _shown() -> dict[str, Shown]:
    state, patch = _state(), _patch()
    leather = replace(state, leather_due=True) if not state.leather_due else state
    complaint = Complaint(Reason.OVERLAP, state.mover, (), "It overlaps.", "")
    question = Question(QuestionTopic.WHICH_PATCH, state.mover, (patch, Advance(state.mover)), (), "Which?", "")
    return {
        "resting": Shown(events.LookCalledOff(state), (0.0, 0.5, 1.0)),
        "resting-short": Shown(events.LookCalledOff(state), (0.0, 0.5, 1.0), SHORT),
        "leather-due": Shown(events.LookCalledOff(leather), (0.0, 1.1, 1.4)),
        "looking": Shown(events.LookStarted(state), (0.0,)),
        "question": Shown(events.Asked(question, 0, state), (0.0, 1.5)),
        "complaint": Shown(events.Complained(complaint, state), (0.1, 0.28, 0.45, 0.8)),
        "called": Shown(events.Complained(complaint, state, unasked=True), (0.05, 0.3, 0.55, 0.85)),
        "foreseen": Shown(events.DecisionForeseen(patch, 2.0, 2.0, state), (0.0, 0.7, 1.4)),
        "undone": Shown(events.DecisionUndone(patch, state), (0.05, 0.25, 0.45)),
        "refused": Shown(events.NothingToUndo(state), (0.1, 0.3)),
        "notice": Shown(events.TableNoticed("The camera is back.", state), (0.3, 0.7, 1.0)),
        "opened": Shown(events.GameOpened(1, state), (0.04, 0.28, 0.6)),
        **{name: _fact(fact, moments) for name, fact, moments in _facts(patch)},
    }


def _facts(patch: TakePatch) -> list[tuple[str, Fact, tuple[float, ...]]]:
    return [
        ("placed", PatchPlaced(1, patch.patch, patch.cells, 2), (0.1, 0.35)),
        ("earned", ButtonsEarned(1, 4), (0.04, 0.2, 0.6)),
        ("income", IncomePaid(1, 5, 5), (0.1, 0.3, 0.85, 1.55)),
        ("bonus", BonusTileTaken(1), (0.05, 0.25, 0.4)),
        ("leather-won", LeatherWon(1, 20), (0.3, 0.68, 0.8)),
        ("turn", TurnPassed(2), (0.05, 0.25, 0.5)),
        ("ended", GameEnded(1), (0.1, 0.5, 0.9)),
    ]


def _fact(fact: Fact, moments_s: tuple[float, ...]) -> Shown:
    return Shown(events.DecisionTaken(_patch(), (fact,), _state()), moments_s)


def _state() -> State:
    """Return a state in mid-game; seat 1 is behind, and so to move."""
    first, second = new_game(_setup()).seats
    seats = (replace(first, time=9, income=3), replace(second, time=14, income=4))
    return replace(new_game(_setup()), seats=seats)


def _patch() -> TakePatch:
    return next(each for each in legal_decisions(_state()) if isinstance(each, TakePatch))


def _setup() -> Setup:
    smallest = min(PATCHES.values(), key=lambda patch: patch.size).id
    return Setup(players=("Anna", "Boris"), market=(*(name for name in PATCHES if name != smallest), smallest))


if __name__ == "__main__":
    main()

"""The players' side of the conversation with the companion: news received, and buttons pressed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, fits
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from companion.games.patchwork.state import State
from hardware.ports import Button
from hardware.simulated.conditions import LEATHER
from hardware.simulated.devices import SimulatedControls
from hardware.simulated.people.gestures import (
    Accepted,
    Arm,
    Listen,
    News,
    Pace,
    Question,
    Returning,
    Script,
    Undone,
    Wait,
)
from hardware.simulated.scene.placing import Cell
from hardware.simulated.scene.table import SimulatedTable, cells_of

HOLD_S = 4.0
"""Time that a player holds a patch still over the board: longer than any pause."""
TRIAL_S = 1.2
"""Time that a tried patch lies before it is moved: long enough to be at rest, shorter than the pause."""


class Hesitation(StrEnum):
    """A way to hesitate."""

    HOVER = "holds it over the board"
    TRIAL = "tries another place"


LIKELY = {Hesitation.HOVER: 0.15, Hesitation.TRIAL: 0.15}
"""Probability of each for a piece about to be laid."""


@dataclass(frozen=True, slots=True)
class Hesitant:
    """A hesitation with a piece.

    Attributes:
        how: kind of hesitation.
        name: a patch's id, or `LEATHER`.
        cells: where it is held or tried; a trial differs from the final place.
    """

    how: Hesitation
    name: str
    cells: tuple[Cell, ...]


def drawn_hesitation(state: State, decision: Decision, rng: np.random.Generator) -> Hesitant | None:
    """Return the hesitation before a decision, or None if there is none, or nothing to hold."""
    if not isinstance(decision, TakePatch | PlaceLeather):
        return None
    name = decision.patch if isinstance(decision, TakePatch) else LEATHER
    drawn = rng.random()
    if drawn < LIKELY[Hesitation.HOVER]:
        return Hesitant(Hesitation.HOVER, name, cells_of(decision.cells))
    places = [mask for mask in _places(name, state.seat(decision.seat).quilt) if mask != decision.cells]
    if drawn < sum(LIKELY.values()) and places:
        return Hesitant(Hesitation.TRIAL, name, cells_of(places[int(rng.integers(len(places)))]))
    return None


def hesitate(arm: Arm, seat: int, hesitant: Hesitant, unsteady: float) -> Script:
    """Perform a hesitation; afterwards the board is as before."""
    if hesitant.how is Hesitation.HOVER:
        yield from arm.hover(seat, hesitant.name, hesitant.cells, HOLD_S)
        return
    piece = yield from arm.lay(seat, hesitant.name, hesitant.cells, unsteady, linger=False)
    yield Wait(TRIAL_S)
    yield from arm.take(seat, piece)


def _places(name: str, quilt: int) -> list[int]:
    if name in PATCHES:
        return list(fits(name, quilt))
    return [1 << bit for bit in range(SIDE * SIDE) if not quilt >> bit & 1]


PATIENCE_S: Final = 10.0
"""Time without news after which players press again."""
# Time to read a question before answering it.
_READING_S: Final = 0.6


class Conversation:
    """A conversation between the players and the companion.

    Args:
        table: the table; a hand may be visible over it while a button is pressed.
        controls: the buttons.
        arms: of both players.
        pace: durations of actions.
    """

    def __init__(self, table: SimulatedTable, controls: SimulatedControls, arms: tuple[Arm, Arm], pace: Pace) -> None:
        self._table, self._controls, self._arms, self._pace = table, controls, arms, pace
        self._unread: list[News] = []

    def on_feedback(self, news: News) -> None:
        """Queue news for the players."""
        self._unread.append(news)

    def next_news(self) -> News | None:
        """Return the oldest unprocessed news, or None."""
        return self._unread.pop(0) if self._unread else None

    def has_accepted(self, decision: Decision) -> bool:
        """Return whether the news includes the acceptance of a decision."""
        return Accepted(decision) in self._unread

    @property
    def is_asked(self) -> bool:
        """True if the news includes a question."""
        return any(isinstance(news, Question) for news in self._unread)

    def forget(self, *kinds: type[News]) -> None:
        """Drop the news of these kinds; all news if none is named."""
        self._unread = [news for news in self._unread if kinds and not isinstance(news, kinds)]

    def forget_all_but_accepted(self) -> None:
        """Drop all news except accepted decisions."""
        self._unread = [news for news in self._unread if isinstance(news, Accepted)]

    def press(self, button: Button) -> Script:
        """Press a button, and withdraw the hands."""
        self._controls.press(button)
        # A hasty player's other hand is still over the board during the press.
        yield Wait(self._pace.frame_s if self._table.hands else 0.0)
        for arm in self._arms:
            arm.withdraw()

    def answer(self, steps: int) -> Script:
        """Read the question, step to an option by presses of `advance`, and confirm it."""
        yield Wait(_READING_S)
        for _ in range(steps):
            yield from self.press(Button.ADVANCE)
            yield Wait(2 * self._pace.frame_s)
        yield from self.press(Button.CONFIRM)

    def has_been_undone(self) -> Returning[bool]:
        """Wait for the companion to announce an undo; return False after a timeout without news."""
        news = yield Listen(PATIENCE_S)
        while news is not None and not isinstance(news, Undone):
            news = yield Listen(PATIENCE_S)
        return news is not None

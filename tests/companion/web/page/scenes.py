"""Situations at a table, as the snapshots that the page is sent."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from companion.games.patchwork.components import PATCHES, twins_of
from companion.games.patchwork.decisions import Advance, Decision, MoveDecision, PlaceLeather, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, affordable
from companion.games.patchwork.state import Setup, State
from companion.patchwork.ending.checks import count_question
from companion.patchwork.reading.verdict import Complaint, Question, QuestionTopic, Reason
from companion.patchwork.timeboard import MarkerStatus
from companion.play import events
from companion.play.page import Visibility
from companion.registry import pages
from companion.web.account import snapshot
from tests.companion.announcing import AnnouncedAccount

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def market(seed: int) -> tuple[str, ...]:
    """Return a circle of patches; the 1x2 patch is last, as at the start of every game."""
    patches = [patch for patch in PATCHES if patch != "domino"]
    random.Random(seed).shuffle(patches)
    return (*patches, "domino")


class Evening:
    """A random game, reported to an account builder as the table would.

    Args:
        seed: the seed of the circle and the moves.
        known: whether the circle is known.
        players: the players' names.
        notes: the journal's notes on the game.
    """

    def __init__(
        self,
        seed: int = 5,
        *,
        known: bool = True,
        players: tuple[str, str] = ("Anna", "Boris"),
        notes: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._random = random.Random(seed)
        self.history = History(Setup(players=players, market=market(seed) if known else None))
        self.builder = AnnouncedAccount(pages())
        self.builder.set_visibility(Visibility(camera=True, boards_seen=True, in_view=(1, 2)))
        self.builder.set_lights([(20, 90, 255) if number % 7 == 0 else (0, 0, 0) for number in range(60)])
        self.builder(events.GameOpened(7, self.state, notes=notes))

    @property
    def state(self) -> State:
        """The game's state."""
        return self.history.state

    def play(self, stop: Callable[[State], bool]) -> Evening:
        """Play until `stop` returns true or the game has ended."""
        while not self.state.finished and not stop(self.state):
            self.take(self._choice())
        return self

    def take(self, decision: Decision) -> None:
        """Apply a decision and report it."""
        outcome = self.history.apply(decision)
        self.builder(events.DecisionTaken(decision, outcome.facts, outcome.state))

    def _choice(self) -> Decision:
        legal = legal_decisions(self.state)
        picks = [legal.pick(self._random) for _ in range(120)]
        return max(picks, key=self._worth)

    def _worth(self, decision: MoveDecision) -> float:
        """Return a decision's value: compact placements and cheap patches first, which makes realistic quilts."""
        if isinstance(decision, Advance):
            return 0.5
        quilt = self.state.seat(decision.seat).quilt
        cost = 0 if isinstance(decision, PlaceLeather) else PATCHES[decision.patch].buttons
        return _touching(decision.cells, quilt) / decision.cells.bit_count() - cost / 30

    def snapshot(self) -> dict[str, Any]:
        """Return the snapshot that the page is sent."""
        return cast("dict[str, Any]", json.loads(json.dumps(snapshot(self.builder.account))))


def _touching(cells: int, quilt: int) -> int:
    """Count the sides of the cells that touch the quilt or the board's edge."""
    sides = 0
    for bit in range(81):
        if not cells >> bit & 1:
            continue
        row, column = divmod(bit, 9)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            inside = 0 <= r < 9 and 0 <= c < 9
            sides += not inside or quilt >> (r * 9 + c) & 1
    return sides


def legal_purchase(state: State) -> TakePatch:
    """Return a patch that the player to move may take, at the first place where it fits."""
    return next(decision for decision in legal_decisions(state) if isinstance(decision, TakePatch))


def twins_for_sale(state: State) -> TakePatch | None:
    """Return a purchase that is legal for the patch's twin, too; None if there is none."""
    purchases = (decision for decision in legal_decisions(state) if isinstance(decision, TakePatch))
    both = set(affordable(state))
    return next((one for one in purchases if one.patch in both and both.intersection(twins_of(one.patch))), None)


def twins_question(state: State) -> Question:
    """Return a question which of two patches of one shape was laid; its cells are free."""
    seat = state.turn or 1
    purchase = twins_for_sale(state)
    assert purchase is not None
    twin = replace(purchase, patch=twins_of(purchase.patch)[0])
    says = f"Which patch is it: {purchase.patch} or {twin.patch}?"
    return Question(QuestionTopic.WHICH_PATCH, seat, (purchase, twin), (), says, "000123.jpg")


def cells_question(state: State) -> Question:
    """Return a question on which cells a patch is, of two placements."""
    taken = legal_purchase(state)
    other = next(
        decision
        for decision in legal_decisions(state)
        if isinstance(decision, TakePatch) and decision.patch == taken.patch and decision.cells != taken.cells
    )
    return Question(
        QuestionTopic.CELLS, taken.seat, (taken, other), ("E6", "F6"), "Does it cover E6 or F6?", "000123.jpg"
    )


def overlap(state: State) -> Complaint:
    """Return a complaint about two cells."""
    says = "The new patch overlaps what is on E6 and F5. Lay it where there is room."
    return Complaint(Reason.OVERLAP, state.turn or 1, ("F5", "E6"), says, "000130.jpg", (legal_purchase(state),))


def scene(name: str) -> dict[str, Any]:
    """Return a scene's snapshot by name."""
    return cast("dict[str, Any]", json.loads(_written(name)))


@cache
def _written(name: str) -> str:
    """Return a scene's snapshot as JSON; the game that leads to it is played once."""
    return json.dumps(SCENES[name]())


def _waiting() -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(json.dumps(snapshot(AnnouncedAccount(pages()).account))))


def _middle(seed: int = 5, moves: int = 24) -> Evening:
    return Evening(seed).play(lambda state: state.decisions_made >= moves and not state.leather_due)


def _announced(evening: Evening, event: events.Event) -> dict[str, Any]:
    evening.builder(event)
    return evening.snapshot()


def _twins() -> dict[str, Any]:
    evening = Evening(known=False)
    evening.play(lambda state: state.decisions_made >= 6 and twins_for_sale(state) is not None)
    return _announced(evening, events.Asked(twins_question(evening.state), 0, evening.state))


def _cells() -> dict[str, Any]:
    evening = _middle()
    return _announced(evening, events.Asked(cells_question(evening.state), 0, evening.state))


def _complaint() -> dict[str, Any]:
    evening = _middle()
    return _announced(evening, events.Complained(overlap(evening.state), evening.state))


def _foreseen() -> dict[str, Any]:
    evening = _middle()
    decision = legal_purchase(evening.state)
    return _announced(evening, events.DecisionForeseen(decision, 2.0, 99.0, evening.state))


def _marker() -> dict[str, Any]:
    """Return a scene in which seat 1's marker is two spaces behind its place."""
    evening = _middle()
    says = "Anna’s marker belongs on 30; it is on 28."
    return _announced(
        evening, events.TableNoticed(says, evening.state, MarkerStatus(1, evening.state.seat(1).time - 2))
    )


def _buttons() -> dict[str, Any]:
    """Return a finished game in which seat 1 has a button fewer than in the books."""
    evening = Evening().play(lambda _: False)
    booked = evening.state.seat(1).buttons
    return _announced(evening, events.Asked(count_question(evening.state, 1, booked - 1, ""), 0, evening.state))


def _looking() -> dict[str, Any]:
    evening = _middle()
    return _announced(evening, events.LookStarted(evening.state))


def _income() -> dict[str, Any]:
    """Return a scene after a move that exchanges several tokens."""
    evening = Evening(11)
    evening.play(
        lambda state: (
            state.decisions_made > 20
            and any(
                entry["kind"] == "income" and entry["buttons"] > 5 for entry in evening.snapshot()["patchwork"]["money"]
            )
        )
    )
    return evening.snapshot()


SCENES: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "waiting": _waiting,
    "start": lambda: Evening().snapshot(),
    "middle": lambda: _middle().snapshot(),
    "income": _income,
    "leather": lambda: Evening(3).play(lambda state: bool(state.leather_due)).snapshot(),
    "unknown": lambda: Evening(9, known=False).play(lambda state: state.decisions_made >= 8).snapshot(),
    "marker": _marker,
    "looking": _looking,
    "foreseen": _foreseen,
    "twins": _twins,
    "cells": _cells,
    "buttons": _buttons,
    "complaint": _complaint,
    "end": lambda: Evening().play(lambda _: False).snapshot(),
}

"""Dealing of a circle of patches, with step-by-step instructions to lay it out, so that it need not be typed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.games.patchwork import PATCHES
from companion.languages import ENGLISH, Language, in_turn, render, said

if TYPE_CHECKING:
    from collections.abc import Sequence

HANDFUL: Final = 12
"""The number of patches shown at a time: as many as players can keep track of, and as fit on a screen."""


@dataclass(frozen=True, slots=True)
class DealtPatch:
    """One patch to lay out.

    Attributes:
        place: its place in the circle, from 1, clockwise.
        patch: the patch's id.
        cells: (row, column) of its cells, smallest row and column 0.
        buttons: its cost, as printed on its label.
        time: its time in spaces, as printed on its label.
        income: the number of buttons printed on it.
    """

    place: int
    patch: str
    cells: tuple[tuple[int, int], ...]
    buttons: int
    time: int
    income: int


@dataclass(frozen=True, slots=True)
class DealStep:
    """The patches to lay out in one step.

    Attributes:
        number: the number of this step, from 1.
        count: the number of steps.
        patches: the patches in the order in which they are laid.
        says: the sentence for the players.
    """

    number: int
    count: int
    patches: tuple[DealtPatch, ...]
    says: str

    def to_json(self, language: Language = ENGLISH) -> dict[str, Any]:
        """Return the step as JSON for the page, in the reader's language."""
        return {
            "number": self.number,
            "count": self.count,
            "says": render(self.says, language),
            "patches": [
                {
                    "place": dealt.place,
                    "patch": dealt.patch,
                    "cells": [list(cell) for cell in dealt.cells],
                    "buttons": dealt.buttons,
                    "time": dealt.time,
                    "income": dealt.income,
                }
                for dealt in self.patches
            ],
        }


def dealt_market(seed: int | None = None) -> tuple[str, ...]:
    """Return a shuffled circle, clockwise from the neutral token; the smallest patch is last (rulebook, setup).

    Args:
        seed: determines the circle; None for system randomness.
    """
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    smallest = min(PATCHES.values(), key=lambda patch: patch.size).id
    others = [patch for patch in PATCHES if patch != smallest]
    rng.shuffle(others)
    return (*others, smallest)


def deal_steps(market: Sequence[str], handful: int = HANDFUL) -> tuple[DealStep, ...]:
    """Return the steps to lay a circle out: clockwise round the time board, several patches at a time.

    Args:
        market: patch ids, clockwise from the neutral token.
        handful: patches per step, at least 1.

    Raises:
        KeyError: a patch id is unknown.
        ValueError: `handful` is less than 1.
    """
    if handful < 1:
        raise ValueError(f"a handful is at least one patch, not {handful}")
    dealt = [_dealt(place, patch) for place, patch in enumerate(market, start=1)]
    parts = [tuple(dealt[start : start + handful]) for start in range(0, len(dealt), handful)]
    return tuple(
        DealStep(number, len(parts), part, _sentence(number, len(parts), part)) for number, part in enumerate(parts, 1)
    )


def _dealt(place: int, patch: str) -> DealtPatch:
    values = PATCHES[patch]
    return DealtPatch(place, patch, tuple(sorted(values.cells)), values.buttons, values.time, values.income)


def _sentence(number: int, count: int, part: Sequence[DealtPatch]) -> str:
    first, last = part[0].place, part[-1].place
    span = said("{first} to {last}", first=first, last=last) if len(part) > 1 else said("{number}", number=first)
    if number == 1:
        says = said("Lay these patches clockwise round the time board: {span}.", span=span)
    else:
        says = said("Continue clockwise with these: {span}.", span=span)
    if number < count:
        return says
    token = said("Then put the neutral token after the last one, so that it is just before patch 1.")
    return in_turn([says, token])

"""Payments in button tokens of the box, so that players can pay with real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.patchwork import ButtonsEarned, IncomePaid, PatchPlaced
from companion.languages import ENGLISH, listed, render, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.patchwork import Fact, State
    from companion.languages import Language
    from companion.play.page.json_type import Json

DENOMINATIONS: Final = (20, 10, 5, 1)
"""The button tokens in the box (rulebook, components)."""


def tokens(buttons: int) -> list[tuple[int, int]]:
    """Return the fewest tokens that make a sum, as (value, count), the largest first.

    Raises:
        ValueError: the sum is negative.
    """
    if buttons < 0:
        raise ValueError(f"there are no tokens for {buttons} buttons")
    made = []
    # Each value divides the next larger one, so taking the largest first gives the fewest.
    for value in DENOMINATIONS:
        count, buttons = divmod(buttons, value)
        if count:
            made.append((value, count))
    return made


def money_json(facts: Iterable[Fact], state: State, language: Language = ENGLISH) -> list[Json]:
    """Return the payments between a player and the bank for a decision, in order, without sums of 0."""
    return [_movement(state, language, *moved) for fact in facts if (moved := _moved(fact)) is not None]


def _moved(fact: Fact) -> tuple[int, str, int] | None:
    """Return a payment (seat, reason, number of buttons), or None for a fact without one."""
    match fact:
        case PatchPlaced(seat=seat, paid=buttons):
            kind = "pay"
        case ButtonsEarned(seat=seat, buttons=buttons):
            kind = "earn"
        case IncomePaid(seat=seat, buttons=buttons):
            kind = "income"
        case _:
            return None
    return (seat, kind, buttons) if buttons else None


def _movement(state: State, language: Language, seat: int, kind: str, buttons: int) -> Json:
    made = tokens(buttons)
    piles = listed([said("{count} x {value}", count=count, value=value) for value, count in made])
    name = state.setup.players[seat - 1]
    if kind == "pay":
        says = said("{name} pays {tokens}.", name=name, tokens=piles)
    else:
        says = said("{name} takes {tokens}.", name=name, tokens=piles)
    return {
        "seat": seat,
        "kind": kind,
        "buttons": buttons,
        "tokens": [list(each) for each in made],
        "says": render(says, language),
    }

"""The choices of the player to move, as JSON for the snapshot.

Nothing is computed here: the rules apply each choice to a state in which it is possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.games.patchwork.components import PATCHES, placements
from companion.games.patchwork.decisions import Advance, Decision, TakePatch
from companion.games.patchwork.facts import ButtonsEarned, Fact, IncomePaid, LeatherWon, PatchPlaced, TokenMoved
from companion.games.patchwork.rules import Outcome, affordable, apply, can_buy, offers
from companion.games.patchwork.state import State
from companion.languages import ENGLISH, Language, listed, render, said
from companion.patchwork.words import turn_sentence

if TYPE_CHECKING:
    from companion.play.page import Json

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
    name = state.name_of(seat)
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


def turn_json(state: State, language: Language = ENGLISH) -> Json:
    """Return the seat to move, the reason, and the effects of advancing, with sentences in a language."""
    must = must_of(state)
    return {
        "seat": state.turn,
        "must": must,
        "says": render(turn_sentence(state), language),
        "why": render(_why(state), language),
        "advance": _advance(state) if must == "choose" else None,
        "can_buy": must == "choose" and can_buy(state),
    }


def offers_json(state: State) -> list[Json]:
    """Return the patches on offer, with the effects of taking each."""
    payable = affordable(state)
    return [_offer(state, patch, affordable=patch in payable) for patch in offers(state)]


def must_of(state: State) -> str | None:
    """Return the kind of decision due: "choose" (buy or advance), "leather" (place it), or None after the end."""
    if state.turn is None:
        return None
    return "leather" if state.leather_due else "choose"


def _why(state: State) -> str:
    if state.turn is None:
        return ""
    name, other = state.name_of(state.turn), state.name_of(3 - state.turn)
    mine, theirs = state.seat(state.turn).time, state.seat(3 - state.turn).time
    if state.leather_due:
        return said("{name} was the first to pass the leather patch.", name=name)
    if not state.decisions_made:
        return said("{name} begins.", name=name)
    if mine == theirs:
        return said("Both tokens are at {space}, and {name}’s is on top.", space=mine, name=name)
    return said("{name} is at {mine}, behind {other} at {theirs}.", name=name, mine=mine, other=other, theirs=theirs)


def _advance(state: State) -> Json:
    seat = state.mover
    outcome = apply(state, Advance(seat))
    earned = sum(fact.buttons for fact in outcome.facts if isinstance(fact, ButtonsEarned))
    return {**_brought(outcome, seat), "buttons": earned}


def _offer(state: State, name: str, *, affordable: bool) -> Json:
    patch, quilt = PATCHES[name], state.seat(state.mover).quilt
    return {
        "patch": name,
        "cells": [list(cell) for cell in patch.cells],
        "buttons": patch.buttons,
        "time": patch.time,
        "income": patch.income,
        "affordable": affordable,
        "fits": any(not cells & quilt for cells in placements(name)),
        "brings": _if_taken(state, name),
    }


def _if_taken(state: State, patch: str) -> Json:
    """Return the effects of a purchase, applied with an empty quilt and a loan, which is subtracted at the end."""
    seat, price = state.mover, PATCHES[patch].buttons
    lent = replace(state.seat(seat), quilt=0, buttons=state.seat(seat).buttons + price)
    seats = (lent, state.seats[1]) if seat == 1 else (state.seats[0], lent)
    # Any place will do: on an empty quilt it changes none of these effects.
    taken: Decision = TakePatch(seat, patch, placements(patch)[0])
    brought = _brought(apply(replace(state, seats=seats), taken), seat)
    return {**brought, "buttons_after": brought["buttons_after"] - price}


def _brought(outcome: Outcome, seat: int) -> Json:
    facts, after = outcome.facts, outcome.state
    moved = next((fact for fact in facts if isinstance(fact, TokenMoved)), None)
    paid = [fact for fact in facts if isinstance(fact, IncomePaid)]
    won = [fact.mark for fact in facts if isinstance(fact, LeatherWon)]
    return {
        "time": after.seat(seat).time,
        "steps": 0 if moved is None else moved.end - moved.start,
        "income": sum(fact.buttons for fact in paid),
        "marks": sorted([fact.mark for fact in paid] + won),
        "leather": len(won),
        "income_after": after.seat(seat).income,
        "buttons_after": after.seat(seat).buttons,
        "next_seat": after.turn,
        "next_must": must_of(after),
        "ends": after.finished,
    }

"""The sentence on what is to be done now, and the choices of the player to move, as JSON for the snapshot.

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
from companion.languages import ENGLISH, Language, Sentence, listed, render, said
from companion.patchwork.arrangement import Presses
from companion.patchwork.reading.verdict import Complaint, Question
from companion.patchwork.words import sentences, turn_sentence
from companion.play.events import Pending
from companion.play.page import Visibility

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


def now(
    state: State,
    pending: Pending[Question, Complaint],
    presses: Presses,
    visibility: Visibility,
    robot: int | None = None,
    *,
    is_laid: bool = False,
    why_unseen: str = "",
    is_watched: bool = False,
) -> str:
    """Return the sentence on what is to be done now; empty after the end of a game about which nothing is open.

    Args:
        state: the rules' state.
        pending: the pending look, question, complaint and announcement.
        presses: the decisions for which players at this table press a button.
        visibility: what the camera sees of the table.
        robot: the robot's seat; None if people have both.
        is_laid: whether its patches are laid without the readers, as at a simulated table.
        why_unseen: the sentence on why the boards are not seen; empty if it is not known, or they are.
        is_watched: whether nobody plays but simulated players, who are asked for nothing.
    """
    if pending.question is not None:
        return pending.question.says
    if state.turn is not None and not visibility.camera and not visibility.awaited:
        return said("The camera sends no pictures.")
    if pending.complaint is not None and not pending.looking and pending.foreseen is None:
        return pending.complaint.says
    if state.turn is None:
        return ""
    if (state.turn == robot or is_watched) and _is_seen(pending, visibility):
        name = state.name_of(state.turn)
        return _of_simulated(state, name) if is_watched else _of_robot(name, pending, presses, is_laid=is_laid)
    return _of_turn(state, pending, presses, visibility, why_unseen)


def _is_seen(pending: Pending[Question, Complaint], visibility: Visibility) -> bool:
    """Return whether the camera sees both boards, and nothing is looked at or announced."""
    return visibility.camera and visibility.boards_seen and not pending.looking and pending.foreseen is None


def _of_robot(name: str, pending: Pending[Question, Complaint], presses: Presses, *, is_laid: bool) -> Sentence:
    if pending.proposed is None:
        return said("{name} is thinking.", name=name)
    if is_laid:
        return said("{name} is laying the patch.", name=name)
    if presses is Presses.EACH:
        return said("Lay the patch for {name} where it is drawn, and press confirm.", name=name)
    return said("Lay the patch for {name} where it is drawn.", name=name)


def _of_simulated(state: State, name: str) -> Sentence:
    if state.leather_due:
        return said("{name} lays the leather patch.", name=name)
    if can_buy(state):
        return said("{name} chooses a patch, or advances.", name=name)
    return said("{name} can buy nothing, and advances.", name=name)


def _of_turn(
    state: State, pending: Pending[Question, Complaint], presses: Presses, visibility: Visibility, why_unseen: str
) -> str:
    if not visibility.camera:
        return said("The camera is starting.")
    if not visibility.boards_seen:
        return why_unseen or _boards_missing(state, visibility.in_view)
    if pending.looking:
        name = state.name_of(state.mover)
        return said("The camera is looking: {name}’s quilt must be still, with no hand over it.", name=name)
    return _due(state, presses) if pending.foreseen is None else sentences(pending.foreseen)[0]


def _boards_missing(state: State, in_view: tuple[int, ...]) -> str:
    if state.decisions_made:
        return said("The companion is looking for both quilt boards: leave them in view, where they are.")
    if in_view == (1, 2):
        return said("Both quilt boards are in view: keep hands and patches off them for a moment.")
    return said("Place both quilt boards in view, with nothing on them.")


def _due(state: State, presses: Presses) -> Sentence:
    """Return the sentence on the decision that is due."""
    name = state.name_of(state.mover)
    if state.leather_due:
        if presses is Presses.EACH:
            return said("{name} lays the leather patch and presses confirm.", name=name)
        return said("{name} lays the leather patch.", name=name)
    return _choice_due(name, presses) if can_buy(state) else _advance_due(name, presses)


def _advance_due(name: str, presses: Presses) -> Sentence:
    if presses is Presses.NONE:
        return said("{name} can buy nothing, and advances by moving the marker.", name=name)
    return said("{name} can buy nothing: press advance.", name=name)


def _choice_due(name: str, presses: Presses) -> Sentence:
    match presses:
        case Presses.EACH:
            return said("{name} lays a patch and presses confirm, or presses advance.", name=name)
        case Presses.ADVANCE:
            return said("{name} lays a patch, or presses advance.", name=name)
        case Presses.NONE:
            return said("{name} lays a patch, or advances by moving the marker.", name=name)

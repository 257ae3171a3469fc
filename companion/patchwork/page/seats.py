"""Seats, quilts and the time track, in the form of a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.config.palette import USUAL, page_colours
from companion.games.patchwork import PlaceLeather, TakePatch, names_of
from companion.patchwork.codec import seat_figures
from companion.patchwork.timeboard.marker_notices import NONE_WRONG

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.games.patchwork import Decision, State
    from companion.play.page.json_type import Json

LEATHER: Final = "leather"
_MARKS_SHOWN: Final = 3


def seats_json(
    state: State,
    decisions: Sequence[Decision],
    newest: int | None,
    colours: tuple[str, str] = page_colours(USUAL),
) -> list[Json]:
    """Return both seats as JSON.

    Args:
        state: the game.
        decisions: the decisions that led to it.
        newest: the number (from 1) of the latest decision if it was just taken, or None.
        colours: the colours of seat 1 and seat 2, as the page writes them.
    """
    return [{**_seat(state, number, decisions, newest), "colour": colours[number - 1]} for number in (1, 2)]


def _seat(state: State, number: int, decisions: Sequence[Decision], newest: int | None) -> Json:
    return {
        **seat_figures(state, number),
        "moves": state.turn == number,
        "pieces": _pieces(number, decisions, newest),
        "next_marks": _next_marks(state, number),
    }


def _pieces(number: int, decisions: Sequence[Decision], newest: int | None) -> list[Json]:
    """Return the pieces on a quilt, in the order in which they were laid."""
    return [
        {
            "patch": LEATHER if isinstance(decision, PlaceLeather) else decision.patch,
            "cells": list(names_of(decision.cells)),
            "turn": turn,
            "new": turn == newest,
        }
        for turn, decision in enumerate(decisions, start=1)
        if isinstance(decision, TakePatch | PlaceLeather) and decision.seat == number
    ]


def _next_marks(state: State, number: int) -> list[Json]:
    """Return the marks that a seat's token crosses next, and the effect of each with the present quilt."""
    seat, track = state.seat(number), state.setup.track
    ahead = sorted(mark for mark in (*track.income, *state.leather_left) if mark > seat.time)
    return [
        {
            "mark": mark,
            "steps": mark - seat.time,
            "income": seat.income if mark in track.income else 0,
            "leather": mark in state.leather_left,
        }
        for mark in ahead[:_MARKS_SHOWN]
    ]


def track_json(state: State, wrong: Mapping[int, int] = NONE_WRONG) -> Json:
    """Return the time track with both tokens; `wrong` as for `PatchworkAccount`."""
    track, on_top = state.setup.track, top_token(state)
    return {
        "last_space": track.last_space,
        "income": list(track.income),
        "leather": list(track.leather),
        "leather_left": list(state.leather_left),
        "tokens": [
            {
                "seat": number,
                "space": state.seat(number).time,
                # Apart from each other, both lie on top.
                "top": on_top in (None, number),
                "stands": wrong.get(number),
            }
            for number in (1, 2)
        ],
    }


def top_token(state: State) -> int | None:
    """Return the seat whose token lies on the other's, or None if the tokens are on different spaces.

    The token that arrives later lies on top and its player moves first (rulebook, turn order); on the last space
    that is the player who did not arrive first.
    """
    if state.seat(1).time != state.seat(2).time:
        return None
    if state.turn is not None:
        return state.turn
    return None if state.first_home is None else 3 - state.first_home

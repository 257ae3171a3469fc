"""The codec of dominoes for records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.languages import reason
from companion.record import Codec, Play, RecordError
from tests.dominoes.rules import DominoesError, History, Lay, Setup, State

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True)
class Finished:
    """The summary of a finished game."""

    game_id: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def _setup(obj: object) -> Setup:
    match obj:
        case {"players": [str(first), str(second)]}:
            return Setup((first, second))
    raise RecordError("the header must name two players")


def _header(setup: Setup) -> dict[str, Any]:
    return {"format": 1, "game": "dominoes", "players": list(setup.players)}


def _lay(obj: object) -> Lay:
    match obj:
        case {"seat": int(seat), "cells": [str(one), str(other)]}:
            return Lay(seat, (one, other))
    raise DominoesError("a decision has a seat and two cells")


def _summary(state: State) -> dict[str, Any]:
    return {
        "game": "dominoes",
        "finished": state.finished,
        "winner": next(iter(state.winners), None),
        "turn": state.turn,
        "seats": [{"seat": seat, "score": score} for seat, score in enumerate(state.scores, start=1)],
        "moves": state.decisions_made,
    }


def _figures(game_id: int, started_at: datetime, play: Play[Setup, Lay, State]) -> Finished:
    del started_at
    state = play.state
    return Finished(game_id, state.setup.players, state.scores, state.winners)


CODEC: Codec[Setup, Lay, State] = Codec(
    name="dominoes",
    setup_type=Setup,
    decision_type=Lay,
    setup_from_json=_setup,
    setup_to_json=_header,
    decision_from_json=_lay,
    decision_to_json=lambda decision: {"seat": decision.seat, "cells": list(decision.cells)},
    begin=History,
    summary=_summary,
    errors=DominoesError,
    words=reason,
    scores=lambda state: state.scores,
    winners=lambda state: state.winners,
    figures=_figures,
    figures_type=Finished,
)

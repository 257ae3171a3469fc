"""The codec of Kvilt for records and journals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.kvilt import (
    Decision,
    History,
    KviltError,
    Setup,
    SetupError,
    State,
    decision_from_json,
    decision_to_json,
    setup_from_json,
    setup_to_json,
    summary,
)
from companion.kvilt.statistics import KviltGame, finished_kvilt
from companion.languages import reason
from companion.record.codec import Codec, Play
from companion.record.errors import RecordError

if TYPE_CHECKING:
    from datetime import datetime


def _setup_from_json(obj: object) -> Setup:
    try:
        return setup_from_json(obj)
    except SetupError as error:
        raise RecordError(reason(error)) from error


def _scores(state: State) -> tuple[int, ...]:
    return tuple(state.score(seat).total for seat in range(1, state.setup.seats + 1))


def _figures(game_id: int, started_at: datetime, play: Play[Setup, Decision, State]) -> KviltGame:
    return finished_kvilt(game_id, started_at, play.state)


KVILT: Final[Codec[Setup, Decision, State]] = Codec(
    name="kvilt",
    setup_type=Setup,
    decision_type=Decision,
    setup_from_json=_setup_from_json,
    setup_to_json=setup_to_json,
    setup_to_journal=setup_to_json,
    decision_from_json=decision_from_json,
    decision_to_json=decision_to_json,
    begin=History,
    summary=summary,
    errors=KviltError,
    scores=_scores,
    winners=lambda state: state.winners,
    figures=_figures,
    figures_type=KviltGame,
)

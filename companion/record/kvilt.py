"""How Kvilt stands in records."""

from __future__ import annotations

from typing import Final

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
from companion.languages import reason
from companion.record.errors import RecordError
from companion.record.game import RecordedGame


def _setup_from_json(obj: object) -> Setup:
    try:
        return setup_from_json(obj)
    except SetupError as error:
        raise RecordError(reason(error)) from error


KVILT: Final[RecordedGame[Setup, Decision, State]] = RecordedGame(
    "kvilt", _setup_from_json, setup_to_json, decision_from_json, decision_to_json, History, summary, KviltError
)

"""Any game, as far as a table's devices go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Played(Protocol):
    """A game's history; its state has `turn`, `finished` and `setup.players`, whichever game it is."""

    @property
    def decisions(self) -> tuple[Any, ...]:
        """What was decided, from the start."""

    @property
    def state(self) -> Any:
        """The rules' state now."""


class Noted(Protocol):
    """What was asked and complained of in an evening, as JSON."""

    questions: list[dict[str, Any]]
    complaints: list[dict[str, Any]]


def played_json(
    standing: Mapping[str, Any], error: str | None, record: Sequence[Any], noted: Noted
) -> dict[str, Any]:
    """What the evenings of all games print.

    Args:
        standing: how the game stands.
        error: the fault that ended it early, None where it came to its end.
        record: its decisions, as JSON.
        noted: what was asked and complained of.
    """
    fault = {} if error is None else {"error": error}
    return {
        **standing, **fault, "record": record, "questions": noted.questions, "complaints": noted.complaints,
    }  # fmt: skip

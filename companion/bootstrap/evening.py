"""What came of an evening at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.bootstrap.played import played_json
from companion.games.patchwork import decision_to_json
from companion.record import summary

if TYPE_CHECKING:
    from companion.games.patchwork import History
    from companion.transcript import Transcript


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """What came of an evening at the table.

    Attributes:
        history: the decisions that were taken.
        transcript: the questions and complaints.
        error: the fault that ended it early, None where it came to its end.
        quilts: for each seat nine strings of X and ., as the patches really lie; known of a simulated table only.
        gave_up: whether it ended early because the simulated players could not go on; `error` says why.
    """

    history: History
    transcript: Transcript
    error: str | None = None
    quilts: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    gave_up: bool = False

    def to_json(self) -> dict[str, Any]:
        """What `companion replay FOLDER --json` and `companion play --json` print."""
        record = [decision_to_json(decision) for decision in self.history.decisions]
        printed = played_json(summary(self.history.state), self.error, record, self.transcript)
        if self.quilts is not None:
            printed["table"] = [list(rows) for rows in self.quilts]
        return printed

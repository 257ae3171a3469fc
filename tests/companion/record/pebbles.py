"""A game that the program does not have: players take one or two pebbles in turn; taking the last one wins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion.languages import reason
from companion.record import Codec, Play, RecordError


class PebblesError(Exception):
    """Root of the game's errors."""


@dataclass(frozen=True)
class Heap:
    """A game's setup."""

    players: tuple[str, ...]
    pebbles: int


@dataclass(frozen=True)
class Take:
    """A decision."""

    count: int


@dataclass(frozen=True)
class Lying:
    """A game's state."""

    left: int
    winner: int

    @property
    def finished(self) -> bool:
        return self.left == 0


@dataclass(frozen=True)
class PebblesGame:
    """A game's record for statistics."""

    game_id: int
    started_at: datetime
    winner: str


class Pebbles:
    """A game's history."""

    def __init__(self, setup: Heap) -> None:
        self.setup = setup
        self.decisions: tuple[Take, ...] = ()

    @property
    def state(self) -> Lying:
        left = self.setup.pebbles - sum(each.count for each in self.decisions)
        return Lying(left, 0 if left else (len(self.decisions) - 1) % len(self.setup.players) + 1)

    def apply(self, decision: Take, /) -> None:
        if decision.count > self.state.left:
            raise PebblesError("so many pebbles are not left")
        self.decisions = (*self.decisions, decision)

    def follow(self, decision: Take, _outcome: object, /) -> None:
        self.decisions = (*self.decisions, decision)


def _setup(obj: object) -> Heap:
    try:
        header: Any = obj
        return Heap(tuple(header["players"]), header["pebbles"])
    except (KeyError, TypeError) as error:
        raise RecordError(reason(error)) from error


def _take(obj: object) -> Take:
    match obj:
        case {"count": 1 | 2 as count}:
            return Take(count)
    raise PebblesError("one or two pebbles are taken")


def _header(setup: Heap) -> dict[str, Any]:
    return {"format": 1, "game": "pebbles", "players": list(setup.players), "pebbles": setup.pebbles}


def _scores(state: Lying) -> tuple[int, ...]:
    return (int(state.winner == 1), int(state.winner == 2))


def _figures(game_id: int, started_at: datetime, play: Play[Heap, Take, Lying]) -> PebblesGame:
    return PebblesGame(game_id, started_at, play.setup.players[play.state.winner - 1])


PEBBLES: Codec[Heap, Take, Lying] = Codec(
    name="pebbles",
    setup_type=Heap,
    decision_type=Take,
    setup_from_json=_setup,
    setup_to_json=_header,
    decision_from_json=_take,
    decision_to_json=lambda decision: {"count": decision.count},
    begin=Pebbles,
    summary=lambda state: {"game": "pebbles", "left": state.left},
    errors=PebblesError,
    words=reason,
    scores=_scores,
    winners=lambda state: (state.winner,) if state.winner else (),
    figures=_figures,
    figures_type=PebblesGame,
)

"""What the companion is told of the circle that lies on the simulated table."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from companion import events
from companion.bootstrap import SimulationOptions, simulate, simulating, table_name
from companion.bootstrap.arrangement import Circle
from companion.bootstrap.circledesk import CircleDesk, LaidOut
from companion.config import Config
from companion.dealing import dealt_market
from companion.games.patchwork import History
from companion.journal import MemoryJournal
from companion.market.confirming import LiesBehind, PlaceIs, Telling
from hardware.simulated.evening import SimulatedEvening

if TYPE_CHECKING:
    from hardware.simulated.table import SimulatedTable

OPTIONS = SimulationOptions(seed=4, tempers=("tidy", "tidy"), fast=True)
UNKNOWN = replace(OPTIONS, circle=Circle.UNKNOWN)
DEALT = replace(Config(), game=replace(Config().game, market=dealt_market(8)))


class BrokenOff(BaseException):
    """The evening ends here."""


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedEvening]:
    """The evenings that were put together."""
    evenings: list[SimulatedEvening] = []

    def seat(*arguments: Any, **options: Any) -> SimulatedEvening:
        evenings.append(SimulatedEvening(*arguments, **options))
        return evenings[-1]

    monkeypatch.setattr(simulating, "SimulatedEvening", seat)
    return evenings


def _play(
    config: Config, options: SimulationOptions, folder: Path, book: MemoryJournal, game_id: int | None = None
) -> History:
    """The game as it stands after the next decision."""

    def until_taken(event: events.Event) -> None:
        if isinstance(event, events.DecisionTaken):
            raise BrokenOff

    with pytest.raises(BrokenOff):
        simulate(config, options, book, folder, game_id, listeners=(until_taken,))
    history = History(book.setup(1))
    for decision in book.decisions(1):
        history.apply(decision)
    return history


def test_an_unknown_circle_lies_there_but_is_not_told(tmp_path: Path, laid: list[SimulatedEvening]) -> None:
    book = MemoryJournal()
    history = _play(DEALT, UNKNOWN, tmp_path, book)
    assert book.setup(1).market is None
    assert history.state.market is None
    assert laid[0].setup.market == DEALT.game.market
    # Its second half: the same circle lies there when the game is gone on with.
    _play(DEALT, UNKNOWN, tmp_path, book, game_id=1)
    assert laid[1].setup.market == DEALT.game.market
    assert len(book.decisions(1)) == 2


def test_a_dealt_circle_is_told_and_lies_there(tmp_path: Path, laid: list[SimulatedEvening]) -> None:
    book = MemoryJournal()
    _play(DEALT, OPTIONS, tmp_path, book)
    assert book.setup(1).market == laid[0].setup.market == laid[0].table.market == DEALT.game.market


def test_people_confirm_the_circle_that_was_seen_while_they_play(tmp_path: Path, laid: list[SimulatedEvening]) -> None:
    desk, book, said = CircleDesk(), MemoryJournal(), list[str]()
    answered: list[Future[None]] = []

    def answer(out: LaidOut | None) -> None:
        if out is not None and not answered:
            answered.extend(desk.tell(telling) for telling in _truth(out, laid[0].table))

    def until_taken(event: events.Event) -> None:
        if isinstance(event, events.TableNoticed):
            said.append(event.says)
        if isinstance(event, events.DecisionTaken) and event.state.decisions_made == 2:
            raise BrokenOff

    desk.follow(answer)
    with pytest.raises(BrokenOff):
        simulate(DEALT, replace(OPTIONS, circle=Circle.SEEN), book, tmp_path, listeners=(until_taken,), desk=desk)
    for outcome in answered:
        outcome.result(timeout=0)
    assert book.setup(1).market == DEALT.game.market
    assert any(sentence.startswith("The circle is known, all 33 patches.") for sentence in said)
    assert not any("seems to lie in the circle still" in sentence for sentence in said)


def _truth(out: LaidOut, table: SimulatedTable) -> list[Telling]:
    """What somebody who looks at the table says of every place, and of what was not seen."""
    centres = {piece.name: piece.outline_px.mean(axis=0) for piece in table.circle_pieces()}
    tellings: list[Telling] = []
    for place, piece in enumerate(out.proposal.seen.pieces, start=1):
        apart = {name: float(np.hypot(*(piece.outline_px.mean(axis=0) - at))) for name, at in centres.items()}
        nearest = min(apart, key=lambda name: apart[name])
        tellings.append(PlaceIs(place, nearest if apart[nearest] < 12 else None))
    at = {telling.patch: telling.place for telling in tellings if isinstance(telling, PlaceIs)}
    last = 0
    for patch in (*table.market, *table.market):
        last = at.get(patch, last)
        if patch not in at and last:
            tellings.append(LiesBehind(last, patch))
    return list(dict.fromkeys(tellings))


def test_a_game_with_a_circle_is_not_taken_for_one_without() -> None:
    assert table_name(UNKNOWN) != table_name(OPTIONS)

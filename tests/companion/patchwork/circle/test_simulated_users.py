"""Test that simulated players settle the camera's doubts about the circle."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.proposal import LiesBehind, Proposal, RunsSo
from companion.patchwork.circle.seen import CircleSighting, SeenMarket, UnclearStretch
from companion.patchwork.simulated import CircleConfirmer, TrueCircle, next_answer

MARKET: Final = (*(patch for patch in PATCHES if patch != "domino"), "domino")
SIZE_PX: Final = 30.0
IMAGE: Final = np.zeros((4, 4, 3), np.uint8)


def _middle(number: int) -> tuple[float, float]:
    angle = 2 * np.pi * number / len(MARKET)
    return 1000 + 800 * float(np.cos(angle)), 1000 + 800 * float(np.sin(angle))


CIRCLE: Final = TrueCircle(MARKET, {patch: _middle(number) for number, patch in enumerate(MARKET)})


def _piece(number: int, patch: str | None, *, sure: bool) -> CircleSighting:
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * SIZE_PX / 2
    chances = () if patch is None else ((patch, 0.6),)
    return CircleSighting(patch, corners + _middle(number) + np.array([2.0, -1.0]), _middle(number), chances, sure)


def _seen(doubts: dict[int, str | None], unseen: tuple[int, ...] = ()) -> Proposal:
    """Return the circle with doubtful places: the patch read at each number from 0."""
    pieces = [
        _piece(number, doubts.get(number, patch), sure=number not in doubts)
        for number, patch in enumerate(MARKET)
        if number not in unseen
    ]
    return Proposal(SeenMarket(tuple(pieces), None, "domino"))


def _settled(proposal: Proposal) -> Proposal:
    while (answer := next_answer(proposal, CIRCLE)) is not None:
        proposal = proposal.after(answer)
    return proposal


@pytest.mark.parametrize(
    ("doubts", "unseen"),
    [({}, ()), ({6: "tee", 20: MARKET[21]}, ()), ({9: None}, ()), ({4: None}, (7, 8, 30)), ({}, (0, 32))],
)
def test_answers_settle_the_circle_as_it_lies(doubts: dict[int, str | None], unseen: tuple[int, ...]) -> None:
    assert _settled(_seen(doubts, unseen)).market() == MARKET


def test_neighbours_that_were_put_into_the_wrong_order_are_told_in_the_right_one() -> None:
    pieces = list(_seen({}).seen.pieces)
    pieces[10:12] = [replace(piece, sure=False) for piece in (pieces[11], pieces[10])]
    assert _settled(Proposal(SeenMarket(tuple(pieces), None, "domino"))).market() == MARKET


@pytest.mark.parametrize("places", [(11, 12), (32, 33, 1), (33, 1)])
def test_an_unclear_stretch_is_settled_by_one_answer(places: tuple[int, ...]) -> None:
    """The camera has ordered the pieces of a stretch wrongly; one of its alternatives is the true one."""
    seen = _seen({}).seen
    pieces = list(seen.pieces)
    for place, number in zip(places, places[::-1], strict=True):
        pieces[place - 1] = seen.pieces[number - 1]
    stretch = UnclearStretch((places, (*places[1:], places[0]), places[::-1]))
    proposal = Proposal(SeenMarket(tuple(pieces), None, "domino", (stretch,)))
    answer = next_answer(proposal, CIRCLE)
    assert answer == RunsSo(places[0], 1 if len(places) == 2 else 2)
    assert proposal.after(answer).market() == MARKET


def test_a_stretch_that_runs_in_none_of_its_ways_is_told_place_by_place() -> None:
    pieces = list(_seen({}).seen.pieces)
    pieces[9:12] = [pieces[11], pieces[10], pieces[9]]
    stretch = UnclearStretch(((10, 11, 12), (11, 10, 12)))
    assert _settled(Proposal(SeenMarket(tuple(pieces), None, "domino", (stretch,)))).market() == MARKET


def test_a_piece_that_is_no_patch_is_answered_as_none() -> None:
    pieces = list(_seen({}).seen.pieces)
    pieces.insert(5, replace(_piece(5, "tee", sure=False), outline_px=pieces[5].outline_px * 0.2))
    told = _settled(Proposal(SeenMarket(tuple(pieces), None, "domino")))
    assert told.answers[6] is None
    assert told.market() == MARKET


def test_a_patch_that_was_not_seen_is_told_of_behind_the_one_before_it() -> None:
    assert next_answer(_seen({}, (7,)), CIRCLE) == LiesBehind(7, MARKET[7])


def test_a_doubt_is_answered_at_a_pace_to_watch() -> None:
    learnt: list[tuple[str, ...] | None] = []
    desk = CircleDesk()
    desk.begin(History(Setup()), learnt.append, lambda _: None)
    people = CircleConfirmer(desk, lambda: CIRCLE, answer_s=2.0)
    people.tick(0.0)
    desk.lay_out(_seen({6: "tee", 20: MARKET[21]}).seen, IMAGE)
    open_places = []
    for second in range(7):
        people.tick(float(second))
        desk.tick(float(second))
        open_places.append(0 if desk.laid is None else len(desk.laid.proposal.doubtful))
    assert open_places[:2] == [2, 2]
    assert open_places[-1] == 0
    assert learnt == [MARKET]

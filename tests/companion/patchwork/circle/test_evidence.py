"""Test the circle in play: evidence for the reader, answers to doubts, and a notice where it differs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.games.patchwork.components import PATCHES, placements
from companion.games.patchwork.decisions import Advance, Decision, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.circle import evidence as circleplay
from companion.patchwork.circle.evidence import CirclePlay, circle_of
from companion.patchwork.circle.keeper import LaidOut
from companion.patchwork.circle.proposal import PlaceIs, Proposal
from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from companion.patchwork.circle.watch import SeenPurchase
from companion.patchwork.naming import patch_name
from companion.patchwork.reading.complaints import gone_instead
from companion.play.events import Asked, DecisionTaken, DecisionUndone
from vision.geometry import Homography
from vision.table.plane import PlacedPicture

ORDER = (*(patch for patch in PATCHES if patch != "domino"), "domino")
IMAGE = np.zeros((300, 400, 3), np.uint8)
BOARDS = {1: Homography(np.diag([12.0, 12.0, 1.0]))}


def seen() -> SeenMarket:
    corners = np.array([[90.0, 90.0], [110.0, 90.0], [110.0, 110.0], [90.0, 110.0]])
    pieces = [CircleSighting(patch, corners, (100.0, 100.0), ((patch, 0.9),), sure=False) for patch in ORDER]
    return SeenMarket(tuple(pieces), None, "domino")


class _Circle:
    """A fake circle whose state is set by a test and that records its calls."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.shows = SeenPurchase(None)
        self.instead: str | None = None
        self.orders: list[list[int]] = []

    def set_orders(self, orders: list[list[int]]) -> None:
        self.orders = orders

    def instead_of(self, patch: str, scene: PlacedPicture) -> str | None:
        assert scene.image is IMAGE
        return None if patch == self.instead else self.instead

    def record_taken(self, patch: str, scene: PlacedPicture) -> SeenPurchase:
        assert scene.image is IMAGE
        self.heard.append(patch)
        return self.shows

    def record_pass(self) -> None:
        self.heard.append(None)

    def record_taken_before(self, patch: str) -> None:
        self.heard.append(("took before", patch))

    def record_undo(self) -> None:
        self.heard.append("undone")

    def set_patch(self, place: int, patch: str | None) -> None:
        self.heard.append((place, patch))


class _Evening:
    """A game with a circle laid out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.circle, self.said, self.noticed = _Circle(), [], []  # type: ignore[var-annotated]
        self.used: list[Any] = []
        self.built: list[SeenMarket] = []

        def build(market: SeenMarket, scene: PlacedPicture) -> _Circle:
            assert (scene.image, scene.boards) == (IMAGE, BOARDS)
            self.built.append(market)
            return self.circle

        monkeypatch.setattr(circleplay, "circle_of", build)
        watch = SimpleNamespace(picture=PlacedPicture(IMAGE, BOARDS))
        reader = SimpleNamespace(use_circle=self.used.append)
        self.proposal, self.history = Proposal(seen()), History(Setup())
        self.play = CirclePlay(watch, reader, self.history, self.said.append, self.noticed.append)  # type: ignore[arg-type]

    def lay_out(self) -> None:
        self.play.follow(LaidOut(1, self.proposal, IMAGE, BOARDS))

    def decide(self, decision: Decision) -> None:
        outcome = self.history.apply(decision)
        self.play(DecisionTaken(decision, outcome.facts, outcome.state))


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> _Evening:
    return _Evening(monkeypatch)


def _take(patch: str) -> TakePatch:
    return TakePatch(1, patch, placements(patch)[0])


def test_the_reader_is_given_the_circle_once(evening: _Evening) -> None:
    evening.play.follow(None)
    assert evening.used == []
    evening.lay_out()
    evening.lay_out()
    assert (evening.used, len(evening.built)) == ([evening.circle], 1)


def test_before_a_circle_was_seen_nothing_is_watched(evening: _Evening) -> None:
    evening.decide(Advance(1))
    assert evening.circle.heard == []


def test_answers_are_passed_on(evening: _Evening) -> None:
    evening.proposal = evening.proposal.after(PlaceIs(3, "tee"))
    evening.lay_out()
    assert evening.circle.heard == [(2, "tee")]


def test_a_corrected_order_does_not_rename_pieces(evening: _Evening) -> None:
    pieces = [*evening.proposal.seen.pieces]
    pieces[4] = replace(pieces[4], sure=True)
    evening.proposal = Proposal(SeenMarket(tuple(pieces), None, "domino")).after(PlaceIs(4, ORDER[4]))
    evening.lay_out()
    assert evening.circle.heard == []


def test_every_decision_is_followed(evening: _Evening) -> None:
    evening.lay_out()
    evening.decide(_take(ORDER[0]))
    evening.decide(Advance(2))
    evening.play(DecisionUndone(Advance(2), evening.history.state))
    assert evening.circle.heard == [ORDER[0], None, "undone"]
    assert (evening.said, evening.noticed) == ([], [])


def test_a_piece_that_was_seen_going_answers_a_doubt(evening: _Evening) -> None:
    evening.lay_out()
    evening.circle.shows = SeenPurchase(5, seen=True)
    evening.decide(_take(ORDER[5]))
    assert evening.noticed == [PlaceIs(6, ORDER[5])]


def test_one_from_further_round_than_the_rules_allow_is_told_of(evening: _Evening) -> None:
    evening.lay_out()
    evening.circle.shows = SeenPurchase(5, seen=True, is_beyond=True)
    evening.decide(_take(ORDER[5]))
    assert evening.said == [
        f"The {patch_name(ORDER[5])} was further round the circle: only the three patches after the neutral token "
        "may be taken."
    ]


def test_a_legal_purchase_from_a_known_circle_is_not_reported(evening: _Evening) -> None:
    evening.lay_out()
    evening.circle.shows = SeenPurchase(5, seen=True, is_beyond=True)
    evening.history.know_market(ORDER)
    evening.decide(_take(ORDER[0]))
    assert evening.said == []


def test_a_circle_that_comes_late_hears_what_was_decided_before(evening: _Evening) -> None:
    evening.decide(_take(ORDER[5]))
    evening.decide(Advance(2))
    evening.lay_out()
    assert evening.circle.heard == [("took before", ORDER[5]), None]


def test_one_that_was_not_seen_answers_none(evening: _Evening) -> None:
    evening.lay_out()
    evening.circle.shows = SeenPurchase(5, seen=False)
    evening.decide(_take(ORDER[5]))
    assert evening.noticed == []


def test_a_patch_still_in_the_circle_is_reported(evening: _Evening) -> None:
    evening.lay_out()
    evening.circle.shows, evening.circle.instead = SeenPurchase(None, still=0, instead=1), ORDER[1]
    evening.decide(_take(ORDER[0]))
    evening.history.undo()
    evening.circle.shows, evening.circle.instead = SeenPurchase(None, still=0), None
    evening.decide(_take(ORDER[0]))
    assert evening.said == [
        f"The {patch_name(ORDER[0])} was taken, but still seems to be in the circle; "
        f"the {patch_name(ORDER[1])} is missing from it.",
        f"The {patch_name(ORDER[0])} was taken, but still seems to be in the circle.",
    ]


def test_a_patch_that_was_asked_about_is_not_reported(evening: _Evening) -> None:
    evening.lay_out()
    evening.circle.shows, evening.circle.instead = SeenPurchase(None, still=0, instead=1), ORDER[1]
    taken = _take(ORDER[0])
    asked = gone_instead(taken, ORDER[1], "")
    evening.play(Asked(asked, 0, evening.history.state))
    evening.decide(taken)
    assert evening.said == []
    evening.history.undo()
    evening.decide(taken)
    assert len(evening.said) == 1


@pytest.mark.parametrize(("sure", "lead"), [(True, 2.0), (False, 0.0)])
def test_twins_that_were_guessed_at_in_the_circle_tell_nothing(sure: bool, lead: float) -> None:
    corners = np.array([[90.0, 90.0], [110.0, 90.0], [110.0, 110.0], [90.0, 110.0]])
    chances = (("corner-b1", 0.94), ("corner-b3", 0.06))
    piece = CircleSighting("corner-b1", corners, (100.0, 100.0), chances, sure=sure)
    circle = circle_of(SeenMarket((piece,), None, "nowhere"), PlacedPicture(IMAGE, BOARDS))
    assert circle is not None
    first, second = circle.likelihoods(("corner-b1", "corner-b3"), PlacedPicture(np.full_like(IMAGE, 90), BOARDS))
    assert (first - second >= lead) if lead else abs(first - second) < 0.01


def test_an_empty_circle_is_not_watched() -> None:
    assert circle_of(SeenMarket((), None, "nowhere"), PlacedPicture(IMAGE, BOARDS)) is None
    assert circle_of(seen(), PlacedPicture(IMAGE, {})) is None
    circle = circle_of(seen(), PlacedPicture(IMAGE, BOARDS))
    assert circle is not None
    assert circle.holds(0) is None

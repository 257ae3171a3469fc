"""Test that a circle is read back from its text unchanged."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES
from companion.languages import RUSSIAN, render
from companion.patchwork.circle.keeper import proposal_of, proposal_text
from companion.patchwork.circle.proposal import Proposal
from companion.patchwork.circle.seen import CircleSighting, SeenMarket, UnclearStretch

names = st.none() | st.sampled_from(tuple(PATCHES))
finite = st.floats(-1e5, 1e5, allow_nan=False)
points = st.tuples(finite, finite)
pieces = st.builds(
    CircleSighting,
    names,
    st.lists(points, min_size=3, max_size=6).map(np.array),
    points,
    st.lists(st.tuples(st.sampled_from(tuple(PATCHES)), st.floats(0, 1)), max_size=3).map(tuple),
    st.booleans(),
    st.booleans(),
    st.lists(st.integers(0, 32), max_size=2).map(tuple),
)
markets = st.builds(
    SeenMarket,
    st.lists(pieces, min_size=1, max_size=5).map(tuple),
    st.none() | points,
    st.sampled_from(("token", "domino", "nowhere")),
    st.just(()) | st.just((UnclearStretch(((1,), (1,))),)),
)


@st.composite
def proposals(draw: st.DrawFn) -> Proposal:
    market = draw(markets)
    places = st.integers(1, len(market.pieces))
    behind = st.lists(st.tuples(places, st.sampled_from(tuple(PATCHES))), max_size=2)
    ways = {1: draw(st.integers(0, 1))} if market.unclear else {}
    return Proposal(market, draw(st.dictionaries(places, names, max_size=3)), tuple(draw(behind)), ways)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(proposals())
def test_nothing_is_lost(proposal: Proposal) -> None:
    again = proposal_of(proposal_text(proposal))
    assert (again.answers, again.behind, again.ways) == (proposal.answers, proposal.behind, proposal.ways)
    assert again.seen.unclear == proposal.seen.unclear
    assert (again.seen.token_px, again.seen.begins, again.seen.notes) == (
        proposal.seen.token_px, proposal.seen.begins, proposal.seen.notes,
    )  # fmt: skip
    for one, other in zip(again.seen.pieces, proposal.seen.pieces, strict=True):
        np.testing.assert_array_equal(one.outline_px, other.outline_px)
        assert one.centre_px == other.centre_px
        assert (one.patch, one.chances, one.sure) == (other.patch, other.chances, other.sure)
        assert (one.whole, one.touching) == (other.whole, other.touching)


def test_corrections_are_said_in_each_language_after_a_resume() -> None:
    piece = CircleSighting(None, np.zeros((4, 2)), (1.0, 2.0), (), sure=False, whole=False)
    seen = proposal_of(proposal_text(Proposal(SeenMarket((piece,), None, "nowhere")))).seen
    assert [note.partition(" ")[0] for note in seen.notes] == ["Some", "Neither"]
    assert not set(seen.notes) & {render(note, RUSSIAN) for note in seen.notes}


PIECE = CircleSighting("tee", np.zeros((4, 2)), (1.0, 2.0), (("tee", 1.0),), sure=True)
GOOD = json.loads(proposal_text(Proposal(SeenMarket((PIECE,), None, "nowhere"), {1: "tee"})))


def changed(**fields: object) -> str:
    """Return the text of a good circle with other fields, those of `seen` and of its piece included."""
    proposal = GOOD["proposal"]
    seen, piece = proposal["seen"], proposal["seen"]["pieces"][0]
    piece = {key: fields.get(key, value) for key, value in piece.items()}
    seen = {**{key: fields.get(key, value) for key, value in seen.items()}, "pieces": [piece]}
    return json.dumps(
        {**GOOD, "proposal": {**{key: fields.get(key, value) for key, value in proposal.items()}, "seen": seen}}
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "7",
        json.dumps({**GOOD, "format": 1}),
        changed(unclear=[{"ways": [[1], [2]]}]),
        changed(unclear=[{"ways": [[2]]}]),
        changed(unclear=[{"ways": []}]),
        changed(ways={"1": 0}),
        changed(answers={"2": "tee"}),
        changed(answers={"1": "teapot"}),
        changed(behind=[[0, "tee"]]),
        changed(outline_px=[1, 2, 3]),
        changed(chances=[["teapot", 1]]),
        changed(token_px=[1]),
    ],
)
def test_another_text_is_refused(text: str) -> None:
    assert proposal_of(changed()).answers == {1: "tee"}
    with pytest.raises(ValueError, match=r"."):
        proposal_of(text)

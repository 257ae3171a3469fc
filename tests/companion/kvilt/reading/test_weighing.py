"""Test that the rules count only where the picture leaves a doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.kvilt.reading.reader import settled, weigh_by_rules
from companion.kvilt.sheets.files import load_sheet

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHEET = load_sheet()
RED, YELLOW, GREEN, BLUE, VIOLET, BROWN = range(1, 7)
WHITE = 0


def _weights(**likely: float) -> NDArray[np.float64]:
    """Return log probabilities by state from values such as `s1=0.6`; the rest is spread evenly over all states."""
    shares = np.zeros(7)
    for name, share in likely.items():
        shares[int(name[1:])] = share
    shares += (1 - shares.sum()) / 7
    return np.asarray(np.log(shares))


def _alone(**doubts: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Return a white sheet except for these regions; a region's dot is written as two underscores."""
    sure = {name: _weights(s0=0.9999) for name in SHEET.regions() if name not in ("spool1.body", "spool2.body")}
    return {**sure, **{name.replace("__", "."): weights for name, weights in doubts.items()}}


SURE_BLUE = _weights(s4=0.9999)
BLUE_OR_VIOLET = _weights(s4=0.55, s5=0.449)
VIOLET_OR_BLUE = _weights(s4=0.4, s5=0.599)


def test_a_doubtful_cell_follows_its_row() -> None:
    alone = _alone(r1c1__picture=SURE_BLUE, r1c2__picture=VIOLET_OR_BLUE, r1c3__picture=SURE_BLUE)
    assert weigh_by_rules(SHEET, alone)["r1c2.picture"].argmax() == BLUE


def test_a_certain_cell_stays_however_odd() -> None:
    alone = _alone(r1c1__picture=SURE_BLUE, r1c2__picture=_weights(s5=0.9999), r1c3__picture=SURE_BLUE)
    weighed = weigh_by_rules(SHEET, alone)
    assert weighed["r1c2.picture"] is alone["r1c2.picture"]


def test_another_row_has_the_colour() -> None:
    alone = _alone(r1c1__picture=SURE_BLUE, r2c1__picture=BLUE_OR_VIOLET)
    assert weigh_by_rules(SHEET, alone)["r2c1.picture"].argmax() == VIOLET


def test_a_background_has_its_pictures_colour() -> None:
    alone = _alone(r1c1__picture=SURE_BLUE, r1c1__background=VIOLET_OR_BLUE)
    assert weigh_by_rules(SHEET, alone)["r1c1.background"].argmax() == BLUE


def test_a_background_may_have_another_colour_than_its_picture_as_often_as_people_break_the_rules() -> None:
    """Where the picture does not distinguish the colours, white stays as likely, and the five others are equal."""
    alone = _alone(r1c1__picture=SURE_BLUE, r1c1__background=_weights(s0=0.3))
    weighed = np.exp(weigh_by_rules(SHEET, alone)["r1c1.background"])
    white = float(np.exp(alone["r1c1.background"][WHITE]))
    others = np.delete(weighed, [WHITE, BLUE]) / (1 - white)
    assert weighed[WHITE] == pytest.approx(white)
    assert others == pytest.approx(0.03 / 6, rel=0.02), "three times in a hundred it is any colour"


@pytest.mark.parametrize("names", [("r1c1.picture", "r1c2.picture"), ("spool1.thread", "spool2.thread")])
def test_a_doubtful_region_before_a_coloured_one_is_coloured(names: tuple[str, str]) -> None:
    maybe = _weights(s0=0.6, s4=0.399)
    first, second = names
    before = weigh_by_rules(SHEET, {**_alone(), first: maybe, second: SURE_BLUE})
    assert before[first].argmax() == BLUE
    after = weigh_by_rules(SHEET, {**_alone(), second: _weights(s0=0.4, s4=0.599)})
    assert after[second].argmax() == WHITE


shares = st.lists(st.floats(0.001, 1), min_size=7, max_size=7)


@given(st.dictionaries(st.sampled_from(sorted(_alone())), shares, max_size=12))
@settings(max_examples=40, deadline=None)
def test_certain_regions_never_change_and_probabilities_remain(doubts: dict[str, list[float]]) -> None:
    given_weights = {name: np.log(np.array(share) / sum(share)) for name, share in doubts.items()}
    alone = {**_alone(), **given_weights}
    weighed = weigh_by_rules(SHEET, alone)
    assert weighed.keys() == alone.keys()
    for name, weights in weighed.items():
        assert np.exp(weights).sum() == pytest.approx(1, abs=1e-6)
        if settled(alone[name]):
            assert np.array_equal(weights, alone[name])

"""Test a person's answers about a circle that was seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.proposal import (
    AllRight,
    AnswerError,
    Certainty,
    CircleAnswer,
    LiesBehind,
    PlaceIs,
    PlaceRight,
    Proposal,
    RunsSo,
    question,
)
from companion.patchwork.circle.seen import CircleSighting, SeenMarket, UnclearStretch

ORDER = (*(patch for patch in PATCHES if patch != "domino"), "domino")
TWINS = ("corner-b1", "corner-b3")


def piece(patch: str | None, *others: str, sure: bool = False) -> CircleSighting:
    names = tuple(name for name in (patch, *others) if name is not None)
    share = 1 / max(1, len(names))
    return CircleSighting(patch, np.zeros((4, 2)), (0.0, 0.0), tuple((name, share) for name in names), sure)


def proposal(**changed: CircleSighting) -> Proposal:
    """A circle that was seen without a doubt, but for some places (`p7` is place 7)."""
    pieces = [changed.get(f"p{place}", piece(patch, sure=True)) for place, patch in enumerate(ORDER, start=1)]
    return Proposal(SeenMarket(tuple(pieces), None, "domino"))


def test_a_sure_circle_needs_no_answers() -> None:
    seen = proposal()
    assert seen.settled
    assert (seen.market(), seen.doubtful, seen.missing) == (ORDER, (), ())


def test_a_doubtful_place_waits_until_somebody_names_it() -> None:
    doubtful = proposal(p7=piece(ORDER[6], "tee"))
    assert [place.number for place in doubtful.doubtful] == [7]
    assert doubtful.market() is None
    told = doubtful.after(PlaceIs(7, ORDER[6]))
    assert told.places[6].certainty is Certainty.ANSWERED
    assert told.market() == ORDER
    assert doubtful.after(PlaceRight(7)).market() == doubtful.after(AllRight()).market() == ORDER


def unclear(*stretches: UnclearStretch) -> Proposal:
    """The circle with stretches whose order is unclear."""
    return Proposal(replace(proposal().seen, unclear=stretches))


def test_an_unclear_order_is_asked_about() -> None:
    seen = unclear(UnclearStretch(((8, 9), (9, 8))))
    assert [(place.number, place.candidates) for place in seen.doubtful] == [
        (8, (ORDER[7], ORDER[8])),
        (9, (ORDER[8], ORDER[7])),
    ]
    assert seen.market() is None
    assert seen.after(AllRight()).market() == ORDER
    assert seen.after(PlaceRight(8)).after(PlaceRight(9)).market() == ORDER
    swapped = seen.after(PlaceIs(8, ORDER[8])).after(PlaceIs(9, ORDER[7]))
    assert swapped.market() == (*ORDER[:7], ORDER[8], ORDER[7], *ORDER[9:])
    assert swapped.sequences == ((*range(1, 8), 9, 8, *range(10, 34)),)


def test_one_answer_settles_the_order_of_a_stretch() -> None:
    seen = unclear(UnclearStretch(((8, 9, 10), (9, 10, 8), (10, 9, 8))))
    assert seen.after(RunsSo(8, 0)).market() == ORDER
    told = seen.after(RunsSo(8, 1))
    assert told.market() == (*ORDER[:7], ORDER[8], ORDER[9], ORDER[7], *ORDER[10:])
    assert (told.doubtful, told.unclear) == ((), ())
    assert told.after(RunsSo(8, 0)).market() == ORDER


def test_a_name_in_doubt_is_asked_for_although_its_order_was_answered() -> None:
    seen = proposal(p9=piece(ORDER[8], "tee"))
    told = Proposal(replace(seen.seen, unclear=(UnclearStretch(((8, 9), (9, 8))),))).after(RunsSo(8, 1))
    assert [place.number for place in told.doubtful] == [9]


def test_a_stretch_around_the_beginning_moves_it() -> None:
    seen = unclear(UnclearStretch(((32, 33, 1), (33, 32, 1))))
    told = seen.after(RunsSo(32, 1))
    assert told.market() == (ORDER[31], *ORDER[:31], ORDER[32])
    assert told.sequence == (32, *range(1, 32), 33)


def test_as_long_as_nobody_has_answered_every_order_is_possible() -> None:
    seen = unclear(UnclearStretch(((8, 9), (9, 8))), UnclearStretch(((20, 21), (21, 20))))
    as_seen = tuple(range(1, 34))
    assert seen.sequences[0] == as_seen
    assert {order[7:9] for order in seen.sequences} == {(8, 9), (9, 8)}
    assert {order[19:21] for order in seen.sequences} == {(20, 21), (21, 20)}
    assert seen.after(AllRight()).sequences == (as_seen,)


@pytest.mark.parametrize("answer", [RunsSo(7, 0), RunsSo(8, 2)])
def test_a_way_that_there_is_not_is_refused(answer: RunsSo) -> None:
    with pytest.raises(AnswerError, match=r"order after place 7 is certain|the possible orders are a to b"):
        unclear(UnclearStretch(((8, 9), (9, 8)))).after(answer)


def test_naming_one_twin_names_the_other() -> None:
    first, second = (ORDER.index(twin) + 1 for twin in TWINS)
    doubtful = proposal(**{f"p{first}": piece(*TWINS), f"p{second}": piece(*reversed(TWINS))})
    assert {place.number for place in doubtful.doubtful} == {first, second}
    right = doubtful.after(PlaceIs(first, TWINS[0]))
    assert (right.market(), right.places[second - 1].certainty) == (ORDER, Certainty.SURE)
    crossed = doubtful.after(PlaceIs(first, TWINS[1]))
    assert crossed.places[second - 1].patch == TWINS[0]
    assert crossed.settled


def test_a_name_that_goes_elsewhere_leaves_its_place_open() -> None:
    told = proposal().after(PlaceIs(3, ORDER[8]))
    assert told.places[8].patch is None
    assert [place.number for place in told.doubtful] == [9]
    assert told.missing == (ORDER[2],)
    assert told.after(PlaceIs(9, ORDER[2])).order == (*ORDER[:2], ORDER[8], *ORDER[3:8], ORDER[2], *ORDER[9:])


def test_a_patch_left_for_two_places_stays_open() -> None:
    names = ORDER[6:8]
    doubtful = proposal(p7=piece(*names), p8=piece(*reversed(names)), p9=piece(None, *names))
    told = doubtful.after(PlaceIs(1, names[0]))
    assert [place.patch for place in told.places[6:9]] == [None, names[1], None]
    assert {place.number for place in told.doubtful} == {7, 8, 9}


def test_the_latest_word_about_a_patch_counts() -> None:
    told = proposal(p7=piece(ORDER[6], "tee"), p8=piece(ORDER[7], "tee")).after(PlaceIs(7, ORDER[7]))
    corrected = told.after(PlaceIs(8, ORDER[7]))
    assert corrected.places[6].certainty is Certainty.DOUBTFUL
    assert corrected.after(PlaceRight(7)).market() == ORDER


def test_an_unseen_patch_is_put_behind_a_place_and_a_stranger_is_left_out() -> None:
    pieces = [piece(patch, sure=True) for patch in ORDER if patch not in ORDER[4:6]]
    pieces.insert(20, piece(None))
    seen = Proposal(SeenMarket(tuple(pieces), None, "nowhere"))
    assert set(seen.missing) == set(ORDER[4:6])
    with pytest.raises(AnswerError, match="These places have no name yet: 21"):
        seen.after(AllRight())
    whole = seen.after(PlaceIs(21, None))
    with pytest.raises(AnswerError, match="have no place yet"):
        whole.after(AllRight())
    for patch in ORDER[4:6]:
        assert whole.market() is None
        whole = whole.after(LiesBehind(4, patch))
    assert whole.market() == ORDER


def test_the_circle_begins_behind_the_smallest_patch_wherever_the_camera_began() -> None:
    turned = (*ORDER[10:], *ORDER[:10])
    seen = Proposal(SeenMarket(tuple(piece(patch, sure=True) for patch in turned), None, "nowhere"))
    assert seen.market() == ORDER


@pytest.mark.parametrize("answer", [PlaceIs(0, "tee"), PlaceIs(34, "tee"), LiesBehind(34, "tee"), PlaceRight(99)])
def test_there_are_so_many_places_only(answer: CircleAnswer) -> None:
    with pytest.raises(AnswerError, match=r"There is no place \d+: places go from 1 to 33"):
        proposal().after(answer)


def test_an_impossible_answer_is_refused() -> None:
    with pytest.raises(AnswerError, match="There is no patch teapot"):
        proposal().after(PlaceIs(1, "teapot"))
    with pytest.raises(AnswerError, match="Place 7 has no name yet"):
        proposal(p7=piece(None)).after(PlaceRight(7))


@given(st.lists(st.one_of(
    st.builds(PlaceIs, st.integers(1, 33), st.sampled_from([*PATCHES, None])),
    st.builds(LiesBehind, st.integers(1, 33), st.sampled_from([*PATCHES])),
), max_size=12))  # fmt: skip
def test_whatever_is_said_no_patch_lies_twice(answers: list[CircleAnswer]) -> None:
    two = {"p11": piece(ORDER[10], ORDER[11]), "p13": piece(ORDER[11], ORDER[10])}
    told = proposal(p7=piece(ORDER[6], "tee"), p9=piece(ORDER[8], ORDER[6]), p12=piece(None, *ORDER[10:12]), **two)
    for answer in answers:
        told = told.after(answer)
    assert len(set(told.order)) == len(told.order)
    assert set(told.order) | set(told.missing) == set(PATCHES)
    market = told.market()
    assert market is None or (set(market) == set(PATCHES) and market[-1] == "domino")


def test_the_question_names_what_each_place_may_be() -> None:
    doubtful = proposal(p7=piece("tee", "bar3"), p9=piece("bar3", "tee"))
    assert question(doubtful.doubtful) == "7: small T or short bar and 9: short bar or small T"
    many = proposal(**{f"p{place}": piece("tee", "bar3") for place in (7, 9, 12, 20)})
    assert question(many.doubtful) == "7, 9, 12 and 20"

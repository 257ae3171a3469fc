"""Decisions and their form in game records."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork import (
    ALL_CELLS,
    PATCHES,
    Advance,
    AwardTile,
    CountButtons,
    Decision,
    MalformedDecisionError,
    PlaceLeather,
    TakePatch,
    decision_from_json,
    decision_to_json,
    mask_of,
)
from tests.cases import each

seats = st.sampled_from([1, 2])
decisions: st.SearchStrategy[Decision] = st.one_of(
    st.builds(Advance, seats),
    st.builds(CountButtons, seats, st.integers(0, 999)),
    st.builds(AwardTile, seats),
    st.builds(PlaceLeather, seats, st.integers(0, 80).map(lambda index: 1 << index)),
    st.builds(TakePatch, seats, st.sampled_from(sorted(PATCHES)), st.integers(1, ALL_CELLS)),
)
PATCH: dict[str, Any] = {"seat": 1, "move": "patch", "patch": "corner-b1", "cells": ["A1", "A2", "B2"]}


@given(decisions)
def test_every_decision_goes_round(decision: Decision) -> None:
    assert decision_from_json(decision_to_json(decision)) == decision


def test_the_published_form() -> None:
    assert decision_to_json(TakePatch(1, "corner-b1", mask_of(["B2", "A1", "A2"]))) == PATCH
    assert decision_to_json(Advance(2)) == {"seat": 2, "move": "advance"}
    assert decision_to_json(CountButtons(1, 13)) == {"seat": 1, "move": "count", "buttons": 13}
    assert decision_to_json(AwardTile(2)) == {"seat": 2, "move": "tile"}
    assert decision_to_json(PlaceLeather(2, mask_of(["E5"]))) == {"seat": 2, "move": "leather", "cells": ["E5"]}


def test_unknown_keys_are_passed_over() -> None:
    assert decision_from_json({**PATCH, "note": "from the camera"}) == decision_from_json(PATCH)


@each(
    ("broken", "says"),
    [
        ({"seat": True}, '"seat" must be 1 or 2'),
        ({"seat": 1.0}, '"seat" must be 1 or 2'),
        ({"seat": "1"}, '"seat" must be 1 or 2'),
        ({"seat": 3}, '"seat" must be 1 or 2'),
        ({"seat": 10**400}, '"seat" must be 1 or 2'),
        ({"seat": None}, '"seat" must be 1 or 2'),
        ({"move": "take"}, '"move" must be'),
        ({"move": "count"}, '"buttons" must be a whole number from 0 to 999'),
        ({"move": "count", "buttons": -1}, '"buttons" must be a whole number from 0 to 999'),
        ({"move": "count", "buttons": True}, '"buttons" must be a whole number from 0 to 999'),
        ({"move": ["patch"]}, '"move" must be'),
        ({"patch": None}, '"patch" must be'),
        ({"patch": ["corner-b1"]}, '"patch" must be'),
        ({"patch": "carpet"}, "there is no patch 'carpet'"),
        ({"cells": []}, '"cells" must be a list'),
        ({"cells": "A1"}, '"cells" must be a list'),
        ({"cells": {"A1": 1}}, '"cells" must be a list'),
        ({"cells": ["A1", "A1"]}, "cell A1 is named twice"),
        ({"cells": ["A1", "K2"]}, "'K2' is not a cell"),
        ({"cells": ["A1", 2]}, "'2' is not a cell"),
        ({"cells": ["A1", ["B2"]]}, "is not a cell"),
        ({"move": "leather"}, "a leather patch covers one cell"),
    ],
)
def test_what_is_no_decision(broken: dict[str, Any], says: str) -> None:
    with pytest.raises(MalformedDecisionError, match=says):
        decision_from_json({**PATCH, **broken})


@each("obj", [None, [], "advance", 3, True])
def test_what_is_no_object(obj: object) -> None:
    with pytest.raises(MalformedDecisionError, match="a decision is an object"):
        decision_from_json(obj)

"""Decisions and their form in game records."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.cells import ALL_CELLS, mask_of
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import (
    Advance,
    AwardTile,
    CountButtons,
    Decision,
    PlaceLeather,
    TakePatch,
    decision_from_json,
    decision_to_json,
)
from companion.games.patchwork.errors import MalformedDecisionError, MalformedReason

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


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"seat": True}, MalformedReason.SEAT),
        ({"seat": 1.0}, MalformedReason.SEAT),
        ({"seat": "1"}, MalformedReason.SEAT),
        ({"seat": 3}, MalformedReason.SEAT),
        ({"seat": 10**400}, MalformedReason.SEAT),
        ({"seat": None}, MalformedReason.SEAT),
        ({"move": "take"}, MalformedReason.MOVE),
        ({"move": ["patch"]}, MalformedReason.MOVE),
        ({"move": "count"}, MalformedReason.BUTTONS),
        ({"move": "count", "buttons": -1}, MalformedReason.BUTTONS),
        ({"move": "count", "buttons": True}, MalformedReason.BUTTONS),
        ({"patch": None}, MalformedReason.PATCH),
        ({"patch": ["corner-b1"]}, MalformedReason.PATCH),
        ({"patch": "carpet"}, MalformedReason.UNKNOWN_PATCH),
        ({"cells": []}, MalformedReason.CELLS),
        ({"cells": "A1"}, MalformedReason.CELLS),
        ({"cells": {"A1": 1}}, MalformedReason.CELLS),
        ({"cells": ["A1", "A1"]}, MalformedReason.REPEATED_CELL),
        ({"cells": ["A1", "K2"]}, MalformedReason.UNKNOWN_CELL),
        ({"cells": ["A1", 2]}, MalformedReason.UNKNOWN_CELL),
        ({"cells": ["A1", ["B2"]]}, MalformedReason.UNKNOWN_CELL),
        ({"move": "leather"}, MalformedReason.LEATHER_CELLS),
    ],
)
def test_a_malformed_decision_is_refused_with_its_reason(broken: dict[str, Any], reason: MalformedReason) -> None:
    with pytest.raises(MalformedDecisionError) as caught:
        decision_from_json({**PATCH, **broken})
    assert caught.value.reason is reason


@pytest.mark.parametrize("obj", [None, [], "advance", 3, True])
def test_only_an_object_is_a_decision(obj: object) -> None:
    with pytest.raises(MalformedDecisionError) as caught:
        decision_from_json(obj)
    assert caught.value.reason is MalformedReason.NOT_AN_OBJECT

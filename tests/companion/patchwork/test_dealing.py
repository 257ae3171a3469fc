from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.rules import new_game, offers
from companion.games.patchwork.state import Setup
from companion.patchwork.arrangement import HANDFUL, deal_steps, dealt_market


@given(st.integers(0, 10_000))
def test_a_dealt_circle_begins_a_game(seed: int) -> None:
    market = dealt_market(seed)
    state = new_game(Setup(market=market))
    assert offers(state) == market[:3]
    assert sorted(market) == sorted(PATCHES)
    assert market[-1] == "domino", "the neutral token stands behind the smallest patch"
    assert market == dealt_market(seed)


def test_other_seeds_and_true_chance_deal_otherwise() -> None:
    assert len({dealt_market(seed) for seed in range(20)}) == 20
    assert len({dealt_market() for _ in range(5)}) == 5


@given(st.integers(1, 40), st.integers(0, 5))
def test_the_steps_show_every_patch_once_in_order(handful: int, seed: int) -> None:
    market = dealt_market(seed)
    steps = deal_steps(market, handful)
    assert tuple(dealt.patch for step in steps for dealt in step.patches) == market
    assert [dealt.place for step in steps for dealt in step.patches] == list(range(1, 34))
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert {step.count for step in steps} == {len(steps)}
    assert all(len(step.patches) == handful for step in steps[:-1])


def test_a_step_says_what_to_do_and_the_last_one_where_the_token_stands() -> None:
    says = [step.says for step in deal_steps(dealt_market(1))]
    assert HANDFUL == 12
    assert says == [
        "Lay these patches clockwise round the time board: 1 to 12.",
        "Continue clockwise with these: 13 to 24.",
        "Continue clockwise with these: 25 to 33. "
        "Then put the neutral token after the last one, so that it is just before patch 1.",
    ]
    assert deal_steps(["domino"])[0].says.startswith("Lay these patches clockwise round the time board: 1. Then")


def test_a_step_carries_what_a_page_draws() -> None:
    step = deal_steps(["corner-b3", "domino"])[0]
    corner = PATCHES["corner-b3"]
    shown = json.loads(json.dumps(step.to_json()))
    assert (shown["number"], shown["count"], shown["says"]) == (1, 1, step.says)
    assert shown["patches"][0] == {
        "place": 1,
        "patch": "corner-b3",
        "cells": [list(cell) for cell in sorted(corner.cells)],
        "buttons": corner.buttons,
        "time": corner.time,
        "income": corner.income,
    }


def test_no_handful_and_no_such_patch_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one patch, not 0"):
        deal_steps(["domino"], 0)
    with pytest.raises(KeyError):
        deal_steps(["quilt"])

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES, fits
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.rules import affordable, apply, offers
from companion.games.patchwork.state import Setup, State
from companion.patchwork.page.choices import must_of, offers_json, turn_json
from tests.companion.web.conftest import played


def _choosing(decisions: int, seed: int) -> State:
    state = played(decisions, seed=seed)[0].state
    assume(must_of(state) == "choose")
    return state


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 60), st.integers(0, 5))
def test_an_offer_brings_what_taking_it_does_bring(decisions: int, seed: int) -> None:
    state = _choosing(decisions, seed)
    seat = state.turn or 0
    shown = offers_json(state)
    assert [offer["patch"] for offer in shown] == list(offers(state))
    for offer in shown:
        patch = offer["patch"]
        there = fits(patch, state.seat(seat).quilt)
        assert offer["affordable"] == (patch in affordable(state))
        assert offer["fits"] == bool(there)
        if offer["affordable"] and there:
            after = apply(state, TakePatch(seat, patch, there[0])).state
            brings = offer["brings"]
            assert brings["time"] == after.seat(seat).time
            assert brings["buttons_after"] == after.seat(seat).buttons
            assert brings["income_after"] == after.seat(seat).income
            assert brings["leather"] == len(state.leather_left) - len(after.leather_left)
            assert (brings["next_seat"], brings["next_must"]) == (after.turn, must_of(after))
            assert brings["buttons_after"] == state.seat(seat).buttons - offer["buttons"] + brings["income"]
            assert brings["steps"] == after.seat(seat).time - state.seat(seat).time


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 60), st.integers(0, 5))
def test_advancing_brings_what_it_does_bring(decisions: int, seed: int) -> None:
    state = _choosing(decisions, seed)
    seat = state.turn or 0
    shown, after = turn_json(state)["advance"], apply(state, Advance(seat)).state
    assert shown["time"] == after.seat(seat).time
    assert shown["buttons"] == shown["steps"] == after.seat(seat).time - state.seat(seat).time
    assert shown["buttons_after"] == after.seat(seat).buttons
    assert shown["buttons_after"] == state.seat(seat).buttons + shown["buttons"] + shown["income"]
    assert (shown["next_seat"], shown["ends"]) == (after.turn, after.finished)


def test_a_patch_that_is_too_dear_shows_the_debt() -> None:
    state = played(0)[0].state
    dear = [offer for offer in offers_json(played(0, Setup())[0].state) if offer["buttons"] == 10]
    assert not any(offer["affordable"] for offer in dear)
    assert all(offer["brings"]["buttons_after"] == offer["brings"]["income"] - 5 for offer in dear)
    assert dear
    assert len(offers_json(state)) == 3


def test_with_an_unknown_circle_all_patches_are_on_offer() -> None:
    shown = offers_json(played(0, Setup())[0].state)
    assert {offer["patch"] for offer in shown} == set(PATCHES)
    assert shown[0]["cells"] == [list(cell) for cell in PATCHES[shown[0]["patch"]].cells]


def test_the_leather_patch_comes_before_every_choice() -> None:
    state = next(state for count in range(60) if (state := played(count)[0].state).leather_due)
    turn = turn_json(state)
    name = state.setup.players[(state.turn or 0) - 1]
    assert (turn["must"], turn["advance"]) == ("leather", None)
    assert turn["says"] == f"{name} places the leather patch now."
    assert turn["why"] == f"{name} was the first to pass the leather patch."
    assert offers_json(state) == []


def test_the_turn_has_a_reason() -> None:
    state = played(0)[0].state
    assert turn_json(state)["why"] == "Anna begins."
    ahead = apply(state, Advance(1)).state
    assert turn_json(ahead)["says"] == "It is Boris’s turn."
    assert turn_json(ahead)["why"] == "Boris is at 0, behind Anna at 1."


def test_on_a_shared_space_the_token_on_top_moves_on() -> None:
    start = played(0, Setup(players=("Anna", "Boris")))[0].state
    # The 1x2 patch moves Boris by one space, to Anna's.
    state = apply(apply(start, Advance(1)).state, TakePatch(2, "domino", mask_of(["A1", "B1"]))).state
    assert turn_json(state)["why"] == "Both tokens are at 1, and Boris’s is on top."


@pytest.mark.parametrize("key", ["seat", "must", "advance"])
def test_after_the_end_there_is_no_turn(key: str) -> None:
    state = played(999)[0].state
    assert turn_json(state)[key] is None
    assert turn_json(state)["says"] == "The game has ended."
    assert turn_json(state)["why"] == ""
    assert offers_json(state) == []

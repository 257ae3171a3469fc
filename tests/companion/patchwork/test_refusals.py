"""Test that refused decisions are explained in words, on one line, in the user's language."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES, placements
from companion.games.patchwork.decisions import (
    Advance,
    AwardTile,
    CountButtons,
    Decision,
    PlaceLeather,
    TakePatch,
    decision_from_json,
)
from companion.games.patchwork.errors import IllegalDecisionError, MalformedDecisionError, SetupError
from companion.games.patchwork.legal import resolve
from companion.games.patchwork.rules import apply, new_game
from companion.games.patchwork.state import Setup, State
from companion.languages import LANGUAGES, Sentence
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.refusals import fault, refusal
from companion.record import replay_record

if TYPE_CHECKING:
    from pathlib import Path

CIRCLE = ("corner-b1", "stairs", *(patch for patch in PATCHES if patch not in ("corner-b1", "stairs", "domino")))
MARKET = (*CIRCLE, "domino")
START = new_game(Setup(players=("Anna", "Boris"), market=MARKET))
LEATHER = replace(START, leather_due=True)
CORNER = mask_of(["A1", "A2", "B2"])
PATCH: dict[str, Any] = {"seat": 1, "move": "patch", "patch": "corner-b1", "cells": ["A1", "A2", "B2"]}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"rules": "official!"}, "rules must be official or marker-on-top"),
        ({"edition": "third"}, "edition must be original or revised"),
        ({"players": ("Anna",)}, "players must be two names"),
        ({"players": ("Anna", "  ")}, "players must be two names, neither of them empty"),
        ({"players": ("Anna", "Bo\nris")}, "players must be two names without control characters"),
        ({"first_seat": 0}, "first_seat must be 1 or 2"),
        ({"market": ["domino"]}, "market must be a list of patch ids"),
        ({"market": ()}, "market must list the 33 patches once each: domino, bar3, corner-b1 and 30 more missing"),
        ({"market": MARKET[1:]}, "market must list the 33 patches once each: corner-b1 missing"),
        ({"market": ("carpet", *MARKET[1:])}, "market must list the 33 patches once each: 'carpet' is not a patch"),
        (
            {"market": (*MARKET, "domino")},
            "market must list the 33 patches once each: 'domino' stands there more than once",
        ),
        (
            {"market": (*MARKET[1:], MARKET[0])},
            "market must list the circle clockwise from the neutral token: the 1x2 patch (domino) is last, "
            "corner-b1 cannot be",
        ),
    ],
)
def test_an_impossible_setup_is_explained(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(SetupError) as caught:
        Setup(**changes)
    assert fault(caught.value) == says


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ({"seat": True}, '"seat" must be 1 or 2'),
        ({"move": "take"}, '"move" must be "patch", "advance", "leather", "count" or "tile"'),
        ({"move": "count"}, '"buttons" must be a whole number from 0 to 999'),
        ({"patch": None}, '"patch" must be the id of a patch'),
        ({"patch": "carpet"}, "there is no patch 'carpet'"),
        ({"cells": []}, '"cells" must be a list of cells such as ["A1", "A2"]'),
        ({"cells": ["A1", "A1"]}, "square A1 is named twice"),
        ({"cells": ["A1", "K2"]}, "'K2' is not a square: squares go from A1 to I9"),
        ({"move": "leather"}, "a leather patch covers one square"),
    ],
)
def test_a_malformed_decision_is_explained(broken: dict[str, Any], says: str) -> None:
    with pytest.raises(MalformedDecisionError) as caught:
        decision_from_json({**PATCH, **broken})
    assert fault(caught.value) == says


def test_a_line_that_is_no_object_is_explained() -> None:
    with pytest.raises(MalformedDecisionError) as caught:
        decision_from_json([])
    assert fault(caught.value) == 'a decision is an object such as {"seat": 2, "move": "advance"}'


@pytest.mark.parametrize(
    ("state", "decision", "in_a_record", "at_the_table"),
    [
        (replace(START, turn=None), Advance(1), "the game has ended", "The game has ended."),
        (START, CountButtons(1, 5), "buttons are counted when the game has ended",
         "You can say that once the game has ended."),
        (START, AwardTile(1), "whose the 7x7 tile is can be said when the game has ended",
         "You can say that once the game has ended."),
        (replace(START, turn=None), AwardTile(1), "the 7x7 tile is for a quilt with a full square of 7 by 7",
         "The 7x7 tile is for a quilt with a full square of 7 by 7."),
        (START, Advance(2), "it is seat 1’s turn", "It is Anna’s turn."),
        (LEATHER, Advance(1), "the leather patch just won must be placed first",
         "The leather patch just won must be placed first."),
        (LEATHER, PlaceLeather(1, 0b11), "a leather patch covers one square", "A leather patch covers one square."),
        (START, PlaceLeather(1, 1), "there is no leather patch to place", "There is no leather patch to place."),
        (START, TakePatch(1, "carpet", CORNER), "there is no patch 'carpet'", "There is no patch carpet."),
        (START, TakePatch(1, "domino", 0b11), "domino is not on offer; corner for 1, stairs, short bar are",
         "The domino is not on offer; corner for 1, stairs, short bar are."),
        (replace(START, unbought=("bar3",)), TakePatch(1, "domino", 0b11), "domino has been bought already",
         "The domino has been bought already."),
        (START, TakePatch(1, "stairs", placements("stairs")[0]), "the price of stairs is 10 buttons, seat 1 has 5",
         "The price of the stairs is 10 buttons, Anna has 5."),
        (START, TakePatch(1, "corner-b1", 1 << 81), "that goes over the edge of the board",
         "That goes over the edge of the board."),
        (START, TakePatch(1, "corner-b1", 0b111), "these squares are not the shape of corner for 1",
         "These squares are not the shape of the corner for 1."),
        (replace(START, seats=(replace(START.seats[0], quilt=0b1), START.seats[1])), TakePatch(1, "corner-b1", CORNER),
         "already covered: A1", "Already covered: A1."),
    ],
)  # fmt: skip
def test_an_illegal_decision_is_explained(
    state: State, decision: Decision, in_a_record: str, at_the_table: str
) -> None:
    with pytest.raises(IllegalDecisionError) as caught:
        apply(state, decision)
    assert (fault(caught.value), refusal(caught.value, state)) == (in_a_record, at_the_table)


def test_cells_that_are_no_patch_are_explained() -> None:
    with pytest.raises(IllegalDecisionError) as caught:
        resolve(START, 1, mask_of(["A1", "I9"]))
    assert (fault(caught.value), refusal(caught.value, START)) == (
        "no patch has this shape",
        "No patch has this shape.",
    )


@pytest.mark.parametrize(
    ("line", "english", "russian"),
    [
        ({"seat": 2, "move": "advance"}, "illegal: it is seat 1’s turn", "не по правилам: сейчас ходит место 1"),
        ({"seat": 3, "move": "advance"}, '"seat" must be 1 or 2', '"seat": 1 или 2'),
    ],
)
def test_a_replayed_record_names_file_line_and_reason(
    tmp_path: Path, line: dict[str, Any], english: str, russian: str
) -> None:
    path = tmp_path / "game.jsonl"
    lines = [PATCHWORK.setup_to_json(START.setup), line]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    error = replay_record(path, PATCHWORK).error
    assert error is not None
    says = error.args[0]
    assert isinstance(says, Sentence)
    assert str(says) == f"{path}:2: {english}"
    assert says.rendered(LANGUAGES["ru"]).endswith(russian)

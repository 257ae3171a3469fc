"""Patchwork's header and summary."""

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.patchwork.components import PATCHES, Edition
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History, new_game
from companion.games.patchwork.state import RuleProfile, Setup
from companion.patchwork.codec import header_from_json, header_to_json, summary
from companion.record import RecordError

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")
HEADER: dict[str, Any] = {
    "format": 1,
    "game": "patchwork",
    "rules": "official",
    "edition": "original",
    "players": ["Anna", "Boris"],
    "first_seat": 1,
}


def test_market_is_absent_where_the_circle_is_unknown() -> None:
    assert header_to_json(Setup(players=("Anna", "Boris"))) == HEADER


@given(
    rules=st.sampled_from(RuleProfile),
    edition=st.sampled_from(Edition),
    names=st.tuples(*[st.text(min_size=1).filter(str.strip)] * 2),
    first_seat=st.sampled_from([1, 2]),
    buttons=st.tuples(st.integers(0, 30), st.integers(0, 30)),
    circle=st.none() | st.permutations(CIRCLE[:-1]),
)
@settings(derandomize=True, deadline=None)
def test_a_header_goes_round(
    rules: RuleProfile,
    edition: Edition,
    names: tuple[str, str],
    first_seat: int,
    buttons: tuple[int, int],
    circle: list[str] | None,
) -> None:
    printable = tuple("".join(ch for ch in name if ch.isprintable()) or "x" for name in names)
    market = None if circle is None else (*circle, "domino")
    setup = Setup(
        rules, edition, (printable[0].strip() or "x", printable[1].strip() or "x"), first_seat, market, buttons
    )
    assert header_from_json(json.loads(json.dumps(header_to_json(setup)))) == setup


def test_edition_may_be_absent_and_unknown_keys_are_passed_over() -> None:
    header = {key: value for key, value in HEADER.items() if key != "edition"} | {"calibration": {"fiducials": True}}
    assert header_from_json(header).edition is Edition.ORIGINAL
    assert header_from_json(HEADER | {"market": None}).market is None
    assert header_from_json(HEADER | {"edition": "revised"}).edition is Edition.REVISED


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 2}, '"format" must be 1'),
        ({"format": True}, '"format" must be 1'),
        ({"format": 1.0}, '"format" must be 1'),
        ({"format": 10**4000}, '"format" must be 1'),
        ({"game": "kvilt"}, '"game" must be "patchwork"'),
        ({"game": None}, '"game" must be "patchwork"'),
        ({"rules": "house"}, '"rules" must be "official" or "marker-on-top"'),
        ({"rules": None}, '"rules" must be'),
        ({"rules": ["official"]}, '"rules" must be'),
        ({"edition": None}, '"edition" must be "original" or "revised"'),
        ({"edition": {}}, '"edition" must be'),
        ({"players": "AB"}, '"players" must be a list of texts'),
        ({"players": ["A", 1]}, '"players" must be a list of texts'),
        ({"players": ["A", "B", "C"]}, '"players" must be two names'),
        ({"players": ["A", ""]}, "players must be two names"),
        ({"players": ["A", "B\u202e"]}, "players must be two names without control characters"),
        ({"first_seat": True}, '"first_seat" must be 1 or 2'),
        ({"buttons": [5, "5"]}, "buttons must be two numbers of buttons from 0 to 30"),
        ({"buttons": None}, "buttons must be two numbers of buttons from 0 to 30"),
        ({"first_seat": 3}, "first_seat must be 1 or 2"),
        ({"first_seat": "1"}, '"first_seat" must be 1 or 2'),
        ({"market": "domino"}, '"market" must be a list of texts'),
        ({"market": [1] * 33}, '"market" must be a list of texts'),
        ({"market": ["domino"] * 33}, "'domino' stands there more than once"),
        ({"market": ["domino", *CIRCLE[:-1]]}, "list the circle clockwise from the neutral token"),
    ],
)
def test_headers_that_cannot_be(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(RecordError, match=re.escape(says)):
        header_from_json({**HEADER, **changes})


@pytest.mark.parametrize("header", [None, [], "header", 1])
def test_a_header_is_an_object(header: object) -> None:
    with pytest.raises(RecordError, match="the header must be an object"):
        header_from_json(header)


def test_the_summary_is_the_published_object() -> None:
    history, rng = History(Setup(players=("Anna", "Bó — ёж"), market=CIRCLE)), random.Random(2)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    state = history.state
    told = summary(state)
    assert list(told) == ["game", "finished", "winner", "turn", "seats", "market", "moves"]
    keys = ["seat", "name", "buttons", "income", "time", "empty", "bonus", "score", "quilt"]
    assert [list(seat) for seat in told["seats"]] == [keys, keys]
    assert (told["game"], told["finished"], told["winner"], told["turn"]) == ("patchwork", True, state.winner, None)
    assert told["moves"] == state.decisions_made
    assert told["market"] == list(state.market or ())
    for number, seat in enumerate(told["seats"], 1):
        assert (seat["seat"], seat["name"], seat["time"]) == (number, state.setup.players[number - 1], 53)
        assert seat["empty"] == "".join(seat["quilt"]).count(".")
        assert seat["score"] == seat["buttons"] + 7 * seat["bonus"] - 2 * seat["empty"]
    assert json.loads(json.dumps(told)) == told


def test_the_summary_of_a_game_that_runs() -> None:
    told = summary(new_game(Setup(players=("Anna", "Boris"), first_seat=2)))
    assert (told["finished"], told["winner"], told["turn"], told["market"], told["moves"]) == (False, None, 2, None, 0)

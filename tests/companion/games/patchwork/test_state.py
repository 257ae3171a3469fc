"""Test setups that no game can begin with, and what a state tells about itself."""

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from companion.games.patchwork import (
    PATCHES,
    TIME_TRACKS,
    Edition,
    Setup,
    SetupError,
    mask_of,
    new_game,
    offers,
)
from tests.cases import each

CIRCLE = (*(patch for patch in PATCHES if patch != "domino"), "domino")


def test_a_game_begins_with_five_buttons_and_empty_quilts() -> None:
    state = new_game(Setup(first_seat=2, market=CIRCLE))
    for seat in (1, 2):
        side = state.seat(seat)
        assert (side.buttons, side.income, side.time, side.quilt, side.bonus, side.empty) == (5, 0, 0, 0, False, 81)
    assert state.turn == 2
    assert state.market == CIRCLE
    assert state.box == set(PATCHES)
    assert state.leather_left == (20, 26, 32, 44, 50)
    assert (state.leather_due, state.finished, state.winner, state.decisions_made) == (False, False, None, 0)


def test_the_edition_sets_the_leather_marks() -> None:
    setup = Setup(edition=Edition.REVISED)
    assert setup.track is TIME_TRACKS[Edition.REVISED]
    assert new_game(setup).leather_left == (26, 32, 38, 44, 50)
    assert replace(setup, edition=Edition.ORIGINAL).track is TIME_TRACKS[Edition.ORIGINAL]


def test_an_unknown_circle_offers_the_whole_box_in_file_order() -> None:
    state = new_game(Setup())
    assert state.market is None
    assert offers(state) == tuple(PATCHES)


@each(
    ("changes", "says"),
    [
        ({"rules": "official!"}, "rules must be official or marker-on-top"),
        ({"edition": "third"}, "edition must be original or revised"),
        ({"players": ("Anna",)}, "two names"),
        ({"players": ["Anna", "Boris"]}, "two names"),
        ({"players": ("Anna", "  ")}, "neither of them empty"),
        ({"players": ("Anna", 2)}, "two names"),
        ({"players": ("Anna", "Bo\nris")}, "without control characters"),
        ({"players": ("Anna", "\ud800")}, "without control characters"),
        ({"players": ("Anna", "\u202esiroB")}, "without control characters"),
        ({"first_seat": 0}, "first_seat must be 1 or 2"),
        ({"first_seat": True}, "first_seat must be 1 or 2"),
        ({"market": list(CIRCLE)}, "market must be a list of patch ids"),
        ({"market": (*CIRCLE[:-1], 3)}, "market must be a list of patch ids"),
        ({"market": ()}, "market must list the 33 patches once each: domino, bar3, corner-b1 and 30 more missing"),
        ({"market": CIRCLE[1:]}, "once each: bar3 missing"),
        ({"market": ("carpet", *CIRCLE[1:])}, "once each: 'carpet' is not a patch"),
        ({"market": (CIRCLE[1], *CIRCLE[1:])}, "once each: 'corner-b1' stands there more than once"),
        ({"market": (*CIRCLE, "domino")}, "'domino' stands there more than once"),
        ({"market": (*CIRCLE[1:], CIRCLE[0])}, "list the circle clockwise from the neutral token: the 1x2 patch"),
    ],
)
def test_setups_that_cannot_be(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(SetupError) as caught:
        Setup(**changes)
    assert says in str(caught.value)


def test_states_cannot_be_changed() -> None:
    state = new_game(Setup())
    with pytest.raises(FrozenInstanceError):
        state.turn = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        state.seat(1).buttons = 99  # type: ignore[misc]


def test_there_are_two_seats() -> None:
    for number in (0, 3, -1):
        with pytest.raises(ValueError, match="there is no seat"):
            new_game(Setup()).seat(number)


def test_empty_cells_are_counted() -> None:
    assert replace(new_game(Setup()).seat(1), quilt=mask_of(["A1", "I9", "E5"])).empty == 78

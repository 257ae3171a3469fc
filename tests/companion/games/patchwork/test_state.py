"""Test setups that no game can begin with, and what a state tells about itself."""

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.components import PATCHES, TIME_TRACKS, Edition
from companion.games.patchwork.errors import SetupError, SetupReason
from companion.games.patchwork.rules import new_game, offers
from companion.games.patchwork.state import Setup

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


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rules": "official!"}, SetupReason.RULES),
        ({"edition": "third"}, SetupReason.EDITION),
        ({"players": ("Anna",)}, SetupReason.NOT_TWO_NAMES),
        ({"players": ["Anna", "Boris"]}, SetupReason.NOT_TWO_NAMES),
        ({"players": ("Anna", "  ")}, SetupReason.EMPTY_NAME),
        ({"players": ("Anna", 2)}, SetupReason.EMPTY_NAME),
        ({"players": ("Anna", "Bo\nris")}, SetupReason.UNPRINTABLE_NAME),
        ({"players": ("Anna", "\ud800")}, SetupReason.UNPRINTABLE_NAME),
        ({"players": ("Anna", "\u202esiroB")}, SetupReason.UNPRINTABLE_NAME),
        ({"players": ("Anna", "\u2066Boris")}, SetupReason.UNPRINTABLE_NAME),
        ({"first_seat": 0}, SetupReason.FIRST_SEAT),
        ({"first_seat": True}, SetupReason.FIRST_SEAT),
        ({"buttons": [5, 5]}, SetupReason.BUTTONS),
        ({"buttons": (5,)}, SetupReason.BUTTONS),
        ({"buttons": (5, -1)}, SetupReason.BUTTONS),
        ({"buttons": (31, 5)}, SetupReason.BUTTONS),
        ({"buttons": (True, 5)}, SetupReason.BUTTONS),
        ({"market": list(CIRCLE)}, SetupReason.MARKET),
        ({"market": (*CIRCLE[:-1], 3)}, SetupReason.MARKET),
        ({"market": ()}, SetupReason.MISSING_PATCHES),
        ({"market": CIRCLE[1:]}, SetupReason.MISSING_PATCHES),
        ({"market": ("carpet", *CIRCLE[1:])}, SetupReason.UNKNOWN_PATCH),
        ({"market": (CIRCLE[1], *CIRCLE[1:])}, SetupReason.REPEATED_PATCH),
        ({"market": (*CIRCLE, "domino")}, SetupReason.REPEATED_PATCH),
        ({"market": (*CIRCLE[1:], CIRCLE[0])}, SetupReason.SMALLEST_NOT_LAST),
    ],
)
def test_an_impossible_setup_is_refused_with_its_reason(changes: dict[str, Any], reason: SetupReason) -> None:
    with pytest.raises(SetupError) as caught:
        Setup(**changes)
    assert caught.value.reason is reason


def test_seats_begin_with_the_buttons_of_the_setup() -> None:
    state = new_game(Setup(buttons=(8, 5)))
    assert (state.seat(1).buttons, state.seat(2).buttons) == (8, 5)


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

"""Test the lights at a table of Kvilt: position and rhythm show whose turn it is, independent of the colours."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.kvilt import facts as f
from companion.games.kvilt.decisions import TakeToken
from companion.games.kvilt.rules import History, new_game
from companion.games.kvilt.state import Phase
from companion.kvilt.choices import Choice, ChoiceTopic, Option, SheetComplaint, Take
from companion.kvilt.lights import KviltShow
from companion.lights import BLACK, NEUTRAL, NOTICE
from companion.play.events import (
    Asked,
    Complained,
    DecisionTaken,
    DecisionUndone,
    GameOpened,
    LookStarted,
    NothingToUndo,
    TableNoticed,
)
from hardware.drivers.simulated import SimulatedStripDriver
from tests.companion.games.kvilt.played import play_game
from tests.companion.kvilt_setups import own_setup

NAMES = ("Anna", "Boris", "Vera", "Gleb")


def shown(show: KviltShow, event: object, at_s: float = 100.0) -> KviltShow:
    show.event(event, at_s)  # type: ignore[arg-type]
    return show


def lit(pixels: list[tuple[int, int, int]]) -> list[int]:
    return [place for place, pixel in enumerate(pixels) if sum(pixel) > 120]


@cache
def played(seats: int, seed: int) -> History:
    """Return a whole game, which must not be changed."""
    return play_game(own_setup(NAMES[:seats]), random.Random(seed))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_seat_has_a_part_of_its_own(seats: int) -> None:
    state, parts = new_game(own_setup(NAMES[:seats])), []
    for turn in range(1, seats + 1):
        show = KviltShow(60, seats)
        # The first-player token stays with seat 1.
        turned = replace(state, turn=turn, phase=Phase.COLOURING)
        parts.append({*lit(shown(show, GameOpened(1, turned)).frame(110.0))} - {0})
    for one, other in pairwise(parts):
        assert max(one) < min(other)


@pytest.mark.parametrize("turn", [1, 2, 3, 4])
def test_the_rhythm_identifies_the_seat(turn: int) -> None:
    state = replace(new_game(own_setup(NAMES)), turn=turn, first=turn % 4 + 1, phase=Phase.COLOURING)
    show = shown(KviltShow(60, 4), GameOpened(1, state))
    levels = [sum(map(sum, show.frame(200 + step * 0.02))) for step in range(100)]
    dips = sum(levels[step - 1] >= levels[step] < levels[(step + 1) % 100] for step in range(100))
    assert dips == turn


def test_more_of_the_part_glows_from_phase_to_phase() -> None:
    state, counts = replace(new_game(own_setup(NAMES[:2])), turn=2), []
    for phase in (Phase.SCRAPS, Phase.PENCILS, Phase.COLOURING):
        show = shown(KviltShow(60, 2), GameOpened(1, replace(state, phase=phase)))
        counts.append(len(lit(show.frame(110.0))))
    assert counts == sorted(set(counts))


def test_the_first_players_part_begins_white() -> None:
    state = replace(new_game(own_setup(NAMES[:3])), turn=1, first=3)
    assert shown(KviltShow(60, 3), GameOpened(1, state)).frame(110.0)[40] == NOTICE


def test_the_strip_holds_still_while_the_camera_looks() -> None:
    show = shown(KviltShow(60, 2), LookStarted(new_game(own_setup(NAMES[:2]))))
    assert show.is_neutral
    assert {*show.frame(100.0), *show.frame(103.3)} == {NEUTRAL}
    shown(show, TableNoticed("It is dark.", new_game(own_setup(NAMES[:2]))))
    assert show.is_neutral


def test_options_are_shown_by_place_and_the_one_on_display_longest() -> None:
    state = new_game(own_setup(NAMES[:2]))
    options = tuple(Option("token", Take(TakeToken(1, it)), it, (it,)) for it in ("red", "blue", "green"))
    show = shown(KviltShow(60, 2), Asked(Choice(ChoiceTopic.TOKEN, 1, options, "?"), 1, state))
    assert not show.is_resting(101.0)
    assert lit(show.frame(100.2)) == list(range(20, 39))
    assert set(lit(show.frame(101.6))) <= {*range(20), *range(40, 60)}


def test_the_next_choice_does_not_cut_off_the_last_effect() -> None:
    state = new_game(own_setup(NAMES[:2]))
    show = shown(KviltShow(60, 2), DecisionTaken(TakeToken(1, "red"), (f.TokenTaken(1, "red"),), state))
    option = Option("token", Take(TakeToken(2, "blue")), "blue", ("blue",))
    shown(show, Asked(Choice(ChoiceTopic.TOKEN, 2, (option,), "?"), 0, state))
    assert show.frame(100.1)[5] == (255, 20, 10)
    assert show.is_resting(101.0)


@pytest.mark.parametrize(
    "event",
    [
        Complained(SheetComplaint(("unseen",), 2, (), "?", ""), new_game(own_setup(NAMES[:2]))),
        DecisionUndone(TakeToken(1, "red"), new_game(own_setup(NAMES[:2]))),
        NothingToUndo(new_game(own_setup(NAMES[:2]))),
    ],
)
def test_other_news_is_seen_and_passes(event: object) -> None:
    show = shown(KviltShow(60, 2), GameOpened(1, new_game(own_setup(NAMES[:2]))))
    rest = KviltShow(60, 2)
    shown(rest, GameOpened(1, new_game(own_setup(NAMES[:2]))), 0.0)
    shown(show, event)
    assert show.frame(100.05) != rest.frame(100.05)
    assert show.frame(110.0) == rest.frame(110.0)


@settings(deadline=None, max_examples=20)
@given(st.integers(8, 144), st.integers(2, 4), st.integers(0, 60), st.booleans())
def test_whole_games_light_as_many_pixels_as_there_are(count: int, seats: int, seed: int, reversed_: bool) -> None:
    game = played(seats, seed % 3)
    again, show = History(game.setup), KviltShow(count, seats, SimulatedStripDriver(reversed=reversed_))
    for number, decision in enumerate(game.decisions[seed::9]):
        with_it = again.state
        facts: tuple[f.Fact, ...] = (f.ColouringEnded(decision.seat, ()), f.GameEnded((1,)))
        show.event(DecisionTaken(decision, facts, with_it), number * 0.7)
        pixels = show.frame(number * 0.7 + 0.3)
        assert len(pixels) == count


def test_the_winners_shine_at_the_end() -> None:
    game = played(2, 1)
    (winner,) = game.state.winners
    pixels = shown(KviltShow(60, 2), GameOpened(1, game.state)).frame(110.0)
    part = range(29) if winner == 1 else range(30, 60)
    assert all(pixels[place] != BLACK for place in part)
    assert all(pixels[place] == BLACK for place in set(range(60)) - set(part))


def test_a_strip_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="too short"):
        KviltShow(9, 2, SimulatedStripDriver(first_pixel=2))

"""Test the players at a simulated table of Kvilt: they press, colour and lay sheets, and know their own marks."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.kvilt.decisions import PlacePencil, TakeCushion, decision_from_json
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.state import Bag, Phase, State
from companion.kvilt.sheets.layout_files import load_layout
from hardware.ports import Button, EndOfFramesError
from hardware.simulated.sheets import players as news
from hardware.simulated.sheets.conditions import SheetConditions
from hardware.simulated.sheets.evening import TEMPERS, SheetTemper, SimulatedSheetEvening
from hardware.simulated.sheets.players import SheetPlayer
from hardware.simulated.sheets.sheet import SimulatedSheet
from tests.companion.kvilt_setups import own_setup

SETUP = own_setup(("Anna", "Boris"))
SMALL = SheetConditions(width_px=640, height_px=480)
LINES = [
    {"seat": 1, "move": "token", "colour": "red"},
    {"seat": 2, "move": "token", "colour": "blue"},
    {"seat": 1, "move": "place", "drawn": "green", "cushion": 1},
    {"seat": 1, "move": "place", "drawn": "red", "cushion": 1},
    {"seat": 2, "move": "place", "drawn": "yellow", "cushion": 2},
    {"seat": 2, "move": "take", "cushion": 2},
    {"seat": 1, "move": "place", "drawn": "violet", "cushion": 1},
    {"seat": 1, "move": "take", "cushion": 1},
    {"seat": 2, "move": "fill", "drawn": ["brown", "blue", "blue"]},
]
LOOKS = (news.Offered("done"), news.Offered("bag"))


def evening(temper: str = "tidy", *, fast: bool = True) -> SimulatedSheetEvening:
    return SimulatedSheetEvening(5, SETUP, load_layout(), (temper,), conditions=SMALL, fast=fast)


def colouring() -> State:
    state = new_game(SETUP)
    for line in LINES:
        state = apply(state, decision_from_json(line)).state
    return state


def asked(kind: str, options: tuple[news.Offered, ...], state: State, regions: tuple[str, ...] = ()) -> news.Asked:
    return news.Asked(kind, state.turn or 1, options, regions, state)


def pressed(table: SimulatedSheetEvening, pictures: int = 5) -> list[Button]:
    """Return the presses for the latest question, which take some pictures if it is about a sheet."""
    presses: list[Button] = []
    for _ in range(pictures):
        table.camera.capture()
        presses += [press.button for press in table.controls.presses()]
        if presses:
            break
    return presses


def tokens(state: State) -> tuple[news.Offered, ...]:
    return tuple(
        news.Offered("token", (it,), (), decision_from_json({"seat": 1, "move": "token", "colour": it}))
        for it in state.free_tokens
    )


def test_an_option_is_shown_and_taken() -> None:
    table, state = evening(), new_game(SETUP)
    table.on_feedback(asked("token", tokens(state), state))
    presses = pressed(table)
    assert presses == [Button.ADVANCE] * (len(presses) - 1) + [Button.CONFIRM]
    assert len(presses) <= 6
    assert pressed(table) == []


def test_people_take_their_time_where_somebody_watches() -> None:
    table, state = evening(fast=False), new_game(SETUP)
    table.on_feedback(asked("token", tokens(state), state))
    assert pressed(table, 1) == []
    later = [press for _ in range(30) for press in pressed(table, 1)]
    assert later[-1] is Button.CONFIRM


def test_no_two_pictures_are_the_same_though_nothing_stirs() -> None:
    table = evening()
    before, after = (table.camera.capture().image for _ in range(2))
    assert not np.array_equal(before, after)
    assert np.array_equal(before[1:], after[1:])


def test_a_sheet_is_coloured_laid_and_looked_at() -> None:
    table, state = evening(), colouring()
    bare = table.picture(0.0)
    table.on_feedback(asked("sheet", LOOKS, state))
    assert table.sheets[1].coloured
    assert table.sheets[0].coloured == {}
    assert pressed(table)[-1] is Button.CONFIRM
    assert not np.array_equal(table.picture(0.0), bare)
    before = dict(table.sheets[1].coloured)
    table.on_feedback(news.Complained(("unseen",)))
    table.on_feedback(asked("sheet", LOOKS, state))
    assert table.sheets[1].coloured == before


def test_a_player_asked_about_a_region_knows_its_colour() -> None:
    table, state = evening(), colouring()
    table.on_feedback(asked("sheet", LOOKS, state))
    pressed(table)
    region, colour = next(iter(table.sheets[1].coloured.items()))
    white = next(it for it in SETUP.sheet.regions() if it not in table.sheets[1].coloured)
    ways = (news.Offered("tell", ("pink",)), news.Offered("tell"), news.Offered("tell", (colour,)))
    table.on_feedback(asked("doubt", ways, state, (region,)))
    assert pressed(table) == [Button.ADVANCE, Button.ADVANCE, Button.CONFIRM]
    table.on_feedback(asked("doubt", ways, state, (white,)))
    assert pressed(table) == [Button.ADVANCE, Button.CONFIRM]
    table.on_feedback(asked("doubt", ways[:1], state, (region,)))
    assert pressed(table) == [Button.UNDO]


def test_people_give_way_after_some_tries() -> None:
    table, state = evening(), colouring()
    table.on_feedback(asked("sheet", LOOKS, state))
    pressed(table)
    options = (news.Offered("again"), news.Offered("bag"), news.Offered("let-go"))
    tries = []
    for _ in range(3):
        table.on_feedback(news.Complained(("E_BACKGROUND",)))
        table.on_feedback(asked("trouble", options, state))
        tries.append(len(pressed(table)))
    assert tries[-1] == 3
    assert all(count < 3 for count in tries[:-1])


def test_a_pencil_left_on_the_sheet_is_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    lies: list[bool] = []

    def photograph(
        sheet: SimulatedSheet,
        conditions: SheetConditions,
        ground: np.random.Generator,
        pencil: np.random.Generator | None,
    ) -> object:
        lies.append(pencil is not None)
        return sheet.table(conditions, ground=ground)

    monkeypatch.setattr(SimulatedSheet, "photograph", photograph)
    forgetful = SheetTemper(("even",), leaves_pencil=1.0)
    monkeypatch.setattr("hardware.simulated.sheets.evening.TEMPERS", {"forgetful": forgetful})
    table, state = evening("forgetful"), colouring()
    options = (news.Offered("again"), news.Offered("bare"))
    table.on_feedback(asked("sheet", LOOKS, state))
    pressed(table)
    table.on_feedback(news.Complained(("covered",)))
    table.on_feedback(asked("trouble", options, state))
    assert pressed(table) == [Button.CONFIRM], "it is to be looked at again"
    assert lies == [True, False]
    table.on_feedback(news.Complained(("covered",)))
    table.on_feedback(asked("trouble", options, state))
    assert pressed(table) == [Button.ADVANCE, Button.CONFIRM], "nothing lies there any more"


def test_an_evening_goes_on_with_sheets_as_the_books_have_them() -> None:
    table = evening()
    patch = {"seat": 2, "move": "patch", "colour": "yellow", "patch": "p5"}
    state = apply(colouring(), decision_from_json(patch)).state
    table.resume_from(state)
    assert [dict(sheet.coloured) for sheet in table.sheets] == [{}, {"p5": "yellow"}]


def test_everybody_goes_home_after_the_end() -> None:
    table = evening()
    table.camera.capture()
    table.on_feedback(news.Ended())
    with pytest.raises(EndOfFramesError):
        table.camera.capture()


def test_a_drawn_pencil_is_placed() -> None:
    state = apply(apply(new_game(SETUP), decision_from_json(LINES[0])).state, decision_from_json(LINES[1])).state
    assert state.phase == Phase.PENCILS
    player = SheetPlayer(1)
    assert player.choose(news.Asked("share", 1, (news.Offered("draw"),), (), state), {}) == 0
    places = tuple(news.Offered("place", (), (it,), PlacePencil(1, "green", it)) for it in (1, 2, 3))
    chosen = player.choose(news.Asked("place", 1, places, (), state), {})
    assert chosen in (0, 1, 2)
    later = apply(state, PlacePencil(1, "green", 2)).state
    shares = (news.Offered("draw"), news.Offered("take", ("green",), (2,), TakeCushion(1, 2)))
    assert {SheetPlayer(seed).choose(news.Asked("share", 1, shares, (), later), {}) for seed in range(40)} == {0, 1}


def test_a_real_bag_gives_what_it_gives() -> None:
    state = new_game(SETUP)
    drawn = Bag("x").draw(state, 3)[0]
    options = tuple(news.Offered("drew", (colour,)) for colour in SETUP.sheet.colours)
    chosen = SheetPlayer(1, Bag("x")).choose(news.Asked("drawn", 1, options, (), state), {})
    assert SETUP.sheet.colours[chosen or 0] == drawn


def test_every_temper_has_strokes_that_there_are() -> None:
    for temper in TEMPERS:
        assert len(evening(temper).sheets) == 2


@pytest.mark.parametrize(("options", "patience"), [(LOOKS, 6), ((news.Offered("again"), news.Offered("let-go")), 18)])
def test_repeated_refusals_send_the_players_home(options: tuple[news.Offered, ...], patience: int) -> None:
    table, state = evening(), colouring()
    kind = "sheet" if options is LOOKS else "trouble"
    for _ in range(patience):
        table.on_feedback(asked(kind, options, state))
        assert not table.gave_up
        table.on_feedback(news.Complained(("owner",)))
    table.on_feedback(asked(kind, options, state))
    assert table.gave_up
    with pytest.raises(EndOfFramesError):
        table.camera.capture()


def test_a_sheet_that_is_not_seen_is_laid_straight_in_good_light(monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[SheetConditions] = []

    def photograph(
        sheet: SimulatedSheet, conditions: SheetConditions, ground: np.random.Generator, pencil: None
    ) -> object:
        del pencil
        laid.append(conditions)
        return sheet.table(conditions, ground=ground)

    monkeypatch.setattr(SimulatedSheet, "photograph", photograph)
    table, state = evening(), colouring()
    for codes in (("owner",), ("unseen",)):
        table.on_feedback(news.Complained(codes))
        table.on_feedback(asked("sheet", LOOKS, state))
        assert pressed(table)
    before, after = laid
    assert before == SMALL
    assert (before.turn_deg > 0, after.turn_deg, after.tilt_deg, after.shadow) == (True, 0.0, 0.0, 0.0)

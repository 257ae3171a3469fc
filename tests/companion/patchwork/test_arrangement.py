from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.config import Config
from companion.games.patchwork.components import Edition
from companion.games.patchwork.state import RuleProfile
from companion.journal import MemoryJournal
from companion.languages import ENGLISH, LANGUAGES
from companion.patchwork.arrangement import (
    CircleSource,
    PatchworkArrangement,
    circle_in,
    circle_of,
    colours_in,
    dealt_market,
    first_setup,
    table_notes,
    with_circle_known,
)
from companion.patchwork.game import PATCHWORK
from companion.patchwork.page.interface import offer
from companion.patchwork.settings import PatchworkSettings
from companion.play.arrangement import ArrangementError
from companion.play.page import SetupOffer
from companion.play.partner import Robot
from companion.registry import codecs

CLARA = PatchworkArrangement(("Clara", "Dmitri"), ("blue", "rose"), 2, Edition.REVISED, RuleProfile.MARKER_ON_TOP)


def test_an_arrangement_changes_its_own_settings_alone() -> None:
    config = CLARA.configured(Config(), lies_there=False)

    setup = config.of(PatchworkSettings).setup()
    assert (setup.players, setup.first_seat) == (("Clara", "Dmitri"), 2)
    assert (setup.edition, setup.rules) == (Edition.REVISED, RuleProfile.MARKER_ON_TOP)
    assert config.of(PatchworkSettings).colours == ("blue", "rose")
    assert config.with_game(PatchworkSettings()) == Config()
    assert PatchworkArrangement.of(config) == CLARA


@pytest.mark.parametrize(
    ("robot", "buttons"),
    [(None, (5, 5)), (Robot(2), (5, 5)), (Robot(2, handicap=3), (8, 5)), (Robot(1, handicap=3), (5, 8)),
     (Robot(2, handicap=-2), (5, 7))],
)  # fmt: skip
def test_the_robot_s_handicap_decides_the_first_buttons(robot: Robot | None, buttons: tuple[int, int]) -> None:
    chosen = replace(CLARA, circle=CircleSource.DEALT, robot=robot)
    config = chosen.configured(Config(), lies_there=True)
    assert first_setup(config, ENGLISH).buttons == buttons
    assert PatchworkArrangement.of(config).robot == robot


@pytest.mark.parametrize(
    ("circle", "lies_there", "known", "looks"),
    [
        (CircleSource.DEALT, False, True, False),
        (CircleSource.SEEN, False, False, True),
        (CircleSource.UNKNOWN, False, False, False),
        (CircleSource.UNKNOWN, True, True, False),
        (CircleSource.SEEN, True, True, True),
    ],
)
def test_a_circle_is_dealt_where_one_is_told_of_or_lies_there(
    circle: CircleSource, lies_there: bool, known: bool, looks: bool
) -> None:
    game = replace(CLARA, circle=circle).configured(Config(), lies_there=lies_there).of(PatchworkSettings)

    assert (game.market is not None) == known
    assert (game.circle == "seen") == looks


@pytest.mark.parametrize("market", [None, dealt_market(3)])
@pytest.mark.parametrize("circle", [*CircleSource])
def test_the_circle_of_a_simulated_table_is_known_as_it_is_said(
    circle: CircleSource, market: tuple[str, ...] | None
) -> None:
    config = Config().with_game(PatchworkSettings(market=market))
    known = with_circle_known(config, circle)
    assert circle_of(known) is circle
    assert known.of(PatchworkSettings).market == market, "it lies there in any case"


def test_a_circle_that_people_have_laid_is_kept() -> None:
    market = dealt_market(3)
    config = replace(CLARA, circle=CircleSource.DEALT, market=market).configured(Config(), lies_there=False)

    assert config.of(PatchworkSettings).market == market
    assert circle_of(config) is CircleSource.DEALT
    assert circle_of(Config()) is CircleSource.UNKNOWN
    assert circle_of(Config().with_game(PatchworkSettings(circle="seen"))) is CircleSource.SEEN
    with pytest.raises(ArrangementError, match="The game cannot start like this"):
        replace(CLARA, circle=CircleSource.DEALT, market=market[::-1]).configured(Config(), lies_there=False)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"players": ("Clara", " ")}, "Both players need a name of at most 40 characters."),
        ({"players": ("Clara", "x" * 41)}, "Both players need a name of at most 40 characters."),
        ({"players": ("Clara", "Dmi\ntri")}, "Both players need a name of at most 40 characters."),
        ({"players": ("Clara", "clara ")}, "The players need different names."),
        ({"players": ("Clara", "Cla\u200cra")}, "The players need different names."),
        ({"players": ("Clara", "Eva\u202e")}, "Both players need a name of at most 40 characters."),
        ({"colours": ("blue", "blue")}, "The players need different colours."),
        ({"colours": ("blue", "mauve")}, "The players need different colours."),
    ],
)
def test_an_impossible_one_is_refused_with_a_sentence(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(ArrangementError) as refused:
        replace(CLARA, **wrong)
    assert str(refused.value) == says


def test_colours_and_a_hidden_circle_are_kept_beside_the_game() -> None:
    book, market = MemoryJournal(codecs()), dealt_market(3)
    config = Config().with_game(PatchworkSettings(colours=("teal", "slate"), market=market))
    told = replace(config.of(PatchworkSettings), market=None).setup()
    hidden = book.new_game(told, notes=table_notes(config, told))
    plain = book.new_game(
        Config().of(PatchworkSettings).setup(), notes=table_notes(Config(), Config().of(PatchworkSettings).setup())
    )

    assert colours_in(book.notes(hidden)) == ("teal", "slate")
    assert circle_in(book.notes(hidden)) == market
    assert (colours_in(book.notes(plain)), circle_in(book.notes(plain))) == (None, None)
    assert colours_in({"colours": "teal mauve"}) is None


NAMES = [("en", ["Anna", "Boris"]), ("ru", ["Анна", "Борис"]), ("fa", ["مریم", "علی"])]


@pytest.mark.parametrize(("code", "names"), NAMES)
def test_names_that_nobody_has_chosen_are_in_the_language_of_reader_and_table(code: str, names: list[str]) -> None:
    offered = offer(SetupOffer(PatchworkArrangement.of(Config()), reader=LANGUAGES[code]))
    assert offered["next"]["players"] == names

    table = Config().with_section("terminal", language=code)
    config = PatchworkArrangement.of(Config()).configured(table, lies_there=False)
    assert list(PATCHWORK.setup(config).players) == names


def test_chosen_names_stay_as_they_are() -> None:
    offered = offer(SetupOffer(CLARA, reader=LANGUAGES["ru"]))
    assert offered["next"]["players"] == ["Clara", "Dmitri"]

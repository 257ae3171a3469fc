"""The settings of Kvilt."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest

from companion.config import Config
from companion.config.text import ConfigError
from companion.configuration import config_text, parse_config
from companion.games.kvilt.state import Settings, Variant
from companion.kvilt.settings import KviltSettings
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from pathlib import Path


def test_without_a_word_the_usual_game_is_played() -> None:
    config = Config().of(KviltSettings)
    assert config.setup() == own_setup(("Anna", "Boris"))
    assert config.layout().sheet == "companion-a"
    assert config.bag == "virtual"


def test_everything_that_the_rulebook_leaves_open_can_be_set() -> None:
    names = [it.name for it in fields(Settings)]
    lines = "\n".join(f"{name} = {str(not getattr(Settings(), name)).lower()}" for name in names)
    setup = parse_config(f"[kvilt]\n{lines}", "here").of(KviltSettings).setup()
    assert setup.settings == Settings(**{name: not getattr(Settings(), name) for name in names})


def test_players_and_variants_come_from_the_file_and_go_back_into_it() -> None:
    text = '[kvilt]\nplayers = ["A", "B", "C", "D"]\nfirst_seat = 3\nvariants = ["all-counted", "kviltomania"]\n'
    config = parse_config(text, "here")
    setup = config.of(KviltSettings).setup()
    assert (setup.players, setup.first_seat, setup.variants) == (tuple("ABCD"), 3, frozenset(Variant))
    assert parse_config(config_text(config), "again") == config


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('players = ["A"]', "players: .* allowed: two to four names"),
        ('players = ["A", " a "]', "players: .* allowed: different names"),
        ('players = ["An\\u200cna", "Anna"]', "players: .* allowed: different names"),
        ('players = ["A", "B\\u202e"]', "players: .* allowed: two to four names"),
        ('players = ["A", "B\\n"]', "players: .* allowed: two to four names"),
        ("first_seat = 3", "first_seat must be a seat from 1 to 2"),
        ('variants = ["kviltomania"]', "the variant kviltomania is for four players"),
        ('variants = ["solo"]', "variants: .* allowed: a list of all-counted, kviltomania"),
        ('bag = "paper"', 'bag: .* allowed: "virtual" or "real"'),
        ("swap_again = 1", "swap_again: "),
    ],
)
def test_an_impossible_value_is_refused_with_its_key(line: str, says: str) -> None:
    with pytest.raises(ConfigError, match=rf"here: \[kvilt\] {says}"):
        parse_config(f"[kvilt]\n{line}", "here")


def test_a_sheet_of_ones_own_is_checked_at_once(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.toml"
    sheet.write_text("format = 1\n")
    with pytest.raises(ConfigError, match=r"mine\.toml"):
        parse_config(f'[kvilt]\nsheet = "{sheet}"', "here")

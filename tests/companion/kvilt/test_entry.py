"""Test Kvilt's part of the command line: how options change the configuration."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

from companion.config import Config
from companion.kvilt.entry import KVILT_ENTRY
from companion.kvilt.settings import KviltSettings
from companion.play.game import UsageError

COMMANDS = KVILT_ENTRY.commands


def _parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    COMMANDS.add_play_options(parser)
    return parser.parse_args(words)


def _named(*players: str, first_seat: int = 1, **more: Any) -> Config:
    return Config().with_game(KviltSettings(players=players, first_seat=first_seat, **more))


def test_every_option_of_its_own_is_announced() -> None:
    own = vars(_parsed())
    assert own == {name: own[name] for name in COMMANDS.play_options.values()}
    assert not any(own.values())


def test_without_options_the_configuration_stands() -> None:
    config = _named("Zoë", "李", "Ada", first_seat=3, bag="real", variants=("all-counted",))
    assert COMMANDS.configured(_parsed(), config) == config


@pytest.mark.parametrize(
    ("players", "seats", "sit"),
    [
        (("Zoë", "李"), "4", ("Zoë", "李", "Anna", "Boris")),
        (("Boris", "Zoë"), "3", ("Boris", "Zoë", "Anna")),
        (("Zoë", "李", "Ada", "Max"), "2", ("Zoë", "李")),
    ],
)
def test_seats_beyond_the_configured_names_are_filled_by_others(
    players: tuple[str, ...], seats: str, sit: tuple[str, ...]
) -> None:
    assert COMMANDS.configured(_parsed("--seats", seats), _named(*players)).of(KviltSettings).players == sit


def test_a_seat_that_is_there_begins() -> None:
    config = COMMANDS.configured(_parsed("--seats", "2"), _named("Zoë", "李", "Ada", first_seat=3))
    assert config.of(KviltSettings).first_seat == 2
    assert config.of(KviltSettings).setup().first_seat == 2


def test_the_bag_and_the_variants_may_be_asked_for() -> None:
    options = _parsed("--seats", "4", "--variant", "kviltomania", "--variant", "all-counted", "--real-bag")
    kvilt = COMMANDS.configured(options, Config()).of(KviltSettings)
    assert (kvilt.bag, kvilt.variants) == ("real", ("kviltomania", "all-counted"))


def test_a_variant_for_other_seats_is_refused() -> None:
    with pytest.raises(UsageError, match="four players"):
        COMMANDS.configured(_parsed("--variant", "kviltomania"), Config())


def test_tempers_are_one_for_all_or_one_a_seat() -> None:
    config = _named("Zoë", "李", "Ada")
    assert COMMANDS.tempers(None, config) == ("tidy",)
    assert COMMANDS.tempers(["hasty"], config) == ("hasty",)
    assert COMMANDS.tempers(["hasty", "tidy", "forgetful"], config) == ("hasty", "tidy", "forgetful")
    with pytest.raises(UsageError, match="one for each of the 3 seats"):
        COMMANDS.tempers(["hasty", "tidy"], config)

"""Test Kvilt's part of the command line: how options change the configuration, and which events are printed."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

from companion.config import Config
from companion.kvilt.game import KVILT
from companion.kvilt.settings import KviltSettings
from companion.play.terminal import UsageError

HALF = KVILT.terminal


def _parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    HALF.add_play_options(parser)
    return parser.parse_args(words)


def _named(*players: str, first_seat: int = 1, **more: Any) -> Config:
    return Config().with_game(KviltSettings(players=players, first_seat=first_seat, **more))


def test_every_option_of_its_own_is_announced() -> None:
    own = vars(_parsed())
    assert own == {name: own[name] for name in HALF.play_options.values()}
    assert not any(own.values())


def test_without_options_the_configuration_stands() -> None:
    config = _named("Zoë", "李", "Ada", first_seat=3, bag="real", variants=("all-counted",))
    assert HALF.configured(_parsed(), config) == config


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
    assert HALF.configured(_parsed("--seats", seats), _named(*players)).of(KviltSettings).players == sit


def test_a_seat_that_is_there_begins() -> None:
    config = HALF.configured(_parsed("--seats", "2"), _named("Zoë", "李", "Ada", first_seat=3))
    assert config.of(KviltSettings).first_seat == 2
    assert config.of(KviltSettings).setup().first_seat == 2


def test_the_bag_and_the_variants_may_be_asked_for() -> None:
    options = _parsed("--seats", "4", "--variant", "kviltomania", "--variant", "all-counted", "--real-bag")
    kvilt = HALF.configured(options, Config()).of(KviltSettings)
    assert (kvilt.bag, kvilt.variants) == ("real", ("kviltomania", "all-counted"))


def test_a_variant_for_other_seats_is_refused() -> None:
    with pytest.raises(UsageError, match="four players"):
        HALF.configured(_parsed("--variant", "kviltomania"), Config())


def test_tempers_are_one_for_all_or_one_a_seat() -> None:
    config = _named("Zoë", "李", "Ada")
    assert HALF.tempers(None, config) == ("tidy",)
    assert HALF.tempers(["hasty"], config) == ("hasty",)
    assert HALF.tempers(["hasty", "tidy", "forgetful"], config) == ("hasty", "tidy", "forgetful")
    with pytest.raises(UsageError, match="one for each of the 3 seats"):
        HALF.tempers(["hasty", "tidy"], config)

"""Test the games of an installation: the program's own, and those that packages register by entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint

import pytest

from companion import registry
from companion.games.patchwork.state import Setup
from companion.registry import BrokenGameError, codecs
from tests.dominoes.codec import CODEC
from tests.dominoes.rules import Lay

Install = Callable[..., None]


class Package:
    """The part of a distribution that an entry point uses."""

    name = "stones"


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A function that makes entry points of the group found until the end of the test."""

    def install(*values: str) -> None:
        points = [EntryPoint("dominoes", value, registry.GROUP) for value in values]
        for point in points:
            vars(point)["dist"] = Package()
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == registry.GROUP else [])
        registry._installed.cache_clear()

    yield install
    registry._installed.cache_clear()


def test_the_program_s_own_games_are_there(install: Install) -> None:
    install()
    assert codecs().names == ("patchwork", "kvilt")


def test_a_package_brings_a_game(install: Install) -> None:
    install("tests.dominoes.game:DOMINOES")
    assert codecs().names == ("patchwork", "kvilt", "dominoes")
    assert codecs().named("dominoes") is codecs().of_decision(Lay(1, ("A1", "A2"))) is CODEC


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (["no_such_module:GAME"], "ModuleNotFoundError: No module named 'no_such_module'"),
        (["tests.dominoes.game:GAME"], "AttributeError: .* has no attribute 'GAME'"),
        (["tests.dominoes.game:HEAP"], "AttributeError"),
        (["tests.dominoes.rules:Setup"], "tests.dominoes.rules:Setup is not a game"),
        (["companion.kvilt.game:KVILT"], "there is already a game with that name"),
        (["tests.dominoes.game:DOMINOES"] * 2, "there is already a game with that name"),
    ],
)
def test_a_broken_package_is_named_when_its_game_is_asked_for(install: Install, values: list[str], says: str) -> None:
    install(*values)
    assert codecs().named("patchwork") is codecs().of_setup(Setup())
    for _ in range(2):
        with pytest.raises(BrokenGameError, match=f"the game dominoes of the package stones cannot be used: {says}"):
            codecs().named("dominoes")

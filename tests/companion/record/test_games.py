"""Test to which codec a name, a header, a setup or a decision belongs, and that no other code asks for the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games.kvilt import decisions as kvilt_decisions
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.state import Setup
from companion.kvilt.codec import KVILT
from companion.patchwork.codec import PATCHWORK
from companion.record import (
    AnyCodec,
    ForeignGameError,
    Games,
    RecordError,
    game_of,
    replay_record,
    write_record,
)
from tests.companion.kvilt_setups import own_setup
from tests.companion.record.pebbles import PEBBLES, Heap, Take

if TYPE_CHECKING:
    from pathlib import Path

GAMES = Games((PATCHWORK, KVILT), unnamed=PATCHWORK)
THREE = Games((PATCHWORK, KVILT), installed=lambda: [PEBBLES])
HEAP = Heap(("Anna", "Boris"), 3)


def never() -> list[AnyCodec]:
    pytest.fail("nobody asked for it")


@pytest.mark.parametrize("codec", [PATCHWORK, KVILT])
def test_a_game_is_found_by_its_name_and_by_the_header_that_names_it(codec: AnyCodec) -> None:
    games = Games((PATCHWORK, KVILT), installed=never)
    assert games.named(codec.name) is codec
    assert games.of_header({"game": codec.name}) is codec


def test_a_game_is_found_by_its_setup_and_its_decisions() -> None:
    games = Games((PATCHWORK, KVILT), installed=never)
    assert games.of_setup(Setup()) is PATCHWORK
    assert games.of_setup(own_setup(("Anna", "Boris"))) is KVILT
    assert games.of_decision(Advance(1)) is PATCHWORK
    assert games.of_decision(kvilt_decisions.Done(1)) is KVILT


def test_installed_games_come_after_the_own() -> None:
    assert list(THREE) == [PATCHWORK, KVILT, PEBBLES]
    assert THREE.names == ("patchwork", "kvilt", "pebbles")
    assert THREE.named("pebbles") is THREE.of_setup(HEAP) is THREE.of_decision(Take(1)) is PEBBLES


def test_an_unknown_game_is_an_error_that_names_the_known_ones() -> None:
    says = "the game 'chess' is not known here; known: patchwork, kvilt and pebbles"
    with pytest.raises(ForeignGameError, match=says):
        THREE.named("chess")
    with pytest.raises(ForeignGameError, match=says):
        THREE.of_header({"game": "chess"})


def test_a_header_that_names_no_game_is_read_by_the_codec_that_is_declared() -> None:
    assert GAMES.of_header({"format": 1}) is PATCHWORK
    for header in ({}, {"game": None}, {"game": 3}):
        with pytest.raises(RecordError, match='"game" must be "patchwork", "kvilt" or "pebbles"'):
            THREE.of_header(header)
    with pytest.raises(RecordError, match='"game" must be "patchwork" or "kvilt"'):
        GAMES.of_header({"game": None})


def test_a_value_of_no_game_is_refused() -> None:
    with pytest.raises(TypeError, match="Heap is no setup of patchwork, kvilt"):
        GAMES.of_setup(HEAP)
    with pytest.raises(TypeError, match="Take is no decision of patchwork, kvilt"):
        GAMES.of_decision(Take(1))


def test_records_are_kept_of_any_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    write_record(path, HEAP, [Take(2), Take(1)], PEBBLES)
    assert game_of(path, THREE) is PEBBLES
    replayed = replay_record(path, PEBBLES)
    assert replayed.error is None
    assert replayed.state is not None
    assert replayed.state.winner == 2
    write_record(path, HEAP, [Take(2), Take(2)], PEBBLES)
    assert str(replay_record(path, PEBBLES).error) == f"{path}:3: illegal: so many pebbles are not left"
    with pytest.raises(ForeignGameError, match=r"game\.jsonl:1: the game 'pebbles' is not known here"):
        game_of(path, GAMES)

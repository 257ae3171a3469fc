"""Test `companion play --game kvilt`: which evening is played, which game is resumed, what is printed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.kvilt.rules import History
from companion.games.kvilt.state import Variant
from companion.journal import JOURNAL_NAME, Journal
from companion.kvilt.settings import KviltSettings
from companion.play.host import Host
from companion.play.session import Simulation
from companion.registry import codecs
from hardware.simulated.virtual.table import VirtualTable
from tests.companion.cli.standin import StandIn
from tests.companion.games.kvilt.played import play_game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]
KVILT = ("play", "--game", "kvilt")
SIMULATED = (*KVILT, "--simulate", "--autoplay", "--fast")


class Player:
    """A fake that plays games by the rules alone, to their end unless they are cut off."""

    def __init__(self) -> None:
        self.cut_after: int | None = None

    def __call__(self, history: History, simulation: Simulation) -> Sequence[Any]:
        decisions = play_game(history.setup, random.Random(simulation.seed)).decisions
        return decisions[len(history.decisions) : self.cut_after]


@pytest.fixture
def player() -> Player:
    return Player()


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch, player: Player) -> StandIn:
    stand_in = StandIn(player, {"table": [{}, {}], "read": [{}, {}], "equal": True})
    monkeypatch.setattr("companion.cli.sessions.play", stand_in)
    return stand_in


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (KVILT, '[camera] driver is "simulated", so there is no real table to look at'),
        ((*KVILT, "--simulate", "--no-page"), "you play at the simulated table on the page: leave out --no-page"),
        ((*KVILT, "--simulate", "--temper", "hasty"), "--temper is for simulated players: add --autoplay"),
        ((*KVILT, "--autoplay"), "simulated players play only at the simulated table: add --simulate"),
        ((*KVILT, "--seed", "3"), "--seed is for the simulated table"),
        ((*KVILT, "--games", "3"), "--games is for the simulated table"),
        ((*SIMULATED, "--hands-free"), "--hands-free is for Patchwork: leave out --game kvilt"),
        ((*SIMULATED, "--deal"), "--deal is for Patchwork"),
        ((*SIMULATED, "--record", "new"), "--record is for Patchwork"),
        ((*SIMULATED, "--circle", "seen"), "--circle is for Patchwork"),
        ((*SIMULATED, "--variant", "kviltomania"), "the variant kviltomania is for four players"),
        ((*SIMULATED, "--variant", "solo"), "invalid choice: 'solo'"),
        ((*SIMULATED, "--seats", "5"), "(choose from 2, 3, 4)"),
        ((*SIMULATED, "--seats", "3", "--temper", "tidy", "hasty"), "one for each of the 3 seats"),
        (("play", "--simulate", "--autoplay", "--seats", "3"), "--seats is for Kvilt: add --game kvilt"),
        (("play", "--simulate", "--autoplay", "--real-bag"), "--real-bag is for Kvilt: add --game kvilt"),
    ],
)
def test_bad_options_are_one_line_and_status_2(
    run: Run, stand_in: StandIn, options: tuple[str, ...], says: str
) -> None:
    status, out, err = run(*options)
    assert (status, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
    assert stand_in.asked == []


def test_the_game_is_as_the_command_line_has_it(run: Run, stand_in: StandIn) -> None:
    options = ("--seats", 4, "--variant", "kviltomania", "--variant", "all-counted", "--seed", 9, "--real-bag")
    assert run(*SIMULATED, *options, "--temper", "hasty")[0] == 0
    (asked,) = stand_in.asked
    assert (asked.setup.seats, asked.setup.variants) == (4, frozenset(Variant))
    assert len(set(asked.setup.players)) == 4
    assert asked.simulation == Simulation(9, ("hasty",), fast=True)
    assert asked.config.of(KviltSettings).bag == "real"
    assert asked.game_id is None


def test_the_configuration_says_the_rest(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[kvilt]\nplayers = ["Zoë", "李"]\nfirst_seat = 2\nbag = "real"\nswap_again = true\n', "utf-8")
    assert run(*SIMULATED, "--config", config)[0] == 0
    (asked,) = stand_in.asked
    setup = asked.setup
    assert (setup.players, setup.first_seat, setup.settings.swap_again) == (("Zoë", "李"), 2, True)
    assert asked.config.of(KviltSettings).bag == "real"


def test_games_are_printed_one_a_line(run: Run, stand_in: StandIn) -> None:
    status, out, err = run(*SIMULATED, "--games", 2, "--seed", 5, "--json")
    assert (status, err) == (0, "")
    printed = [json.loads(line) for line in out.splitlines()]
    assert [asked.simulation.seed for asked in stand_in.asked] == [5, 6]
    assert [game["game"] for game in printed] == ["kvilt"] * 2
    assert all(game["finished"] and game["equal"] is True and game["record"] for game in printed)


def test_people_play_on_the_page_at_the_virtual_table(
    run: Run, stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[object] = []
    # After the game the page stays open for a request of another one; none comes here.
    monkeypatch.setattr(Host, "next", lambda _host, _book, wait_s=0.0: waits.append(wait_s))
    status, out, _ = run(*KVILT, "--simulate", "--port", 0, "--seed", 6, "--data", tmp_path)
    assert (status, "Page: http://localhost:" in out) == (0, True)
    assert waits == [0.0, None]
    (asked,) = stand_in.asked
    assert isinstance(asked.simulation.by_hand, VirtualTable)
    with Journal(tmp_path / JOURNAL_NAME, codecs(), read_only=True) as journal:
        assert [game.table for game in journal.games()] == ["virtual 6"]


def test_people_read_a_score_sheet(run: Run, stand_in: StandIn) -> None:
    status, out, _ = run(*SIMULATED, "--no-page")
    assert status == 0
    assert "Anna (1)" in out
    assert "wins after" in out
    assert len(stand_in.asked) == 1


def test_an_evening_that_was_cut_off_is_gone_on_with(
    run: Run, stand_in: StandIn, player: Player, tmp_path: Path
) -> None:
    player.cut_after = 20
    run(*SIMULATED, "--data", tmp_path, "--json")
    run(*SIMULATED, "--data", tmp_path, "--json", "--seats", 3)
    _, _, err = run(*SIMULATED, "--data", tmp_path, "--json")
    assert err == "companion: resuming game 1 after 20 decisions\n"
    run(*SIMULATED, "--data", tmp_path, "--json", "--new")
    assert [asked.game_id for asked in stand_in.asked] == [None, None, 1, None]
    with Journal(tmp_path / JOURNAL_NAME, codecs(), read_only=True) as journal:
        assert next((game.game, game.players) for game in journal.games()) == ("kvilt", ("Anna", "Boris"))


def test_an_evening_that_ended_early_is_told_and_is_status_2(run: Run, stand_in: StandIn) -> None:
    stand_in.error = "the cable is loose"
    status, out, err = run(*SIMULATED, "--json")
    assert status == 2
    assert json.loads(out)["error"] == "the cable is loose"
    assert err == "companion: the cable is loose\n"


def test_an_evening_that_its_players_gave_up_is_told_and_is_status_1(run: Run, stand_in: StandIn) -> None:
    stand_in.error, stand_in.gave_up = "the players give up", True
    status, out, err = run(*SIMULATED, "--json")
    assert (status, json.loads(out)["error"]) == (1, "the players give up")
    assert err == "companion: the players give up\n"


def test_a_game_of_kvilt_is_exported_as_its_record(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    run(*SIMULATED, "--data", tmp_path, "--json")
    status, out, _ = run("games", "export", 1, "--data", tmp_path)
    assert status == 0
    header, *lines = [json.loads(line) for line in out.splitlines()]
    assert header["game"] == "kvilt"
    assert len(lines) > 100
    (tmp_path / "game.jsonl").write_text(out, "utf-8")
    status, out, _ = run("replay", tmp_path / "game.jsonl", "--json")
    assert json.loads(out)["finished"]
    assert len(stand_in.asked) == 1

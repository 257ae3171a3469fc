from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.compose.playing import SimulatedDevices
from companion.games.patchwork.decisions import Advance
from companion.journal import JOURNAL_NAME, Journal, JournalError, table_lock
from companion.patchwork.circle.desk import CircleDesk
from companion.play.session import Simulation
from companion.registry import codecs
from companion.web.page import PageServer
from hardware.simulated.virtual.moves import Lift
from hardware.simulated.virtual.table import MoveRefusedError, VirtualTable
from tests.companion.cli.standin import StandIn

if TYPE_CHECKING:
    from pathlib import Path

    from companion.compose.playing import Devices
    from companion.play.session import Participants

Run = Callable[..., tuple[int, str, str]]
SIMULATED = ("play", "--simulate", "--autoplay", "--fast")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("play",), 'companion: play: [camera] driver is "simulated", so there is no real table to look at'),
        (("play", "--simulate", "--no-page"), "you play at the simulated table on the page: leave out --no-page"),
        (("play", "--simulate", "--fast"), "--fast is for simulated players: add --autoplay"),
        (("play", "--simulate", "--games", "2"), "--games is for simulated players: add --autoplay"),
        (("play", "--simulate", "--temper", "tidy"), "--temper is for simulated players: add --autoplay"),
        (("play", "--simulate", "--json"), "--json is for simulated players: add --autoplay"),
        (("play", "--autoplay"), "simulated players play only at the simulated table: add --simulate"),
        (("play", "--seed", "3"), "--seed is for the simulated table: add --simulate"),
        (("play", "--temper", "tidy"), "--temper is for the simulated table"),
        (("play", "--games", "2"), "--games is for the simulated table"),
        (("play", "--fast"), "--fast is for the simulated table"),
        ((*SIMULATED, "--temper", "tidy", "tidy", "tidy"), "--temper takes one temper for both, or one per seat"),
        ((*SIMULATED, "--temper", "sleepy"), "invalid choice: 'sleepy'"),
        ((*SIMULATED, "--table", "cellar"), "invalid choice: 'cellar'"),
        (("play", "--table", "dim"), "--table is for the simulated table: add --simulate"),
        (("play", "--game", "kvilt", "--simulate", "--table", "dim"), "--table is for Patchwork"),
        ((*SIMULATED, "--seed", "-1"), "must be a whole number, 0 or more, not '-1'"),
        ((*SIMULATED, "--seed", "one"), "must be a whole number, 0 or more, not 'one'"),
        ((*SIMULATED, "--seed", "9" * 5000), "must be a whole number, 0 or more"),
        ((*SIMULATED, "--games", "0"), "must be a whole number, 1 or more, not '0'"),
        ((*SIMULATED, "--record", "new", "--games", "2"), "--record records a single game: leave out --games"),
        ((*SIMULATED, "--config", "nowhere.toml"), "nowhere.toml"),
        ((*SIMULATED, "--data", "/dev/null/data"), "/dev/null/data: cannot be created"),
    ],
)
def test_bad_options_are_one_line_and_status_2(run: Run, options: tuple[str, ...], says: str) -> None:
    status, out, err = run(*options)
    assert (status, out) == (2, "")
    assert says in err
    assert err.splitlines()[-1].startswith("companion")
    assert "Traceback" not in err


def test_a_table_where_another_companion_plays_is_one_line_and_status_2(run: Run, tmp_path: Path) -> None:
    with table_lock(tmp_path / "data", "simulated 7 hasty tidy"):
        status, out, err = run(*SIMULATED, "--seed", 7, "--temper", "hasty", "tidy", "--data", tmp_path / "data")
    assert (status, out) == (2, "")
    assert err == (
        "companion: another companion is playing at the table 'simulated 7 hasty tidy'; "
        "close that one, or choose another table or --data\n"
    )


# How evenings are requested; a stand-in plays them.


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """A stand-in that plays one decision per seat."""
    rows = ["." * 9 for _ in range(9)]
    stand_in = StandIn(lambda *_: (Advance(1), Advance(2)), {"table": [rows, rows]})
    monkeypatch.setattr("companion.cli.sessions.play", stand_in)
    return stand_in


def test_without_simulated_players_people_play_on_the_page(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[tuple[Devices, Participants]] = []

    def refuse(
        _sitting: object, devices: Devices, _book: object, _folder: object, company: Participants, _host: object
    ) -> None:
        asked.append((devices, company))
        raise JournalError("that will do")

    monkeypatch.setattr("companion.cli.sessions.play", refuse)
    status, out, err = run("play", "--simulate", "--seed", 7, "--port", 0, "--data", tmp_path / "data")

    assert (status, err) == (2, "companion: that will do\n")
    assert out.startswith("Page: http://localhost:")
    ((devices, company),) = asked
    assert isinstance(devices, SimulatedDevices)
    assert (devices.simulation.seed, devices.simulation.fast) == (7, False)
    by_hand = devices.simulation.by_hand
    assert isinstance(by_hand, VirtualTable)
    assert company.remote is not None
    assert company.desk is company.remote.desks["patchwork"]
    with pytest.raises(MoveRefusedError):
        by_hand.move(Lift(1)).result(0)


def test_the_page_of_a_watched_evening_stays_without_a_terminal_too(
    run: Run, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stays: list[str] = []
    monkeypatch.setattr(PageServer, "wait", lambda page: stays.append(page.door.link))
    status, out, _ = run("play", "--simulate", "--autoplay", "--port", 0, "--data", tmp_path)
    assert (status, len(stand_in.asked)) == (0, 1)
    assert stays == [out.splitlines()[0].removeprefix("Page: ")]


def test_json_is_one_line_an_evening_with_seeds_that_rise(run: Run, stand_in: StandIn) -> None:
    status, out, err = run(*SIMULATED, "--seed", 7, "--games", 3, "--json")
    assert (status, err) == (0, "")
    assert [asked.simulation.seed for asked in stand_in.asked] == [7, 8, 9]
    assert [asked.game_id for asked in stand_in.asked] == [None] * 3
    for company in (asked.company for asked in stand_in.asked):
        assert (company.listeners, list(company.mirrors), company.remote) == ((), [], None)
        assert isinstance(company.desk, CircleDesk)
        assert company.desk.laid is None
    shown = [json.loads(line) for line in out.splitlines()]
    assert len(shown) == 3
    assert all([seat["quilt"] for seat in game["seats"]] == game["table"] for game in shown)
    assert [len(game["record"]) for game in shown] == [2, 2, 2]


def test_lines_and_the_score_sheet_are_for_people(run: Run, stand_in: StandIn) -> None:
    status, out, _ = run(*SIMULATED)
    assert status == 0
    assert out.startswith("Anna advances and earns 1 button; 1 on the time track.\n")
    assert "\nAnna (seat 1)" in out
    (asked,) = stand_in.asked
    assert asked.simulation == Simulation(1, ("tidy", "tidy"), fast=True)
    assert len(asked.company.listeners) == 1


@pytest.mark.parametrize(
    ("options", "tempers"),
    [
        (("--temper", "tidy", "hasty"), ("tidy", "hasty")),
        (("--temper", "forgetful"), ("forgetful", "forgetful")),
        ((), ("tidy", "tidy")),
    ],
)
def test_tempers_are_for_both_or_one_a_seat(
    run: Run, stand_in: StandIn, options: tuple[str, ...], tempers: tuple[str, str]
) -> None:
    assert run(*SIMULATED, *options, "--json")[0] == 0
    assert stand_in.asked[0].simulation.tempers == tempers


def test_the_configuration_gives_what_no_option_does(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[simulation]\nseed = 30\ntemper = ["hasty", "tidy"]\n[patchwork]\nplayers = ["Ines", "Jonas"]\n')
    status, out, _ = run(*SIMULATED, "--config", config, "--json")
    assert status == 0
    assert stand_in.asked[0].simulation == Simulation(30, ("hasty", "tidy"), fast=True)
    assert [seat["name"] for seat in json.loads(out)["seats"]] == ["Ines", "Jonas"]


def test_an_evening_that_was_cut_off_goes_on_at_its_own_table(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    play = (*SIMULATED, "--json", "--data", tmp_path / "data")
    for seed in (1, 2, 2, 1):
        assert run(*play, "--seed", seed)[0] == 0
    assert [asked.game_id for asked in stand_in.asked] == [None, None, 2, 1]
    status, _, err = run(*play, "--seed", 1)
    assert (status, err) == (0, "companion: resuming game 1 after 4 decisions\n")
    assert run(*play, "--seed", 1, "--new")[2] == ""
    assert stand_in.asked[-1].game_id is None
    assert run(*play, "--seed", 1)[2].startswith("companion: resuming game 3")


def test_other_tempers_are_another_table(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    play = (*SIMULATED, "--json", "--data", tmp_path / "data")
    run(*play)
    run(*play, "--temper", "hasty")
    assert [asked.game_id for asked in stand_in.asked] == [None, None]


def test_the_table_is_asked_for_or_configured(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[simulation]\ntable = "window"\n')
    assert run(*SIMULATED, "--config", config, "--json")[0] == 0
    assert run(*SIMULATED, "--config", config, "--table", "desk-lamp", "--json")[0] == 0
    assert [asked.config.simulation.table for asked in stand_in.asked] == ["window", "desk-lamp"]


def test_another_table_is_another_game(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    play = (*SIMULATED, "--json", "--data", tmp_path / "data")
    run(*play)
    run(*play, "--table", "glossy")
    run(*play)
    assert [asked.game_id is None for asked in stand_in.asked] == [True, True, False]


@pytest.mark.parametrize(("answer", "resumes"), [("", True), ("y", True), ("N", False), (" no ", False)])
def test_at_a_terminal_people_are_asked_whether_to_go_on(
    run: Run, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch, answer: str, resumes: bool
) -> None:
    asked: list[str] = []

    def reply(question: str) -> str:
        asked.append(question)
        return answer

    assert run(*SIMULATED)[0] == 0
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", reply)
    assert run(*SIMULATED)[0] == 0
    assert asked == ["Game 1 was interrupted after 2 decisions. Resume it? [Y/n] "]
    assert stand_in.asked[-1].game_id == (1 if resumes else None)


def test_closing_the_terminal_at_the_question_ends_the_program(
    run: Run, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def close(_: str) -> str:
        raise EOFError

    assert run(*SIMULATED)[0] == 0
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", close)
    assert run(*SIMULATED) == (130, "", "")
    assert len(stand_in.asked) == 1


def test_an_evening_that_ended_early_is_one_line_and_status_2_after_the_others(run: Run, stand_in: StandIn) -> None:
    stand_in.error = "simulated camera: the cable is loose"
    status, out, err = run(*SIMULATED, "--games", 2, "--json")
    assert status == 2
    assert err == "companion: simulated camera: the cable is loose\n" * 2
    assert [json.loads(line)["error"] for line in out.splitlines()] == [stand_in.error] * 2


def test_a_damaged_journal_is_set_aside_in_a_line(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / JOURNAL_NAME).write_bytes(b"no database" * 500)
    status, _, err = run(*SIMULATED, "--data", data, "--json")
    assert (status, err.count("\n"), len(stand_in.asked)) == (0, 1, 1)
    assert f"{data / JOURNAL_NAME}: was damaged and is kept as {data / JOURNAL_NAME}.damaged-" in err
    with Journal(data / JOURNAL_NAME, codecs(), read_only=True) as journal:
        assert [game.decisions for game in journal.games()] == [2]


def test_hands_free_is_an_option_and_a_key(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[reading]\nhands_free = true\n")
    for options in ((), ("--hands-free",), ("--config", config)):
        assert run(*SIMULATED, "--new", "--json", *options)[0] == 0
    assert [asked.config.reading.hands_free for asked in stand_in.asked] == [False, True, True]


def test_a_recording_s_folder_is_handed_on(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    assert run(*SIMULATED, "--record", tmp_path / "tape", "--json")[0] == 0
    assert stand_in.asked[0].simulation.record == tmp_path / "tape"


OPTIONS = ["--seed", "--games", "--temper", "--record", "--data", "--config", "--fastest"]
words = st.sampled_from([*OPTIONS, "-1", "0", "2", "x", "", "tidy", "=="])


@pytest.mark.usefixtures("stand_in")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(options=st.lists(words, max_size=5))
def test_whatever_the_options_are_they_are_followed_or_refused(run: Run, tmp_path: Path, options: list[str]) -> None:
    with contextlib.chdir(tmp_path):
        status, out, err = run(*SIMULATED, "--json", "--new", *options)
    assert (status == 2 and out == "" and err.splitlines()[-1].startswith("companion")) or (status, err) == (0, "")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--partner", 3, "robot"), "from 1 to 2"),
        (("--partner", 2, "uncle"), "robot"),
        (("--level", "child"), "--partner"),
        (("--handicap", 3), "--partner"),
        (("--partner", 1, "robot", "--handicap", 3, "--game", "kvilt"), "--handicap"),
        (("--partner", 3, "robot", "--game", "kvilt"), "from 1 to 2"),
    ],
)
def test_a_partner_that_cannot_be_is_refused(run: Run, options: tuple[object, ...], says: str) -> None:
    status, _, err = run(*SIMULATED, *options)
    assert status == 2
    assert says in err
    assert len(err.splitlines()) == 1

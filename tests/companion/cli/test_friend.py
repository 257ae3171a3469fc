"""Test a friend far away on the command line: two tables, a real broker, and kills at both."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

import pytest

from companion.cli.friend import friend_line, friend_met, send_end
from companion.config import Config
from companion.config.broker import Broker, MqttConfig
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.mqtt.link import Address, Arrived, Hello, News, PahoLink
from companion.mqtt.messages import FriendTopics
from companion.patchwork.arrangement import CircleSource, dealt_market, with_circle_known
from companion.patchwork.codec import PATCHWORK
from companion.play.friend import Friend, FriendStatus, NoPartnerError, with_friend
from companion.play.game import CannotResumeError
from companion.play.host import NextGame
from companion.registry import codecs, game_named
from tests.companion.mqtt.certificates import OPENSSL, certificate
from tests.companion.mqtt.standin import StandInBroker, StandInLink
from tests.ending import with_parent
from tests.mosquitto import MISSING, PATIENCE_S, PROGRAM, Mosquitto

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Run: TypeAlias = "Callable[..., tuple[int, str, str]]"
NO_BROKER = '[mqtt]\nbroker = "mqtt://127.0.0.1:1"\n'


class Table:
    """A simulated table of its own program, which can be killed and started again."""

    def __init__(self, folder: Path, port: int, ca: Path, name: str, seat: int, *options: str) -> None:
        self.folder, self.seat = folder, seat
        folder.mkdir()
        players = [name, "?"] if seat == 1 else ["?", name]
        broker = f'[mqtt]\nbroker = "mqtts://127.0.0.1:{port}"\nca = {json.dumps(str(ca))}\n'
        config = f"{broker}[patchwork]\nplayers = {json.dumps(players)}\n"
        (folder / "config.toml").write_text(config, encoding="utf-8")
        self._command = [
            *(sys.executable, "-m", "companion", "play", "--simulate", "--autoplay", "--fast", "--json"),
            *("--seed", str(seat), "--config", str(folder / "config.toml"), "--data", str(folder)),
            *("--partner", str(3 - seat), "friend", *options),
        ]
        self.start()

    def start(self) -> None:
        with (self.folder / "err").open("ab") as err:
            self._process = subprocess.Popen(with_parent(self._command), stdout=subprocess.DEVNULL, stderr=err)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def said(self) -> str:
        return (self.folder / "err").read_text(encoding="utf-8")

    def game(self) -> tuple[Sequence[object], object]:
        """Return the decisions and the setup of the only game in its journal."""
        with Journal(self.folder / JOURNAL_NAME, codecs()) as journal:
            (game,) = journal.find()
            return journal.decisions(game.game_id, PATCHWORK), journal.setup(game.game_id, PATCHWORK)


def wait_until(broker: Mosquitto, code: str, seat: int, made: int, ca: Path | None = None) -> None:
    """Wait, as a third client, until the table of a seat has sent so many decisions."""
    news: SimpleQueue[News] = SimpleQueue()
    link = PahoLink(Address("127.0.0.1", broker.port, tls=ca is not None, ca=ca), Hello("watcher"), news.put)
    try:
        link.subscribe(FriendTopics("quilt-companion", code).log(seat))
        until_s, sent = time.monotonic() + 4 * PATIENCE_S, 0
        while sent < made:
            assert time.monotonic() < until_s, sent
            with suppress(Empty):
                told = news.get(timeout=1.0)
                if isinstance(told, Arrived) and told.payload:
                    sent = len(json.loads(told.payload)["decisions"])
    finally:
        link.close()


def code_of(table: Table) -> str:
    until_s = time.monotonic() + PATIENCE_S
    while (found := re.search(r"friend --code ([A-Z0-9]{4})-([A-Z0-9]{4})", table.said)) is None:
        assert time.monotonic() < until_s, table.said
        time.sleep(0.05)
    return found[1] + found[2]


@pytest.mark.skipif(PROGRAM is None or OPENSSL is None, reason=f"openssl, or {MISSING}")
def test_two_tables_that_are_killed_and_an_encrypted_broker_that_crashes_play_one_game(tmp_path: Path) -> None:
    made, key = certificate(tmp_path)
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(tmp_path / "broker", f"certfile {made}", f"keyfile {key}"))
        anna = Table(tmp_path / "anna", broker.port, made, "Anna", 1)
        stack.callback(anna.kill)
        code = code_of(anna)
        # He names the other seat, and takes the one that is free.
        boris = Table(tmp_path / "boris", broker.port, made, "Boris", 1, "--code", code.lower())
        stack.callback(boris.kill)
        wait_until(broker, code, 1, 1, made)
        anna.kill()
        anna.start()
        wait_until(broker, code, 1, 2, made)
        boris.kill()
        broker.kill()
        boris.start()
        broker.start()
        wait_until(broker, code, 2, 4, made)
    (one, setup), (other, same) = anna.game(), boris.game()
    shorter = min(len(one), len(other))
    assert shorter >= 3
    assert one[:shorter] == other[:shorter]
    assert setup == same
    assert setup.players == ("Anna", "Boris")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--partner", "2", "friend"], "set broker in the section [mqtt]"),
        (["--partner", "2", "friend", "--game", "kvilt"], "Kvilt cannot be played at two tables"),
        (["--partner", "3", "friend"], "the friend’s seat must be 1 or 2"),
        (["--partner", "2", "robot", "--code", "ABCDEFGH"], "--code is for --partner 1 friend"),
        (["--code", "ABCDEFGH"], "--code is for --partner 1 friend"),
        (["--partner", "2", "uncle"], "--partner is a seat and robot or friend"),
    ],
)
def test_an_impossible_game_is_refused_in_a_line(run: Run, tmp_path: Path, options: list[str], says: str) -> None:
    status, out, err = run("play", "--simulate", "--autoplay", "--fast", "--data", tmp_path, *options)
    assert (status, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--code", "ABC"], "a code looks like KQ7X-M4PD"),
        (["--games", "2"], "leave out --games with a friend"),
        (["--level", "child"], "leave out --level with a friend"),
    ],
)
def test_options_that_do_not_go_with_a_friend_are_refused(
    run: Run,
    tmp_path: Path,
    options: list[str],
    says: str,
) -> None:
    (tmp_path / "c.toml").write_text(NO_BROKER, encoding="utf-8")
    given = ("--config", tmp_path / "c.toml", "--data", tmp_path, "--partner", "1", "friend", *options)
    status, out, err = run("play", "--simulate", "--autoplay", "--fast", *given)
    assert (status, out) == (2, "")
    assert says in err


def test_a_code_at_a_broker_that_is_not_there_is_said_in_a_line(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.cli.friend._JOINS_IN_S", 0.5)
    (tmp_path / "c.toml").write_text(NO_BROKER, encoding="utf-8")
    given = ("--config", tmp_path / "c.toml", "--data", tmp_path, "--partner", "1", "friend", "--code", "KQ7X-M4PD")
    status, _, err = run("play", "--simulate", "--autoplay", "--fast", "--json", *given)
    assert status == 2
    assert "the broker 127.0.0.1 port 1 cannot be used" in err.splitlines()[-1]


def test_a_game_that_is_not_waited_for_any_longer_leaves_nothing_at_the_broker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = StandInBroker()
    monkeypatch.setattr("companion.cli.friend.linked", lambda _, hello, notify: broker.connect(hello, notify))
    config = replace(Config(), mqtt=MqttConfig(Broker("127.0.0.1", 1, tls=False)))
    game, told = game_named("patchwork"), list[tuple[str, FriendStatus | None]]()
    next_game = NextGame(game, with_friend(with_circle_known(config, CircleSource.DEALT), Friend(2)))
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        met = friend_met(next_game, config, journal, lambda *all_of_it: told.append(all_of_it), lambda: True)
        with met as (found, _):
            assert found is None
        assert journal.games() == []
    ((says, friend),) = told
    assert friend is not None
    assert friend.shown_code in says
    topics = FriendTopics("quilt-companion", friend.code)
    assert [broker.links[-1].on(topic)[-1] for topic in (topics.log(1), topics.availability(1))] == [b"", b""]


class Forger(StandInLink):
    """A connection to a broker that has a friend's message with another setup."""

    def subscribe(self, topic: str) -> None:
        if topic == FriendTopics("quilt-companion", "KQ7XM4PD").log(1):
            message = {"code": "KQ7XM4PD", "seat": 1, "name": "Anna", "setup": {"format": 1, "market": []}}
            self.notify(Arrived(topic, json.dumps(message).encode(), retained=True))


def test_a_friend_s_game_that_cannot_be_played_here_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.friend.linked", lambda _, hello, notify: Forger(hello, notify))
    monkeypatch.setattr("companion.mqtt.line._CONFIRMS_IN_S", 0.0)
    monkeypatch.setattr("companion.mqtt.line._ENDS_IN_S", 0.1)
    config = replace(Config(), mqtt=MqttConfig(Broker("127.0.0.1", 1, tls=False)))
    next_game = NextGame(game_named("patchwork"), with_friend(config, Friend(1, "KQ7XM4PD")))
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        met = friend_met(next_game, config, journal, lambda *_: None, lambda: False)
        with pytest.raises(NoPartnerError, match="The friend’s game cannot be played here"), met:
            pass
        assert journal.games() == []


@pytest.fixture
def ended(tmp_path: Path) -> Iterator[tuple[Journal, int]]:
    """A journal with a finished game whose end the friend's table may lack, and the number of its decisions."""
    history = History(Setup(market=dealt_market(1)))
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        number = journal.new_game(history.setup, "table", {"partner": "2 friend KQ7XM4PD"})
        while not history.state.finished:
            decision = legal_decisions(history.state)[0]
            history.apply(decision)
            journal.append(number, len(history.decisions), decision)
        yield journal, len(history.decisions)


@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_the_end_of_a_game_is_sent_again_if_the_program_ended_before_the_friend_had_it(
    tmp_path: Path, ended: tuple[Journal, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.friend._ANSWERS_IN_S", 0.1)
    journal, made = ended
    with Mosquitto(tmp_path / "broker") as broker:
        send_end(Config(mqtt=MqttConfig(Broker("127.0.0.1", broker.port, tls=False))), journal, "table")
        wait_until(broker, "KQ7XM4PD", 1, made)


@pytest.mark.skipif(PROGRAM is None, reason=MISSING)
def test_a_deleted_game_leaves_no_message_at_the_broker(
    run: Run, tmp_path: Path, ended: tuple[Journal, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.friend._ANSWERS_IN_S", 0.1)
    journal, made = ended
    with Mosquitto(tmp_path / "broker") as broker:
        send_end(Config(mqtt=MqttConfig(Broker("127.0.0.1", broker.port, tls=False))), journal, "table")
        wait_until(broker, "KQ7XM4PD", 1, made)
        journal.close()
        monkeypatch.setattr("companion.mqtt.line._CONFIRMS_IN_S", PATIENCE_S)
        (tmp_path / "c.toml").write_text(f'[mqtt]\nbroker = "mqtt://127.0.0.1:{broker.port}"\n', encoding="utf-8")
        status, out, err = run("games", "delete", "1", "--yes", "--config", tmp_path / "c.toml", "--data", tmp_path)
        assert (status, err) == (0, "")
        assert "cannot be reached" not in out
        news: SimpleQueue[News] = SimpleQueue()
        link = PahoLink(Address("127.0.0.1", broker.port), Hello("watcher"), news.put)
        try:
            for topic in (FriendTopics("quilt-companion", "KQ7XM4PD").log(1), "end"):
                link.subscribe(topic)
            link.publish("end", b"")
            while not isinstance(told := news.get(timeout=PATIENCE_S), Arrived):
                pass
        finally:
            link.close()
        assert told.topic == "end"


def test_a_deleted_game_whose_broker_is_not_there_is_told(run: Run, tmp_path: Path, ended: tuple[Journal, int]) -> None:
    ended[0].close()
    (tmp_path / "c.toml").write_text(NO_BROKER, encoding="utf-8")
    status, out, _ = run("games", "delete", "1", "--yes", "--config", tmp_path / "c.toml", "--data", tmp_path)
    assert status == 0
    assert "keeps this table’s messages of the game KQ7XM4PD" in out


def test_a_friend_s_game_without_a_broker_is_not_gone_on_with_alone(ended: tuple[Journal, int]) -> None:
    game = NextGame(game_named("patchwork"), Config(), 1)
    with pytest.raises(CannotResumeError, match="set broker in the section"), friend_line(Config(), ended[0], game):
        pass

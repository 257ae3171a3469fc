"""Games that people wish for on the page, at the command line's tables."""

from __future__ import annotations

import argparse
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.bootstrap import Host, PlayedEvening, Sitting
from companion.bootstrap.arrangement import Arrangement, Circle
from companion.bootstrap.circledesk import CircleDesk
from companion.bootstrap.kvilt import KviltTranscript, PlayedKvilt, kvilt_history
from companion.bootstrap.kviltarrangement import KviltArrangement
from companion.cli.evenings import Evenings, Games, play_evening
from companion.config import Config
from companion.errors import CompanionError
from companion.events import GameOpened
from companion.games.kvilt import TakeToken
from companion.games.patchwork import Advance, History
from companion.journal import JOURNAL_NAME, Journal
from companion.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CLARA = Arrangement(("Clara", "Dmitri"), ("blue", "rose"), circle=Circle.UNKNOWN)
ARGS = argparse.Namespace(new=False, record=None, deal=False, json=True, fast=True)


class Page:
    """As much of a page as evenings need."""

    link = "http://localhost/"
    attached = None

    def __init__(self) -> None:
        self.circle = CircleDesk()
        self.remembered: list[int] = []
        self.ends = 0

    def remember(self, decisions: Sequence[object]) -> None:
        self.remembered.append(len(decisions))

    def __call__(self, event: object) -> None:
        """Events are shown."""

    def strip(self, pixels: object) -> None:
        """Lights are shown."""

    def end(self) -> None:
        self.ends += 1


class Player:
    """Opens each game, and does then what a test wants done in it."""

    def __init__(self, host: Host, *then: Callable[[], object]) -> None:
        self.host, self.then = host, list(then)
        self.played: list[tuple[tuple[str, ...], int | None, Circle | None]] = []

    def __call__(self, circle: Circle | None, *, config: Config, book: Journal, game_id: int | None, **how: Any) -> Any:
        self.played.append((config.game.players, game_id, circle))
        if config.game.players[0] == "Nobody":
            raise CompanionError("nobody plays")
        number = game_id or book.new_game(config.game.setup(), "table")
        history = History(book.setup(number))
        for decision in book.decisions(number):
            history.apply(decision)
        for listener in how["listeners"]:
            listener(GameOpened(number, history.state, len(history.decisions)))
        if not history.decisions:
            book.append(number, 1, Advance(1))
            history.apply(Advance(1))
        if self.then:
            self.then.pop(0)()
        return PlayedEvening(history, Transcript())

    def kvilt(self, evenings: Evenings, sitting: Sitting) -> PlayedKvilt:
        """One token is taken."""
        book, config = evenings.journal, sitting.config
        self.played.append((config.kvilt.players, sitting.game_id, None))
        number = sitting.game_id or book.new_game(config.kvilt.setup(), "table")
        history = kvilt_history(book, number)
        self.host(GameOpened(number, history.state, len(history.decisions)))
        if not history.decisions:
            book.append(number, 1, TakeToken(2, "red"))
        if self.then:
            self.then.pop(0)()
        return PlayedKvilt(kvilt_history(book, number), KviltTranscript())


def _sit(folder: Path, host: Host, player: Player) -> tuple[int, Page]:
    page = Page()
    with Journal(folder / JOURNAL_NAME) as journal:
        evenings = Evenings(ARGS, Config(), journal, folder / "profiles", page, host=host)  # type: ignore[arg-type]
        return play_evening(evenings, "table", Games(player, player.kvilt)), page


@pytest.fixture
def host() -> Host:
    return Host(Config(), "table", Circle.DEALT, by_hand=False)


def test_game_follows_game_for_as_long_as_somebody_wishes_for_one(tmp_path: Path, host: Host) -> None:
    wishes: list[Future[None]] = []
    player = Player(
        host,
        lambda: wishes.append(host.begin(CLARA, leaves=True)),
        lambda: wishes.append(host.resume(1, leaves=True)),
    )
    status, page = _sit(tmp_path, host, player)

    assert status == 0
    assert player.played == [
        (("Anna", "Boris"), None, None),
        (("Clara", "Dmitri"), None, Circle.UNKNOWN),
        (("Anna", "Boris"), 1, Circle.UNKNOWN),
    ]
    assert page.remembered == [0, 0, 1]
    assert page.ends == 1
    assert all(wish.done() and wish.exception() is None for wish in wishes)
    with pytest.raises(CompanionError, match="over"):
        host.begin(CLARA).result(0)


def test_the_other_game_is_one_of_them_and_is_gone_on_with_like_any(tmp_path: Path, host: Host) -> None:
    three = KviltArrangement(("Anna", "Boris", "Vera"), first_seat=2, variants=("all-counted",))
    player = Player(
        host,
        lambda: host.begin(three, leaves=True),
        lambda: host.resume(1, leaves=True),
        lambda: host.resume(2, leaves=True),
    )
    status, page = _sit(tmp_path, host, player)

    assert status == 0
    assert [(players, game) for players, game, _ in player.played] == [
        (("Anna", "Boris"), None), (("Anna", "Boris", "Vera"), None), (("Anna", "Boris"), 1), (("Anna", "Boris"), 2),
    ]  # fmt: skip
    assert host.kvilt == three
    assert host.game == "kvilt"
    assert page.ends == 1
    with Journal(tmp_path / JOURNAL_NAME, read_only=True) as journal:
        assert [(game.game, game.decisions) for game in journal.games()] == [("patchwork", 1), ("kvilt", 1)]


def test_a_wish_that_cannot_be_fulfilled_leaves_the_game_before_on_the_table(tmp_path: Path, host: Host) -> None:
    wishes: list[Future[None]] = []
    nobody = Arrangement(("Nobody", "Dmitri"))
    player = Player(host, lambda: wishes.append(host.begin(nobody, leaves=True)))
    status, _ = _sit(tmp_path, host, player)

    assert status == 0
    assert [players for players, _, _ in player.played] == [("Anna", "Boris"), ("Nobody", "Dmitri"), ("Anna", "Boris")]
    assert player.played[-1][1] == 1
    with pytest.raises(CompanionError, match="nobody plays"):
        wishes[0].result(0)


def test_what_nobody_wished_for_fails_as_ever(tmp_path: Path) -> None:
    host = Host(Config(), "table", Circle.DEALT, by_hand=False)
    with pytest.raises(CompanionError, match="broken"):
        _sit(tmp_path, host, Player(host, lambda: (_ for _ in ()).throw(CompanionError("broken"))))


def test_a_game_that_was_left_does_not_come_back_by_itself(tmp_path: Path, host: Host) -> None:
    _sit(tmp_path, host, Player(host, lambda: host.begin(CLARA, leaves=True)))
    again = Host(Config(), "table", Circle.DEALT, by_hand=False)
    player = Player(again)
    _sit(tmp_path, again, player)
    assert [game_id for _, game_id, _ in player.played] == [2]

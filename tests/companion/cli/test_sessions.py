"""Test games that are requested on the page, at the command line's tables."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from companion.cli import sessions
from companion.cli.sessions import PlayContext, play_session
from companion.config import Config
from companion.errors import CompanionError
from companion.games.kvilt.decisions import TakeToken
from companion.games.patchwork.decisions import Advance
from companion.journal import JOURNAL_NAME, Journal
from companion.kvilt.game import KVILT
from companion.kvilt.settings import KviltArrangement
from companion.languages import Sentence, said
from companion.patchwork.arrangement import CircleSource, PatchworkArrangement, circle_of
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.game import PATCHWORK
from companion.play.events import GameOpened
from companion.play.host import Host, interrupted_game, replayed_history
from companion.play.inbox import Inbox
from companion.play.session import GameResult
from companion.registry import codecs, games

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

    from companion.journal import GameSummary
    from companion.play.host import NextGame
    from companion.play.session import Participants

CLARA = PatchworkArrangement(("Clara", "Dmitri"), ("blue", "rose"), circle=CircleSource.UNKNOWN)
ARGS = argparse.Namespace(new=False, record=None, deal=False, json=True, fast=True, simulate=False)


class Page:
    """A fake page with the parts that context need."""

    link = "http://localhost/"

    def __init__(self) -> None:
        self.remote = SimpleNamespace(desks={"patchwork": CircleDesk()})
        self.ends = 0

    def __call__(self, event: object) -> None:
        """Ignore an event."""

    def strip(self, pixels: object) -> None:
        """Ignore the lights."""

    def end(self) -> None:
        self.ends += 1


class Player:
    """A fake `companion.compose.play`: opens each game, then calls the test's next function."""

    def __init__(self, *then: Callable[[], object]) -> None:
        self.then = list(then)
        self.played: list[tuple[tuple[str, ...], int | None, CircleSource | None]] = []

    def __call__(
        self, sitting: NextGame, devices: object, book: Journal, folder: Path, company: Participants, host: Host
    ) -> GameResult:
        """Open the game and append one decision, unless it already has some."""
        game, config = sitting.game, sitting.config
        setup = game.setup(config)
        self.played.append((setup.players, sitting.game_id, circle_of(config) if game is PATCHWORK else None))
        if setup.players[0] == "Nobody":
            raise CompanionError("nobody plays")
        assert devices is DEVICES
        assert isinstance(book, Journal)
        assert folder == book.path.parent
        number = sitting.game_id or book.new_game(setup, "table", game.first_notes(setup, config, None))
        history = replayed_history(game, book, number)
        for listener in company.listeners:
            listener(GameOpened(number, history.state, history.decisions))
        host.opened(game, number, history, Inbox())
        if not history.decisions:
            decision = Advance(1) if game is PATCHWORK else TakeToken(2, "red")
            book.append(number, 1, decision)
            history.apply(decision)
        if self.then:
            self.then.pop(0)()
        host.ended()
        return GameResult(game.codec, history, game.transcript())


DEVICES: Any = object()
Sit: TypeAlias = Callable[[Host, Player], tuple[int, Page]]


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """A function that plays an evening at the table and returns its exit status and the page shown."""

    def sit(host: Host, player: Player) -> tuple[int, Page]:
        page: Any = Page()
        monkeypatch.setattr("companion.cli.sessions.play", player)
        with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
            context = PlayContext(ARGS, PATCHWORK, Config(), journal, DEVICES, "table", None, page, host)
            return play_session(context), page

    return sit


@pytest.fixture
def host() -> Host:
    return Host(Config(), "table", PATCHWORK, games(), by_hand=False)


def test_game_follows_game_as_long_as_one_is_requested(sit: Sit, host: Host) -> None:
    wishes: list[Future[None]] = []
    player = Player(
        lambda: wishes.append(host.begin(CLARA, leaves=True)),
        lambda: wishes.append(host.resume(1, leaves=True)),
    )
    status, page = sit(host, player)

    assert status == 0
    assert player.played == [
        (("Anna", "Boris"), None, CircleSource.UNKNOWN),
        (("Clara", "Dmitri"), None, CircleSource.UNKNOWN),
        (("Anna", "Boris"), 1, CircleSource.UNKNOWN),
    ]
    assert page.ends == 1
    assert all(wish.done() and wish.exception() is None for wish in wishes)
    with pytest.raises(CompanionError, match="Play has ended"):
        host.begin(CLARA).result(0)


def test_the_other_game_is_one_of_them_and_is_gone_on_with_like_any(sit: Sit, host: Host, tmp_path: Path) -> None:
    three = KviltArrangement(("Anna", "Boris", "Vera"), first_seat=2, variants=("all-counted",))
    player = Player(
        lambda: host.begin(three, leaves=True),
        lambda: host.resume(1, leaves=True),
        lambda: host.resume(2, leaves=True),
    )
    status, page = sit(host, player)

    assert status == 0
    assert [(players, game) for players, game, _ in player.played] == [
        (("Anna", "Boris"), None), (("Anna", "Boris", "Vera"), None), (("Anna", "Boris"), 1), (("Anna", "Boris"), 2),
    ]  # fmt: skip
    assert host.arrangement(KVILT.name) == three
    assert host.game is KVILT
    assert page.ends == 1
    with Journal(tmp_path / JOURNAL_NAME, codecs(), read_only=True) as journal:
        assert [(game.game, game.decisions) for game in journal.games()] == [("patchwork", 1), ("kvilt", 1)]


def test_a_request_that_fails_leaves_the_previous_game_on_the_table(sit: Sit, host: Host) -> None:
    wishes: list[Future[None]] = []
    nobody = PatchworkArrangement(("Nobody", "Dmitri"))
    player = Player(lambda: wishes.append(host.begin(nobody, leaves=True)))
    status, _ = sit(host, player)

    assert status == 0
    assert [players for players, _, _ in player.played] == [("Anna", "Boris"), ("Nobody", "Dmitri"), ("Anna", "Boris")]
    assert player.played[-1][1] == 1
    with pytest.raises(CompanionError, match="nobody plays"):
        wishes[0].result(0)


def test_an_error_of_a_game_that_was_not_requested_is_raised(sit: Sit) -> None:
    host = Host(Config(), "table", PATCHWORK, games(), by_hand=False)
    with pytest.raises(CompanionError, match="broken"):
        sit(host, Player(lambda: (_ for _ in ()).throw(CompanionError("broken"))))


def test_a_game_that_was_left_does_not_come_back_by_itself(sit: Sit, host: Host) -> None:
    sit(host, Player(lambda: host.begin(CLARA, leaves=True)))
    again = Host(Config(), "table", PATCHWORK, games(), by_hand=False)
    player = Player()
    sit(again, player)
    assert [game_id for _, game_id, _ in player.played] == [2]


@pytest.mark.parametrize(("typed", "asked", "played"), [("", 1, 1), ("y", 0, 1), ("n", 0, None), ("", 0, None)])
def test_the_terminal_or_the_page_answers_whether_to_go_on(
    sit: Sit, host: Host, monkeypatch: pytest.MonkeyPatch, typed: str, asked: int, played: int | None
) -> None:
    sit(host, Player())
    again = Host(Config(), "table", PATCHWORK, games(), by_hand=False)
    wishes: list[Future[None]] = []

    def offered(_: Page, says: str, interrupted: GameSummary | None = None) -> None:
        assert not says
        assert interrupted is not None
        assert (interrupted.game_id, interrupted.decisions) == (1, 1)
        if not typed:
            wishes.append(again.resume(1) if asked else again.begin(CLARA))

    monkeypatch.setattr(Page, "await_game", offered, raising=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("companion.cli.sessions.typed_lines", lambda: Typed(typed))
    monkeypatch.setattr(ARGS, "json", False)
    player = Player()
    sit(again, player)

    assert [game_id for _, game_id, _ in player.played] == [played]
    assert [wish.exception(1) for wish in wishes] == [None] * (not typed)


def test_a_damaged_game_is_offered_on_the_page_too_and_repaired_before_it_goes_on(
    sit: Sit, host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sit(host, Player())
    again = Host(Config(), "table", PATCHWORK, games(), by_hand=False)
    find, repaired = interrupted_game, list[int]()

    def damaged(*of: Any) -> GameSummary | None:
        found = find(*of)
        return None if found is None else replace(found, error="line 3 is not readable", whole=1)

    def repair(_: Journal, game: GameSummary) -> Sentence:
        repaired.append(game.game_id)
        return said("game {game} is damaged", game=game.game_id)

    def offered(_: Page, says: str, interrupted: GameSummary | None = None) -> None:
        assert interrupted is not None, says
        again.resume(interrupted.game_id)

    monkeypatch.setattr(sessions, "interrupted_game", damaged)
    monkeypatch.setattr(sessions, "repair_game", repair)
    monkeypatch.setattr(Page, "await_game", offered, raising=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr(sessions, "typed_lines", lambda: Typed(""))
    monkeypatch.setattr(ARGS, "json", False)
    player = Player()
    sit(again, player)
    assert [game_id for _, game_id, _ in player.played] == [1]
    assert repaired == [1]
    assert "game 1 is damaged" in capsys.readouterr().err


class Typed:
    """Fake lines of a terminal: one, or none for an empty text.

    Args:
        line: the line.
    """

    def __init__(self, line: str) -> None:
        self.ended = False
        self._lines = [line] if line else []

    def __call__(self) -> list[str]:
        """Return the line, once."""
        lines, self._lines = self._lines, []
        return lines


def test_ctrl_c_says_what_is_kept(sit: Sit, host: Host, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(ARGS, "json", False)
    with pytest.raises(KeyboardInterrupt):
        sit(host, Player(lambda: (_ for _ in ()).throw(KeyboardInterrupt)))
    assert "Game 1 is kept after 1 decision. The same command goes on with it" in capsys.readouterr().out

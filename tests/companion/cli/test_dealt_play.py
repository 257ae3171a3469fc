"""`companion play --deal`: who deals, what is shown, and which game begins. The evenings are played by a stand-in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.bootstrap import PlayedEvening, SimulationOptions, table_name
from companion.bootstrap.arrangement import Circle
from companion.cli.deal import deal_lines
from companion.dealing import dealt_market
from companion.games.patchwork import Advance, History
from companion.journal import JOURNAL_NAME, Journal
from companion.transcript import Transcript

if TYPE_CHECKING:
    from companion.config import Config
    from companion.journal import Book

Run = Callable[..., tuple[int, str, str]]
SIMULATED = ("play", "--simulate", "--autoplay", "--fast", "--no-page")


@dataclass
class StandIn:
    """Begins a game, or goes on with one, and leaves it unfinished."""

    circles: list[Circle] = field(default_factory=list)
    markets: list[tuple[str, ...] | None] = field(default_factory=list)

    def __call__(
        self, config: Config, options: SimulationOptions, book: Book, game_id: int | None, **_: Any
    ) -> PlayedEvening:
        setup = config.game.setup() if game_id is None else book.setup(game_id)
        number = book.new_game(setup, table_name(options)) if game_id is None else game_id
        history = History(setup)
        for decision in book.decisions(number):
            history.apply(decision)
        decision = Advance(history.state.turn or 1)
        history.apply(decision)
        book.append(number, len(history.decisions), decision)
        self.circles.append(options.circle)
        self.markets.append(setup.market)
        return PlayedEvening(history, Transcript())


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn()
    monkeypatch.setattr("companion.cli.play.simulate", stand_in)
    return stand_in


def _input(monkeypatch: pytest.MonkeyPatch, answer: Callable[[str], str]) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", answer)


def test_the_seed_deals_and_a_pipe_gets_the_deal_once(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    status, out, err = run(*SIMULATED, "--deal", "--seed", 5, "--data", tmp_path)
    assert (status, err) == (0, "")
    assert stand_in.markets == [dealt_market(5)]
    assert stand_in.circles == [Circle.DEALT]
    assert out.startswith(deal_lines(dealt_market(5)))


def test_each_of_several_evenings_is_dealt_anew(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    assert run(*SIMULATED, "--deal", "--seed", 5, "--games", 3, "--json", "--data", tmp_path)[0] == 0
    assert stand_in.markets == [dealt_market(seed) for seed in (5, 6, 7)]


def test_json_stays_json(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    _, out, err = run(*SIMULATED, "--deal", "--seed", 5, "--json", "--data", tmp_path)
    assert len(out.splitlines()) == 1
    assert err == deal_lines(dealt_market(5))
    assert len(stand_in.markets) == 1


def test_without_a_seed_chance_deals(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run(*SIMULATED, "--deal", "--data", tmp_path / folder)
    first, second = stand_in.markets
    assert first is not None
    assert second is not None
    assert first != second
    assert first[-1] == second[-1] == "domino"


def test_an_unfinished_game_keeps_its_circle(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    run(*SIMULATED, "--deal", "--data", tmp_path)
    _, out, err = run(*SIMULATED, "--deal", "--data", tmp_path)
    assert "going on with game 1" in err
    assert "Lay these patches" not in out
    assert stand_in.markets[0] == stand_in.markets[1]
    with Journal(tmp_path / JOURNAL_NAME) as journal:
        assert journal.setup(1).market == stand_in.markets[0]


def test_at_a_terminal_people_lay_twelve_at_a_time(
    run: Run, stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def enter(prompt: str) -> str:
        asked.append(prompt)
        return ""

    _input(monkeypatch, enter)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert run(*SIMULATED, "--deal", "--seed", 5, "--data", tmp_path)[0] == 0
    assert asked == ["Enter when they lie there. "] * 2 + ["Enter to begin the game. "]
    assert stand_in.markets == [dealt_market(5)]


def test_a_circle_may_be_kept_from_the_companion(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    assert run(*SIMULATED, "--circle", "unknown", "--data", tmp_path)[0] == 0
    assert stand_in.circles == [Circle.UNKNOWN]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((*SIMULATED, "--deal", "--circle", "unknown"), "what is dealt is known"),
        ((*SIMULATED, "--circle", "square"), "invalid choice: 'square'"),
        (("play", "--circle", "unknown"), "--circle is for the simulated table"),
        (("play", "--seed", "3"), "--seed is for the simulated table"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run: Run, options: tuple[str, ...], says: str) -> None:
    status, out, err = run(*options)
    assert (status, out) == (2, "")
    assert says in err

"""Test `companion play --deal`: who deals, what is shown, and which game begins. A stand-in plays the evenings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from companion.games.patchwork.decisions import Advance
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.arrangement import CircleSource, circle_of, dealt_market
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.terminal.circle import deal_lines
from companion.registry import codecs
from tests.companion.cli.standin import StandIn

if TYPE_CHECKING:
    from pathlib import Path

    from companion.games.patchwork.rules import History

Run = Callable[..., tuple[int, str, str]]
SIMULATED = ("play", "--simulate", "--autoplay", "--fast", "--no-page")


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """A stand-in that begins or resumes a game and leaves it unfinished."""

    def decides(history: History, _: object) -> list[Advance]:
        return [Advance(history.state.turn or 1)]

    stand_in = StandIn(decides, {})
    monkeypatch.setattr("companion.cli.sessions.play", stand_in)
    return stand_in


def _markets(stand_in: StandIn) -> list[tuple[str, ...] | None]:
    return [asked.setup.market for asked in stand_in.asked]


def _circles(stand_in: StandIn) -> list[CircleSource]:
    return [circle_of(asked.config) for asked in stand_in.asked]


def _input(monkeypatch: pytest.MonkeyPatch, answer: Callable[[str], str]) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", answer)


def test_the_seed_deals_and_a_pipe_gets_the_deal_once(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    status, out, err = run(*SIMULATED, "--deal", "--seed", 5, "--data", tmp_path)
    assert (status, err) == (0, "")
    assert _markets(stand_in) == [dealt_market(5)]
    assert _circles(stand_in) == [CircleSource.DEALT]
    assert out.startswith(deal_lines(dealt_market(5)))


def test_each_of_several_evenings_is_dealt_anew(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    assert run(*SIMULATED, "--deal", "--seed", 5, "--games", 3, "--json", "--data", tmp_path)[0] == 0
    assert _markets(stand_in) == [dealt_market(seed) for seed in (5, 6, 7)]


def test_json_stays_json(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    _, out, err = run(*SIMULATED, "--deal", "--seed", 5, "--json", "--data", tmp_path)
    assert len(out.splitlines()) == 1
    assert err == deal_lines(dealt_market(5))
    assert len(_markets(stand_in)) == 1


def test_without_a_seed_chance_deals(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run(*SIMULATED, "--deal", "--data", tmp_path / folder)
    first, second = _markets(stand_in)
    assert first is not None
    assert second is not None
    assert first != second
    assert first[-1] == second[-1] == "domino"


def test_an_unfinished_game_keeps_its_circle(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    run(*SIMULATED, "--deal", "--data", tmp_path)
    _, out, err = run(*SIMULATED, "--deal", "--data", tmp_path)
    assert "resuming game 1" in err
    assert "Lay these patches" not in out
    assert _markets(stand_in)[0] == _markets(stand_in)[1]
    with Journal(tmp_path / JOURNAL_NAME, codecs()) as journal:
        assert journal.setup(1, PATCHWORK).market == _markets(stand_in)[0]


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
    assert asked == ["Press Enter when they are in place. "] * 2 + ["Press Enter to begin the game. "]
    assert _markets(stand_in) == [dealt_market(5)]


def test_a_circle_may_be_kept_from_the_companion(run: Run, stand_in: StandIn, tmp_path: Path) -> None:
    assert run(*SIMULATED, "--circle", "unknown", "--data", tmp_path)[0] == 0
    assert _circles(stand_in) == [CircleSource.UNKNOWN]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((*SIMULATED, "--deal", "--circle", "unknown"), "a dealt circle is known already"),
        ((*SIMULATED, "--circle", "square"), "invalid choice: 'square'"),
        (("play", "--circle", "unknown"), "--circle is for the simulated table"),
        (("play", "--seed", "3"), "--seed is for the simulated table"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run: Run, options: tuple[str, ...], says: str) -> None:
    status, out, err = run(*options)
    assert (status, out) == (2, "")
    assert says in err

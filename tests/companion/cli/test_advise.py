"""Test `companion advise` on records in files and on standard input."""

import io
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.decisions import decision_from_json
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.games.patchwork.strategy import choice
from companion.patchwork.codec import PATCHWORK
from companion.record import record_lines
from tests.companion.cli.conftest import Run

Ask = Callable[[Iterable[str]], list[dict[str, Any]]]


def game(decisions: int, *, is_circle_known: bool = True) -> History:
    """Return a game some decisions after its start."""
    rng = random.Random(3)
    patches = [patch for patch in PATCHES if patch != SMALLEST_PATCH]
    rng.shuffle(patches)
    history = History(Setup(market=(*patches, SMALLEST_PATCH) if is_circle_known else None))
    while decisions and not history.state.finished:
        history.apply(choice.choose(history.state, rng.gauss).decision)
        decisions -= 1
    return history


def lines_of(history: History) -> list[str]:
    return list(record_lines(history.setup, history.decisions, PATCHWORK))


def question(history: History, **others: object) -> str:
    return json.dumps({"record": [json.loads(line) for line in lines_of(history)], **others})


@pytest.fixture
def ask(run: Run, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """A function that passes lines to `companion advise --lines`, and returns the answers."""

    def ask(lines: Iterable[str]) -> list[dict[str, Any]]:
        given = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=given))
        status, out, err = run("advise", "--lines", "--level", "casual")
        assert (status, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]

    return ask


@pytest.fixture
def record(tmp_path: Path) -> Callable[[History], Path]:
    """A function that writes a game's record."""

    def record(history: History) -> Path:
        path = tmp_path / "game.jsonl"
        path.write_text("\n".join(lines_of(history)) + "\n")
        return path

    return record


def test_advice_is_a_legal_decision_with_all_that_were_weighed(run: Run, record: Callable[[History], Path]) -> None:
    history = game(8)
    status, out, _ = run("advise", record(history), "--json", "--level", "skilled", "--seed", "1")
    told = json.loads(out)
    considered = [decision_from_json(each["decision"]) for each in told["considered"]]
    assert status == 0
    assert decision_from_json(told["decision"]) in considered
    assert set(considered) <= set(legal_decisions(history.state))
    assert told["visits"] == sum(each["visits"] for each in told["considered"])
    assert all(0 <= each["value"] <= 1 for each in told["considered"])


def test_the_same_seed_gives_the_same_advice_if_no_time_is_given(ask: Ask) -> None:
    asked = question(game(5), seed=7)
    once, again = ask([asked, asked])
    assert once == again


def test_people_read_the_decision_in_words(run: Run, record: Callable[[History], Path]) -> None:
    status, out, _ = run("advise", record(game(6)), "--level", "skilled")
    assert status == 0
    assert "with a winning chance of" in out.splitlines()[0]


def test_each_line_has_its_own_answer_whatever_is_wrong_with_the_one_before(ask: Ask) -> None:
    broken = json.loads(question(game(4)))
    broken["record"][-1] = {"seat": 1, "move": "patch", "patch": "none", "cells": ["A1"]}
    answers = ask(
        [
            "no JSON",
            "[" * 100_000,
            "[]",
            "{}",
            '{"record": [1]}',
            json.dumps(broken),
            question(game(200)),
            question(game(2, is_circle_known=False)),
            question(game(4), time_s=-1),
            question(game(4), time_s=True),
            question(game(4), level="godlike"),
            question(game(4), level=["casual"]),
            question(game(4), seed="one"),
            "",
            question(game(4)),
        ]
    )
    assert [set(answer) for answer in answers[:-1]] == [{"error"}] * 13
    assert "decision" in answers[-1]
    assert "market" in answers[7]["error"]
    assert answers[5]["error"].startswith("5: ")


@pytest.mark.parametrize("history", [game(0, is_circle_known=False), game(200)], ids=["no circle", "ended"])
def test_a_game_without_advice_is_refused_in_one_line(
    run: Run, record: Callable[[History], Path], history: History
) -> None:
    status, out, err = run("advise", record(history), "--json")
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_a_record_or_lines_must_be_chosen(run: Run, record: Callable[[History], Path]) -> None:
    assert run("advise")[0] == 2
    assert run("advise", record(game(1)), "--lines")[0] == 2
    assert run("advise", record(game(1)), "--time", "0")[0] == 2

from __future__ import annotations

import random

import pytest
from rich.cells import cell_len

from companion.games.patchwork.cells import mask_of
from companion.games.patchwork.decisions import Advance, TakePatch
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.languages import PERSIAN
from companion.patchwork.codec import summary
from companion.patchwork.terminal.score_sheet import score_sheet, sums


def _finished(players: tuple[str, str], seed: int) -> History:
    history, rng = History(Setup(players=players)), random.Random(seed)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    return history


def _last_number(words: str) -> int:
    """Return the number at the end of a line, which is written with a minus sign if it is negative."""
    return int(words.rsplit(maxsplit=1)[-1].replace("−", "-"))


def test_a_game_under_way() -> None:
    history = History(Setup(players=("Anna", "Boris")))
    history.apply(TakePatch(1, "corner-b1", mask_of(["A1", "A2", "B2"])))
    assert (
        score_sheet(summary(history.state))
        == """\
Anna (seat 1)                     Boris (seat 2)

   A B C D E F G H I                 A B C D E F G H I
1  ██· · · · · · · ·              1  · · · · · · · · ·
2  ████· · · · · · ·              2  · · · · · · · · ·
3  · · · · · · · · ·              3  · · · · · · · · ·
4  · · · · · · · · ·              4  · · · · · · · · ·
5  · · · · · · · · ·              5  · · · · · · · · ·
6  · · · · · · · · ·              6  · · · · · · · · ·
7  · · · · · · · · ·              7  · · · · · · · · ·
8  · · · · · · · · ·              8  · · · · · · · · ·
9  · · · · · · · · ·              9  · · · · · · · · ·

buttons in hand      4            buttons in hand      5
7x7 tile             0            7x7 tile             0
78 empty squares  −156            81 empty squares  −162
──────────────────────            ──────────────────────
score             −152            score             −157

income 0, at space 3              income 0, at space 0

It is Boris’s turn after 1 decision.

"""
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_summands_give_the_score_and_the_last_line_names_the_winner(seed: int) -> None:
    game = summary(_finished(("Anna", "Boris"), seed).state)
    lines = score_sheet(game).splitlines()
    for left, seat in ((0, game["seats"][0]), (34, game["seats"][1])):
        terms = [_last_number(line[left : left + 22]) for line in lines[13:16]]
        assert sum(terms) == _last_number(lines[17][left : left + 22]) == seat["score"]
        covered = sum(line[left + 3 : left + 22].count("██") for line in lines[3:12])
        assert covered == 81 - seat["empty"]
    assert lines[-2] == f"{['Anna', 'Boris'][game['winner'] - 1]} wins after {game['moves']} decisions."


def test_a_tie_says_what_settles_it() -> None:
    game = summary(_finished(("Anna", "Boris"), 0).state)
    for seat in game["seats"]:
        seat["score"] = -3
    assert score_sheet(game).splitlines()[-3:-1] == [
        f"{['Anna', 'Boris'][game['winner'] - 1]} wins the tie after {game['moves']} decisions.",
        "−3 to −3: the order in which both reached the end of the time track decides.",
    ]


def test_the_tile_and_a_single_empty_square() -> None:
    game = summary(History(Setup()).state)
    game["seats"][0] |= {"bonus": True, "empty": 1, "score": 10}
    sheet = score_sheet(game)
    assert "7x7 tile             7  " in sheet
    assert "1 empty square      −2  " in sheet


@pytest.mark.parametrize("name", ["A very long name, as somebody likes it", "安娜·伊万诺娃", "Zoë", "é" * 9])
def test_columns_stand_straight_under_any_name(name: str) -> None:
    history = History(Setup(players=(name, "Boris")))
    history.apply(Advance(1))
    lines = score_sheet(summary(history.state)).splitlines()
    starts = {cell_len(lines[0].partition("Boris")[0]), *(cell_len(line[: line.rindex("1")]) for line in lines[3:4])}
    starts.add(lines[16].rindex("──────────────────────"))
    assert len(starts) == 1
    assert min(starts) >= 34


def test_a_game_that_never_began_has_no_sheet() -> None:
    assert score_sheet({"seats": [], "moves": 0, "winner": None, "turn": None}) == ""


def test_an_unknown_value_has_the_reader_s_question_mark() -> None:
    known, unknown, *_ = sums(PERSIAN, ("دکمه", 5), ("کاشی", None), ("امتیاز", 12))
    assert (known[-1], unknown[-1]) == ("۵", "؟")

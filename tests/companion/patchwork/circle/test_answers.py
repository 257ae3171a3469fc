"""Test parsing lines that a person types about the circle."""

from __future__ import annotations

import pytest

from companion.patchwork.circle.proposal import (
    AllRight,
    AnswerError,
    CircleAnswer,
    LiesBehind,
    PlaceIs,
    PlaceRight,
    RunsSo,
    parse_answer,
)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("7 tee", PlaceIs(7, "tee")),
        ("  7   TEE ", PlaceIs(7, "tee")),
        ("7 small t", PlaceIs(7, "tee")),
        ("7 Медленный  крюк", PlaceIs(7, "hook-t6")),
        ("7+ حرف تی کوچک", LiesBehind(7, "tee")),
        ("7 none", PlaceIs(7, None)),
        ("7 ok", PlaceRight(7)),
        ("7+ tee", LiesBehind(7, "tee")),
        ("7 b", RunsSo(7, 1)),
        ("ok", AllRight()),
    ],
)
def test_lines(line: str, answer: CircleAnswer) -> None:
    assert parse_answer(line) == answer


@pytest.mark.parametrize(
    "line",
    [
        "",
        "7",
        "tee",
        "tee 7",
        "+ tee",
        "-7 tee",
        "\u0667 tee",
        pytest.param("9" * 5000 + " tee", id="endless"),
    ],
)
def test_other_lines_are_told_what_to_say(line: str) -> None:
    with pytest.raises(AnswerError, match='Say "7 small T" for what lies there'):
        parse_answer(line)

"""Decisions and headers in records, and everything that can be wrong with them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.kvilt import (
    ColourBackgrounds,
    ColourCell,
    ColourPatch,
    ColourThread,
    Decision,
    Decline,
    Done,
    Fetch,
    FillNeutral,
    MalformedDecisionError,
    Negate,
    PencilSource,
    PlacePencil,
    Settings,
    Setup,
    SetupError,
    Stitch,
    Swap,
    TakeCushion,
    TakeToken,
    Variant,
    decision_from_json,
    decision_to_json,
    new_game,
    own_sheet,
    setup_from_json,
    setup_to_json,
    summary,
)
from tests.cases import each

LINES: list[tuple[Decision, dict[str, Any]]] = [
    (TakeToken(1, "red"), {"seat": 1, "move": "token", "colour": "red"}),
    (PlacePencil(4, "blue", 5), {"seat": 4, "move": "place", "drawn": "blue", "cushion": 5}),
    (TakeCushion(2, 3), {"seat": 2, "move": "take", "cushion": 3}),
    (FillNeutral(1, ("red", "blue")), {"seat": 1, "move": "fill", "drawn": ["red", "blue"]}),
    (ColourCell(1, "red", 2), {"seat": 1, "move": "cell", "colour": "red", "row": 2}),
    (
        ColourCell(1, "red", 2, background=False, spool=False),
        {"seat": 1, "move": "cell", "colour": "red", "row": 2, "background": False, "spool": False},
    ),
    (ColourPatch(3, "violet", "p5"), {"seat": 3, "move": "patch", "colour": "violet", "patch": "p5"}),
    (ColourThread(1, "red"), {"seat": 1, "move": "thread", "colour": "red"}),
    (Stitch(1, "e5.2"), {"seat": 1, "move": "stitch", "part": "e5.2"}),
    (Fetch(1, PencilSource.BAG, "red"), {"seat": 1, "move": "fetch", "from": "bag", "colour": "red"}),
    (
        ColourBackgrounds(1, ((1, 2), (5, 7))),
        {"seat": 1, "move": "backgrounds", "cells": ["r1c2", "r5c7"]},
    ),
    (Swap(1, ("red",), ("blue",)), {"seat": 1, "move": "swap", "given": ["red"], "drawn": ["blue"]}),
    (Decline(1), {"seat": 1, "move": "decline"}),
    (Done(2), {"seat": 2, "move": "done"}),
    (Negate(2, (1, 4)), {"seat": 2, "move": "negate", "rows": [1, 4]}),
]


@each(("decision", "line"), LINES, ids=[str(line["move"]) for _, line in LINES])
def test_a_decision_is_one_line(decision: Decision, line: dict[str, Any]) -> None:
    assert decision_to_json(decision) == line
    assert decision_from_json(json.loads(json.dumps(line))) == decision
    assert decision_from_json({**line, "said": "anything"}) == decision


@each(
    "line",
    [
        "done",
        {"move": "done"},
        {"seat": 5, "move": "done"},
        {"seat": True, "move": "done"},
        {"seat": 1, "move": "jump"},
        {"seat": 1, "move": ["done"]},
        {"seat": 1, "move": "token"},
        {"seat": 1, "move": "token", "colour": 3},
        {"seat": 1, "move": "token", "colour": "a\nb"},
        {"seat": 1, "move": "take", "cushion": 0},
        {"seat": 1, "move": "take", "cushion": "1"},
        {"seat": 1, "move": "fill", "drawn": "red"},
        {"seat": 1, "move": "fill", "drawn": []},
        {"seat": 1, "move": "fill", "drawn": [1]},
        {"seat": 1, "move": "cell", "colour": "red", "row": 1, "background": 1},
        {"seat": 1, "move": "cell", "colour": "red", "row": 1, "spool": None},
        {"seat": 1, "move": "fetch", "from": "box", "colour": "red"},
        {"seat": 1, "move": "backgrounds", "cells": ["A1"]},
        {"seat": 1, "move": "backgrounds", "cells": ["r0c1"]},
        {"seat": 1, "move": "negate", "rows": [1]},
        {"seat": 1, "move": "negate", "rows": [1, "2"]},
        {"seat": 1, "move": "negate", "rows": 14},
        {"seat": 1, "move": "negate", "rows": {"1": 1, "2": 2}},
    ],
    ids=str,
)
def test_what_is_no_decision_is_refused(line: object) -> None:
    with pytest.raises(MalformedDecisionError):
        decision_from_json(line)


HEADER = {
    "format": 1,
    "game": "kvilt",
    "seats": 3,
    "players": ["Anna", "Boris", "Ёлка"],
    "first_seat": 2,
    "sheet": "companion-a",
}


def test_a_plain_header_says_little() -> None:
    setup = Setup(("Anna", "Boris", "Ёлка"), 2)
    assert setup_to_json(setup) == HEADER
    assert setup_from_json(HEADER) == setup
    assert setup_from_json({key: value for key, value in HEADER.items() if key not in ("seats", "sheet")}) == setup


def test_variants_settings_and_another_sheet_stand_in_the_header() -> None:
    sheet = replace(own_sheet(), id="owner-anna", rows=tuple(reversed(own_sheet().rows)))
    settings = Settings(background_must=True, bonus_pencils_background=False)
    setup = Setup(tuple("ABCD"), 4, sheet, frozenset(Variant), settings, simultaneous=True)
    header = json.loads(json.dumps(setup_to_json(setup)))
    assert header["variants"] == ["all-counted", "kviltomania"]
    assert header["settings"] == {"background_must": True, "bonus_pencils_background": False}
    assert header["simultaneous"] is True
    assert setup_from_json(header) == setup


@each(
    ("change", "says"),
    [
        ({"format": 2}, '"format" must be 1'),
        ({"game": "patchwork"}, '"game" must be "kvilt"'),
        ({"seats": 2}, '"seats" and "players" differ'),
        ({"players": ["A"], "seats": 1}, "two to four names"),
        ({"players": "AB"}, '"players" must be a list'),
        ({"players": ["A", " ", "B"], "seats": 3}, "none of them empty"),
        ({"players": ["A", "B\n", "C"]}, "control characters"),
        ({"first_seat": 4}, "first_seat must be a seat from 1 to 3"),
        ({"first_seat": "1"}, '"first_seat" must be a seat'),
        ({"simultaneous": 1}, '"simultaneous" must be'),
        ({"sheet": "companion-z"}, '"sheet" must be "companion-a"'),
        ({"sheet": {"id": "x"}}, "the header’s sheet: colour is missing"),
        ({"variants": ["kviltomania"]}, "for four players"),
        ({"variants": ["solo"]}, '"variants" must be a list'),
        ({"settings": {"speed": True}}, "there is no setting 'speed'"),
        ({"settings": {"swap_again": "yes"}}, '"settings" must be an object'),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_header_that_cannot_be_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(SetupError) as caught:
        setup_from_json({**HEADER, **change})
    assert says in str(caught.value)


def test_no_header_is_refused() -> None:
    with pytest.raises(SetupError, match="must be an object"):
        setup_from_json([])


def test_the_summary_tells_how_the_game_stands() -> None:
    told = summary(new_game(Setup(("Anna", "Boris"))))
    assert {key: told[key] for key in ("game", "finished", "winner", "turn", "round", "phase", "moves")} == {
        "game": "kvilt",
        "finished": False,
        "winner": None,
        "turn": 1,
        "round": 1,
        "phase": "scraps",
        "moves": 0,
    }
    assert told["seats"][1]["name"] == "Boris"
    assert told["seats"][1]["rows"] == [{"colour": None, "cells": 0, "full": []}] * 5
    assert told["seats"][1]["spools"] == {"open": 2, "threads": []}
    assert told["seats"][1]["embroideries"] == {"e5": 0, "e3a": 0, "e3b": 0, "e2a": 0, "e2b": 0}
    assert told["seats"][1]["score"]["total"] == 0
    assert json.loads(json.dumps(told)) == told


def test_the_lines_in_the_documentation_are_records() -> None:
    text = (Path(__file__).parents[4] / "docs" / "kvilt.md").read_text(encoding="utf-8")
    shown = [line.strip() for line in text.splitlines() if line.startswith("    {")]
    header, *lines = [json.JSONDecoder().raw_decode(line)[0] for line in shown]
    assert setup_to_json(setup_from_json(header)) == header
    assert [decision_to_json(decision_from_json(line)) for line in lines] == lines
    assert {line["move"] for line in lines} == {line["move"] for _, line in LINES}


def test_the_documentation_names_every_setting() -> None:
    text = (Path(__file__).parents[4] / "docs" / "kvilt.md").read_text(encoding="utf-8")
    assert all(f"| `{setting}` |" in text for setting in asdict(Settings()))


def test_a_colour_of_a_file_is_no_template_and_not_longer_than_a_name() -> None:
    from companion.games.kvilt.naming import colour_name  # noqa: PLC0415

    assert colour_name("}{0}{") == "}{0}{"
    with pytest.raises(MalformedDecisionError, match="at most 99 characters"):
        decision_from_json({"seat": 1, "move": "token", "colour": "x" * 70_000})

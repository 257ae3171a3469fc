"""The headers of records of Kvilt, and the JSON of its states."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.kvilt.decisions import MOVES, decision_from_json, decision_to_json
from companion.games.kvilt.rules import new_game
from companion.games.kvilt.state import Settings, Setup, Variant
from companion.kvilt.codec import setup_from_json, setup_to_json, summary
from companion.kvilt.sheets.files import own_sheet
from companion.record import RecordError
from tests.companion.kvilt_setups import own_setup

HEADER = {
    "format": 1,
    "game": "kvilt",
    "seats": 3,
    "players": ["Anna", "Boris", "Ёлка"],
    "first_seat": 2,
    "sheet": "companion-a",
}


def test_a_plain_header_says_little() -> None:
    setup = own_setup(("Anna", "Boris", "Ёлка"), 2)
    assert setup_to_json(setup) == HEADER
    assert setup_from_json(HEADER) == setup
    assert setup_from_json({key: value for key, value in HEADER.items() if key not in ("seats", "sheet")}) == setup


def test_variants_settings_and_another_sheet_stand_in_the_header() -> None:
    sheet = replace(own_sheet(), id="owner-anna", rows=tuple(reversed(own_sheet().rows)))
    settings = Settings(background_must=True, bonus_pencils_background=False)
    setup = Setup(sheet, tuple("ABCD"), 4, frozenset(Variant), settings, simultaneous=True)
    header = json.loads(json.dumps(setup_to_json(setup)))
    assert header["variants"] == ["all-counted", "kviltomania"]
    assert header["settings"] == {"background_must": True, "bonus_pencils_background": False}
    assert header["simultaneous"] is True
    assert setup_from_json(header) == setup


@pytest.mark.parametrize(
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
def test_an_impossible_header_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(RecordError) as caught:
        setup_from_json({**HEADER, **change})
    assert says in str(caught.value)


def test_a_header_that_is_no_object_is_refused() -> None:
    with pytest.raises(RecordError, match="must be an object"):
        setup_from_json([])


def test_the_summary_describes_the_state() -> None:
    told = summary(new_game(own_setup(("Anna", "Boris"))))
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
    text = (Path(__file__).parents[3] / "docs" / "kvilt.md").read_text(encoding="utf-8")
    shown = [line.strip() for line in text.splitlines() if line.startswith("    {")]
    header, *lines = [json.JSONDecoder().raw_decode(line)[0] for line in shown]
    assert setup_to_json(setup_from_json(header)) == header
    assert [decision_to_json(decision_from_json(line)) for line in lines] == lines
    assert {line["move"] for line in lines} == set(MOVES)


def test_the_documentation_names_every_setting() -> None:
    text = (Path(__file__).parents[3] / "docs" / "kvilt.md").read_text(encoding="utf-8")
    assert all(f"| `{setting}` |" in text for setting in asdict(Settings()))

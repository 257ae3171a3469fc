"""Test that refused decisions and faults of sheets are explained in words, in the user's language."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.kvilt.decisions import (
    ColourCell,
    Decision,
    Decline,
    PlacePencil,
    TakeCushion,
    TakeToken,
    decision_from_json,
)
from companion.games.kvilt.errors import FaultCode, IllegalDecisionError, IllegalReason, MalformedDecisionError
from companion.games.kvilt.judging import Fault, FaultReason
from companion.games.kvilt.rules import apply, new_game
from companion.games.kvilt.state import Phase, State, TaskKind
from companion.kvilt.codec import KVILT
from companion.kvilt.refusals import fault_sentence, rules_fault, sheet_fault
from companion.kvilt.sheets.files import own_sheet
from companion.languages import LANGUAGES, Sentence
from companion.record import replay_record
from tests.companion.kvilt_setups import own_setup

if TYPE_CHECKING:
    from pathlib import Path

START = new_game(own_setup(("Anna", "Boris")))
PENCILS = replace(START, phase=Phase.PENCILS)
COLOURING = replace(START, phase=Phase.COLOURING)
SHEET = own_sheet()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ([], 'a decision is an object such as {"seat": 2, "move": "done"}'),
        ({"seat": 5, "move": "done"}, '"seat" must be a whole number from 1 to 4'),
        ({"seat": 1, "move": "jump"}, '"move" must be one of token, place, take, fill, cell, patch, thread, stitch, '
         "fetch, backgrounds, swap, decline, done, negate"),
        ({"seat": 1, "move": "token"}, '"colour" must be a text'),
        ({"seat": 1, "move": "token", "colour": "x" * 100}, '"colour" must be a text of at most 99 characters'),
        ({"seat": 1, "move": "fill", "drawn": []}, '"drawn" must be a list of texts, not empty'),
        ({"seat": 1, "move": "cell", "colour": "red", "row": 1, "spool": 1}, '"spool" must be true or false'),
        ({"seat": 1, "move": "fetch", "from": "box", "colour": "red"}, '"from" must be neutral or bag'),
        ({"seat": 1, "move": "backgrounds", "cells": ["A1"]}, '"cells" must be a list of cells such as '
         '["r1c2", "r2c1"]'),
        ({"seat": 1, "move": "negate", "rows": [1]}, '"rows" must be two row numbers'),
    ],
)  # fmt: skip
def test_a_malformed_decision_is_explained(line: object, says: str) -> None:
    with pytest.raises(MalformedDecisionError) as caught:
        decision_from_json(line)
    assert rules_fault(caught.value) == says


@pytest.mark.parametrize(
    ("state", "decision", "says"),
    [
        (START, TakeToken(2, "red"), "it is seat 1’s turn"),
        (START, TakeToken(1, "pink"), "there is no pink token"),
        (START, TakeCushion(1, 1), "that belongs to the phase pencils, this is scraps"),
        (PENCILS, TakeCushion(1, 1), "pincushion 1 is empty"),
        (PENCILS, TakeCushion(1, 9), "there is no pincushion 9; they are 1 to 3"),
        (replace(PENCILS, bag=(0,) * 6), PlacePencil(1, "red", 1), "there is no red pencil in the bag"),
        (COLOURING, ColourCell(1, "red", 9), "there is no row 9; they are 1 to 5"),
        (COLOURING, ColourCell(1, "red", 1), "there is no unused red pencil on the player’s own pincushion"),
        (COLOURING, Decline(1), "there is no bonus to decline"),
        (replace(START, phase=Phase.END, turn=None), Decline(1), "the game has ended"),
    ],
)
def test_an_illegal_decision_is_explained(state: State, decision: Decision, says: str) -> None:
    with pytest.raises(IllegalDecisionError) as caught:
        apply(state, decision)
    assert rules_fault(caught.value) == says


def untranslated(text: str, code: str) -> list[str]:
    assert isinstance(text, Sentence)
    return re.findall(r"[A-Za-z]{3,}|[{}]", text.rendered(LANGUAGES[code]))


@pytest.mark.parametrize("code", ["ru", "fa"])
@pytest.mark.parametrize("reason", list(IllegalReason))
def test_every_refusal_has_a_sentence_in_every_language(reason: IllegalReason, code: str) -> None:
    kind = Phase.PENCILS.value if reason is IllegalReason.OTHER_PHASE else TaskKind.SWAP.value
    error = IllegalDecisionError(FaultCode.TURN, reason, number=1, last=3, seats=(1, 2), colour="red", other="blue",
                                 name="p1", names=("p2",), kind=kind, phase=Phase.SCRAPS.value)  # fmt: skip
    assert untranslated(rules_fault(error), code) == []


@pytest.mark.parametrize("code", ["ru", "fa"])
@pytest.mark.parametrize("reason", [each for each in FaultReason if each is not FaultReason.UNEXPLAINED])
def test_every_fault_of_a_sheet_has_a_sentence_in_every_language(reason: FaultReason, code: str) -> None:
    fault = Fault(FaultCode.ORDER, ("r1c1.picture",), reason, row=1, number=2, other=3, colour="red", count=4, given=3)
    assert untranslated(sheet_fault(fault), code) == []
    assert fault_sentence(fault, SHEET) == f"E_ORDER: {sheet_fault(fault)}"


@pytest.mark.parametrize(
    "code",
    [FaultCode.ERASED, FaultCode.PATCH_LATE, FaultCode.BACKGROUND, FaultCode.STITCH, FaultCode.UNLOCK,
     FaultCode.NO_PENCIL],
)  # fmt: skip
def test_a_mark_that_no_decision_explains_is_named_with_its_code(code: FaultCode) -> None:
    assert fault_sentence(Fault(code, ("r2c3.picture",)), SHEET).startswith(f"{code}: cell 3 of row 2: ")


@pytest.mark.parametrize(
    ("line", "english", "russian"),
    [
        ({"seat": 2, "move": "token", "colour": "red"}, "illegal: it is seat 1’s turn",
         "не по правилам: сейчас ходит место 1"),
        ({"seat": 1, "move": "negate", "rows": 3}, '"rows" must be two row numbers', "номера двух рядов"),
    ],
)  # fmt: skip
def test_a_replayed_record_names_file_line_and_reason(
    tmp_path: Path, line: dict[str, Any], english: str, russian: str
) -> None:
    path = tmp_path / "game.jsonl"
    lines = [KVILT.setup_to_json(START.setup), line]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    error = replay_record(path, KVILT).error
    assert error is not None
    says = error.args[0]
    assert isinstance(says, Sentence)
    assert str(says) == f"{path}:2: {english}"
    assert says.rendered(LANGUAGES["ru"]).endswith(russian)

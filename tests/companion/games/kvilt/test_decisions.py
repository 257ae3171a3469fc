"""Decisions in records, and everything that can be wrong with them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.games.kvilt.decisions import (
    ColourBackgrounds,
    ColourCell,
    ColourPatch,
    ColourThread,
    Decision,
    Decline,
    Done,
    Fetch,
    FillNeutral,
    Negate,
    PencilSource,
    PlacePencil,
    Stitch,
    Swap,
    TakeCushion,
    TakeToken,
    decision_from_json,
    decision_to_json,
)
from companion.games.kvilt.errors import MalformedDecisionError, MalformedReason

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


@pytest.mark.parametrize(("decision", "line"), LINES, ids=[str(line["move"]) for _, line in LINES])
def test_a_decision_is_one_line(decision: Decision, line: dict[str, Any]) -> None:
    assert decision_to_json(decision) == line
    assert decision_from_json(json.loads(json.dumps(line))) == decision
    assert decision_from_json({**line, "said": "anything"}) == decision


@pytest.mark.parametrize(
    ("line", "reason", "key"),
    [
        ("done", MalformedReason.NOT_AN_OBJECT, ""),
        ({"move": "done"}, MalformedReason.NUMBER, "seat"),
        ({"seat": 5, "move": "done"}, MalformedReason.NUMBER, "seat"),
        ({"seat": True, "move": "done"}, MalformedReason.NUMBER, "seat"),
        ({"seat": 1, "move": "jump"}, MalformedReason.MOVE, ""),
        ({"seat": 1, "move": ["done"]}, MalformedReason.MOVE, ""),
        ({"seat": 1, "move": "token"}, MalformedReason.TEXT, "colour"),
        ({"seat": 1, "move": "token", "colour": 3}, MalformedReason.TEXT, "colour"),
        ({"seat": 1, "move": "token", "colour": "a\nb"}, MalformedReason.TEXT, "colour"),
        ({"seat": 1, "move": "token", "colour": "x" * 70_000}, MalformedReason.LONG_TEXT, "colour"),
        ({"seat": 1, "move": "take", "cushion": 0}, MalformedReason.NUMBER, "cushion"),
        ({"seat": 1, "move": "take", "cushion": "1"}, MalformedReason.NUMBER, "cushion"),
        ({"seat": 1, "move": "fill", "drawn": "red"}, MalformedReason.TEXTS, "drawn"),
        ({"seat": 1, "move": "fill", "drawn": []}, MalformedReason.TEXTS, "drawn"),
        ({"seat": 1, "move": "fill", "drawn": [1]}, MalformedReason.TEXT, "drawn"),
        ({"seat": 1, "move": "cell", "colour": "red", "row": 1, "background": 1}, MalformedReason.FLAG, "background"),
        ({"seat": 1, "move": "cell", "colour": "red", "row": 1, "spool": None}, MalformedReason.FLAG, "spool"),
        ({"seat": 1, "move": "fetch", "from": "box", "colour": "red"}, MalformedReason.SOURCE, "from"),
        ({"seat": 1, "move": "backgrounds", "cells": ["A1"]}, MalformedReason.CELLS, "cells"),
        ({"seat": 1, "move": "backgrounds", "cells": ["r0c1"]}, MalformedReason.CELLS, "cells"),
        ({"seat": 1, "move": "negate", "rows": [1]}, MalformedReason.ROWS, "rows"),
        ({"seat": 1, "move": "negate", "rows": [1, "2"]}, MalformedReason.NUMBER, "rows"),
        ({"seat": 1, "move": "negate", "rows": 14}, MalformedReason.ROWS, "rows"),
        ({"seat": 1, "move": "negate", "rows": {"1": 1, "2": 2}}, MalformedReason.ROWS, "rows"),
    ],
)
def test_a_malformed_decision_is_refused_with_its_reason(line: object, reason: MalformedReason, key: str) -> None:
    with pytest.raises(MalformedDecisionError) as caught:
        decision_from_json(line)
    assert (caught.value.reason, caught.value.key) == (reason, key)

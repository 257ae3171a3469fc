"""Test the virtual table of Kvilt over the page's interface: valid moves, and nothing else, reach the sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import pytest

from companion.kvilt.page.interface import RANGES
from companion.kvilt.sheets.layout_files import load_layout
from hardware.simulated.sheets.conditions import SheetMove
from hardware.simulated.sheets.virtual import VirtualSheetEvening
from hardware.simulated.virtual.table import VirtualTable
from tests.companion.kvilt_setups import own_setup
from tests.companion.web.conftest import Desk

if TYPE_CHECKING:
    from tests.companion.web.conftest import MakeDesk

CALM = {"exposure": 0.7, "gradient": 0.1, "shadow": 0, "turn_deg": 3, "curl_mm": 0, "style": "hatched"}
STROKE = {"seat": 2, "region": "r1c1.picture", "colour": "red"}


class Sitting:
    """A browser at a table of sheets, whose frames are not drawn."""

    def __init__(self, desk: Desk) -> None:
        self.virtual = VirtualTable()
        moves = self.virtual.take_over(get_args(SheetMove))
        self.evening = VirtualSheetEvening(
            4, moves, own_setup(("Anna", "Boris")), load_layout(), publish=self.virtual.show
        )
        self.desk = desk.changed(virtual=self.virtual)
        self.frame()

    def frame(self) -> None:
        """Advance the table by a frame."""
        self.evening.step(0.0)

    def post(self, what: str, body: object) -> Any:
        """Post a move while the table advances."""
        return self.desk.at_table(self.frame, lambda: self.desk.post(f"/api/virtual/{what}", body))

    @property
    def answer(self) -> Any:
        return self.desk.client.get("/api/virtual").json()


@pytest.fixture
def sitting(desk: MakeDesk) -> Sitting:
    sitting = Sitting(desk())
    sitting.desk.with_key()
    return sitting


def test_a_sheet_is_coloured_rubbed_out_and_laid_under_the_camera(sitting: Sitting) -> None:
    assert sitting.post("colour", STROKE).json() == {"ok": True, "says": ""}
    assert sitting.post("lay-sheet", {"seat": 2}).status_code == 200
    assert sitting.post("sheet-conditions", CALM).status_code == 200
    table = sitting.answer["table"]
    assert (table["game"], table["lying"], table["conditions"]) == ("kvilt", 2, CALM)
    assert [sheet["marks"] for sheet in table["sheets"]] == [{}, {"r1c1.picture": "red"}]
    assert sitting.answer["ranges"] == {name: list(span) for name, span in RANGES.items()}

    refused = sitting.post("colour", {**STROKE, "colour": "blue"})
    assert (refused.status_code, refused.json()["error"]) == (409, "This is already coloured; rub it out first.")
    assert sitting.post("rub-out", {"seat": 2, "region": "r1c1.picture"}).status_code == 200
    assert sitting.post("lay-sheet", {"seat": None}).status_code == 200
    table = sitting.answer["table"]
    assert (table["lying"], table["sheets"][1]["marks"]) == (None, {})


REFUSED: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("colour", {**STROKE, "seat": 3}, 409),
    ("colour", {**STROKE, "seat": 5}, 400),
    ("colour", {**STROKE, "region": "x" * 41}, 400),
    ("colour", {**STROKE, "colour": None}, 400),
    ("colour", {**STROKE, "pressure": 1}, 400),
    ("rub-out", {"seat": 2, "region": "r1c1.picture"}, 409),
    ("lay-sheet", {"seat": 0}, 400),
    ("lay-sheet", {}, 400),
    ("sheet-conditions", {**CALM, "style": "watercolour"}, 400),
    ("sheet-conditions", {**CALM, "exposure": 9}, 400),
    ("lift", {"piece": 1}, 409),
)


def test_an_impossible_move_is_refused_and_changes_nothing(sitting: Sitting) -> None:
    before = sitting.answer
    for what, body, status in REFUSED:
        answer = sitting.post(what, body)
        assert (answer.status_code, answer.json()["ok"]) == (status, False), (what, body)
        assert answer.json()["error"]
        assert sitting.answer == before, (what, body)


def test_it_needs_the_key(desk: MakeDesk) -> None:
    sitting = Sitting(desk())
    assert sitting.post("colour", STROKE).status_code == 401
    assert sitting.virtual.tabletop is not None

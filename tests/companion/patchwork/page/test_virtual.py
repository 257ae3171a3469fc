"""Test the virtual table on the page: valid moves, and nothing else, reach the table."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from companion.config import PageConfig
from companion.games.patchwork.components import PATCHES
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.page.virtual import RANGES
from companion.patchwork.simulated import PatchworkPeople
from companion.registry import pages
from companion.web.handlers.commands import TOPIC
from companion.web.page import PageServer, build_app
from hardware.simulated.conditions import TABLES, Dress
from hardware.simulated.evening import SimulatedEvening
from hardware.simulated.prints.dress import dressed_patch
from hardware.simulated.virtual.evening import VirtualEvening
from hardware.simulated.virtual.moves import Circumstances, Move
from hardware.simulated.virtual.table import VirtualTable
from tests.companion.web.conftest import HERE, SETUP, Desk

if TYPE_CHECKING:
    from tests.companion.web.conftest import MakeDesk

LAID = {"patch": "square", "seat": 1, "x": 4, "y": 4, "quarters": 0, "flipped": False, "snapped": True}
CALM = {"exposure": 1, "gradient": 0.18, "hard_shadow": 0, "offset_mm": 0, "rotation_deg": 0, "arms": False}
BODIES: dict[str, dict[str, Any]] = {
    "lay": LAID,
    "move": {**{key: value for key, value in LAID.items() if key != "patch"}, "piece": 1},
    "turn": {"piece": 1, "quarters": 1, "flip": False},
    "lift": {"piece": 1},
    "token": {"seat": 1, "x": 4, "y": 4},
    "nudge": {"what": "camera", "by_mm": 5},
    "conditions": CALM,
}


def lay(virtual: VirtualTable) -> VirtualEvening:
    """Return a table on which people move things by hand."""
    return VirtualEvening(4, virtual.take_over(get_args(Move)), setup=SETUP, publish=virtual.show)


class Sitting:
    """A browser at a virtual table, whose frames are not drawn."""

    def __init__(self, desk: Desk) -> None:
        self.virtual = VirtualTable()
        self.evening = lay(self.virtual)
        self.desk = desk.changed(virtual=self.virtual)
        self.frame()

    def frame(self) -> None:
        """Advance the table by a frame."""
        self.evening.clock.sleep(0.1)
        self.evening.step(self.evening.clock.now())

    def post(self, what: str, body: object) -> Any:
        """Post a move while the table advances."""
        return self.desk.at_table(self.frame, lambda: self.desk.post(f"/api/virtual/{what}", body))

    @property
    def table(self) -> Any:
        return self.desk.client.get("/api/virtual").json()["table"]


@pytest.fixture
def sitting(desk: MakeDesk) -> Sitting:
    sitting = Sitting(desk())
    sitting.desk.with_key()
    assert sitting.post("conditions", CALM).status_code == 200
    return sitting


def test_a_patch_is_laid_moved_turned_and_lifted(sitting: Sitting) -> None:
    answer = sitting.post("lay", LAID)
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "says": ""})
    (piece,) = sitting.table["pieces"]
    assert (piece["patch"], piece["seat"], piece["in_hand"]) == ("square", 1, False)
    assert piece["cells"] == ["D4", "E4", "D5", "E5"]
    assert "square" not in sitting.table["circle"]

    number = piece["piece"]
    assert sitting.post("move", {**BODIES["move"], "piece": number, "seat": 2, "x": 1, "y": 1}).status_code == 200
    (piece,) = sitting.table["pieces"]
    assert (piece["seat"], piece["cells"]) == (2, ["A1", "B1", "A2", "B2"])

    assert sitting.post("turn", {"piece": number, "quarters": 3, "flip": True}).status_code == 200
    (piece,) = sitting.table["pieces"]
    assert (round(piece["angle"]), piece["flipped"]) == (270, True)

    assert sitting.post("lift", {"piece": number}).status_code == 200
    assert sitting.table["pieces"] == []
    assert "square" in sitting.table["circle"]


def test_a_piece_over_the_edge_names_only_squares_of_the_board(sitting: Sitting) -> None:
    sitting.post("lay", {**LAID, "x": 0, "y": 4})

    assert sitting.table["pieces"][0]["cells"] == ["A4", "A5"]


def test_tokens_nudges_and_conditions(sitting: Sitting) -> None:
    before = sitting.evening.table.board_pose(2), sitting.evening.table.camera
    sitting.post("token", {"seat": 2, "x": 8.5, "y": 0.5})
    sitting.post("nudge", {"what": "board-2", "by_mm": 4})
    sitting.post("nudge", {"what": "camera", "by_mm": 4})
    sitting.post("conditions", {**CALM, "exposure": 0.5, "arms": True})

    assert [(token["seat"], token["x"], token["y"]) for token in sitting.table["tokens"]] == [(2, 8.5, 0.5)]
    assert sitting.evening.table.board_pose(2) != before[0]
    assert sitting.evening.table.camera != before[1]
    assert sitting.table["conditions"] == {**CALM, "exposure": 0.5, "arms": True}
    assert Circumstances.of(sitting.evening.table.conditions).exposure == 0.5


def test_an_impossible_move_is_refused_in_a_sentence(sitting: Sitting) -> None:
    sitting.post("lay", LAID)
    answer = sitting.post("lay", LAID)

    assert answer.status_code == 409
    assert answer.json()["error"] == "That patch is no longer in the circle."


BAD_MOVES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("lay", {"patch": "nonsense"}),
    ("lay", {"patch": 7}),
    ("lay", {"seat": 3}),
    ("lay", {"x": 100}),
    ("lay", {"y": "4"}),
    ("lay", {"y": True}),
    ("lay", {"quarters": 4}),
    ("lay", {"quarters": 0.5}),
    ("lay", {"snapped": 1}),
    ("move", {"piece": 0}),
    ("turn", {"flip": None}),
    ("nudge", {"what": "table"}),
    ("nudge", {"by_mm": 31}),
    ("conditions", {"exposure": 0.1}),
    ("conditions", {"gradient": 1}),
    ("conditions", {"arms": "yes"}),
    ("token", {"more": 1}),
)


def test_bad_moves_are_understood_by_nobody(sitting: Sitting) -> None:
    before = sitting.table
    for what, wrong in BAD_MOVES:
        answer = sitting.desk.post(f"/api/virtual/{what}", {**BODIES[what], **wrong})

        assert answer.status_code == 400, (what, wrong)
        sitting.frame()
        assert sitting.table == before, (what, wrong)


def test_numbers_are_finite(sitting: Sitting) -> None:
    headers = {"content-type": "application/json"}
    for number in ("NaN", "Infinity", "-Infinity", "1e999"):
        body = json.dumps(BODIES["token"]).replace("4", number, 1)
        answer = sitting.desk.client.post("/api/virtual/token", content=body, headers=headers)
        assert answer.status_code == 400, number


@pytest.mark.parametrize("what", BODIES)
def test_moving_needs_the_key(desk: MakeDesk, what: str) -> None:
    sitting = Sitting(desk())
    before = sitting.evening.tabletop()

    assert sitting.desk.post(f"/api/virtual/{what}", BODIES[what]).status_code == 401
    sitting.frame()
    assert sitting.evening.tabletop() == before


def test_cloths_of_another_printing_are_pictures_of_what_lies_on_the_table(sitting: Sitting) -> None:
    tagged = "/api/patchwork/prints?printing=tagged&seed=7&camouflage=0&grounds=4,0"
    prints = sitting.desk.client.get(tagged).json()["prints"]
    dress = Dress("tagged", 7, 0.0, (4, 0))

    assert prints.keys() == PATCHES.keys()
    for patch in ("tee", "long-plus"):
        encoded = np.frombuffer(base64.b64decode(prints[patch]["picture"].partition(",")[2]), np.uint8)
        shown = cv2.imdecode(encoded, cv2.IMREAD_COLOR)
        assert shown is not None
        sprite = dressed_patch(patch, False, dress)
        lies = sprite.picture[sprite.mask > 0].reshape(-1, 3)
        # Buttons and tag are printed over it.
        assert np.abs(np.median(shown.reshape(-1, 3), axis=0) - np.median(lies, axis=0)).max() < 30, patch


def test_the_cloths_of_a_simulated_table_are_those_of_its_box(desk: MakeDesk) -> None:
    evening = SimulatedEvening(3, TABLES["paper-tags"], ("tidy", "tidy"), setup=SETUP, fast=True)
    circle = CircleDesk()
    PatchworkPeople(evening).settle(circle)
    site = replace(desk().site, desks={"patchwork": circle})
    ask = TestClient(build_app(site), HERE, client=("127.0.0.1", 50000)).get
    dress = evening.table.dress
    assert dress is not None
    query = (
        f"printing=tagged&seed={dress.seed}&camouflage={dress.camouflage}&grounds={dress.grounds[0]},{dress.grounds[1]}"
    )

    prints = ask("/api/patchwork/prints").json()

    assert prints == ask(f"/api/patchwork/prints?{query}").json()
    assert all("picture" in cloth for cloth in prints["prints"].values())


def test_the_set_for_home_is_drawn_as_the_page_draws_by_itself_and_no_prints_are_made_up(sitting: Sitting) -> None:
    ask = sitting.desk.client.get
    assert ask("/api/patchwork/prints?printing=home&seed=7&camouflage=0&grounds=4,0").json()["prints"] == {}
    for wrong in ("printing=silk&seed=7&camouflage=0&grounds=0,1", "printing=tagged&seed=x", "printing=own"):
        assert ask(f"/api/patchwork/prints?{wrong}").status_code == 400


@pytest.mark.parametrize("what", BODIES)
def test_other_tables_have_no_such_moves(desk: MakeDesk, what: str) -> None:
    opened = desk().with_key()

    assert opened.post(f"/api/virtual/{what}", BODIES[what]).status_code == 404
    assert opened.client.get("/api/virtual").status_code == 404
    assert opened.client.get("/api/me").json()["virtual"] is False


def test_a_table_that_does_not_answer_is_not_waited_for(desk: MakeDesk) -> None:
    sitting = Sitting(desk())
    slow = sitting.desk.changed(answers_in_s=0.01).with_key()

    assert slow.post("/api/virtual/lay", LAID).status_code == 503
    sitting.frame()
    assert sitting.evening.tabletop().pieces == ()


def test_moves_are_limited_in_rate(sitting: Sitting) -> None:
    statuses = [sitting.desk.post("/api/virtual/token", {}).status_code for _ in range(60)]

    assert statuses[0] == 400
    assert statuses[-1] == 429


def test_before_the_table_is_laid_it_is_not_shown(desk: MakeDesk) -> None:
    site = replace(desk().site, virtual=VirtualTable())
    client = TestClient(build_app(site), HERE, client=("127.0.0.1", 50000))

    assert client.get("/api/virtual").status_code == 503
    assert client.get("/api/me").json()["virtual"] is True


def test_ranges_hold_what_the_table_begins_with(desk: MakeDesk) -> None:
    sitting = Sitting(desk())
    shown = sitting.desk.client.get("/api/virtual").json()
    assert shown["ranges"] == {name: list(span) for name, span in RANGES.items()}
    for name, (least, most) in shown["ranges"].items():
        assert least <= shown["table"]["conditions"][name] <= most


def test_every_page_hears_of_a_move_and_the_end_takes_the_table_away() -> None:
    virtual = VirtualTable()
    page = PageServer(pages(), PageConfig(), virtual=virtual)
    evening = lay(virtual)
    hub = page.site().hub
    assert hub.latest(TOPIC) is None
    evening.step(0.1)
    assert json.loads(hub.latest(TOPIC) or b"")["leather"] == 5

    page.end()
    assert virtual.move(Circumstances.of(evening.table.conditions)).exception(0) is not None

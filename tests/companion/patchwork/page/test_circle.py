"""Test the circle on the page: the camera's reading and people's answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from companion.config import PageConfig
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.patchwork.circle.desk import CircleDesk
from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from companion.patchwork.page.circle import circle_json, desk_json
from companion.registry import pages
from companion.web.page import PageServer
from tests.companion.web.conftest import CIRCLE, Desk

if TYPE_CHECKING:
    from tests.companion.web.conftest import MakeDesk

IMAGE = np.full((400, 600, 3), 90, np.uint8)


def seen(*doubtful: int, shown: int = 33) -> SeenMarket:
    """A circle around (300, 200) with doubts at some places, each with the place after it."""
    pieces = []
    for place, patch in enumerate(CIRCLE[:shown], start=1):
        middle = np.array([300 + 180 * np.cos(0.19 * place), 200 + 120 * np.sin(0.19 * place)])
        names = (patch, CIRCLE[place % 33]) if place in doubtful else (patch,)
        chances = tuple((name, 1 / len(names)) for name in names)
        corners = middle + np.array([[-9, -9], [9, -9], [9, 9], [-9, 9]])
        pieces.append(CircleSighting(patch, corners, (middle[0], middle[1]), chances, sure=place not in doubtful))
    return SeenMarket(tuple(pieces), None, "domino")


class Sitting:
    """A browser at a table with a desk for its circle."""

    def __init__(self, desk: Desk) -> None:
        self.circle, self.history = CircleDesk(), History(Setup())
        self.desk = desk.changed(desks={"patchwork": self.circle})
        self.circle.begin(self.history, self.history.know_market, print)

    def post(self, what: str, body: object) -> Any:
        """Post an answer while the table advances."""
        return self.desk.at_table(lambda: self.circle.tick(0.0), lambda: self.desk.post(f"/api/circle/{what}", body))

    @property
    def shown(self) -> Any:
        return self.desk.client.get("/api/circle").json()["circle"]


@pytest.fixture
def sitting(desk: MakeDesk) -> Sitting:
    sitting = Sitting(desk())
    sitting.desk.with_key()
    return sitting


def test_nothing_lies_out_before_a_circle_was_seen(sitting: Sitting) -> None:
    assert sitting.shown is None
    sitting.circle.lay_out(SeenMarket((), None, "nowhere"), IMAGE)
    assert sitting.shown is None
    assert sitting.desk.client.get("/circle.jpg").status_code == 200


def test_without_a_circle_no_answer_is_awaited(sitting: Sitting) -> None:
    refused = sitting.desk.post("/api/circle/right", {"place": None})
    assert refused.status_code == 409
    assert refused.json()["error"] == "There is no circle to confirm at this table now."


def test_places_are_told_with_their_outlines_in_the_picture_shown(sitting: Sitting) -> None:
    sitting.circle.lay_out(seen(7, shown=31), IMAGE)
    shown = sitting.shown
    assert (len(shown["places"]), shown["known"], {*shown["missing"]}) == (31, False, {*CIRCLE[31:]})
    assert [each["place"] for each in shown["places"] if each["standing"] == "doubtful"] == [7]
    assert shown["places"][6]["candidates"] == [CIRCLE[6], CIRCLE[7]]
    picture = cv2.imdecode(np.frombuffer(sitting.desk.client.get(shown["picture"]).content, np.uint8), 1)
    assert picture is not None
    assert picture.shape[:2] == (shown["height"], shown["width"])
    outlines = np.array([each["outline"] for each in shown["places"]])
    assert outlines.min() >= 0
    assert (outlines.reshape(-1, 2).max(axis=0) <= [shown["width"], shown["height"]]).all()
    middles = np.array([each["middle"] for each in shown["places"]])
    assert np.allclose(outlines.mean(axis=1), middles, atol=0.11)


def test_an_answer_goes_to_the_table_and_the_circle_is_learnt(sitting: Sitting) -> None:
    sitting.circle.lay_out(seen(7, 20), IMAGE)
    answer = sitting.post("place", {"place": 7, "patch": CIRCLE[6]})
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "says": ""})
    assert sitting.shown["places"][6]["standing"] == "answered"
    assert sitting.shown["known"] is False
    assert sitting.post("right", {"place": 20}).status_code == 200
    assert sitting.history.state.market == CIRCLE
    assert sitting.shown["known"] is True


def test_an_unseen_patch_and_an_object_that_is_no_patch(sitting: Sitting) -> None:
    sitting.circle.lay_out(seen(shown=32), IMAGE)
    assert sitting.post("behind", {"place": 32, "patch": "domino"}).status_code == 200
    assert sitting.shown["behind"] == [{"place": 32, "patch": "domino"}]
    assert sitting.history.state.market == CIRCLE
    assert sitting.post("place", {"place": 5, "patch": None}).status_code == 200
    assert sitting.shown["places"][4]["patch"] is None
    refused = sitting.post("right", {"place": None})
    assert refused.status_code == 409
    assert refused.json()["error"] == f"These patches have no place yet: {CIRCLE[4]}."


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("place", {"place": 0, "patch": "tee"}),
        ("place", {"place": 7, "patch": "teapot"}),
        ("place", {"place": 7}),
        ("place", {"place": True, "patch": "tee"}),
        ("behind", {"place": 7, "patch": None}),
        ("right", {"place": "7"}),
        ("right", {"place": 7, "patch": "tee"}),
    ],
)
def test_a_malformed_answer_is_not_passed_on(sitting: Sitting, what: str, body: object) -> None:
    sitting.circle.lay_out(seen(7), IMAGE)
    assert sitting.post(what, body).status_code == 400
    assert sitting.shown["places"][6]["standing"] == "doubtful"


def test_without_the_key_nothing_can_be_said(desk: MakeDesk) -> None:
    sitting = Sitting(desk())
    sitting.circle.lay_out(seen(7), IMAGE)
    assert sitting.post("right", {"place": None}).status_code == 401
    assert sitting.history.state.market is None


def test_tables_that_see_no_circle_say_so(desk: MakeDesk) -> None:
    plain = desk().with_key()
    assert plain.client.get("/api/circle").status_code == 404
    assert plain.post("/api/circle/right", {"place": None}).status_code == 404


def test_the_page_hears_of_every_change() -> None:
    page = PageServer(pages(), PageConfig())
    hub = page.site().hub
    desk: CircleDesk = page.remote.desks["patchwork"]
    assert desk is page.remote.desks["patchwork"]
    assert desk is page.site().desks["patchwork"]

    def told() -> Any:
        return json.loads(hub.latest("desk/patchwork") or b"{}")["patchwork"]

    desk.begin(History(Setup()), lambda _: None, lambda _: None)
    desk.lay_out(seen(7), IMAGE)
    assert told()["circle"] == circle_json(desk.laid)
    desk.begin(History(Setup()), None, lambda _: None)
    assert told() == {"circle": None, "looking": False, "share": None}
    desk.look(0.414)
    assert told() == {"circle": None, "looking": True, "share": 0.41}
    assert desk_json(desk.laid, desk.share) == told()


def test_every_patch_can_be_named() -> None:
    laid = CircleDesk()
    laid.begin(History(Setup()), lambda _: None, lambda _: None)
    laid.lay_out(seen(), IMAGE)
    shown = circle_json(laid.laid)
    assert shown is not None
    assert {each["patch"] for each in shown["places"]} == set(PATCHES)

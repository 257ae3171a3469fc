"""Calibration over the page's interface, by pictures of the simulated table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from companion.config import Config
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import MemoryJournal
from companion.patchwork.game import PATCHWORK
from companion.play.host import Host
from companion.play.inbox import Inbox
from companion.registry import codecs, games
from companion.web.page import build_app
from hardware.ports import Frame
from hardware.simulated.calibrating import TableBeingSet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="module")
def pictures() -> list[Frame]:
    """A picture of a bare table, and pictures of it with mats and boards, at rest."""
    table = TableBeingSet(1)
    table.mats = table.boards_out = False
    bare = table.frame(0.0)
    table.mats = table.boards_out = True
    laid = table.frame(1.0)
    return [Frame(laid if number else bare, float(number), f"{number:06d}.jpg") for number in range(7)]


@pytest.fixture
def laid(desk: Callable[..., Any], tmp_path: Path) -> tuple[Any, Host]:
    made = desk()
    host = Host(Config(), "table", PATCHWORK, games(), by_hand=False, calibration=tmp_path / "table.toml")
    made.site = replace(made.site, host=host)
    made.client = TestClient(build_app(made.site), "http://localhost:8080", client=("127.0.0.1", 50000))
    return made.with_key(), host


def test_it_is_followed_picture_by_picture_and_kept(laid: tuple[Any, Host], pictures: list[Frame]) -> None:
    made, host = laid
    assert made.client.get("/api/calibration").json()["size"] == [0, 0]
    assert host.wants_pictures
    steps = []
    for picture in pictures:
        made.site.gallery.show(picture)
        view = made.client.get("/api/calibration").json()
        steps.append(view["step"])
        made.clock.now_s += 1
    assert (steps[0], steps[-1]) == ("mats", "done")
    assert view["done"]
    assert [len(view["corners"][seat]) for seat in ("1", "2")] == [4, 4]

    answer = made.post("/api/calibration/save", {})
    assert answer.json() == {"ok": True, "says": "", "at_once": False}
    assert host.config.table.calibration == host.desk.path if host.desk else False


def test_a_game_without_moves_is_opened_anew_by_it(
    laid: tuple[Any, Host], pictures: list[Frame], tmp_path: Path
) -> None:
    made, host = laid
    book = MemoryJournal(codecs())
    number = book.new_game(Setup(), "table")
    history = History(Setup())

    host.opened(PATCHWORK, number, history, Inbox())
    for picture in pictures[-6:]:
        made.site.gallery.show(picture)
        made.client.get("/api/calibration")
        made.clock.now_s += 1

    def turn() -> None:
        sitting = host.next(book, 0.02)
        if sitting is not None:
            assert sitting.game_id == number
            assert sitting.config.table.calibration == tmp_path / "table.toml"
            host.opened(PATCHWORK, number, history, Inbox())

    answer = made.at_table(turn, lambda: made.post("/api/calibration/save", {}))
    assert answer.json()["at_once"] is True


def test_refusals_are_sentences(laid: tuple[Any, Host], pictures: list[Frame]) -> None:
    made, _ = laid
    refused = made.post("/api/calibration/save", {})
    assert (refused.status_code, refused.json()["error"]) == (409, "The camera has not sent a picture yet.")
    made.site.gallery.show(pictures[0])
    made.client.get("/api/calibration")
    refused = made.post("/api/calibration/save", {})
    assert refused.json()["error"].startswith("The camera sees no mat")
    refused = made.post("/api/calibration/save?language=ru", {})
    assert refused.json()["error"].startswith("Ковриков не видно")
    across = [[100, 100], [300, 300], [300, 100], [100, 300]]
    refused = made.post("/api/calibration/corners", {"seat": 1, "corners": across})
    assert refused.json()["error"] == "The corners must go around the board, not across it."


def test_corners_are_moved_and_forgotten(laid: tuple[Any, Host], pictures: list[Frame]) -> None:
    made, _ = laid
    made.site.gallery.show(pictures[0])
    made.client.get("/api/calibration")
    view = made.post(
        "/api/calibration/corners", {"seat": 2, "corners": [[100, 100], [300, 100], [300, 300], [100, 300]]}
    ).json()
    assert (view["by_hand"], view["corners"]["2"][2], view["done"]) == ([2], [300, 300], False)
    assert "no-lines" in [remark["code"] for remark in view["remarks"]]
    made.post("/api/calibration/begin", {})
    assert made.client.get("/api/calibration").json()["by_hand"] == []


@pytest.mark.parametrize(
    "corners", [[], [[1, 2]] * 3, [[1, 2, 3]] * 4, [[1, "2"]] * 4, [[1, 1e9]] * 4, [[True, 2]] * 4, "corners", None]
)
def test_corners_that_are_none_are_refused(laid: tuple[Any, Host], corners: object) -> None:
    made, _ = laid
    assert made.post("/api/calibration/corners", {"seat": 1, "corners": corners}).status_code == 400


def test_it_needs_the_key_and_a_table_that_can_be_calibrated(desk: Callable[..., Any]) -> None:
    made = desk()
    assert made.client.get("/api/calibration").status_code == 401
    made.with_key()
    assert made.client.get("/api/calibration").status_code == 404
    assert made.post("/api/calibration/save", {}).status_code == 404
    assert made.client.get("/api/me").json()["calibrates"] is False

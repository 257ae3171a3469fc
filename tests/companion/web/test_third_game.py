"""Test a game with the least of parts on the page: it is shown by its sentences, and its routes are served."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from starlette.testclient import TestClient

from companion.config import PageConfig
from companion.play import events
from companion.registry import pages
from companion.web.account import AccountBuilder, snapshot
from companion.web.page import PageServer, build_app
from hardware.ports import Frame
from tests.companion.web.conftest import boards, played
from tests.dominoes.game import DOMINO_PAGE
from tests.dominoes.rules import History, Lay, Setup

GAMES = {**pages(), "dominoes": DOMINO_PAGE}


def builder_of(*decisions: Lay) -> AccountBuilder:
    builder, history = AccountBuilder(GAMES), History(Setup())
    builder(events.GameOpened(5, history.state))
    for decision in decisions:
        builder(events.DecisionTaken(decision, (), history.apply(decision)))
    return builder


def shown(builder: AccountBuilder) -> Any:
    return json.loads(json.dumps(snapshot(builder.account)))


def test_a_games_part_of_the_snapshot_is_nested_under_its_name() -> None:
    here = shown(builder_of(Lay(1, ("A1", "B1"))))
    assert here["game"] == {"id": 5, "decisions": 1, "finished": False, "name": "dominoes", "title": "Dominoes"}
    assert (here["phase"], here["dominoes"]) == ("playing", {"covered": ["A1", "B1"]})
    assert (here["patchwork"], here["kvilt"]) == (None, None)


def test_sentences_about_the_turn_alone_are_of_a_kind_of_their_own() -> None:
    news = shown(builder_of(Lay(1, ("A1", "B1"))))["news"]
    assert [(each["kind"], each["says"]) for each in news[1:]] == [
        ("taken", "Anna lays a domino on A1 B1."),
        ("turn", "It is Boris’s turn."),
    ]


def test_one_game_after_another_leaves_nothing_behind() -> None:
    builder = builder_of(Lay(1, ("A1", "B1")))
    history, happened = played(2)
    for event in happened:
        builder(event)
    here = shown(builder)
    assert (here["game"]["name"], here["dominoes"]) == ("patchwork", None)
    assert here["patchwork"]["turn"]["seat"] == history.state.turn


def test_a_frame_is_shown_as_it_is() -> None:
    page = PageServer(GAMES, PageConfig(), clock=lambda: 1.0)
    page(events.GameOpened(5, History(Setup()).state))
    watch = SimpleNamespace(frame=Frame(boards().frame.image, 1.0, "1.jpg"))
    page.remote.observe(watch, 1.0)
    here = json.loads(page.site().hub.latest("snapshot") or b"")
    assert here["table"]["camera"]
    assert here["table"]["boards_seen"]
    assert here["table"]["waiting_for"] == "It is Anna’s turn."
    assert page.site().gallery.camera_jpeg(reading=True)


def test_a_page_of_one_game_has_no_other_game_s_routes() -> None:
    site = PageServer({"dominoes": DOMINO_PAGE}, PageConfig()).site()
    browser = TestClient(build_app(site), "http://localhost:8080", client=("127.0.0.1", 50000))
    browser.cookies.set(site.access.cookie, site.access.keys.key)
    for path in ("/api/setup/begin", "/api/circle", "/api/kvilt/sheet", "/api/virtual/lay"):
        assert browser.get(path).status_code == 404
    lay = browser.post("/api/dominoes/lay", json={"cells": ["A1", "B1"]})
    assert (lay.status_code, lay.json()["error"]) == (404, "This is not a virtual table.")
    assert browser.get("/api/games").json() == {"ok": True, "games": []}
    assert browser.get("/api/statistics").json()["played"] == {"dominoes": 0}

"""Test a game with the minimum of parts on the page: it is shown, set up and archived without code of its own."""

from __future__ import annotations

import json
import random
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from companion.config import PageConfig
from companion.journal import GameSummary
from companion.languages import ENGLISH
from companion.play import events
from companion.play.page.routes import ArchivedGame, SetupOffer
from companion.registry import pages
from companion.web.app import build_app
from companion.web.chronicle import Chronicle, snapshot
from companion.web.page import PageServer
from hardware.ports import Frame
from tests.companion.announcing import AnnouncedChronicle
from tests.companion.web.conftest import boards
from tests.dominoes.codec import CODEC
from tests.dominoes.game import DOMINO_PAGE, Arrangement
from tests.dominoes.rules import History, Lay, Setup, legal
from tests.dominoes.table import Trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

GAMES = {**pages(), "dominoes": DOMINO_PAGE}


@dataclass(frozen=True)
class Question:
    says: str
    options: tuple[Lay, ...]


def whole_game(seed: int = 1) -> History:
    history, rng = History(Setup()), random.Random(seed)
    while not history.state.finished:
        history.apply(rng.choice(legal(history.state)))
    return history


def chronicle_of(decisions: Sequence[Lay], *more: Any) -> tuple[Chronicle, History]:
    """Return a chronicle of these decisions and of further events, made from the state."""
    chronicle, history = AnnouncedChronicle(GAMES), History(Setup())
    chronicle(events.GameOpened(5, history.state))
    for decision in decisions:
        state = history.apply(decision)
        chronicle(events.DecisionTaken(decision, (), state))
    for make in more:
        chronicle(make(history.state))
    return chronicle, history


def shown(decisions: Sequence[Lay], *more: Any) -> Any:
    return json.loads(json.dumps(snapshot(chronicle_of(decisions, *more)[0].account)))


def test_a_game_under_way_is_shown() -> None:
    here = shown([Lay(1, ("A1", "B1"))])
    assert here["game"] == {"id": 5, "decisions": 1, "name": "dominoes", "title": "Dominoes"}
    assert (here["phase"], here["turn"]) == ("playing", {"seat": 2, "says": "It is Boris’s turn."})
    view = here["table_view"]
    assert view["grid"]["rows"][0] == [
        {"text": "1", "colour": 1}, {"text": "1", "colour": 1}, {"text": "", "colour": 0}, {"text": "", "colour": 0}
    ]  # fmt: skip
    keys = ("seat", "name", "score", "turn", "grid")
    assert [tuple(seat[key] for key in keys) for seat in view["seats"]] == [
        (1, "Anna", 1, False, None),
        (2, "Boris", 0, True, None),
    ]
    assert len({seat["colour"] for seat in view["seats"]}) == 2
    assert [action["press"] for action in view["actions"]] == ["confirm", "advance", "undo"]


def test_the_keys_are_those_of_every_snapshot() -> None:
    assert (
        shown([]).keys()
        == snapshot(Chronicle(GAMES).account).keys()
        == snapshot(AnnouncedChronicle(pages()).account).keys()
    )
    assert snapshot(Chronicle(GAMES).account)["table_view"] is None


def test_what_only_says_whose_turn_it_is_is_told_apart() -> None:
    news = shown([Lay(1, ("A1", "B1"))])["news"]
    assert [(each["kind"], each["says"]) for each in news[1:]] == [
        ("taken", "Anna lays a domino on A1 B1."),
        ("turn", "It is Boris’s turn."),
    ]


def test_questions_complaints_looks_and_foreseen_decisions_come_and_go() -> None:
    lay = Lay(1, ("A1", "B1"))

    def asked(state: Any) -> Any:
        return events.Asked(Question("Which one?", (lay, replace(lay, cells=("A1", "A2")))), 1, state)

    question = shown([], asked)
    assert (question["phase"], question["question"]["says"], question["question"]["choice"]) == (
        "question", "Which one?", 1
    )  # fmt: skip
    assert len(question["question"]["options"]) == 2
    complained = shown([], asked, lambda state: events.Complained(Trouble("It lies askew."), state))
    assert (complained["phase"], complained["question"]) == ("complaint", None)
    assert complained["complaint"]["says"] == "It lies askew."
    noticed = shown(
        [],
        lambda state: events.Complained(Trouble("It lies askew."), state),
        lambda state: events.TableNoticed("It is dark.", state),
    )
    assert noticed["phase"] == "complaint"
    looking = shown([], asked, events.LookStarted)
    assert (looking["phase"], looking["table"]["looking"], looking["question"]) == ("looking", True, None)
    foreseen = shown([], lambda state: events.DecisionForeseen(lay, 2.0, 9.0, state))
    assert (foreseen["phase"], foreseen["foreseen"]["pause_s"]) == ("foreseen", 2.0)
    undone = shown([lay], lambda _: events.DecisionUndone(lay, History(Setup()).state))
    assert (undone["game"]["decisions"], undone["phase"]) == (0, "playing")


def test_the_end_is_told() -> None:
    here, history = shown(whole_game().decisions), whole_game()
    winner = 1 + (len(history.decisions) - 1) % 2
    assert (here["phase"], here["result"]["winners"]) == ("finished", [winner])
    assert here["result"]["says"] == f"{Setup().players[winner - 1]} wins."
    assert [action["press"] for action in here["table_view"]["actions"]] == ["undo"]
    assert DOMINO_PAGE.has_ended(here)
    assert here["table"]["waiting_for"] == ""


def test_one_game_after_another_leaves_nothing_behind() -> None:
    from tests.companion.web.conftest import played  # noqa: PLC0415

    chronicle, _ = chronicle_of([Lay(1, ("A1", "B1"))])
    history, happened = played(2)
    for event in happened:
        chronicle(event)
    here = snapshot(chronicle.account)
    assert (here["game"]["name"], here["table_view"]) == ("patchwork", None)
    assert here["turn"]["seat"] == history.state.turn


def test_a_frame_is_shown_as_it_is() -> None:
    page = PageServer(GAMES, PageConfig(), clock=lambda: 1.0)
    page(events.GameOpened(5, History(Setup()).state))
    assert json.loads(page.site().hub.latest("snapshot") or b"")["table"]["waiting_for"] == "The camera is starting."
    watch = SimpleNamespace(frame=Frame(boards().frame.image, 1.0, "1.jpg"))
    page.attached.observe(watch, 1.0)
    here = json.loads(page.site().hub.latest("snapshot") or b"")
    assert here["table"]["camera"]
    assert here["table"]["waiting_for"] == "It is Anna’s turn."
    assert page.site().gallery.camera_jpeg(reading=True)


class PlainHost:
    """A fake host that records the game that was requested."""

    def __init__(self) -> None:
        self.game, self.table, self.by_hand = SimpleNamespace(name="dominoes"), "table", True
        self.language: str | None = None
        self.wished: Any = None

    def arrangement(self, _: object) -> Arrangement:
        return Arrangement(("Eva", "Fritz"))

    def begin(self, arrangement: Any, *, leaves: bool) -> Future[None]:
        self.wished = arrangement, leaves
        pending: Future[None] = Future()
        pending.set_result(None)
        return pending


@pytest.fixture
def client() -> tuple[TestClient, PlainHost]:
    host = PlainHost()
    page = PageServer({"dominoes": DOMINO_PAGE}, PageConfig())
    site = replace(page.site(), host=host)  # type: ignore[arg-type]  # partial fake
    client = TestClient(build_app(site), "http://localhost:8080", client=("127.0.0.1", 50000))
    client.cookies.set(site.access.cookie, site.access.keys.key)
    return client, host


def test_a_game_is_set_up_by_its_players_names(client: tuple[TestClient, PlainHost]) -> None:
    browser, host = client
    offered = browser.get("/api/setup").json()
    assert (offered["game"], offered["titles"], offered["language"]) == ("dominoes", {"dominoes": "Dominoes"}, None)
    assert offered["dominoes"] == {"next": {"players": ["Eva", "Fritz"], "language": None}, "seats": [2]}
    pending = browser.post("/api/setup/begin-dominoes", json={"players": ["Ida", "Jan"], "language": "ru"})
    assert pending.json() == {"ok": True, "says": ""}
    assert (host.wished, host.language) == ((Arrangement(("Ida", "Jan")), False), "ru")
    refused = browser.post("/api/setup/begin-dominoes", json={"players": ["Ida"]})
    assert (refused.status_code, refused.json()["error"]) == (409, "Two play dominoes.")


def test_a_page_of_one_game_has_no_other_game_s_routes(client: tuple[TestClient, PlainHost]) -> None:
    browser, _ = client
    for path in ("/api/setup/begin", "/api/circle", "/api/kvilt/sheet", "/api/virtual/lay"):
        assert browser.get(path).status_code == 404
    assert browser.get("/api/games").json() == {"ok": True, "games": []}
    assert browser.get("/api/statistics").json()["played"] == {"dominoes": 0}


def kept(history: History) -> ArchivedGame:
    return ArchivedGame(5, datetime(2026, 1, 2, tzinfo=UTC), Setup(), history.decisions)


def test_a_kept_game_is_watched_again_and_exported() -> None:
    history = whole_game()
    states = DOMINO_PAGE.replay(kept(history), None, ENGLISH)["states"]
    assert [state["number"] for state in states] == list(range(len(history.decisions) + 1))
    assert states[-1]["table_view"]["grid"] == shown(history.decisions)["table_view"]["grid"]
    details = DOMINO_PAGE.details(kept(history), ENGLISH)
    assert len(details["decisions_list"]) == len(history.decisions)
    assert details["result"]["says"] == states[-1]["says"][0]
    table = DOMINO_PAGE.decisions_rows(kept(history))
    assert table.heading == ("number", "what", "score_1", "score_2")
    assert table.rows[-1][2:] == history.state.scores


def test_finished_games_are_counted() -> None:
    games = [CODEC.figures(number, datetime(2026, 1, number, tzinfo=UTC), whole_game(number)) for number in (1, 2, 3)]
    chronicle_of = DOMINO_PAGE.statistics(games)
    assert sum(player["won"] for player in chronicle_of["players"]) == len(games)
    assert [game["id"] for game in chronicle_of["games"]] == [1, 2, 3]
    assert all({*DOMINO_PAGE.player_columns} <= player.keys() for player in chronicle_of["players"])
    game: Any = games[0]
    summary = GameSummary(
        1, "", game.started_at, game.started_at, 1, "dominoes", game.players, 6, True, game.scores, game.winners
    )
    (row,) = DOMINO_PAGE.games_rows([summary], games).rows
    assert row[2] == "Anna, Boris"


def test_what_is_offered_is_what_was_last_wished_for() -> None:
    offer = DOMINO_PAGE.offer(SetupOffer(Arrangement(("Ida", "Jan")), "fa"))
    assert offer == {"dominoes": {"next": {"players": ["Ida", "Jan"], "language": "fa"}, "seats": [2]}}

"""Test that each reader is answered in the reader's language."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from starlette.requests import HTTPConnection

from companion.journal import Journal
from companion.languages import ENGLISH, LANGUAGES, Language, said
from companion.patchwork.reading import complaints
from companion.play.events import Complained
from companion.play.inbox import CommandRefusedError
from companion.registry import codecs
from companion.web.account import snapshot
from companion.web.handlers.reading import SNAPSHOT
from companion.web.requests import language_of
from companion.web.transport.hub import BYE, LocalizedData
from tests.companion.web.conftest import SETUP, account_after, played, whole_game

if TYPE_CHECKING:
    from pathlib import Path

    from tests.companion.web.conftest import MakeDesk

RUSSIAN, PERSIAN = LANGUAGES["ru"], LANGUAGES["fa"]


def _complained() -> LocalizedData:
    history, happened = played(3)
    complaint = complaints.unclear(history.state, 1, 0, "f")
    account = account_after(*happened, Complained(complaint, history.state))
    return LocalizedData(lambda language: json.dumps(snapshot(account, language)).encode())


@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        (b"", b"", ENGLISH),
        (b"", b"fa-IR,fa;q=0.9,en;q=0.5", PERSIAN),
        (b"language=ru", b"fa", RUSSIAN),
        (b"language=ru-RU", b"", RUSSIAN),
        (b"language=de", b"fa", ENGLISH),
        (b"language=", b"fa", PERSIAN),
    ],
)
def test_the_address_comes_before_the_header(query: bytes, header: bytes, language: Language) -> None:
    asked = HTTPConnection({"type": "http", "query_string": query, "headers": [(b"accept-language", header)]})
    assert language_of(asked) == language


def test_a_snapshot_is_in_the_reader_s_language(desk: MakeDesk) -> None:
    opened = desk().with_key()
    opened.site.hub.publish(SNAPSHOT, _complained())
    said_in = {code: opened.client.get(f"/api/snapshot?language={code}").json() for code in LANGUAGES}
    assert said_in["en"]["patchwork"]["complaint"]["says"].startswith("Anna’s quilt cannot be read")
    assert said_in["ru"]["patchwork"]["complaint"]["says"].startswith("Anna: одеяло не читается")
    assert "خوانده نمی‌شود" in said_in["fa"]["patchwork"]["complaint"]["says"]
    by_header = opened.client.get("/api/snapshot", headers={"accept-language": "ru, en;q=0.5"}).json()
    assert by_header == said_in["ru"]


def test_two_streams_of_one_table_are_in_two_languages(desk: MakeDesk) -> None:
    opened = desk().with_key()
    opened.site.hub.publish(SNAPSHOT, _complained())
    opened.site.hub.publish(BYE, b"{}")
    russian = opened.client.get("/api/events?language=ru").text
    english = opened.client.get("/api/events").text
    assert json.dumps("одеяло")[1:-1] in russian
    assert "cannot be read" in english
    assert "cannot be read" not in russian


def test_it_is_put_into_words_once_a_language_and_only_for_those_who_want_it(desk: MakeDesk) -> None:
    made: list[str] = []

    def make(language: Language) -> bytes:
        made.append(language.code)
        return b'{"game":null}'

    opened = desk().with_key()
    opened.site.hub.publish(SNAPSHOT, LocalizedData(make))
    assert made == []
    for code in ("fa", "fa", "en", "fa", "en"):
        opened.client.get(f"/api/snapshot?language={code}")
    assert made == ["fa", "en"]


def test_a_refused_command_is_refused_in_the_reader_s_language(desk: MakeDesk) -> None:
    opened = desk().with_key()

    def turn() -> None:
        for order in opened.site.inbox.take():
            order.refuse(CommandRefusedError(said("There is no question to answer.")))

    def answer(code: str) -> Any:
        body, headers = {"option": 0}, {"accept-language": code}
        return opened.at_table(turn, lambda: opened.post("/api/answer", body, headers=headers)).json()

    assert answer("fa")["error"] == "پرسشی برای پاسخ دادن نیست."
    assert answer("en")["error"] == "There is no question to answer."


def test_every_refusal_of_the_page_is_in_the_reader_s_language(desk: MakeDesk) -> None:
    opened = desk()
    no_page = opened.client.get("/nowhere", headers={"accept-language": "ru"})
    assert (no_page.status_code, no_page.json()["error"]) == (404, "Такой страницы нет.")
    no_key = opened.client.get("/api/code?language=fa")
    assert no_key.status_code == 401
    assert "کلید میز" in no_key.json()["error"]
    stranger = opened.client.get("/", headers={"host": "evil.example", "accept-language": "ru"})
    assert stranger.json()["error"].startswith("По этому имени")


def test_a_refused_browser_gets_a_page_in_the_reader_s_language(desk: MakeDesk) -> None:
    client = desk().client
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-language": "fa"}
    for _ in range(20):
        refused = client.get("/?key=wrong", headers=browser, follow_redirects=False)
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "60"
    assert refused.headers["content-type"].startswith("text/html")
    assert '<html lang="fa" dir="rtl">' in refused.text
    assert "تلاش" in refused.text
    assert "wrong" not in refused.text
    program = client.get("/?key=wrong", headers={"accept": "*/*"}, follow_redirects=False)
    assert program.json()["status"] == 429
    nowhere = client.get("/nowhere", headers={**browser, "accept-language": "ru"})
    assert nowhere.status_code == 404
    assert "Такой страницы нет." in nowhere.text
    assert 'href="/"' in nowhere.text


def test_an_old_game_is_told_in_the_reader_s_language(desk: MakeDesk, tmp_path: Path) -> None:
    path = tmp_path / "games.journal"
    with Journal(path, codecs()) as journal:
        game = journal.new_game(SETUP)
        for number, decision in enumerate(whole_game()[:3], start=1):
            journal.append(game, number, decision)
    client = desk(journal=path).with_key().client
    frames = client.get(f"/api/games/{game}/replay?language=ru").json()["states"]
    assert frames[0]["turn"]["why"] == "Первый ход: Anna."
    decisions = client.get(f"/api/games/{game}", headers={"accept-language": "ru"}).json()["game"]["decisions_list"]
    assert all("Ход" in " ".join(each["says"]) or "берёт" in " ".join(each["says"]) for each in decisions)

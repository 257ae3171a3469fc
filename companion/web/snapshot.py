"""The snapshot of the table at one moment, as JSON: a pure function of the evening's account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import ENGLISH, render
from companion.web.strip import colours

if TYPE_CHECKING:
    from companion.languages import Language
    from companion.play.page.json_type import Json
    from companion.web.chronicle import Account, NewsItem

VERSION: Final = 1
"""The version of the snapshot's format; new keys do not change it."""


def snapshot(account: Account, language: Language = ENGLISH) -> Json:
    """Return the snapshot of an account, with sentences in a language.

    Keys are never missing; absent values are null or empty.
    """
    side, table = account.side, account.table
    return {
        "version": VERSION,
        "number": account.number,
        "phase": "waiting" if side is None or table is None else side.phase(table),
        "over": account.over,
        "game": _game(account, language),
        **{key: value for each in account.games.values() for key, value in each.absent().items()},
        "asked": account.asked,
        "question": None,
        "complaint": None,
        "foreseen": None,
        "news": [_item_json(news, language) for news in account.news],
        "result": None,
        "strip": {"pixels": colours(account.pixels)},
        "table": _table(account, language),
        "table_view": None,
        **({} if side is None or table is None else side.snapshot(table, language)),
    }


def _game(account: Account, language: Language) -> Json | None:
    side, table = account.side, account.table
    if side is None or table is None:
        return None
    return {"id": account.game_id, **side.game(table), "name": side.name, "title": render(side.title, language)}


def _item_json(news: NewsItem, language: Language) -> Json:
    return {"number": news.number, "kind": news.kind, "says": render(news.says, language), "first": news.first}


def _table(account: Account, language: Language) -> Json:
    visibility, side = account.visibility, account.side
    shown = visibility if side is None else side.page_visibility(visibility)
    return {
        "camera": visibility.camera,
        "awaited": visibility.awaited and not visibility.camera,
        "boards_seen": shown.boards_seen,
        "in_view": list(shown.in_view),
        "looking": account.table is not None and account.table.looking,
        "waiting_for": render(_waiting_for(account), language),
    }


def _waiting_for(account: Account) -> str:
    if account.over:
        return ""
    says = (
        ""
        if account.side is None or account.table is None
        else account.side.waiting_for(account.table, account.visibility)
    )
    return says or account.awaits

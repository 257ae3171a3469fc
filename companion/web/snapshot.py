"""The page's whole picture of the table at one moment, as JSON: a pure function of the account of the evening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.patchwork import Advance, decision_to_json, score
from companion.languages import ENGLISH, said, tell
from companion.sentences import described, result_sentence, sentences
from companion.web.choices import must_of, offers_json, turn_json
from companion.web.kvilt import complaint_json, kvilt_json
from companion.web.money import money_json
from companion.web.seats import seats_json, track_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.events import Asked, DecisionForeseen
    from companion.games.patchwork import Decision, State
    from companion.languages import Language
    from companion.verdict import Complaint
    from companion.web.chronicle import Account, News
    from companion.web.jsontype import Json
    from companion.web.kvilt import SheetTable
    from hardware.ports import RGB

VERSION: Final = 1
"""Of the snapshot's form; new keys do not change it."""


def snapshot(account: Account, language: Language = ENGLISH) -> Json:
    """The snapshot of this moment, its sentences in a language.

    Keys never go missing, what is not there is null or empty.
    """
    state = account.state
    if account.kvilt is not None:
        return _kvilt_snapshot(account, account.kvilt, language)
    return {
        "version": VERSION,
        "number": account.number,
        "phase": phase(account),
        "over": account.over,
        **(_nothing_yet() if state is None else _game(account, state, language)),
        "question": None if account.asked is None else _question(account, account.asked, language),
        "complaint": None if account.complaint is None else _complaint(account, account.complaint, language),
        "foreseen": None if account.foreseen is None else _foreseen(account.foreseen, language),
        "news": [_news(news, language) for news in account.news],
        "result": result_json(state, language),
        "strip": {"pixels": pixels_json(account.pixels)},
        "table": _table(account, language),
        "kvilt": None,
    }


def _kvilt_snapshot(account: Account, table: SheetTable, language: Language) -> Json:
    """Likewise at a table of Kvilt; the keys that only Patchwork has are empty."""
    state, complaint = table.state, table.complaint
    return {
        "version": VERSION,
        "number": account.number,
        "phase": _kvilt_phase(account, table),
        "over": account.over,
        **_nothing_yet(),
        "game": {"id": account.game_id, "decisions": state.decisions_made, "name": "kvilt"},
        "question": None,
        "complaint": None if complaint is None else complaint_json(complaint, language),
        "foreseen": None,
        "news": [_news(news, language) for news in account.news],
        "result": None,
        "strip": {"pixels": pixels_json(account.pixels)},
        "table": {**_table(account, language), "boards_seen": True, "in_view": []},
        "kvilt": kvilt_json(table, language),
    }


def _kvilt_phase(account: Account, table: SheetTable) -> str:
    if account.looking:
        return "looking"
    if table.complaint is not None:
        return "complaint"
    if table.choice is not None and table.choice.doubts:
        return "question"
    return "finished" if table.state.finished else "playing"


def phase(account: Account) -> str:
    """What the page is about now, in a word."""
    under_way = (
        (account.state is None, "waiting"),
        (account.asked is not None, "question"),
        (account.looking, "looking"),
        (account.foreseen is not None, "foreseen"),
        (account.complaint is not None, "complaint"),
        (account.state is not None and account.state.finished, "finished"),
    )
    return next((word for holds, word in under_way if holds), "playing")


def _news(news: News, language: Language) -> Json:
    return {"number": news.number, "kind": news.kind, "says": tell(news.says, language), "first": news.first}


def _nothing_yet() -> Json:
    return {
        "game": None,
        "seats": [],
        "track": None,
        "turn": None,
        "offers": [],
        "market_known": False,
        "circle": [],
        "money": [],
    }


def _game(account: Account, state: State, language: Language) -> Json:
    setup, newest = state.setup, len(account.decisions) if account.facts else None
    return {
        "game": {
            "id": account.game_id,
            "decisions": state.decisions_made,
            "edition": setup.edition.value,
            "rules": setup.rules.value,
            "first_seat": setup.first_seat,
        },
        "seats": seats_json(state, account.decisions, newest, account.colours),
        "track": track_json(state),
        "turn": turn_json(state, language),
        "offers": offers_json(state),
        "market_known": state.market is not None,
        "circle": list(state.unbought),
        "money": money_json(account.facts, state, language),
    }


def _question(account: Account, asked: Asked, language: Language) -> Json:
    question = asked.question
    return {
        "seat": question.seat,
        "asks": question.asks.value,
        "says": tell(question.says, language),
        "cells": list(question.cells),
        "choice": asked.choice,
        "options": [_decision(option, asked.state, language) for option in question.options],
        "crop": f"/crop/{question.seat}.jpg?at={account.looked_at}",
    }


def _complaint(account: Account, complaint: Complaint, language: Language) -> Json:
    return {
        "seat": complaint.seat,
        "reason": complaint.reason.value,
        "says": tell(complaint.says, language),
        "cells": list(complaint.cells),
        "quilt": complaint.quilt,
        "insists": bool(complaint.otherwise),
        "crop": f"/crop/{complaint.quilt}.jpg?at={account.looked_at}",
    }


def _foreseen(foreseen: DecisionForeseen, language: Language) -> Json:
    decision = _decision(foreseen.decision, foreseen.state, language)
    says = " ".join(tell(sentence, language) for sentence in sentences(foreseen))
    return {**decision, "says": says, "pause_s": foreseen.pause_s}


def _decision(decision: Decision, state: State, language: Language) -> Json:
    """As a game record has it, with all keys, and in words."""
    says = tell(described(decision, state), language)
    return {"patch": None, "cells": [], **decision_to_json(decision), "says": says}


def result_json(state: State | None, language: Language = ENGLISH) -> Json | None:
    """Who won, in a language, and the score sheet line by line; None while the game runs."""
    if state is None or state.winner is None:
        return None
    won, lost = score(state.seat(state.winner)), score(state.seat(3 - state.winner))
    return {
        "winner": state.winner,
        "tie": won == lost,
        "says": tell(result_sentence(state, state.winner), language),
        "sheet": [_sheet(state, number) for number in (1, 2)],
    }


def _sheet(state: State, number: int) -> Json:
    seat = state.seat(number)
    lines = (
        ("buttons", seat.buttons, seat.buttons),
        ("bonus", int(seat.bonus), 7 * seat.bonus),
        ("empty", seat.empty, -2 * seat.empty),
    )
    return {
        "seat": number,
        "name": state.setup.players[number - 1],
        "lines": [{"what": what, "count": count, "points": points} for what, count, points in lines],
        "total": score(seat),
    }


def pixels_json(pixels: Sequence[RGB]) -> list[str]:
    """The strip's pixels as colours of a page."""
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in pixels]


def _table(account: Account, language: Language) -> Json:
    sighted = account.sighted
    return {
        "camera": sighted.camera,
        "awaited": sighted.awaited and not sighted.camera,
        "boards_seen": sighted.boards_seen,
        "in_view": list(sighted.in_view),
        "looking": account.looking,
        "waiting_for": tell(_waiting_for(account), language),
    }


def _waiting_for(account: Account) -> str:
    state = account.state
    if account.over or state is None or state.turn is None:
        return "" if account.over else account.awaits
    name = state.setup.players[state.turn - 1]
    if not account.sighted.camera:
        return said("The camera is starting.") if account.sighted.awaited else said("The camera sends no pictures.")
    if not account.sighted.boards_seen:
        return said("Lay both quilt boards in view, with nothing on them.")
    if account.asked is not None:
        return said("Somebody answers the question.")
    if account.looking:
        return said("{name}'s quilt lies still and no hand is over it.", name=name)
    return _waiting_for_move(account, state, name)


def _waiting_for_move(account: Account, state: State, name: str) -> str:
    if account.foreseen is not None:
        if isinstance(account.foreseen.decision, Advance):
            return said("{name} advances: it is taken unless somebody presses undo.", name=name)
        return said("{name} has laid a patch: it is taken unless somebody presses undo.", name=name)
    if must_of(state) == "leather":
        return said("{name} lays the leather patch and presses confirm.", name=name)
    return said("{name} lays a patch and presses confirm, or presses advance.", name=name)

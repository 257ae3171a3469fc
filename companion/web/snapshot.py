"""The page's whole picture of the table at one moment, as JSON: a pure function of the account of the evening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.patchwork import Advance, decision_to_json, score
from companion.sentences import described, sentences
from companion.web.choices import must_of, offers_json, turn_json
from companion.web.money import money_json
from companion.web.seats import seats_json, track_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.events import Asked, DecisionForeseen
    from companion.games.patchwork import Decision, State
    from companion.verdict import Complaint
    from companion.web.chronicle import Account
    from companion.web.jsontype import Json
    from hardware.ports import RGB

VERSION: Final = 1
"""Of the snapshot's form; new keys do not change it."""


def snapshot(account: Account) -> Json:
    """The snapshot of this moment; keys never go missing, what is not there is null or empty."""
    state = account.state
    return {
        "version": VERSION,
        "number": account.number,
        "phase": phase(account),
        "over": account.over,
        **(_nothing_yet() if state is None else _game(account, state)),
        "question": None if account.asked is None else _question(account, account.asked),
        "complaint": None if account.complaint is None else _complaint(account, account.complaint),
        "foreseen": None if account.foreseen is None else _foreseen(account.foreseen),
        "news": [{"number": news.number, "kind": news.kind, "says": news.says} for news in account.news],
        "result": result_json(state),
        "strip": {"pixels": pixels_json(account.pixels)},
        "table": _table(account),
    }


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


def _game(account: Account, state: State) -> Json:
    setup = state.setup
    return {
        "game": {
            "id": account.game_id,
            "decisions": state.decisions_made,
            "edition": setup.edition.value,
            "rules": setup.rules.value,
            "first_seat": setup.first_seat,
        },
        "seats": seats_json(state, account.decisions, len(account.decisions) if account.facts else None),
        "track": track_json(state),
        "turn": turn_json(state),
        "offers": offers_json(state),
        "market_known": state.market is not None,
        "circle": list(state.unbought),
        "money": money_json(account.facts, state),
    }


def _question(account: Account, asked: Asked) -> Json:
    question = asked.question
    return {
        "seat": question.seat,
        "asks": question.asks.value,
        "says": question.says,
        "cells": list(question.cells),
        "choice": asked.choice,
        "options": [_decision(option, asked.state) for option in question.options],
        "crop": f"/crop/{question.seat}.jpg?at={account.looked_at}",
    }


def _complaint(account: Account, complaint: Complaint) -> Json:
    return {
        "seat": complaint.seat,
        "reason": complaint.reason.value,
        "says": complaint.says,
        "cells": list(complaint.cells),
        "crop": f"/crop/{complaint.seat}.jpg?at={account.looked_at}",
    }


def _foreseen(foreseen: DecisionForeseen) -> Json:
    decision = _decision(foreseen.decision, foreseen.state)
    return {**decision, "says": " ".join(sentences(foreseen)), "pause_s": foreseen.pause_s}


def _decision(decision: Decision, state: State) -> Json:
    """As a game record has it, with all keys, and in words."""
    return {"patch": None, "cells": [], **decision_to_json(decision), "says": described(decision, state)}


def result_json(state: State | None) -> Json | None:
    """Who won and the score sheet, line by line; None while the game runs."""
    if state is None or state.winner is None:
        return None
    won, lost = score(state.seat(state.winner)), score(state.seat(3 - state.winner))
    name = state.setup.players[state.winner - 1]
    return {
        "winner": state.winner,
        "tie": won == lost,
        "says": f"{name} {'wins the tie at' if won == lost else 'wins'} {won} to {lost}.",
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


def _table(account: Account) -> Json:
    sighted = account.sighted
    return {
        "camera": sighted.camera,
        "boards_seen": sighted.boards_seen,
        "in_view": list(sighted.in_view),
        "looking": account.looking,
        "waiting_for": _waiting_for(account),
    }


def _waiting_for(account: Account) -> str:
    state = account.state
    if account.over or state is None or state.turn is None:
        return ""
    name = state.setup.players[state.turn - 1]
    if not account.sighted.camera:
        return "The camera sends no pictures."
    if not account.sighted.boards_seen:
        return "Lay both quilt boards in view, with nothing on them."
    if account.asked is not None:
        return "Somebody answers the question."
    if account.looking:
        return f"{name}'s quilt lies still and no hand is over it."
    return _waiting_for_move(account, state, name)


def _waiting_for_move(account: Account, state: State, name: str) -> str:
    if account.foreseen is not None:
        verb = "advances" if isinstance(account.foreseen.decision, Advance) else "has laid a patch"
        return f"{name} {verb}: it is taken unless somebody presses undo."
    if must_of(state) == "leather":
        return f"{name} lays the leather patch and presses confirm."
    return f"{name} lays a patch and presses confirm, or presses advance."

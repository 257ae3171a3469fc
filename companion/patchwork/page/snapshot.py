"""Patchwork's part of the snapshot: a pure function of the game's account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.patchwork import Advance, decision_to_json, score
from companion.languages import ENGLISH, render, said
from companion.patchwork.arrangement import Presses
from companion.patchwork.page.choices import must_of, offers_json, turn_json
from companion.patchwork.page.money import money_json
from companion.patchwork.page.seats import seats_json, track_json
from companion.patchwork.reading.verdict import AT_THE_END
from companion.patchwork.words import described, result_sentence, sentences
from companion.play.events import DecisionForeseen, UndoForeseen

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, State
    from companion.languages import Language
    from companion.patchwork.page.account import PatchworkAccount
    from companion.patchwork.reading.verdict import Complaint
    from companion.play.events import Asked
    from companion.play.page.account import Visibility
    from companion.play.page.json_type import Json


def phase(table: PatchworkAccount) -> str:
    """Return the phase that the page shows, as one word."""
    # In order of precedence: about a game that has ended there may still be a question or a complaint.
    under_way = (
        (table.asked is not None, "question"),
        (table.looking, "looking"),
        (table.foreseen is not None, "foreseen"),
        (table.complaint is not None, "complaint"),
        (table.state.finished, "finished"),
    )
    return next((word for holds, word in under_way if holds), "playing")


def absent() -> Json:
    """Return the game's own keys while it is not on the table."""
    return {
        "seats": [],
        "track": None,
        "turn": None,
        "offers": [],
        "market_known": False,
        "circle": [],
        "circle_hints": [],
        "money": [],
    }


def game_json(table: PatchworkAccount) -> Json:
    """Return the snapshot's `game`, except the number."""
    setup = table.state.setup
    return {
        "decisions": table.state.decisions_made,
        "edition": setup.edition.value,
        "rules": setup.rules.value,
        "first_seat": setup.first_seat,
    }


def side_json(table: PatchworkAccount, language: Language) -> Json:
    """Return the game's part of the snapshot."""
    state, newest = table.state, len(table.decisions) if table.facts else None
    return {
        "seats": seats_json(state, table.decisions, newest, table.colours),
        "track": track_json(state, table.wrong_markers),
        "turn": turn_json(state, language),
        "offers": offers_json(state),
        "market_known": state.market is not None,
        "circle": list(state.unbought),
        "circle_hints": [render(says, language) for says in table.circle_faults.values()],
        "money": money_json(table.facts, state, language),
        "question": None if table.asked is None else _question(table, table.asked, language),
        "complaint": None if table.complaint is None else _complaint(table, table.complaint, language),
        "foreseen": None if table.foreseen is None else _foreseen(table.foreseen, language),
        "result": result_json(state, language),
    }


def _question(table: PatchworkAccount, asked: Asked, language: Language) -> Json:
    question = asked.question
    return {
        "seat": question.seat,
        "asks": question.asks.value,
        "says": render(question.says, language),
        "cells": list(question.cells),
        "choice": asked.choice,
        "options": [_decision(option, asked.state, language) for option in question.options],
        "crop": None if question.asks in AT_THE_END else f"/crop/{question.seat}.jpg?at={table.looked_at}",
    }


def _complaint(table: PatchworkAccount, complaint: Complaint, language: Language) -> Json:
    return {
        "seat": complaint.seat,
        "reason": complaint.reason.value,
        "says": render(complaint.says, language),
        "cells": list(complaint.cells),
        "quilt": complaint.quilt,
        "insists": bool(complaint.otherwise),
        "crop": f"/crop/{complaint.quilt}.jpg?at={table.looked_at}",
    }


def _foreseen(foreseen: DecisionForeseen | UndoForeseen, language: Language) -> Json:
    decision = _decision(foreseen.decision, foreseen.state, language)
    says = " ".join(render(sentence, language) for sentence in sentences(foreseen))
    return {**decision, "says": says, "pause_s": foreseen.pause_s, "undoes": isinstance(foreseen, UndoForeseen)}


def _decision(decision: Decision, state: State, language: Language) -> Json:
    """Return a decision with all keys of a game record, and in words."""
    says = render(described(decision, state), language)
    return {"patch": None, "cells": [], **decision_to_json(decision), "says": says}


def result_json(state: State, language: Language = ENGLISH) -> Json | None:
    """Return the result and the lines of the score sheet in a language, or None while the game runs."""
    if state.winner is None:
        return None
    won, lost = score(state.seat(state.winner)), score(state.seat(3 - state.winner))
    return {
        "winner": state.winner,
        "tie": won == lost,
        "first_home": state.first_home,
        "says": render(result_sentence(state, state.winner), language),
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


def waiting_for(table: PatchworkAccount, visibility: Visibility) -> str:
    """Return a sentence on what the table waits for; empty after the end."""
    state = table.state
    if state.turn is None:
        return ""
    name = state.setup.players[state.turn - 1]
    if not visibility.camera:
        return said("The camera is starting.") if visibility.awaited else said("The camera sends no pictures.")
    if not visibility.boards_seen:
        return _waiting_for_boards(table, visibility.in_view)
    if table.asked is not None:
        return said("The question needs an answer.")
    if table.looking:
        return said("{name}’s quilt must be still, with no hand over it.", name=name)
    return _waiting_for_move(table, name)


def _waiting_for_boards(table: PatchworkAccount, in_view: tuple[int, ...]) -> str:
    if table.decisions:
        return said("The companion is looking for both quilt boards: leave them in view, where they are.")
    if in_view == (1, 2):
        return said("Both quilt boards are in view: keep hands and patches off them for a moment.")
    return said("Place both quilt boards in view, with nothing on them.")


def _waiting_for_move(table: PatchworkAccount, name: str) -> str:
    if isinstance(table.foreseen, DecisionForeseen):
        if isinstance(table.foreseen.decision, Advance):
            return said("{name} advances: it is taken unless somebody presses undo.", name=name)
        return said("{name} has laid a patch: it is taken unless somebody presses undo.", name=name)
    if isinstance(table.foreseen, UndoForeseen):
        return said("The patch that was laid last is off its quilt: its move is taken back.")
    return _leather_due(table.presses, name) if must_of(table.state) == "leather" else _move_due(table.presses, name)


def _leather_due(presses: Presses, name: str) -> str:
    if presses is Presses.EACH:
        return said("{name} lays the leather patch and presses confirm.", name=name)
    return said("{name} lays the leather patch.", name=name)


def _move_due(presses: Presses, name: str) -> str:
    match presses:
        case Presses.EACH:
            return said("{name} lays a patch and presses confirm, or presses advance.", name=name)
        case Presses.ADVANCE:
            return said("{name} lays a patch, or presses advance.", name=name)
        case Presses.NONE:
            return said("{name} lays a patch, or advances by moving the marker.", name=name)

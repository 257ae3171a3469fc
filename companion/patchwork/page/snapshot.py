"""Patchwork's part of the snapshot: a pure function of the game's account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from companion.config.palette import USUAL, page_colours
from companion.games.patchwork.cells import names_of
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch, decision_to_json
from companion.games.patchwork.facts import Fact
from companion.games.patchwork.rules import can_buy
from companion.games.patchwork.state import State, score
from companion.languages import ENGLISH, Language, Sentence, render, said
from companion.patchwork.arrangement import Presses, colours_in, presses_in
from companion.patchwork.circle.hints import CircleFault, CircleFaultStatus
from companion.patchwork.codec import seat_figures
from companion.patchwork.page.choices import money_json, offers_json, turn_json
from companion.patchwork.reading.verdict import AT_THE_END, Complaint, Question
from companion.patchwork.timeboard import NONE_WRONG, wrong_after
from companion.patchwork.watching.opening import BoardsStatus
from companion.patchwork.words import described, proposal_sentence, result_sentence, sentences
from companion.play import events
from companion.play.events import DecisionForeseen, Pending, UndoForeseen
from companion.play.friend import friend_in
from companion.play.page import Json, TableAccount, Visibility
from companion.play.partner import HANDS_NOTE, WATCHED_NOTE, PartnerSilence, robot_in

Faults: TypeAlias = "Mapping[CircleFault, Sentence]"
"""By fault, the sentence that applies until it is corrected."""
NO_FAULTS: Final[Faults] = MappingProxyType({})
"""The value for a circle without faults."""
LEATHER: Final = "leather"
_MARKS_SHOWN: Final = 3


def seats_json(
    state: State, decisions: Sequence[Decision], newest: int | None, colours: tuple[str, str] = page_colours(USUAL)
) -> list[Json]:
    """Return both seats as JSON.

    Args:
        state: the game.
        decisions: the decisions that led to it.
        newest: the number (from 1) of the latest decision if it was just taken, or None.
        colours: the colours of seat 1 and seat 2, as the page writes them.
    """
    return [{**_seat(state, number, decisions, newest), "colour": colours[number - 1]} for number in (1, 2)]


def _seat(state: State, number: int, decisions: Sequence[Decision], newest: int | None) -> Json:
    return {
        **seat_figures(state, number),
        "moves": state.turn == number,
        "pieces": _pieces(number, decisions, newest),
        "next_marks": _next_marks(state, number),
    }


def _pieces(number: int, decisions: Sequence[Decision], newest: int | None) -> list[Json]:
    """Return the pieces on a quilt, in the order in which they were laid."""
    return [
        {
            "patch": LEATHER if isinstance(decision, PlaceLeather) else decision.patch,
            "cells": list(names_of(decision.cells)),
            "turn": turn,
            "new": turn == newest,
        }
        for turn, decision in enumerate(decisions, start=1)
        if isinstance(decision, TakePatch | PlaceLeather) and decision.seat == number
    ]


def _next_marks(state: State, number: int) -> list[Json]:
    """Return the marks that a seat's token crosses next, and the effect of each with the present quilt."""
    seat, track = state.seat(number), state.setup.track
    ahead = sorted(mark for mark in (*track.income, *state.leather_left) if mark > seat.time)
    return [
        {
            "mark": mark,
            "steps": mark - seat.time,
            "income": seat.income if mark in track.income else 0,
            "leather": mark in state.leather_left,
        }
        for mark in ahead[:_MARKS_SHOWN]
    ]


def track_json(state: State, wrong: Mapping[int, int] = NONE_WRONG) -> Json:
    """Return the time track with both tokens; `wrong` as for `PatchworkAccount`."""
    track, on_top = state.setup.track, top_token(state)
    return {
        "last_space": track.last_space,
        "income": list(track.income),
        "leather": list(track.leather),
        "leather_left": list(state.leather_left),
        "tokens": [
            {
                "seat": number,
                "space": state.seat(number).time,
                # Apart from each other, both lie on top.
                "top": on_top in (None, number),
                "stands": wrong.get(number),
            }
            for number in (1, 2)
        ],
    }


def top_token(state: State) -> int | None:
    """Return the seat whose token lies on the other's, or None if the tokens are on different spaces.

    The token that arrives later lies on top and its player moves first (rulebook, turn order); on the last space
    that is the player who did not arrive first.
    """
    if state.seat(1).time != state.seat(2).time:
        return None
    if state.turn is not None:
        return state.turn
    return None if state.first_home is None else 3 - state.first_home


@dataclass(frozen=True, slots=True)
class PatchworkAccount(TableAccount):
    """The data of the game's part of a snapshot.

    Attributes:
        state: the rules' state.
        decisions: the decisions made so far.
        facts: the effects of the latest decision; empty if it was undone or was made in an earlier session.
        pending: the pending look, question, complaint and announcement.
        looked_at: the event's number of the latest question or complaint; 0 before the first.
        colours: the colours of seat 1 and seat 2 in the page's notation.
        wrong_markers: by seat, the wrong space of the time board on which its marker stands.
        circle_faults: the faults of the circle of patches.
        presses: the decisions for which players at this table press a button.
        robot: the seat of the robot, or of a friend at another table; None if people here have both.
        is_silent: whether the robot decides nothing in this position, so that people do.
        is_laid: whether its patches are laid without the readers, as at a simulated table.
        why_unseen: the sentence on why the boards are not seen; empty if it is not known, or they are.
        is_watched: whether nobody plays but simulated players.
    """

    state: State
    decisions: tuple[Decision, ...] = ()
    facts: tuple[Fact, ...] = ()
    pending: Pending[Question, Complaint] = field(default_factory=Pending)
    looked_at: int = 0
    colours: tuple[str, str] = page_colours(USUAL)
    wrong_markers: Mapping[int, int] = field(default_factory=dict)
    circle_faults: Faults = field(default_factory=dict)
    presses: Presses = Presses.EACH
    robot: int | None = None
    is_silent: bool = False
    is_laid: bool = False
    why_unseen: str = ""
    is_watched: bool = False

    @property
    def deciding(self) -> int | None:
        """The seat for which people at this table do not decide now; None if they decide for both."""
        return None if self.is_silent else self.robot


def opened(event: events.GameOpened[State, Decision]) -> PatchworkAccount:
    """Return the account of a game that was opened."""
    return PatchworkAccount(
        event.state,
        decisions=event.decisions,
        colours=colours_of(event.notes),
        presses=presses_in(event.notes),
        robot=None if (partner := robot_in(event.notes) or friend_in(event.notes)) is None else partner.seat,
        is_laid=HANDS_NOTE in event.notes,
        is_watched=WATCHED_NOTE in event.notes,
    )


def colours_of(notes: Mapping[str, str]) -> tuple[str, str]:
    """Return the players' colours in the page's notation, by the notes of their game."""
    return page_colours(colours_in(notes) or USUAL)


def after(table: PatchworkAccount, event: events.Event, number: int) -> PatchworkAccount:
    """Return the account after a further event, given the event's number."""
    is_new = event.pending.number != table.pending.number
    if isinstance(event, events.Complained) or (isinstance(event, events.Asked) and is_new):
        table = replace(table, looked_at=number)
    table = replace(
        table,
        state=event.state,
        pending=event.pending,
        wrong_markers=wrong_after(table.wrong_markers, event),
        circle_faults=faults_after(table.circle_faults, event),
    )
    match event:
        case events.DecisionTaken(decision=decision, facts=facts):
            return replace(table, decisions=(*table.decisions, decision), facts=facts, is_silent=False)
        case events.DecisionUndone():
            return replace(table, decisions=table.decisions[:-1], facts=(), is_silent=False)
        case events.TableNoticed(about=PartnerSilence()):
            return replace(table, is_silent=True)
        case events.TableNoticed(says=says, about=BoardsStatus(are_seen=are_seen)):
            return replace(table, why_unseen="" if are_seen else says)
        case _:
            return table


def faults_after(faults: Faults, event: events.Event) -> Faults:
    """Return the announced faults after an event, given those before it.

    A decision, or its undo, moves the neutral token, so an earlier announcement about it no longer applies.
    """
    match event:
        case events.TableNoticed(about=CircleFaultStatus(fault=fault, wrong=wrong)):
            left = _without_fault(faults, fault)
            return left if wrong is None else {**left, fault: wrong}
        case events.DecisionTaken(state=state) if state.finished:
            return NO_FAULTS
        case events.DecisionTaken() | events.DecisionUndone():
            return _without_fault(faults, CircleFault.TOKEN)
        case events.GameOpened():
            return NO_FAULTS
        case _:
            return faults


def _without_fault(faults: Faults, fault: CircleFault) -> Faults:
    return {each: says for each, says in faults.items() if each is not fault}


def snapshot_json(table: PatchworkAccount, language: Language) -> Json:
    """Return the game's part of the snapshot."""
    state, newest = table.state, len(table.decisions) if table.facts else None
    pending = table.pending
    # A look, an announcement or a question comes first; a complaint that is still open afterwards is shown again.
    complaint = pending.complaint if table.phase == "complaint" else None
    return {
        "seats": seats_json(state, table.decisions, newest, table.colours),
        "track": track_json(state, table.wrong_markers),
        "turn": {**turn_json(state, language), "elsewhere": state.turn is not None and state.turn == table.deciding},
        "offers": offers_json(state),
        "market_known": state.market is not None,
        "circle": list(state.unbought),
        "circle_hints": [render(says, language) for says in table.circle_faults.values()],
        "money": money_json(table.facts, state, language),
        "question": None if pending.question is None else _question(table, pending.question, language),
        "complaint": None if complaint is None else _complaint(table, complaint, language),
        "proposed": None if pending.proposed is None else _proposed(pending.proposed, state, language),
        "foreseen": None if pending.foreseen is None else _foreseen(pending.foreseen, language),
        "result": result_json(state, language),
    }


def _question(table: PatchworkAccount, question: Question, language: Language) -> Json:
    return {
        "seat": question.seat,
        "asks": question.asks.value,
        "says": render(question.says, language),
        "cells": list(question.cells),
        "choice": table.pending.choice,
        "none_first": question.none_first,
        "options": [_decision(option, table.state, language) for option in question.options],
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


def _proposed(decision: Decision, state: State, language: Language) -> Json:
    return {**_decision(decision, state, language), "says": render(proposal_sentence(decision, state), language)}


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
        "name": state.name_of(number),
        "lines": [{"what": what, "count": count, "points": points} for what, count, points in lines],
        "total": score(seat),
    }


def waiting_for(table: PatchworkAccount, visibility: Visibility) -> str:
    """Return the sentence on what is to be done now; empty after the end of a game about which nothing is open."""
    state, pending = table.state, table.pending
    if pending.question is not None:
        return pending.question.says
    if state.turn is not None and not visibility.camera and not visibility.awaited:
        return said("The camera sends no pictures.")
    if pending.complaint is not None and not pending.looking and pending.foreseen is None:
        return pending.complaint.says
    if state.turn is None:
        return ""
    if (state.turn == table.deciding or table.is_watched) and _is_seen(pending, visibility):
        return _of_simulated(state) if table.is_watched else _of_robot(table)
    return _of_turn(table, visibility)


def _is_seen(pending: Pending[Question, Complaint], visibility: Visibility) -> bool:
    """Return whether the camera sees both boards, and nothing is looked at or announced."""
    return visibility.camera and visibility.boards_seen and not pending.looking and pending.foreseen is None


def _of_robot(table: PatchworkAccount) -> Sentence:
    name = table.state.name_of(table.state.mover)
    if table.pending.proposed is None:
        return said("{name} is thinking.", name=name)
    if table.is_laid:
        return said("{name} is laying the patch.", name=name)
    if table.presses is Presses.EACH:
        return said("Lay the patch for {name} where it is drawn, and press confirm.", name=name)
    return said("Lay the patch for {name} where it is drawn.", name=name)


def _of_simulated(state: State) -> Sentence:
    name = state.name_of(state.mover)
    if state.leather_due:
        return said("{name} lays the leather patch.", name=name)
    if can_buy(state):
        return said("{name} chooses a patch, or advances.", name=name)
    return said("{name} can buy nothing, and advances.", name=name)


def _of_turn(table: PatchworkAccount, visibility: Visibility) -> str:
    state, pending = table.state, table.pending
    if not visibility.camera:
        return said("The camera is starting.")
    if not visibility.boards_seen:
        return table.why_unseen or _boards_missing(state, visibility.in_view)
    if pending.looking:
        name = state.name_of(state.mover)
        return said("The camera is looking: {name}’s quilt must be still, with no hand over it.", name=name)
    return _due(state, table.presses) if pending.foreseen is None else sentences(pending.foreseen)[0]


def _boards_missing(state: State, in_view: tuple[int, ...]) -> str:
    if state.decisions_made:
        return said("The companion is looking for both quilt boards: leave them in view, where they are.")
    if in_view == (1, 2):
        return said("Both quilt boards are in view: keep hands and patches off them for a moment.")
    return said("Place both quilt boards in view, with nothing on them.")


def _due(state: State, presses: Presses) -> Sentence:
    """Return the sentence on the decision that is due."""
    name = state.name_of(state.mover)
    if state.leather_due:
        if presses is Presses.EACH:
            return said("{name} lays the leather patch and presses confirm.", name=name)
        return said("{name} lays the leather patch.", name=name)
    return _choice_due(name, presses) if can_buy(state) else _advance_due(name, presses)


def _advance_due(name: str, presses: Presses) -> Sentence:
    if presses is Presses.NONE:
        return said("{name} can buy nothing, and advances by moving the marker.", name=name)
    return said("{name} can buy nothing: press advance.", name=name)


def _choice_due(name: str, presses: Presses) -> Sentence:
    match presses:
        case Presses.EACH:
            return said("{name} lays a patch and presses confirm, or presses advance.", name=name)
        case Presses.ADVANCE:
            return said("{name} lays a patch, or presses advance.", name=name)
        case Presses.NONE:
            return said("{name} lays a patch, or advances by moving the marker.", name=name)

"""The page's account of a game of Patchwork on the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.config.palette import USUAL, page_colours
from companion.patchwork.arrangement import Presses, colours_in, presses_in
from companion.patchwork.circle.in_play.faults import Faults, faults_after
from companion.patchwork.timeboard.marker_notices import wrong_after
from companion.play import events
from companion.play.page.account import Opening, TableAccount

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.patchwork import Decision, Fact, State
    from companion.patchwork.reading.verdict import Complaint


@dataclass(frozen=True, slots=True)
class PatchworkAccount(TableAccount):
    """The data of the game's part of a snapshot.

    Attributes:
        state: the rules' state.
        decisions: the decisions made so far.
        facts: the effects of the latest decision; empty if it was undone or was made on another evening.
        asked: the open question, or None.
        complaint: the fault of the table, until a player acts on it, or None.
        foreseen: the decision, or its undo, that will take effect at the end of its pause, or None.
        looked_at: the event's number of the latest question or complaint; 0 before the first.
        colours: the colours of seat 1 and seat 2 in the page's notation.
        wrong_markers: by seat, the wrong space of the time board on which its marker stands.
        circle_faults: the faults of the circle of patches.
        presses: the decisions for which players at this table press a button.
    """

    state: State
    decisions: tuple[Decision, ...] = ()
    facts: tuple[Fact, ...] = ()
    asked: events.Asked | None = None
    complaint: Complaint | None = None
    foreseen: events.DecisionForeseen | events.UndoForeseen | None = None
    looked_at: int = 0
    colours: tuple[str, str] = page_colours(USUAL)
    wrong_markers: Mapping[int, int] = field(default_factory=dict)
    circle_faults: Faults = field(default_factory=dict)
    presses: Presses = Presses.EACH


def opened(opening: Opening[PatchworkAccount]) -> PatchworkAccount:
    """Return the account of a game that was opened."""
    before, event = opening.before, opening.event
    known = opening.decisions or (() if before is None else before.decisions)
    return PatchworkAccount(
        event.state,
        decisions=known[: event.decisions],
        colours=colours_of(opening.notes),
        presses=presses_in(opening.notes),
    )


def colours_of(notes: Mapping[str, str]) -> tuple[str, str]:
    """Return the players' colours in the page's notation, by the notes of their game."""
    return page_colours(colours_in(notes) or USUAL)


def after(table: PatchworkAccount, event: events.Event, number: int) -> PatchworkAccount:
    """Return the account after a further event, given the event's number."""
    table = replace(
        table,
        state=event.state,
        wrong_markers=wrong_after(table.wrong_markers, event),
        circle_faults=faults_after(table.circle_faults, event),
    )
    match event:
        case events.DecisionTaken(decision=decision, facts=facts):
            return replace(_calm(table), decisions=(*table.decisions, decision), facts=facts)
        case events.DecisionUndone():
            return replace(_calm(table), decisions=table.decisions[:-1], facts=())
        case events.LookStarted():
            return replace(_calm(table), looking=True)
        case (
            events.LookCalledOff()
            | events.QuestionAnswered()
            | events.ForesightLapsed()
            | events.UndoLapsed()
            | events.DoubtLapsed()
        ):
            return _calm(table)
        case _:
            return _interrupted(table, event, number)


def _interrupted(table: PatchworkAccount, event: events.Event, number: int) -> PatchworkAccount:
    match event:
        case events.Asked():
            # Another option of an open question keeps the number, and so the picture that the browser has.
            looked_at = number if table.asked is None else table.looked_at
            return replace(_calm(table), asked=event, looked_at=looked_at)
        case events.Complained(complaint=complaint):
            return replace(_calm(table), complaint=complaint, looked_at=number)
        case events.DecisionForeseen() | events.UndoForeseen():
            return replace(_calm(table), foreseen=event)
        case _:
            return table


def _calm(table: PatchworkAccount) -> PatchworkAccount:
    """Return the account with no look, question, complaint or foreseen decision."""
    return replace(table, looking=False, asked=None, complaint=None, foreseen=None)

"""Commands from the page at a Patchwork table, and their effects at the present point of the game."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.patchwork.decisions import Decision, TakePatch
from companion.games.patchwork.errors import IllegalDecisionError
from companion.games.patchwork.legal import AmbiguousDecisionError, resolve
from companion.games.patchwork.rules import History, Outcome, apply
from companion.games.patchwork.state import State
from companion.languages import Sentence, counted
from companion.patchwork.naming import patch_name
from companion.patchwork.reading.verdict import Complaint, Question
from companion.patchwork.refusals import both_fit, refusal
from companion.play.inbox import Answer, CommandRefusedError, Insist


@dataclass(frozen=True, slots=True)
class Override:
    """A player's statement of the cells newly covered on a quilt (a bit mask), which overrides the camera's reading.

    The patch is None if its shape is unique.
    """

    seat: int
    cells: int
    patch: str | None = None


@dataclass(frozen=True, slots=True)
class NamePatch:
    """The name of the patch of the open question, or of the latest decision, which was mistaken for its twin."""

    patch: str


Command: TypeAlias = Answer | Override | NamePatch | Insist


@dataclass(frozen=True, slots=True)
class Plan:
    """The actions that a command results in.

    Attributes:
        decision: the decision to take; None answers the open question with "none of these".
        outcome: its outcome by the rules, or None if the rules are still to be applied.
        looks: whether to look at the quilts first, because the decision was not read from them.
        takes_back: whether the decision replaces the latest one.
        insists: whether to ask the question that replaces the open complaint.
    """

    decision: Decision | None
    outcome: Outcome | None = None
    looks: bool = False
    takes_back: bool = False
    insists: bool = False


def planned(command: Command, history: History, question: Question | None, complaint: Complaint | None = None) -> Plan:
    """Return the plan for a command.

    Raises:
        CommandRefusedError: the command is impossible now, or the rules forbid it.
    """
    try:
        match command:
            case Answer(option=option):
                return Plan(_option(question, option))
            case Override(seat=seat, cells=cells, patch=patch):
                return _corrected(history.state, resolve(history.state, seat, cells, patch))
            case NamePatch(patch=patch):
                return _named(patch, history, question)
            case Insist():
                return _insisted(question, complaint)
    except AmbiguousDecisionError as error:
        patches = tuple(each.patch for each in error.candidates)
        raise CommandRefusedError(both_fit(patches), patches) from error
    except IllegalDecisionError as error:
        raise CommandRefusedError(refusal(error, history.state)) from error


def _option(question: Question | None, option: int | None) -> Decision | None:
    if question is None:
        raise CommandRefusedError.said("There is no question to answer.")
    if option is None:
        return None
    if not 0 <= option < len(question.options):
        raise CommandRefusedError(_few_answers(len(question.options)))
    return question.options[option]


def _insisted(question: Question | None, complaint: Complaint | None) -> Plan:
    if question is not None:
        raise CommandRefusedError.said("Answer the question first.")
    if complaint is None:
        raise CommandRefusedError.said("There is no complaint from the companion.")
    return Plan(None, insists=True)


def _few_answers(count: int) -> Sentence:
    return counted("The question has only {count} answer.", "The question has only {count} answers.", count)


def _named(patch: str, history: History, question: Question | None) -> Plan:
    if question is not None:
        for option in question.options:
            if isinstance(option, TakePatch) and option.patch == patch:
                return Plan(option)
        raise CommandRefusedError.said("The {patch} is not one of the answers.", patch=patch_name(patch))
    return _renamed(patch, history)


def _renamed(patch: str, history: History) -> Plan:
    """Return the latest decision with another patch of its shape."""
    latest = history.decisions[-1] if history.decisions else None
    if not isinstance(latest, TakePatch):
        raise CommandRefusedError.said("There is no patch to name: the latest decision took none.")
    if patch == latest.patch:
        raise CommandRefusedError.said("It already is the {patch}.", patch=patch_name(patch))
    before = history.state_after(len(history.decisions) - 1)
    renamed = TakePatch(latest.seat, patch, latest.cells)
    return Plan(renamed, apply(before, renamed), takes_back=True)


def _corrected(state: State, decision: Decision) -> Plan:
    """Return the plan to take a decision that was not read from the table.

    Raises:
        IllegalDecisionError: the rules forbid it.
    """
    # Applied here, so that what the rules forbid is refused before anything under way is given up.
    return Plan(decision, apply(state, decision), looks=True)

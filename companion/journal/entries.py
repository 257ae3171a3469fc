"""A game as a list of entries to which one only ever adds, and what follows from them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from companion.errors import CompanionError
from companion.games import kvilt
from companion.languages import reason, said
from companion.record import FORMAT, GAMES, KVILT, PATCHWORK, RecordedGame, RecordError

if TYPE_CHECKING:
    from companion.games.patchwork import Decision, Setup
    from companion.record.game import DecisionT, SetupT, StateT

AnySetup: TypeAlias = "Setup | kvilt.Setup"
AnyDecision: TypeAlias = "Decision | kvilt.Decision"
AnyGame: TypeAlias = RecordedGame[Any, Any, Any]


class JournalError(CompanionError):
    """The journal cannot be opened, read or written, or was asked for what it does not hold; one line says so."""


class Kind(StrEnum):
    """What an entry did."""

    DECISION = "decision"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's history; none is ever changed or removed.

    Attributes:
        kind: whether a decision was added, or the last one taken back.
        sequence: the decision's number in the game, from 1.
        text: the decision as a line of a game record; empty for an undo.
    """

    kind: Kind
    sequence: int
    text: str


def standing(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The decisions that stand once every undo has taken back the last one before it.

    Raises:
        JournalError: if the numbers do not follow one another.
    """
    texts: list[str] = []
    for entry in entries:
        if entry.kind is Kind.DECISION:
            texts.append(entry.text)
            expected = len(texts)
        else:
            expected = len(texts)
            del texts[-1:]
        if entry.sequence != expected:
            raise JournalError(
                said(
                    "entry {number} of the game stands where {expected} was expected",
                    number=entry.sequence,
                    expected=expected,
                )
            )
    return tuple(texts)


def refuse_contradicted(game_id: int, setup: AnySetup, texts: Iterable[str]) -> None:
    """Hold what is said of a game's beginning against what has been decided in it.

    Args:
        game_id: the game's number.
        setup: how it is said to have begun.
        texts: the decisions that stand, as lines of a game record.

    Raises:
        JournalError: if it is another game's setup, or a decision does not follow from it.
    """
    game: AnyGame = KVILT if isinstance(setup, kvilt.Setup) else PATCHWORK
    try:
        is_finished(setup, decisions_in(texts, game))
    except JournalError as error:
        raise JournalError(
            said(
                "game {number} is under way and cannot have begun like this: {fault}",
                number=game_id,
                fault=reason(error),
            )
        ) from error


def refuse_sequence(sequence: int, expected: int) -> None:
    """Hold a decision's number against the one that is due.

    Raises:
        JournalError: if they differ: it is written already, or one before it is missing.
    """
    if sequence != expected:
        if sequence < expected:
            says = said(
                "decision {number} is written already: decision {expected} is due", number=sequence, expected=expected
            )
        else:
            says = said(
                "decision {number} would leave a gap: decision {expected} is due", number=sequence, expected=expected
            )
        raise JournalError(says)


def refuse_undo(sequence: int, count: int) -> None:
    """Hold the number of a decision to be taken back against the last one.

    Raises:
        JournalError: if there is none, or it is another.
    """
    if count == 0:
        raise JournalError(said("there is no decision to take back"))
    if sequence != count:
        raise JournalError(
            said("decision {number} cannot be taken back: the last one is {last}", number=sequence, last=count)
        )


def decision_text(decision: AnyDecision) -> str:
    """The decision as a line of a game record."""
    game: AnyGame = KVILT if isinstance(decision, kvilt.Decision) else PATCHWORK
    return json.dumps(game.decision_to_json(decision))


@overload
def decisions_in(texts: Iterable[str]) -> tuple[Decision, ...]: ...
@overload
def decisions_in(texts: Iterable[str], game: RecordedGame[SetupT, DecisionT, StateT]) -> tuple[DecisionT, ...]: ...
def decisions_in(texts: Iterable[str], game: AnyGame = PATCHWORK) -> tuple[Any, ...]:
    """The decisions in lines of a game record.

    Raises:
        JournalError: if one cannot be read.
    """
    decisions = []
    for number, text in enumerate(texts, start=1):
        try:
            decisions.append(game.decision_from_json(json.loads(text)))
        except (ValueError, game.errors) as error:
            raise JournalError(
                said("decision {number} cannot be read: {fault}", number=number, fault=reason(error))
            ) from error
    return tuple(decisions)


def setup_text(setup: AnySetup) -> str:
    """The setup as JSON, with the keys of a game record's header; it names the game."""
    if isinstance(setup, kvilt.Setup):
        return json.dumps(KVILT.setup_to_json(setup), ensure_ascii=False)
    # As companions have always written it: without a format, and with the circle named where it is unknown.
    header = {key: value for key, value in PATCHWORK.setup_to_json(setup).items() if key != "format"}
    return json.dumps({**header, "market": setup.market}, ensure_ascii=False)


def game_in(text: str) -> AnyGame:
    """The game that a setup is of; Patchwork where it names none.

    Raises:
        JournalError: if it cannot be read, or names a game that is not known.
    """
    header = _header(text)
    name = header.get("game", PATCHWORK.name)
    if not isinstance(name, str) or name not in GAMES:
        raise JournalError(said("the game's setup cannot be read: it is of a game that this companion does not know"))
    return GAMES[name]


@overload
def setup_in(text: str) -> Setup: ...
@overload
def setup_in(text: str, game: RecordedGame[SetupT, DecisionT, StateT]) -> SetupT: ...
def setup_in(text: str, game: AnyGame = PATCHWORK) -> Any:
    """The setup in what `setup_text` wrote.

    Raises:
        JournalError: if it cannot be read, or is of another game.
    """
    found = game_in(text)
    if found is not game:
        raise JournalError(said("the game is one of {name}, not of {other}", name=found.name, other=game.name))
    header = _header(text)
    try:
        return game.setup_from_json({"format": FORMAT, "game": game.name, **header})
    except (RecordError, game.errors) as error:
        raise JournalError(said("the game's setup cannot be read: {fault}", fault=reason(error))) from error


def _header(text: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except ValueError as error:
        raise JournalError(said("the game's setup cannot be read: {fault}", fault=reason(error))) from error
    if not isinstance(header, dict):
        raise JournalError(said("the game's setup cannot be read: it is no object"))
    return header


def is_finished(setup: AnySetup, decisions: Iterable[AnyDecision]) -> bool:
    """Whether the rules have the game ended by these decisions.

    Raises:
        JournalError: if the rules forbid one of them.
    """
    game: AnyGame = KVILT if isinstance(setup, kvilt.Setup) else PATCHWORK
    play = game.begin(setup)
    for number, decision in enumerate(decisions, start=1):
        try:
            play.apply(decision)
        except game.errors as error:
            raise JournalError(
                said("decision {number} does not follow from the rules: {fault}", number=number, fault=reason(error))
            ) from error
    return bool(play.state.finished)

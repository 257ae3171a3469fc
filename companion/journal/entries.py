"""A game as an append-only list of entries, and what is derived from it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.errors import CompanionError
from companion.languages import reason, said
from companion.record import FORMAT, AnyCodec, Codec, ForeignGameError, Games, Play, RecordError
from companion.record.codec import DecisionT, SetupT, StateT


class JournalError(CompanionError):
    """Raised if the journal cannot be opened, read or written, or lacks what is requested; the message is one line."""


class StorageError(JournalError):
    """Raised if the disk, or another program using it, prevents reading or writing the journal."""


class ForeignSetupError(JournalError):
    """Raised for a game of an unknown kind; the journal keeps it."""


class EntryKind(StrEnum):
    """The effect of an entry."""

    DECISION = "decision"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One entry of a game's history; entries are never changed or removed.

    Attributes:
        kind: whether a decision was added or the last one undone; an `EntryKind`, unless the disk changed it.
        sequence: the decision's number in the game, from 1.
        text: the decision as a line of a game record; empty for an undo.
    """

    kind: str
    sequence: int
    text: str


def remaining_decisions(entries: Iterable[JournalEntry]) -> tuple[str, ...]:
    """Return the decisions that remain after every undo has removed the last one before it.

    Raises:
        JournalError: if the numbers are not consecutive.
    """
    texts: list[str] = []
    for entry in entries:
        if entry.kind == EntryKind.DECISION:
            texts.append(entry.text)
            expected = len(texts)
        else:
            expected = len(texts)
            del texts[-1:]
        if entry.sequence != expected:
            raise JournalError(
                said(
                    "entry {number} of the game is in the place of entry {expected}",
                    number=entry.sequence,
                    expected=expected,
                )
            )
    return tuple(texts)


def whole_entries(entries: Iterable[JournalEntry], whole: int) -> int:
    """Return the number of leading entries that leave exactly the first `whole` decisions."""
    placed: list[int] = []
    count = 0
    for place, entry in enumerate(entries):
        if entry.kind == EntryKind.DECISION:
            placed.append(place)
            expected = len(placed)
        else:
            expected = len(placed)
            del placed[-1:]
        if entry.sequence != expected:
            return placed[whole] if len(placed) > whole else place
        count += 1
    return placed[whole] if len(placed) > whole else count


def refuse_contradicted(game_id: int, setup: object, texts: Iterable[str], games: Games) -> None:
    """Check a game's setup against the decisions made in it.

    Args:
        game_id: the game's number.
        setup: the setup to check.
        texts: the game's decisions, as lines of a game record.
        games: the known games.

    Raises:
        JournalError: if it is the setup of another kind of game, or a decision does not follow from it.
    """
    codec = games.of_setup(setup)
    try:
        is_finished(setup, decisions_in(texts, codec), codec)
    except JournalError as error:
        raise JournalError(
            said(
                "game {number} is in progress and cannot have started like this: {fault}",
                number=game_id,
                fault=reason(error),
            )
        ) from error


def refuse_sequence(sequence: int, expected: int) -> None:
    """Check a decision's number against the expected one.

    Raises:
        JournalError: if they differ: it is written already, or one before it is missing.
    """
    if sequence != expected:
        if sequence < expected:
            says = said(
                "decision {number} is stored already: decision {expected} is next", number=sequence, expected=expected
            )
        else:
            says = said(
                "decision {number} would leave a gap: decision {expected} is next", number=sequence, expected=expected
            )
        raise JournalError(says)


def refuse_undo(sequence: int, count: int) -> None:
    """Check the number of a decision to undo against the last one.

    Raises:
        JournalError: if there is no decision, or another one is the last.
    """
    if count == 0:
        raise JournalError(said("there is no decision to undo"))
    if sequence != count:
        raise JournalError(
            said("decision {number} cannot be undone: the last one is {last}", number=sequence, last=count)
        )


def decision_text(decision: object, games: Games) -> str:
    """Return the decision as a line of a game record."""
    return json.dumps(games.of_decision(decision).decision_to_json(decision))


def decisions_in(texts: Iterable[str], codec: Codec[SetupT, DecisionT, StateT]) -> tuple[DecisionT, ...]:
    """Return the decisions in lines of a game record.

    Raises:
        JournalError: if one cannot be read.
    """
    decisions = []
    for number, text in enumerate(texts, start=1):
        try:
            decisions.append(codec.decision_from_json(json.loads(text)))
        # The JSON parser raises RecursionError for a text that is nested too deeply.
        except (ValueError, RecursionError, codec.errors) as error:
            raise JournalError(
                said("decision {number} cannot be read: {fault}", number=number, fault=codec.reason(error))
            ) from error
    return tuple(decisions)


def setup_text(setup: object, games: Games) -> str:
    """Return the setup as JSON, with the keys of a game record's header, including the game's name."""
    return json.dumps(games.of_setup(setup).setup_to_journal(setup), ensure_ascii=False)


def game_in(text: str, games: Games) -> AnyCodec:
    """Return the codec of a setup's game.

    Raises:
        JournalError: if it cannot be read.
        ForeignSetupError: if it names an unknown game.
    """
    header = _header(text)
    try:
        return games.of_header(header)
    except ForeignGameError as error:
        raise ForeignSetupError(said("the game’s setup cannot be read: {fault}", fault=reason(error))) from error
    except RecordError as error:
        raise JournalError(said("the game’s setup cannot be read: {fault}", fault=reason(error))) from error


def name_in(text: str, games: Games) -> str:
    """Return the game's name in a setup, even of an unknown game, or "" if it cannot be read."""
    try:
        header = _header(text)
    except JournalError:
        return ""
    name = header.get("game", games.unnamed and games.unnamed.name)
    return name if isinstance(name, str) else ""


def players_in(text: str) -> tuple[str, ...]:
    """Return the players' names in a setup, by seat, or () if they cannot be read."""
    try:
        names = _header(text).get("players")
    except JournalError:
        return ()
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return ()
    return tuple(names)


def with_players(text: str, names: Iterable[str]) -> str:
    """Return a setup with the players' names replaced.

    Raises:
        JournalError: if it cannot be read.
    """
    return json.dumps({**_header(text), "players": list(names)}, ensure_ascii=False)


def setup_in(text: str, codec: Codec[SetupT, DecisionT, StateT], games: Games) -> SetupT:
    """Return the setup in a text written by `setup_text`.

    Raises:
        JournalError: if it cannot be read, or belongs to another game.
    """
    found = game_in(text, games)
    if found is not codec:
        raise JournalError(said("this is a game of {name}, not of {other}", name=found.name, other=codec.name))
    try:
        return codec.setup_from_json({"format": FORMAT, "game": codec.name, **_header(text)})
    except (RecordError, codec.errors) as error:
        raise JournalError(said("the game’s setup cannot be read: {fault}", fault=codec.reason(error))) from error


def _header(text: str) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise JournalError(said("the game’s setup cannot be read: {fault}", fault=reason(error))) from error
    if not isinstance(header, dict):
        raise JournalError(said("the game’s setup cannot be read: it is not an object"))
    return header


def is_finished(setup: SetupT, decisions: Iterable[DecisionT], codec: Codec[SetupT, DecisionT, StateT]) -> bool:
    """Return whether the game has ended by the rules after these decisions.

    Raises:
        JournalError: if the rules forbid one of them.
    """
    play: Play[Any, Any, Any] = codec.begin(setup)
    for number, decision in enumerate(decisions, start=1):
        try:
            play.apply(decision)
        except codec.errors as error:
            raise JournalError(
                said(
                    "decision {number} does not follow from the rules: {fault}",
                    number=number,
                    fault=codec.reason(error),
                )
            ) from error
    return bool(play.state.finished)

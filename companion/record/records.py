"""The reading, replay and writing of records of any game."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic

from companion.languages import reason, said
from companion.record.codec import AnyCodec, Codec, DecisionT, Play, SetupT, StateT
from companion.record.errors import RecordError
from companion.record.files import decoded_lines, write_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from companion.record.games import Games


@dataclass(frozen=True, slots=True)
class Replayed(Generic[DecisionT, StateT]):
    """A record replayed by the rules.

    Attributes:
        state: the state after the last valid line; None if the header is invalid.
        decisions: the decisions that led to it.
        error: the fault of the line after those; None if all lines are valid.
    """

    state: StateT | None
    decisions: tuple[DecisionT, ...]
    error: RecordError | None


def game_of(path: str | os.PathLike[str], games: Games) -> AnyCodec:
    """Return the codec of the game that a record's header names.

    Raises:
        ForeignGameError: if it names an unknown game.
        RecordError: if the file cannot be read, or does not begin with a header.
    """
    where = Path(path)
    # Closed, because an abandoned generator keeps its file open until it is collected.
    with closing(decoded_lines(where)) as objects:
        line, header = _header(where, objects)
    try:
        if not isinstance(header, dict):
            example = '{"format": 1, "game": "...", ...}'
            raise RecordError(said("the header must be an object such as {example}", example=example))
        return games.of_header(header)
    except RecordError as error:
        # A ForeignGameError remains one.
        raise type(error)(error.reason, where, line) from error


def replay_record(path: str | os.PathLike[str], codec: Codec[SetupT, DecisionT, StateT]) -> Replayed[DecisionT, StateT]:
    """Replay a record to its end, or to the first malformed or illegal line; never raise a RecordError."""
    where = Path(path)
    play: Play[SetupT, DecisionT, StateT] | None = None
    try:
        with closing(decoded_lines(where)) as objects:
            play = codec.begin(_setup(codec, where, objects))
            for line, obj in objects:
                _apply(codec, play, where, line, obj)
    except RecordError as error:
        return Replayed(play.state if play else None, play.decisions if play else (), error)
    return Replayed(play.state, play.decisions, None)


def _apply(
    codec: Codec[SetupT, DecisionT, StateT],
    play: Play[SetupT, DecisionT, StateT],
    path: Path,
    line: int,
    obj: object,
) -> None:
    decision = _decision(codec, path, line, obj)
    try:
        play.apply(decision)
    except codec.errors as error:
        raise RecordError(said("illegal: {fault}", fault=reason(error)), path, line) from error


def _decision(codec: Codec[SetupT, DecisionT, StateT], path: Path, line: int, obj: object) -> DecisionT:
    try:
        return codec.decision_from_json(obj)
    except codec.errors as error:
        raise RecordError(reason(error), path, line) from error


def _setup(codec: Codec[SetupT, DecisionT, StateT], path: Path, objects: Iterator[tuple[int, object]]) -> SetupT:
    line, header = _header(path, objects)
    try:
        return codec.setup_from_json(header)
    except RecordError as error:
        raise RecordError(error.reason, path, line) from error
    except codec.errors as error:
        raise RecordError(reason(error), path, line) from error


def _header(path: Path, objects: Iterator[tuple[int, object]]) -> tuple[int, object]:
    """Return the first line of a record, and its number."""
    found = next(objects, None)
    if found is None:
        raise RecordError(said("empty: a game record begins with a header"), path)
    return found


def record_lines(
    setup: SetupT, decisions: Iterable[DecisionT], codec: Codec[SetupT, DecisionT, StateT]
) -> Iterator[str]:
    """Yield the lines of a record, without their line ends."""
    yield json.dumps(codec.setup_to_json(setup), ensure_ascii=False)
    for decision in decisions:
        yield json.dumps(codec.decision_to_json(decision), ensure_ascii=False)


def write_record(
    path: str | os.PathLike[str],
    setup: SetupT,
    decisions: Iterable[DecisionT],
    codec: Codec[SetupT, DecisionT, StateT],
) -> None:
    """Write a record completely or not at all, replacing an existing file; it is synced to disk when this returns.

    Raises:
        RecordError: if it cannot be written.
    """
    write_whole(Path(path), "".join(f"{line}\n" for line in record_lines(setup, decisions, codec)))

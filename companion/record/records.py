"""Records of any game: read, played again, written."""

from __future__ import annotations

import json
import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, overload

from companion.languages import reason, said
from companion.record.errors import RecordError
from companion.record.files import decoded_lines, write_whole
from companion.record.game import DecisionT, Play, RecordedGame, SetupT, StateT
from companion.record.kvilt import KVILT
from companion.record.patchwork import PATCHWORK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from companion.games.patchwork import Decision, Setup, State

AnyGame: TypeAlias = RecordedGame[Any, Any, Any]

GAMES: Final[Mapping[str, AnyGame]] = {game.name: game for game in (PATCHWORK, KVILT)}
"""The games that records are kept of, by the name in the header."""


@dataclass(frozen=True, slots=True)
class Record(Generic[SetupT, DecisionT]):
    """What a record says, not yet held against the rules."""

    setup: SetupT
    decisions: tuple[DecisionT, ...]


@dataclass(frozen=True, slots=True)
class Replayed(Generic[DecisionT, StateT]):
    """A record played through by the rules.

    Attributes:
        state: the state after the last good line; None where not even the header can be read.
        decisions: the decisions that led there.
        error: what is wrong with the line after those, None where nothing is.
    """

    state: StateT | None
    decisions: tuple[DecisionT, ...]
    error: RecordError | None


def game_of(path: str | os.PathLike[str]) -> AnyGame:
    """The game that a record's header names; Patchwork where it names none that is known, or cannot be read."""
    try:
        with closing(decoded_lines(Path(path))) as objects:
            _, header = next(objects, (None, None))
    except RecordError:
        return PATCHWORK
    name = header.get("game") if isinstance(header, dict) else None
    return GAMES.get(name, PATCHWORK) if isinstance(name, str) else PATCHWORK


@overload
def read_record(path: str | os.PathLike[str]) -> Record[Setup, Decision]: ...
@overload
def read_record(
    path: str | os.PathLike[str], game: RecordedGame[SetupT, DecisionT, StateT]
) -> Record[SetupT, DecisionT]: ...
def read_record(path: str | os.PathLike[str], game: AnyGame = PATCHWORK) -> Record[Any, Any]:
    """A record from a file; whether its decisions are legal is not asked (`replay_record` does).

    Raises:
        RecordError: if it cannot be read or is malformed.
    """
    with closing(decoded_lines(Path(path))) as objects:
        setup = _first(game, Path(path), objects)
        return Record(setup, tuple(_decision(game, Path(path), line, obj) for line, obj in objects))


@overload
def replay_record(path: str | os.PathLike[str]) -> Replayed[Decision, State]: ...
@overload
def replay_record(
    path: str | os.PathLike[str], game: RecordedGame[SetupT, DecisionT, StateT]
) -> Replayed[DecisionT, StateT]: ...
def replay_record(path: str | os.PathLike[str], game: AnyGame = PATCHWORK) -> Replayed[Any, Any]:
    """Play a record through to its end, or to the first line that is malformed or illegal; no RecordError leaves it."""
    where = Path(path)
    play: Play[Any, Any, Any] | None = None
    try:
        with closing(decoded_lines(where)) as objects:
            play = game.begin(_first(game, where, objects))
            for line, obj in objects:
                _apply(game, play, where, line, obj)
    except RecordError as error:
        return Replayed(play.state if play else None, play.decisions if play else (), error)
    return Replayed(play.state, play.decisions, None)


def _apply(game: AnyGame, play: Play[Any, Any, Any], path: Path, line: int, obj: object) -> None:
    decision = _decision(game, path, line, obj)
    try:
        play.apply(decision)
    except game.errors as error:
        raise RecordError(said("illegal: {fault}", fault=reason(error)), path, line) from error


def _decision(game: AnyGame, path: Path, line: int, obj: object) -> Any:
    try:
        return game.decision_from_json(obj)
    except game.errors as error:
        raise RecordError(reason(error), path, line) from error


def _first(game: AnyGame, path: Path, objects: Iterator[tuple[int, object]]) -> Any:
    line, header = next(objects, (None, None))
    if line is None:
        raise RecordError(said("empty: a game record begins with a header"), path)
    try:
        return game.setup_from_json(header)
    except RecordError as error:
        raise RecordError(error.reason, path, line) from error


@overload
def record_lines(setup: Setup, decisions: Iterable[Decision]) -> Iterator[str]: ...
@overload
def record_lines(
    setup: SetupT, decisions: Iterable[DecisionT], game: RecordedGame[SetupT, DecisionT, StateT]
) -> Iterator[str]: ...
def record_lines(setup: Any, decisions: Iterable[Any], game: AnyGame = PATCHWORK) -> Iterator[str]:
    """The lines of a record, without their line ends."""
    yield json.dumps(game.setup_to_json(setup), ensure_ascii=False)
    for decision in decisions:
        yield json.dumps(game.decision_to_json(decision), ensure_ascii=False)


@overload
def write_record(path: str | os.PathLike[str], setup: Setup, decisions: Iterable[Decision]) -> None: ...
@overload
def write_record(
    path: str | os.PathLike[str],
    setup: SetupT,
    decisions: Iterable[DecisionT],
    game: RecordedGame[SetupT, DecisionT, StateT],
) -> None: ...
def write_record(path: str | os.PathLike[str], setup: Any, decisions: Iterable[Any], game: AnyGame = PATCHWORK) -> None:
    """Write a record whole or not at all; a file of that name is replaced. On the disk when this returns.

    Raises:
        RecordError: if it cannot be written.
    """
    write_whole(Path(path), "".join(f"{line}\n" for line in record_lines(setup, decisions, game)))


def replayed_to_json(replayed: Replayed[Any, Any], game: AnyGame = PATCHWORK) -> dict[str, Any]:
    """A replay as `companion replay --json` prints it: the summary, with an `error` added where there was one."""
    told = {"game": game.name} if replayed.state is None else game.summary(replayed.state)
    return told if replayed.error is None else {**told, "error": str(replayed.error)}

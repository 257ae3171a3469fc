"""Game records: a header and one decision a line, as JSON Lines (`*.jsonl`, format 1).

A record holds decisions only. Income, score and all else follow from the rules and are computed again on reading.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from companion.games.patchwork import (
    Decision,
    Edition,
    History,
    PatchworkError,
    RuleProfile,
    Setup,
    SetupError,
    State,
    decision_from_json,
    decision_to_json,
    rows_of,
    score,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

FORMAT: Final = 1
GAME: Final = "patchwork"

# A full header takes under 1 kB; a limit keeps a file that is no record at all from filling the memory.
_LONGEST_LINE_BYTES: Final = 1 << 20

_Choice = TypeVar("_Choice", bound=StrEnum)


class RecordError(Exception):
    """A record cannot be read or written. As text: `FILE:LINE: reason`, or without what is not known.

    Attributes:
        reason: what is wrong and what is allowed.
        path: the file, None where the record came from elsewhere.
        line: the line number, from 1; None where no line is at fault.
    """

    def __init__(self, reason: str, path: Path | None = None, line: int | None = None) -> None:
        places = [str(place) for place in (path, line) if place is not None]
        super().__init__(": ".join([":".join(places), reason]) if places else reason)
        self.reason = reason
        self.path = path
        self.line = line


@dataclass(frozen=True, slots=True)
class Record:
    """What a record says, not yet held against the rules."""

    setup: Setup
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record played through by the rules.

    Attributes:
        state: the state after the last good line; None where not even the header can be read.
        decisions: the decisions that led there.
        error: what is wrong with the line after those, None where nothing is.
    """

    state: State | None
    decisions: tuple[Decision, ...]
    error: RecordError | None


def read_record(path: str | os.PathLike[str]) -> Record:
    """A record from a file; whether its decisions are legal is not asked (`replay_record` does).

    Raises:
        RecordError: if it cannot be read or is malformed.
    """
    with closing(_objects(Path(path))) as objects:
        setup = _first(Path(path), objects)
        return Record(setup, tuple(_decision(Path(path), line, obj) for line, obj in objects))


def replay_record(path: str | os.PathLike[str]) -> Replayed:
    """Play a record through to its end, or to the first line that is malformed or illegal; no RecordError leaves it."""
    where = Path(path)
    history: History | None = None
    try:
        with closing(_objects(where)) as objects:
            history = History(_first(where, objects))
            for line, obj in objects:
                _apply(history, where, line, obj)
    except RecordError as error:
        return Replayed(history.state if history else None, history.decisions if history else (), error)
    return Replayed(history.state, history.decisions, None)


def _apply(history: History, path: Path, line: int, obj: object) -> None:
    decision = _decision(path, line, obj)
    try:
        history.apply(decision)
    except PatchworkError as error:
        raise RecordError(f"illegal: {error}", path, line) from error


def _decision(path: Path, line: int, obj: object) -> Decision:
    try:
        return decision_from_json(obj)
    except PatchworkError as error:
        raise RecordError(str(error), path, line) from error


def _first(path: Path, objects: Iterator[tuple[int, object]]) -> Setup:
    line, header = next(objects, (None, None))
    if line is None:
        raise RecordError("empty: a game record begins with a header", path)
    try:
        return header_from_json(header)
    except RecordError as error:
        raise RecordError(error.reason, path, line) from error


def _objects(path: Path) -> Generator[tuple[int, object], None, None]:
    """The decoded lines with their numbers, blank ones passed over."""
    try:
        with path.open("rb") as stream:
            number = 0
            while text := stream.readline(_LONGEST_LINE_BYTES + 1):
                number += 1
                if number == 1:
                    text = text.removeprefix(b"\xef\xbb\xbf")
                if not text.isspace() and text:
                    yield number, _decoded(text, path, number)
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}", path) from error
    except ValueError as error:  # a name with a null byte
        raise RecordError(f"cannot be read: {error}", path) from error


def _decoded(text: bytes, path: Path, number: int) -> object:
    if len(text) > _LONGEST_LINE_BYTES:
        raise RecordError(f"a line longer than {_LONGEST_LINE_BYTES} bytes is no part of a game record", path, number)
    try:
        return json.loads(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(f"not UTF-8 (byte {error.start + 1} of the line)", path, number) from error
    except (ValueError, RecursionError) as error:
        says = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else "not to be decoded"
        raise RecordError(f"not JSON: {says}", path, number) from error


def header_from_json(obj: object) -> Setup:
    """The setup in a record's header, or in a table recording's `recording.toml`. Unknown keys are passed over.

    Raises:
        RecordError: if it is no header of format 1; without a file and a line.
    """
    if not isinstance(obj, dict):
        raise RecordError('the header must be an object such as {"format": 1, "game": "patchwork", ...}')
    if type(obj.get("format")) is not int or obj["format"] != FORMAT:
        raise RecordError(f'"format" must be {FORMAT}: a newer companion may read others')
    if obj.get("game") != GAME:
        raise RecordError(f'"game" must be "{GAME}"')
    rules = _choice(obj, "rules", RuleProfile)
    edition = _choice({"edition": Edition.ORIGINAL, **obj}, "edition", Edition)
    market = _strings(obj, "market") if obj.get("market") is not None else None
    try:
        return Setup(rules, edition, _players(obj), _first_seat(obj), market)
    except SetupError as error:
        raise RecordError(str(error)) from error


def _choice(obj: dict[str, Any], key: str, kind: type[_Choice]) -> _Choice:
    value = obj.get(key)
    if not isinstance(value, str) or value not in list(kind):
        raise RecordError(f'"{key}" must be {" or ".join(json.dumps(str(member)) for member in kind)}')
    return kind(value)


def _strings(obj: dict[str, Any], key: str) -> tuple[str, ...]:
    value = obj.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RecordError(f'"{key}" must be a list of texts')
    return tuple(value)


def _players(obj: dict[str, Any]) -> tuple[str, str]:
    names = _strings(obj, "players")
    if len(names) != 2:
        raise RecordError('"players" must be two names')
    return names[0], names[1]


def _first_seat(obj: dict[str, Any]) -> int:
    value = obj.get("first_seat")
    if type(value) is not int:
        raise RecordError('"first_seat" must be 1 or 2')
    return value


def header_to_json(setup: Setup) -> dict[str, Any]:
    """The header of a record, before it is made text; `market` is absent where the circle is unknown."""
    header: dict[str, Any] = {
        "format": FORMAT,
        "game": GAME,
        "rules": str(setup.rules),
        "edition": str(setup.edition),
        "players": list(setup.players),
        "first_seat": setup.first_seat,
    }
    return header if setup.market is None else {**header, "market": list(setup.market)}


def record_lines(setup: Setup, decisions: Iterable[Decision]) -> Iterator[str]:
    """The lines of a record, without their line ends."""
    yield json.dumps(header_to_json(setup), ensure_ascii=False)
    for decision in decisions:
        yield json.dumps(decision_to_json(decision), ensure_ascii=False)


def write_record(path: str | os.PathLike[str], setup: Setup, decisions: Iterable[Decision]) -> None:
    """Write a record whole or not at all; a file of that name is replaced. On the disk when this returns.

    Raises:
        RecordError: if it cannot be written.
    """
    target = Path(path)
    text = "".join(f"{line}\n" for line in record_lines(setup, decisions))
    try:
        resolved = target.resolve()
        if resolved.exists() and not resolved.is_file():
            raise RecordError("cannot be written: it is there and is no file", target)
        _replace(resolved, text.encode("utf-8"))
    except OSError as error:
        raise RecordError(f"cannot be written: {error.strerror}", target) from error
    except ValueError as error:  # a name with a null byte
        raise RecordError(f"cannot be written: {error}", target) from error


def _replace(target: Path, content: bytes) -> None:
    temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def summary(state: State) -> dict[str, Any]:
    """A state as `companion replay --json` prints it, keys in that order."""
    return {
        "game": GAME,
        "finished": state.finished,
        "winner": state.winner,
        "turn": state.turn,
        "seats": [_seat_summary(state, number) for number in (1, 2)],
        "market": None if state.market is None else list(state.market),
        "moves": state.decisions_made,
    }


def replayed_to_json(replayed: Replayed) -> dict[str, Any]:
    """A replay as `companion replay --json` prints it: the summary, with an `error` added where there was one."""
    told = {"game": GAME} if replayed.state is None else summary(replayed.state)
    return told if replayed.error is None else {**told, "error": str(replayed.error)}


def _seat_summary(state: State, number: int) -> dict[str, Any]:
    seat = state.seat(number)
    return {
        "seat": number,
        "name": state.setup.players[number - 1],
        "buttons": seat.buttons,
        "income": seat.income,
        "time": seat.time,
        "empty": seat.empty,
        "bonus": seat.bonus,
        "score": score(seat),
        "quilt": list(rows_of(seat.quilt)),
    }

"""Game records: a header and one decision per line, as JSON Lines (`*.jsonl`, format 1).

A record contains decisions only. Income, score and all else are computed by the rules on reading. A game's `Codec` is
its form in records and journals; `game_of` finds the codec for a file among the `Games` of an installation.
"""

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import UnionType
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from companion import durable
from companion.languages import SentenceError, all_of, any_of, json_says, reason, said, system_says
from companion.ownership import as_owner_of

FORMAT: Final = 1

SetupT = TypeVar("SetupT")
DecisionT = TypeVar("DecisionT")
StateT = TypeVar("StateT")
_SetupT_co = TypeVar("_SetupT_co", covariant=True)
_StateT_co = TypeVar("_StateT_co", covariant=True)


class Play(Protocol[_SetupT_co, DecisionT, _StateT_co]):
    """A game in replay: each game's `History`."""

    @property
    def setup(self) -> _SetupT_co:
        """The setup that the game began with."""

    @property
    def state(self) -> _StateT_co:
        """The current state."""

    @property
    def decisions(self) -> tuple[DecisionT, ...]:
        """The decisions, from the start."""

    def apply(self, decision: DecisionT, /) -> object:
        """Apply one more decision; raise an error of the game's family if it is illegal."""

    def follow(self, decision: DecisionT, outcome: Any, /) -> None:
        """Append a decision and its outcome, which the rules have already computed for the current state."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[SetupT, DecisionT, StateT]):
    """A game's setup, decisions and results as JSON, with the rules that replay them.

    A setup has `players`, the players' names by seat; a state has `finished`.

    Attributes:
        name: the game's name in headers.
        setup_type: the type of its setups.
        decision_type: the type of its decisions, usually a union.
        setup_from_json: returns the setup in a header; raises RecordError or an error of the game's family.
        setup_to_json: returns the header for a setup.
        decision_from_json: returns the decision in a line; raises an error of the game's family.
        decision_to_json: returns the line for a decision.
        begin: returns a game at its start.
        summary: returns a state as the JSON of `companion replay --json`.
        errors: the base class of the game's errors.
        words: returns the sentence for one of them.
        scores: returns all seats' points in a state.
        winners: returns the seats that have won in a state; none before the end.
        figures: returns the figures of a finished game for statistics, given its number, its beginning and its replay.
        figures_type: the type of the figures, a dataclass with `game_id` and `started_at`.
    """

    name: str
    setup_type: type[SetupT]
    decision_type: type | UnionType
    setup_from_json: Callable[[object], SetupT]
    setup_to_json: Callable[[SetupT], dict[str, Any]]
    decision_from_json: Callable[[object], DecisionT]
    decision_to_json: Callable[[DecisionT], dict[str, Any]]
    begin: Callable[[SetupT], Play[SetupT, DecisionT, StateT]]
    summary: Callable[[StateT], dict[str, Any]]
    errors: type[Exception]
    words: Callable[[Any], str]
    scores: Callable[[StateT], tuple[int, ...]]
    winners: Callable[[StateT], tuple[int, ...]]
    figures: Callable[[int, datetime, Play[SetupT, DecisionT, StateT]], object]
    figures_type: type

    def reason(self, error: Exception) -> str:
        """Return the sentence for an error of the game, or the message of any other."""
        return self.words(error) if isinstance(error, self.errors) else reason(error)


AnyCodec: TypeAlias = Codec[Any, Any, Any]


class RecordError(SentenceError):
    """Raised if a record cannot be read or written. As text: `FILE:LINE: reason`, without the unknown parts.

    Attributes:
        reason: the fault and the allowed values.
        path: the file; None if the record came from elsewhere.
        line: the line number, from 1; None if no line is at fault.
    """

    def __init__(self, reason: str, path: Path | None = None, line: int | None = None) -> None:
        place = ":".join(str(place) for place in (path, line) if place is not None)
        super().__init__(said("{place}: {fault}", place=place, fault=reason) if place else reason)
        self.reason = reason
        self.path = path
        self.line = line


class ForeignGameError(RecordError):
    """Raised for a record of an unknown game."""


@dataclass(frozen=True, slots=True)
class Games:
    """The codecs of all known games.

    Attributes:
        own: the codecs that are always available.
        unnamed: the codec for a header that names no game; None if each must name one.
        installed: returns further codecs; called only if `own` does not suffice. May raise ForeignGameError.
    """

    own: tuple[AnyCodec, ...]
    unnamed: AnyCodec | None = None
    installed: Callable[[], Iterable[AnyCodec]] = tuple

    def __iter__(self) -> Iterator[AnyCodec]:
        yield from self.own
        yield from self.installed()

    @property
    def names(self) -> tuple[str, ...]:
        """The games' names in headers."""
        return tuple(codec.name for codec in self)

    def named(self, name: str) -> AnyCodec:
        """Return the codec with this name.

        Raises:
            ForeignGameError: if there is none.
        """
        for codec in self:
            if codec.name == name:
                return codec
        raise ForeignGameError.said(
            "the game {game} is not known here; known: {names}", game=repr(name[:40]), names=all_of(self.names)
        )

    def of_header(self, header: Mapping[str, Any]) -> AnyCodec:
        """Return the codec of the game that a header names, or the one for headers that name none.

        Raises:
            ForeignGameError: if it names an unknown game.
            RecordError: if it names none although it must, or the name is not a text.
        """
        if self.unnamed is not None and "game" not in header:
            return self.unnamed
        name = header.get("game")
        if not isinstance(name, str):
            names = any_of([f'"{each}"' for each in self.names])
            raise RecordError.said("{key} must be {names}", key='"game"', names=names)
        return self.named(name)

    def of_setup(self, setup: object) -> AnyCodec:
        """Return the codec of the game that a setup belongs to.

        Raises:
            TypeError: if it is not a setup of a known game.
        """
        for codec in self:
            if isinstance(setup, codec.setup_type):
                return codec
        raise TypeError(f"{type(setup).__name__} is no setup of {', '.join(self.names)}")

    def of_decision(self, decision: object) -> AnyCodec:
        """Return the codec of the game that a decision belongs to.

        Raises:
            TypeError: if it is not a decision of a known game.
        """
        for codec in self:
            if isinstance(decision, codec.decision_type):
                return codec
        raise TypeError(f"{type(decision).__name__} is no decision of {', '.join(self.names)}")


# A full header takes under 1 kB; the limit keeps a file that is not a record from filling the memory.
_LONGEST_LINE_BYTES: Final = 1 << 20


def _decoded_lines(path: Path) -> Generator[tuple[int, object], None, None]:
    """Yield the decoded lines of a file with their numbers, from 1; blank lines are skipped.

    Raises:
        RecordError: if the file cannot be read, or a line is not JSON.
    """
    try:
        with path.open("rb") as stream:
            number = 0
            while text := stream.readline(_LONGEST_LINE_BYTES + 1):
                number += 1
                if number == 1:
                    # A byte order mark, which some editors on Windows add.
                    text = text.removeprefix(b"\xef\xbb\xbf")
                if not text.isspace() and text:
                    yield number, _decoded(text, path, number)
    # A ValueError for a name with a null byte.
    except (OSError, ValueError) as error:
        raise RecordError(said("cannot be read: {fault}", fault=system_says(error)), path) from error


def _decoded(text: bytes, path: Path, number: int) -> object:
    if len(text) > _LONGEST_LINE_BYTES:
        raise RecordError(
            said("a line longer than {count} bytes is not part of a game record", count=_LONGEST_LINE_BYTES),
            path,
            number,
        )
    try:
        return json.loads(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(
            said("not {encoding} (byte {number} of the line)", encoding="UTF-8", number=error.start + 1), path, number
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecordError(
            said("not {encoding}: {fault}", encoding="JSON", fault=json_says(error)), path, number
        ) from error


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
    with closing(_decoded_lines(where)) as objects:
        line, header = _header(where, objects)
    return _codec_for(where, line, header, games)


def _codec_for(path: Path | None, line: int, header: object, games: Games) -> AnyCodec:
    try:
        return games.of_header(_object(header, "..."))
    except RecordError as error:
        # A ForeignGameError remains one.
        raise type(error)(error.reason, path, line) from error


def replay_record(path: str | os.PathLike[str], codec: Codec[SetupT, DecisionT, StateT]) -> Replayed[DecisionT, StateT]:
    """Replay a record to its end, or to the first malformed or illegal line; never raise a RecordError."""
    where = Path(path)
    with closing(_decoded_lines(where)) as objects:
        return _replayed(codec, where, objects)


def replay_objects(objects: Iterable[object], games: Games) -> tuple[AnyCodec, Replayed[Any, Any]]:
    """Replay a record whose lines are decoded already, as `replay_record` does, and return its game's codec with it.

    Raises:
        RecordError: its header names no known game.
    """
    numbered = list(enumerate(objects, start=1))
    codec = _codec_for(None, *_header(None, iter(numbered)), games)
    return codec, _replayed(codec, None, iter(numbered))


def _replayed(
    codec: Codec[SetupT, DecisionT, StateT], path: Path | None, objects: Iterator[tuple[int, object]]
) -> Replayed[DecisionT, StateT]:
    play: Play[SetupT, DecisionT, StateT] | None = None
    try:
        play = codec.begin(_setup(codec, path, objects))
        for line, obj in objects:
            _apply(codec, play, path, line, obj)
    except RecordError as error:
        return Replayed(play.state if play else None, play.decisions if play else (), error)
    return Replayed(play.state, play.decisions, None)


def _apply(
    codec: Codec[SetupT, DecisionT, StateT],
    play: Play[SetupT, DecisionT, StateT],
    path: Path | None,
    line: int,
    obj: object,
) -> None:
    decision = _decision(codec, path, line, obj)
    try:
        play.apply(decision)
    except codec.errors as error:
        raise RecordError(said("illegal: {fault}", fault=codec.reason(error)), path, line) from error


def _decision(codec: Codec[SetupT, DecisionT, StateT], path: Path | None, line: int, obj: object) -> DecisionT:
    try:
        return codec.decision_from_json(obj)
    except codec.errors as error:
        raise RecordError(codec.reason(error), path, line) from error


def _setup(codec: Codec[SetupT, DecisionT, StateT], path: Path | None, objects: Iterator[tuple[int, object]]) -> SetupT:
    line, header = _header(path, objects)
    try:
        return codec.setup_from_json(header)
    except RecordError as error:
        raise RecordError(error.reason, path, line) from error
    except codec.errors as error:
        raise RecordError(codec.reason(error), path, line) from error


def _header(path: Path | None, objects: Iterator[tuple[int, object]]) -> tuple[int, object]:
    """Return the first line of a record, and its number."""
    found = next(objects, None)
    if found is None:
        raise RecordError(said("empty: a game record begins with a header"), path)
    return found


def header_of(header: object, game: str) -> dict[str, Any]:
    """Return the header of a record, checked as far as those of all games are the same.

    Raises:
        RecordError: it is no header of format 1, or one of another game; without a file and a line.
    """
    found = _object(header, game)
    # True equals 1, and is no format.
    if type(found.get("format")) is not int or found["format"] != FORMAT:
        raise RecordError.said("{key} must be {value}: a newer companion may read others", key='"format"', value=FORMAT)
    if found.get("game") != game:
        raise RecordError.said("{key} must be {value}", key='"game"', value=f'"{game}"')
    return found


def _object(header: object, game: str) -> dict[str, Any]:
    if not isinstance(header, dict):
        example = f'{{"format": {FORMAT}, "game": "{game}", ...}}'
        raise RecordError.said("the header must be an object such as {example}", example=example)
    return header


def record_lines(
    setup: SetupT, decisions: Iterable[DecisionT], codec: Codec[SetupT, DecisionT, StateT]
) -> Iterator[str]:
    """Yield the lines of a record, without their line ends."""
    yield json.dumps(codec.setup_to_json(setup), ensure_ascii=False)
    for decision in decisions:
        yield json.dumps(codec.decision_to_json(decision), ensure_ascii=False)


def write_lines(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write a record completely or not at all, replacing an existing file; it is synced to disk when this returns.

    Raises:
        RecordError: if it cannot be written.
    """
    target = Path(path)
    try:
        # A link remains one: the file that it points to is replaced.
        resolved = Path(os.path.realpath(target))
        if resolved.exists() and not resolved.is_file():
            raise RecordError(said("cannot be written: it exists and is not a file"), target)
        with as_owner_of(resolved.parent):
            durable.write_whole(resolved, "".join(f"{line}\n" for line in lines).encode("utf-8"))
    # A ValueError for a name with a null byte.
    except (OSError, ValueError) as error:
        raise RecordError(said("cannot be written: {fault}", fault=system_says(error)), target) from error


def write_record(
    path: str | os.PathLike[str], setup: SetupT, decisions: Iterable[DecisionT], codec: Codec[SetupT, DecisionT, StateT]
) -> None:
    """Write a game as a record, as `write_lines` does."""
    write_lines(path, record_lines(setup, decisions, codec))

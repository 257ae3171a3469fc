"""`companion advise`: the best decision in a game that goes on, for players and for programs."""

import argparse
import gc
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from companion.cli.options import add_shared, terminal_language
from companion.errors import CompanionError
from companion.games.strategy import Advice, Considered, Level
from companion.languages import Language, Sentence, reason, render, said
from companion.play.game import UsageError
from companion.record import RecordError, Replayed, game_of, replay_objects, replay_record
from companion.registry import codecs, entry_named
from companion.terminal.output import put

# A longer time is a slip of the keyboard.
_LONGEST_S: Final = 3600.0
# In bytes; a whole game takes about 10 kB.
_LONGEST_LINE: Final = 1 << 20
# In a list for people.
_LISTED: Final = 5


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    parser.description = said("Say what a good player would decide next in a game that goes on.")
    parser.add_argument("record", type=Path, nargs="?", metavar="RECORD", help=said("a game record"))
    parser.add_argument("--json", action="store_true", help=said("print one JSON object"))
    parser.add_argument(
        "--lines",
        action="store_true",
        help=said("answer each line of standard input, a JSON object with a game record, with one line"),
    )
    parser.add_argument(
        "--time",
        type=_seconds,
        metavar="S",
        help=said("the seconds to think; without it, as long as the level needs on any machine"),
    )
    parser.add_argument(
        "--level",
        choices=[each.value for each in Level],
        default=Level.CHAMPION.value,
        metavar="LEVEL",
        help=said("how well to play: {names}", names=", ".join(Level)),
    )
    add_shared(parser, "--seed")
    parser.set_defaults(run=run)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _LONGEST_S:
        raise argparse.ArgumentTypeError(f"invalid seconds value: {text!r}")
    return seconds


def run(args: argparse.Namespace) -> int:
    """Advise on one record, or on one a line of standard input."""
    asked = _Asked(args.time, Level(args.level), args.seed, time.monotonic())
    if args.lines == (args.record is not None):
        raise UsageError.said("{command}: give a game record, or {option}", command="advise", option="--lines")
    # A search makes many values that live long, and no cycles: looking for those would take a sixth of the time.
    gc.disable()
    try:
        return _answer_lines(sys.stdin.buffer, asked) if args.lines else _answer_once(args, asked)
    finally:
        gc.enable()


def _answer_once(args: argparse.Namespace, asked: "_Asked") -> int:
    found = _advice_on(replay_record(args.record, codec := game_of(args.record, codecs())), codec.name, asked)
    put(json.dumps(found.to_json()) + "\n" if args.json else found.in_words(terminal_language(args)))
    return 0


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question: its arguments, of the command line or the line, and the time at which it came."""

    seconds: float | None
    level: Level
    seed: int | None
    since_s: float

    @property
    def left_s(self) -> float | None:
        """The seconds left for the answer; None for as many as the level needs."""
        return None if self.seconds is None else max(0.0, self.seconds - (time.monotonic() - self.since_s))


@dataclass(frozen=True, slots=True)
class _Found:
    """Advice on a state of a game."""

    advice: Advice[Any]
    state: Any
    to_line: Callable[[Any], dict[str, Any]]
    describe: Callable[[Any, Any], Sentence | str]

    def to_json(self) -> dict[str, Any]:
        """Return the answer for programs."""
        chosen = self.advice.chosen
        return {
            "decision": self.to_line(chosen.decision),
            "value": round(chosen.value, 4),
            "visits": self.advice.visits,
            "considered": [self._considered(each) for each in self.advice.considered],
        }

    def _considered(self, each: Considered[Any]) -> dict[str, Any]:
        return {"decision": self.to_line(each.decision), "value": round(each.value, 4), "visits": each.visits}

    def in_words(self, language: Language) -> str:
        """Return the answer for people: the decision, and the best of the others."""
        chosen = self.advice.chosen
        others = [each for each in self.advice.considered if each is not chosen]
        lines = [
            said(
                "{move}, with a winning chance of {percent} %",
                move=self.describe(each.decision, self.state),
                percent=round(100 * each.value),
            )
            for each in (chosen, *others[: _LISTED - 1])
        ]
        return "".join(f"{language.isolated(render(line, language))}\n" for line in lines)


def _advice_on(replayed: Replayed[Any, Any], game: str, asked: _Asked) -> _Found:
    """Return advice on the state at the end of a record.

    Raises:
        RecordError: the record is faulty.
        CompanionError: its game cannot be advised on.
    """
    if replayed.error is not None:
        raise replayed.error
    entry, state = entry_named(game), replayed.state
    assert state is not None  # noqa: S101  # A record without a fault has one.
    if entry.adviser is None:
        raise CompanionError.said("there is no advice on {game}", game=entry.title)
    if state.finished:
        raise CompanionError.said("the game has ended")
    adviser = entry.adviser()
    advice = adviser.advise(state, asked.level, random.Random(asked.seed), asked.left_s)
    return _Found(advice, state, entry.codec.decision_to_json, adviser.describe)


def _answer_lines(lines: Iterable[bytes], asked: _Asked) -> int:
    """Answer each line with one line, until the input ends."""
    for line in lines:
        if not line.strip():
            continue
        try:
            answer = _answer(line, asked)
        except (CompanionError, RecordError) as error:
            answer = {"error": reason(error)}
        put(json.dumps(answer) + "\n")
    return 0


class _Question(msgspec.Struct):
    """A line of standard input."""

    record: list[Any]
    time_s: Annotated[float, msgspec.Meta(gt=0, le=_LONGEST_S)] | None
    level: Level
    seed: int | None


def _answer(line: bytes, asked: _Asked) -> dict[str, Any]:
    since_s = time.monotonic()
    if len(line) > _LONGEST_LINE:
        raise CompanionError.said("a line has at most {count} bytes", count=_LONGEST_LINE)
    # What a line lacks counts as on the command line.
    usual = {"time_s": asked.seconds, "level": asked.level.value, "seed": asked.seed}
    try:
        question = msgspec.convert({**usual, **msgspec.json.decode(line, type=dict[str, Any])}, _Question)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise CompanionError(str(error)) from error
    codec, replayed = replay_objects(question.record, codecs())
    return _advice_on(replayed, codec.name, _Asked(question.time_s, question.level, question.seed, since_s)).to_json()

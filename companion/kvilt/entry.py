"""Kvilt's entry in the list of games, with its part of the command line and the score sheet that `replay` prints."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.config import Config
from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.state import Setup, State, Variant
from companion.kvilt.codec import KVILT as CODEC
from companion.kvilt.naming import PHASES, colour_word
from companion.kvilt.settings import USUAL_NAMES, KviltSettings
from companion.languages import ENGLISH, Language, Sentence, all_of, counted, reason, said
from companion.play.game import Adviser, GameCommands, GameEntry, UsageError
from companion.terminal.output import padded, text_width, words


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion play` that only Kvilt has."""
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help=said("Kvilt: number of players"))
    parser.add_argument(
        "--variant",
        action="append",
        choices=[variant.value for variant in Variant],
        help=said("Kvilt: a variant of the rulebook; may be given more than once"),
    )
    parser.add_argument(
        "--real-bag", action="store_true", help=said("Kvilt: draw pencils from a real bag and tell the companion")
    )


def configured(args: argparse.Namespace, config: Config) -> Config:
    """Return the configuration with the options of `companion play` applied.

    Raises:
        UsageError: no game can begin with these options.
    """
    kvilt = config.of(KviltSettings)
    if args.seats is not None:
        names = (*kvilt.players, *(name for name in USUAL_NAMES if name not in kvilt.players))[: args.seats]
        kvilt = replace(kvilt, players=names, first_seat=min(kvilt.first_seat, args.seats))
    if args.variant:
        kvilt = replace(kvilt, variants=tuple(args.variant))
    if args.real_bag:
        kvilt = replace(kvilt, bag="real")
    try:
        kvilt.check()
    except ValueError as error:
        raise UsageError(reason(error)) from error
    return config.with_game(kvilt)


def tempers(given: Sequence[str] | None, config: Config) -> tuple[str, ...]:
    """Return the tempers of the simulated players: one temper for all, or one a seat.

    Raises:
        UsageError: another number is given.
    """
    seats = len(config.of(KviltSettings).players)
    if given is not None and len(given) not in (1, seats):
        raise UsageError.said(
            "{command}: {option} takes one temper for all, or one for each of the {count} seats",
            command="play",
            option="--temper",
            count=seats,
        )
    return (config.simulation.temper[0],) if given is None else tuple(given)


def add_score_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion score` that only Kvilt has."""
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help=said("Kvilt: the sheet’s TOML file, for one of your own")
    )


_LABEL: Final = 14
_GAP: Final = 3
_LEAST_COLUMN: Final = 12


def kvilt_sheet(game: Mapping[str, Any], language: Language = ENGLISH) -> str:
    """Return the score sheet of a game, given its JSON summary: one column per seat; ends with an empty line.

    Empty if there are no seats.
    """
    seats = game["seats"]
    if not seats:
        return ""
    turned = any(seat["score"].get("negative") for seat in seats)
    columns = [_column(seat, language, turned=turned) for seat in seats]
    widths = [max(_LEAST_COLUMN, *map(text_width, column)) + _GAP for column in columns]
    labels = _labels(seats[0], turned=turned)
    broad = max(_LABEL, *(text_width(words(label, language)) + 1 for label in labels))
    lines = [
        padded(label, broad, language) + "".join(_right(text, width) for text, width in zip(texts, widths, strict=True))
        for label, *texts in zip(labels, *columns, strict=True)
    ]
    return "\n".join([*(line.rstrip() for line in lines), "", _closing(game).rendered(language), "", ""])


def _right(text: str, width: int) -> str:
    """Return text aligned right; names may contain characters that take two columns, or none."""
    return " " * (width - text_width(text)) + text


def _labels(seat: Mapping[str, Any], *, turned: bool) -> list[str]:
    rows = [said("row {number}", number=number) for number in range(1, len(seat["rows"]) + 1)]
    negative = [said("negative rows")] * turned
    sums = [said("spools"), said("buttons"), *negative, said("total"), "", said("best row")]
    return ["", "", said("patches"), *rows, *sums]


def _column(seat: Mapping[str, Any], language: Language, *, turned: bool) -> list[str]:
    """Return a seat's column; rows that count negative are subtracted twice, because they are added above."""
    score, number = seat["score"], language.number
    rows = [_row(row, points, language) for row, points in zip(seat["rows"], score["rows"], strict=True)]
    taken = -2 * sum(score["rows"][row - 1] for row in score.get("negative", ()))
    return [
        f"{words(seat['name'], language)} ({number(seat['seat'])})",
        "",
        number(score["patches"]),
        *rows,
        number(score["spools"]),
        number(score["buttons"]),
        *[number(taken)] * turned,
        number(score["total"]),
        "",
        number(max(score["rows"])),
    ]


def _row(row: Mapping[str, Any], points: int, language: Language) -> str:
    coloured = said("{colour} {cells}", colour=colour_word(row["colour"]), cells=row["cells"]) if row["colour"] else ""
    return words(coloured, language) + _right(language.number(points), 5)


def _closing(game: Mapping[str, Any]) -> Sentence:
    names: Sequence[str] = [seat["name"] for seat in game["seats"]]
    made = game["round"]
    won = [names[seat - 1] for seat in game["winners"]]
    if len(won) > 1:
        return counted(
            "{names} share the victory after {count} round.",
            "{names} share the victory after {count} rounds.",
            made,
            names=all_of(won),
        )
    if won:
        return counted("{name} wins after {count} round.", "{name} wins after {count} rounds.", made, name=won[0])
    name, phase = names[game["turn"] - 1], PHASES.get(game["phase"], game["phase"])
    return said("Round {number}, {phase}: it is {name}’s turn.", number=made, phase=phase, name=name)


def _adviser() -> Adviser[State, Decision]:
    from companion.kvilt.advice import ADVISER  # noqa: PLC0415  # Few commands need advice.

    return ADVISER


KVILT_ENTRY: Final[GameEntry[Setup, Decision, State]] = GameEntry(
    title="Kvilt",
    codec=CODEC,
    settings=KviltSettings,
    adviser=_adviser,
    commands=GameCommands(
        score_sheet=kvilt_sheet,
        play_options={"--seats": "seats", "--variant": "variant", "--real-bag": "real_bag"},
        add_play_options=add_play_options,
        configured=configured,
        tempers=tempers,
        score_options={"--sheet": "sheet"},
        add_score_options=add_score_options,
    ),
)

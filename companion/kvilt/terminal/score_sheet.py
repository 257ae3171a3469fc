"""The score sheet that `replay` prints for people: the marks and points of all players' sheets of Kvilt."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.kvilt.naming import colour_word
from companion.languages import ENGLISH, Language, Sentence, all_of, counted, said
from companion.terminal.output import padded, text_width, words

_LABEL: Final = 14
_GAP: Final = 3
_LEAST_COLUMN: Final = 12
_PHASES: Final = {
    "scraps": said("scraps"),
    "pencils": said("pencils"),
    "neutral": said("neutral pincushion"),
    "colouring": said("colouring"),
    "counting": said("counting"),
}


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
    name, phase = names[game["turn"] - 1], _PHASES.get(game["phase"], game["phase"])
    return said("Round {number}, {phase}: it is {name}’s turn.", number=made, phase=phase, name=name)

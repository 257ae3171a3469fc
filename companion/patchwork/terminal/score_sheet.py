"""The score sheet that `replay` and `play` print for people: both quilts side by side and their scores."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.languages import ENGLISH, Language, Sentence, counted, said
from companion.terminal.output import padded, text_width, words

_LEAST_COLUMN: Final = 34
_GAP: Final = 6
_LEAST_LABEL: Final = 16
_POINTS: Final = 4
_COVERED, _EMPTY = "██", "· "


def score_sheet(game: Mapping[str, Any], language: Language = ENGLISH) -> str:
    """Return the score sheet of a game, given its JSON summary; ends with an empty line. Empty without seats."""
    seats = game["seats"]
    if not seats:
        return ""
    left, right = (_block(seat, language) for seat in seats)
    column = max(_LEAST_COLUMN, *(text_width(line) + _GAP for line in left))
    # Names may hold characters that take two columns, or none.
    rows = [(one + " " * (column - text_width(one)) + other).rstrip() for one, other in zip(left, right, strict=True)]
    return "\n".join([*rows, "", *(one.rendered(language) for one in _closing(game)), "", ""])


def _block(seat: Mapping[str, Any], language: Language) -> list[str]:
    empty = seat["empty"]
    heading = said("{name} (seat {seat})", name=seat["name"], seat=seat["seat"])
    return [
        words(heading, language),
        "",
        "   " + " ".join("ABCDEFGHI"),
        *(f"{language.number(number)}  {_row(row)}" for number, row in enumerate(seat["quilt"], start=1)),
        "",
        *sums(
            language,
            (said("buttons in hand"), seat["buttons"]),
            (said("7x7 tile"), 7 if seat["bonus"] else 0),
            (counted("{count} empty square", "{count} empty squares", empty), -2 * empty),
            (said("score"), seat["score"]),
        ),
        "",
        words(said("income {income}, at space {space}", income=seat["income"], space=seat["time"]), language),
    ]


def sums(language: Language, *lines: tuple[str, int | None], lacking: str = "") -> list[str]:
    """Return the summands, each with its points (a question mark if unknown), and a rule above the total.

    Args:
        language: of the reader.
        lines: what is added up and its points, the total last.
        lacking: what the total still lacks, said behind it; empty if nothing.
    """
    width = max(_LEAST_LABEL, *(text_width(words(what, language)) for what, _ in lines))
    written = [f"{padded(what, width, language)}  {_right(_points(points, language))}" for what, points in lines]
    total = f"{written[-1]} + {words(lacking, language)}" if lacking else written[-1]
    return [*written[:-1], "─" * (width + 2 + _POINTS), total]


def _points(points: int | None, language: Language) -> str:
    unknown = "؟" if language.leftward else "?"
    return unknown if points is None else language.number(points)


def _right(number: str) -> str:
    """Return text aligned right in its column; direction marks take no width."""
    return " " * (_POINTS - text_width(number)) + number


def _row(cells: str) -> str:
    return "".join(_COVERED if cell == "X" else _EMPTY for cell in cells).rstrip()


def _closing(game: Mapping[str, Any]) -> list[Sentence]:
    names: Sequence[str] = [seat["name"] for seat in game["seats"]]
    made = game["moves"]
    if game["winner"] is not None:
        return _won(names[game["winner"] - 1], {seat["score"] for seat in game["seats"]}, made)
    if game["turn"]:
        turn = counted(
            "It is {name}’s turn after {count} decision.",
            "It is {name}’s turn after {count} decisions.",
            made,
            name=names[game["turn"] - 1],
        )
        return [turn]
    return [counted("The game ended after {count} decision.", "The game ended after {count} decisions.", made)]


def _won(name: str, scores: set[int], made: int) -> list[Sentence]:
    if len(scores) > 1:
        return [counted("{name} wins after {count} decision.", "{name} wins after {count} decisions.", made, name=name)]
    return [
        counted("{name} wins the tie after {count} decision.", "{name} wins the tie after {count} decisions.", made,
                name=name),
        said(
            "{won} to {lost}: the order in which both reached the end of the time track decides.",
            won=max(scores),
            lost=min(scores),
        ),
    ]  # fmt: skip

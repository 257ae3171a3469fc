"""Answers by which users confirm or correct the seen circle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.errors import CompanionError
from companion.languages import said


class AnswerError(CompanionError):
    """Raised for an impossible answer about the circle; the message is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class PlaceIs:
    """The answer that a patch lies in a place, counted from 1; None means that no patch of the game does."""

    place: int
    patch: str | None


@dataclass(frozen=True, slots=True)
class PlaceRight:
    """The answer that a place, counted from 1, was seen correctly."""

    place: int


@dataclass(frozen=True, slots=True)
class LiesBehind:
    """The answer that an unseen patch lies clockwise behind a place, and behind earlier answers for it."""

    place: int
    patch: str


@dataclass(frozen=True, slots=True)
class RunsSo:
    """The answer that the pieces of an unclear stretch follow one another in one of its possible orders.

    Attributes:
        place: the first place of the stretch, counted from 1.
        way: the index of the order in `ways`, from 0; 0 is the order as it was seen.
    """

    place: int
    way: int


@dataclass(frozen=True, slots=True)
class AllRight:
    """The answer that all places were seen correctly."""


CircleAnswer: TypeAlias = PlaceIs | PlaceRight | LiesBehind | RunsSo | AllRight
WAY_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
"""The letters that denote the orders of a stretch at a terminal, in sequence."""
_MOST_DIGITS: Final = 4
"""The most digits of a place's number: `int` refuses thousands of them with an error of its own."""


def parse_answer(line: str) -> CircleAnswer:
    """Parse a line typed at a terminal: `7 tee`, `7 none`, `7 ok`, `7+ tee`, `7 b` or `ok`.

    Raises:
        AnswerError: the line has none of these forms.
    """
    words = line.lower().split()
    if words == ["ok"]:
        return AllRight()
    number = words[0].removesuffix("+") if words else ""
    if len(words) != 2 or not (number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS):
        raise AnswerError(
            said(
                'Say "{place}" for what lies there, "{behind}" for a patch that lies behind it, "ok" if all is right.',
                place="7 tee",
                behind="7+ tee",
            )
        )
    return _parse_place(int(number), words[1], behind=words[0].endswith("+"))


def _parse_place(place: int, word: str, *, behind: bool) -> CircleAnswer:
    if behind:
        return LiesBehind(place, word)
    if word == "ok":
        return PlaceRight(place)
    if len(word) == 1 and word in WAY_LETTERS:
        return RunsSo(place, WAY_LETTERS.index(word))
    return PlaceIs(place, None if word == "none" else word)

"""Lists in running text, joined by the rules of each language."""

from collections.abc import Sequence
from functools import reduce

from companion.languages.sentence import Sentence, said


def all_of(words: Sequence[str]) -> str:
    """Return "one", "one and another", or "one, another and a third".

    Raises:
        ValueError: if there is nothing to join.
    """
    first, last = _split(words)
    return last if first is None else said("{first} and {last}", first=first, last=last)


def any_of(words: Sequence[str]) -> str:
    """Return "one", "one or another", or "one, another or a third".

    Raises:
        ValueError: if there is nothing to join.
    """
    first, last = _split(words)
    return last if first is None else said("{first} or {last}", first=first, last=last)


def listed(words: Sequence[str]) -> str:
    """Return the words joined by commas.

    Raises:
        ValueError: if there is nothing to join.
    """
    if not words:
        raise ValueError("there is nothing to list")
    # By twos, so that the comma is part of a message, as languages have commas of their own.
    return reduce(_comma, words)


def in_turn(sentences: Sequence[str]) -> str:
    """Return whole sentences joined one after the other.

    Raises:
        ValueError: if there is nothing to join.
    """
    if not sentences:
        raise ValueError("there is nothing to list")
    return reduce(lambda first, following: said("{first} {next}", first=first, next=following), sentences)


def _split(words: Sequence[str]) -> tuple[str | None, str]:
    """Return all words but the last, joined, or None if there is only one; and the last word."""
    if not words:
        raise ValueError("there is nothing to list")
    return listed(words[:-1]) if len(words) > 1 else None, words[-1]


def _comma(first: str, following: str) -> Sentence:
    return said("{first}, {next}", first=first, next=following)

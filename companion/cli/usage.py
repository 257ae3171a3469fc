"""A command line that cannot be understood is told of in one line, in the language of the terminal."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING, Final, NoReturn

from companion.cli.errors import EXIT_BAD_INPUT, one_line
from companion.languages import language_of_environment, said, tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.languages import Sentence


class Parser(argparse.ArgumentParser):
    """A parser of the command line, or of one command's."""

    def error(self, message: str) -> NoReturn:
        """End the program with status 2, after one line that says what was wrong and where to read on."""
        told = said("{fault}; see {command} --help", fault=in_words(message), command=self.prog)
        self.exit(EXIT_BAD_INPUT, one_line(tell(told, language_of_environment(os.environ))) + "\n")


def in_words(message: str) -> Sentence | str:
    """What argparse says in English, as a sentence that can be told in every language; else as it is."""
    for pattern, sentence in _FAULTS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return sentence(**found.groupdict())
    return message


def _of_argument(option: str, fault: str) -> Sentence:
    return said("argument {option}: {fault}", option=option, fault=in_words(fault))


# As Python 3.11 to 3.13 word them; the last two are this program's own.
_FAULTS: Final[tuple[tuple[str, Callable[..., Sentence]], ...]] = (
    (r"argument (?P<option>\S+): (?P<fault>.+)", _of_argument),
    ("unrecognized arguments: (?P<words>.+)", lambda words: said("unrecognized arguments: {words}", words=words)),
    (
        "the following arguments are required: (?P<names>.+)",
        lambda names: said("the following arguments are required: {names}", names=names),
    ),
    (
        r"one of the arguments (?P<names>.+) is required",
        lambda names: said("one of the arguments {names} is required", names=names),
    ),
    (
        r"invalid choice: (?P<value>.+?) \(choose from (?P<choices>.+)\)",
        lambda value, choices: said("invalid choice: {value} (choose from {choices})", value=value, choices=choices),
    ),
    (r"invalid \S+ value: (?P<value>.+)", lambda value: said("invalid value: {value}", value=value)),
    ("expected one argument", lambda: said("expected one argument")),
    ("expected at least one argument", lambda: said("expected at least one argument")),
    (
        r"not allowed with argument (?P<other>\S+)",
        lambda other: said("not allowed with argument {other}", other=other),
    ),
    (
        r"ambiguous option: (?P<option>\S+) could match (?P<matches>.+)",
        lambda option, matches: said(
            "ambiguous option: {option} could match {matches}", option=option, matches=matches
        ),
    ),
    (
        r"must be a port up to (?P<most>\d+), is (?P<value>.+)",
        lambda most, value: said("must be a port up to {most}, is {value}", most=most, value=value),
    ),
    (
        r"must be a whole number from (?P<least>\d+), is (?P<value>.+)",
        lambda least, value: said("must be a whole number from {least}, is {value}", least=least, value=value),
    ),
)

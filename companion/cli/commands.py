"""The command line: its commands, each imported only to be carried out, and help and errors in the user's language."""

import argparse
import difflib
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any, Final, NoReturn, cast

from companion import __version__
from companion.errors import CompanionError
from companion.languages import LANGUAGES, Language, Sentence, language_of_environment, render, said
from companion.terminal.output import EXIT_BAD_INPUT, one_line, wrapped

# How similar an option must be to be suggested: one slip of the fingers.
_NEAR: Final = 0.75
PROGRAM: Final = "companion"
"""The program's name on the command line."""
# The lines of a help text that list commands.
_LISTED: Final = argparse._SubParsersAction._ChoicesPseudoAction
# A shorter abbreviation could mean another option, such as `--lens`.
_LEAST_OPTION: Final = len("--la")


class Parser(argparse.ArgumentParser):
    """An argument parser whose help and errors are in the language of the terminal.

    The language is that of `--language` if given, else that of the environment; the configuration is not read for it.
    """

    _language: Language | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._positionals.title = said("positional arguments")
        self._optionals.title = said("options")
        for action in self._actions:
            if isinstance(action, argparse._HelpAction):
                action.help = said("show this help message and exit")

    @property
    def language(self) -> Language:
        """The terminal user's language."""
        return self._language or language_of_environment(os.environ)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """See argparse; later output is in the language that these arguments name.

        Unknown arguments of a command end the program here, where the command is still known.
        """
        # Before parsing, whose errors and help are to be in this language.
        self._language = _asked_for(sys.argv[1:] if args is None else args)
        known, unknown = super().parse_known_args(args, namespace)
        # argparse itself reports them only at the main command, whose help does not list the command's options.
        if unknown:
            self.error(self._unrecognized(unknown))
        return known, unknown

    def _unrecognized(self, words: Sequence[str]) -> Sentence | str:
        near = difflib.get_close_matches(words[0], self._option_string_actions, n=1, cutoff=_NEAR)
        if near:
            return said("unknown option {option} (did you mean {name}?)", option=words[0], name=near[0])
        return f"unrecognized arguments: {' '.join(words)}"

    def error(self, message: str) -> NoReturn:
        """Print one line with the error and the help command to read, and exit with status 2."""
        line = said("{fault}; see {command} --help", fault=in_words(message), command=self.prog)
        self.exit(EXIT_BAD_INPUT, one_line(line, self.language) + "\n")

    def _get_formatter(self) -> argparse.HelpFormatter:
        return _HelpFormatter(self.prog, self.language)


class _HelpFormatter(argparse.HelpFormatter):
    """A formatter of help in one language, in the terminal's columns; options and metavariables are not translated.

    Args:
        prog: the command that the help is for.
        language: of the reader.
    """

    def __init__(self, prog: str, language: Language) -> None:
        super().__init__(prog)
        self._reader = language
        is_main = prog == PROGRAM
        self._headings = {commands[0].name: heading for heading, commands in COMMAND_GROUPS} if is_main else {}

    def start_section(self, heading: str | None) -> None:
        """See argparse."""
        super().start_section(None if heading is None else render(heading, self._reader))

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """See argparse."""
        super().add_usage(
            usage, actions, groups, render(said("usage:"), self._reader) + " " if prefix is None else prefix
        )

    def add_text(self, text: str | None) -> None:
        """See argparse."""
        super().add_text(None if text is None else render(text, self._reader))

    def _format_action(self, action: argparse.Action) -> str:
        heading = self._headings.get(action.dest) if isinstance(action, _LISTED) else None
        above = "" if heading is None else f"\n{' ' * self._current_indent}{render(heading, self._reader)}:\n"
        return above + super()._format_action(action)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return None if action.help is None else render(action.help, self._reader)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width, self._reader)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrapped(text, width - len(indent), self._reader))


def _asked_for(line: Sequence[str]) -> Language | None:
    """Return the language that `--language`, possibly abbreviated, names on the command line, or None."""
    for word, following in pairwise([*line, ""]):
        option, _, value = word.partition("=")
        if len(option) >= _LEAST_OPTION and "--language".startswith(option):
            return LANGUAGES.get(value or following)
    return None


class Elsewhere(argparse.Action):
    """An option of another command; using it here ends the program with a pointer to that command.

    Args:
        says: the sentence that names the other command.
    """

    def __init__(self, option_strings: Sequence[str], dest: str, says: Sentence) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        self._says = says

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Exit with the sentence as the error."""
        parser.error(self._says)


def in_words(message: str) -> Sentence | str:
    """Return the translatable sentence for one of argparse's messages, or the message itself if none is known."""
    # argparse has no codes for its errors, only texts.
    for pattern, sentence in _FAULTS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return sentence(**found.groupdict())
    return message


def _of_argument(option: str, fault: str) -> Sentence:
    return said("argument {option}: {fault}", option=option, fault=in_words(fault))


def _no_choice(value: str, choices: str) -> Sentence:
    # Versions of Python differ in whether they print the choices with quotation marks.
    known = [each.strip().strip("'") for each in choices.split(",")]
    near = difflib.get_close_matches(value.strip("'"), known, n=1)
    if near:
        return said("invalid choice: {value} (did you mean {name}?)", value=value, name=near[0])
    return said("invalid choice: {value} (choose from {choices})", value=value, choices=", ".join(known))


# The wording of Python 3.11 to 3.14; the last two are this program's own.
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
    (r"invalid choice: (?P<value>.+?)(, maybe you meant .+?)? \(choose from (?P<choices>.+)\)", _no_choice),
    (r"invalid \S+ value: (?P<value>.+)", lambda value: said("invalid value: {value}", value=value)),
    ("expected one argument", lambda: said("expected one argument")),
    ("expected at least one argument", lambda: said("expected at least one argument")),
    (r"not allowed with argument (?P<other>\S+)", lambda other: said("not allowed with argument {other}", other=other)),
    (
        r"ambiguous option: (?P<option>\S+) could match (?P<matches>.+)",
        lambda option, matches: said(
            "ambiguous option: {option} could match {matches}", option=option, matches=matches
        ),
    ),
    (
        r"must be a port up to (?P<most>\d+), not (?P<value>.+)",
        lambda most, value: said("must be a port up to {most}, not {value}", most=most, value=value),
    ),
    (
        r"must be a whole number, (?P<least>\d+) or more, not (?P<value>.+)",
        lambda least, value: said("must be a whole number, {least} or more, not {value}", least=least, value=value),
    ),
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command.

    Attributes:
        name: the name, as typed.
        module: its module's name in this package.
        summary: its line in the list of commands.
        adds: the module's function that adds description and options to the command's parser, which sets `run` to the
            function that carries out the command.
    """

    name: str
    module: str
    summary: Sentence
    adds: str = "add_options"


DEFAULT_COMMAND: Final = "home"
"""The command that is carried out where none is typed."""
COMMAND_GROUPS: Final = (
    (
        said("Play and watch"),
        (
            Command("home", "home", said("open the home in a browser; the same as no command")),
            Command("play", "play", said("play a game; the computer keeps score")),
            Command("replay", "replay", said("replay game records or table recordings")),
            Command("advise", "advise", said("say what to decide next in a game that goes on")),
        ),
    ),
    (
        said("Photographs and past games"),
        (
            Command("score", "score", said("count the final score in a photograph")),
            Command("market", "market", said("read the circle of patches in a photograph")),
            Command("games", "games", said("list the games that were played")),
        ),
    ),
    (
        said("A table of your own"),
        (
            Command(
                "print", "printing", said("write the mats, the lens chart, the labels or a sheet of Kvilt as a PDF")
            ),
            Command("camera", "camera", said("list the cameras, and say whether the boards would be read")),
            Command("photo", "photo", said("take a photograph with the camera over the table")),
            Command(
                "calibrate",
                "calibrate",
                said("measure the table: where the boards lie, what they look like, how the lens distorts"),
            ),
            Command("time-board", "describing", said("mark the spaces of a different time board")),
            Command(
                "kvilt",
                "describing",
                said("describe the score sheet of a boxed Kvilt so that the camera can read it"),
                "add_sheet_options",
            ),
            Command(
                "hardware-test", "hardware_test", said("test the buttons, the light strip and the camera, step by step")
            ),
            Command("controls", "controls", said("use the keys of a number pad, a remote or a pedal")),
            Command("lights-off", "controls", said("switch the strip off"), "add_lights_off_options"),
        ),
    ),
    (
        said("A machine that plays"),
        (
            Command("serve", "serve", said("play one game after another at the real table; the service runs this")),
            Command("install", "install", said("install or remove the service")),
            Command("update", "update", said("install another version; go back if it does not start")),
            Command("doctor", "doctor", said("check this machine for problems")),
            Command("report", "report", said("pack what a bug report needs into one file")),
            Command("config", "config", said("print the effective configuration")),
            Command("backup", "backup", said("save games, calibrations and the configuration in one file")),
            Command("restore", "backup", said("restore a backup"), "add_restore_options"),
            Command("privacy", "privacy", said("list or delete the data stored about players")),
        ),
    ),
    (
        said("A club"),
        (
            Command("hall", "hall", said("collect the games of all tables in a club and serve a page about them")),
            Command("join", "join", said("connect this table to a club’s hall with a code")),
        ),
    ),
)
"""The commands under their headings, in the order of the help."""
COMMANDS: Final = tuple(command for _, commands in COMMAND_GROUPS for command in commands)


def with_command(line: Sequence[str]) -> list[str]:
    """Return a command line with the default command, if it names none and asks for no help."""
    asks = {"-h", "--help", "--version"}.intersection(line)
    names_none = not line or line[0].startswith("-")
    return [DEFAULT_COMMAND, *line] if names_none and not asks else list(line)


def build_parser(line: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser of the command line; parsing sets `run` to the function to call.

    Args:
        line: the arguments that will be parsed. Commands other than theirs are only listed, because their imports take
            longer than some other commands take to run. None for all commands.
    """
    parser: argparse.ArgumentParser = Parser(
        prog=PROGRAM,
        description=said("Keeps score while people play the board games Patchwork and Kvilt under a camera."),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"quilt-companion {__version__}",
        help=said("show program’s version number and exit"),
    )
    chosen = None if line is None else next((word for word in line if not word.startswith("-")), "")
    # Commands that are only listed share a parser, which is never used: one for each would take most of the time.
    listed = Parser()

    def made(**kwargs: Any) -> Parser:
        # The last word of `prog` is the command's name.
        return Parser(**kwargs) if chosen is None or kwargs["prog"].split()[-1] == chosen else listed

    subparsers = parser.add_subparsers(
        title=said("commands"), metavar="COMMAND", required=True, parser_class=cast("type[Parser]", made)
    )
    for command in COMMANDS:
        own = subparsers.add_parser(command.name, help=command.summary)
        if chosen in (None, command.name):
            getattr(import_module(f"companion.cli.{command.module}"), command.adds)(own)
    return parser


def user_errors() -> tuple[type[Exception], ...]:
    """Return the base classes of errors whose message tells the user what to do; others are faults of the program."""
    # Most lines meet no error.
    from companion.record import RecordError  # noqa: PLC0415
    from hardware.ports import HardwareError  # noqa: PLC0415

    return (CompanionError, RecordError, HardwareError)

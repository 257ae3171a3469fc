"""Options that several commands share, and the configuration, language and folders that they select."""

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.config import SIMULATED_TABLES, Config
from companion.config.text import data_folder, find_config
from companion.configuration import load_config
from companion.errors import CompanionError
from companion.languages import LANGUAGES, Language, Sentence, language_of_environment, said


def seed_number(text: str) -> int:
    """Return a whole number from 0."""
    return _whole(text, 0)


def positive_number(text: str) -> int:
    """Return a whole number from 1; a greater one than the journal's queries accept counts as the greatest of them."""
    return min(_whole(text, 1), (1 << 63) - 1)


def port_number(text: str) -> int:
    """Return a port, or 0 for any free one."""
    number = _whole(text, 0)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"must be a port up to 65535, not {text!r}")
    return number


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        # Both faults have the same message.
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"must be a whole number, {least} or more, not {text!r}")
    return number


def _folder(text: str) -> Path:
    # Without a name, as of a variable that is not set, it would be the working folder with all that lies there.
    if not text:
        raise ValueError(text)
    return Path(text)


# Suppressed, so that an action's parser does not overwrite with its default what was given before the action.
_GIVEN_ONLY: Final = argparse.SUPPRESS
_SHARED: Final[dict[str, dict[str, Any]]] = {
    "--config": {"type": Path, "metavar": "FILE", "default": _GIVEN_ONLY, "help": said("the configuration to use")},
    "--data": {
        "type": _folder,
        "metavar": "FOLDER",
        "default": _GIVEN_ONLY,
        "help": said("the folder of the games, for this run only"),
    },
    "--language": {
        "choices": tuple(LANGUAGES),
        "default": _GIVEN_ONLY,
        "help": said("the language of the output, for this run only"),
    },
    "--table": {
        "choices": SIMULATED_TABLES,
        "metavar": "TABLE",
        "help": said("the simulated table to use: {names}", names=", ".join(SIMULATED_TABLES)),
    },
    "--seed": {"type": seed_number, "metavar": "N", "help": said("the seed of everything random")},
    "--port": {"type": port_number, "metavar": "N", "help": said("the page’s port")},
    "--host": {
        "metavar": "ADDRESS",
        "help": said("the address that the page listens at; makes it reachable from that network"),
    },
}


def add_shared(parser: argparse.ArgumentParser, *options: str) -> None:
    """Add options that several commands share, by their names."""
    for option in options:
        parser.add_argument(option, **_SHARED[option])


def game_option(parser: argparse.ArgumentParser, says: Sentence) -> None:
    """Add `--game`; `says` is its help text."""
    from companion.registry import entries  # noqa: PLC0415  # Not every command is about games.

    names = tuple(entry.name for entry in entries())
    parser.add_argument("--game", choices=names, default=names[0], help=says)


def config_path(args: argparse.Namespace) -> Path | None:
    """Return the configuration's file: the one given by `--config`, else the one in its default place, or None."""
    path: Path | None = getattr(args, "config", None)
    return path if path is not None else find_config(os.environ)


def config_of(args: argparse.Namespace) -> Config:
    """Return the effective configuration, with the simulated table given by `--table`, if any.

    Raises:
        ConfigError: the file cannot be used.
    """
    config, table = load_config(config_path(args)), getattr(args, "table", None)
    return config if table is None else replace(config, simulation=replace(config.simulation, table=table))


def language_of(args: argparse.Namespace, config: Config) -> Language:
    """Return the terminal user's language: the one given, the configured one, or that of the environment."""
    code: str | None = getattr(args, "language", None) or config.terminal.language
    return language_of_environment(os.environ) if code is None else LANGUAGES[code]


def terminal_language(args: argparse.Namespace) -> Language:
    """Return the terminal user's language, even if the configuration cannot be read."""
    try:
        return language_of(args, config_of(args))
    except CompanionError:
        # The error itself must be printed in some language.
        return language_of(args, Config())


def journal_path(args: argparse.Namespace, config: Config) -> Path:
    """Return the path of the journal's file."""
    from companion.journal import JOURNAL_NAME  # noqa: PLC0415  # Not every command keeps games.

    return data_folder(config, os.environ, getattr(args, "data", None)) / JOURNAL_NAME

"""`companion config`: print the effective configuration."""

import argparse

from companion.cli.options import Subparsers, config_of, config_option, config_path, language_of, language_option
from companion.configuration import config_text
from companion.languages import Sentence, render, said
from companion.terminal.output import put


def add_parser(subparsers: Subparsers, summary: Sentence) -> None:
    """Add the command's parser; `summary` is its line in the list of commands."""
    parser = subparsers.add_parser(
        "config",
        parents=[config_option(), language_option()],
        help=summary,
        description=said("Print the effective configuration as a commented TOML file that you can edit."),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the configuration and its origin."""
    config = config_of(args)
    path = config_path(args)
    origin = (
        said("These are the defaults: there is no configuration file.")
        if path is None
        else said("From {path}.", path=str(path))
    )
    language = language_of(args, config)
    put(f"# {render(origin, language)}\n\n{config_text(config, language)}")
    return 0

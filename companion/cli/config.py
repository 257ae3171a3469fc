"""`companion config`: print the effective configuration."""

import argparse

from companion.cli.options import add_shared, config_of, config_path, language_of
from companion.configuration import config_text
from companion.languages import render, said
from companion.terminal.output import put


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_shared(parser, "--config", "--language")
    parser.description = said("Print the effective configuration as a commented TOML file that you can edit.")
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

"""The configuration of this program, with the sections of its games and of installed ones.

It loads each game's settings alone, not the games, so that every command can read the configuration.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion import config as files
from companion.config import Config, GameSections
from companion.kvilt.settings import KviltSettings
from companion.languages import ENGLISH, Language
from companion.patchwork.settings import PatchworkSettings
from companion.settings import GameSettings


def _installed() -> Iterator[type[GameSettings]]:
    from companion.registry import games  # noqa: PLC0415  # It loads the games, and looks for installed ones.

    yield from (game.settings for game in games() if game.settings is not None)


SECTIONS: Final = GameSections((PatchworkSettings, KviltSettings), _installed)


def load_config(path: Path | None) -> Config:
    """Return the configuration in a file; the defaults for None.

    Raises:
        ConfigError: the file cannot be read or used; the message names the file, and section and key if known.
    """
    return files.load_config(path, SECTIONS)


def parse_config(text: str, source: str) -> Config:
    """Return the configuration in a text; `source` names it in errors.

    Raises:
        ConfigError: as `load_config`.
    """
    return files.parse_config(text, source, SECTIONS)


def config_text(config: Config, language: Language = ENGLISH) -> str:
    """Return the configuration as TOML with comments in a language; parsing it gives the same configuration."""
    return files.config_text(config, SECTIONS, language)

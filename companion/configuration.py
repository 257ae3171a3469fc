"""The configuration of this program, with the sections of its games and of installed ones.

It loads each game's settings alone, not the games, so that every command can read the configuration.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from companion.config import text
from companion.config.text import GameSections
from companion.kvilt.settings import KviltSettings
from companion.patchwork.settings import PatchworkSettings
from companion.settings import GameSettings


def _installed() -> Iterator[type[GameSettings]]:
    from companion.registry import entries  # noqa: PLC0415  # It loads the games, and looks for installed ones.

    yield from (entry.settings for entry in entries() if entry.settings is not None)


SECTIONS: Final = GameSections((PatchworkSettings, KviltSettings), _installed)
load_config = partial(text.load_config, games=SECTIONS)
parse_config = partial(text.parse_config, games=SECTIONS)
config_text = partial(text.config_text, games=SECTIONS)

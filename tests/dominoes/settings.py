"""The section of dominoes in the configuration."""

from dataclasses import dataclass

from companion.languages import said
from companion.settings import Check, GameSettings, is_line, list_of, setting

_names: Check[tuple[str, str]] = list_of(is_line, said("two names"), 2, 2)


@dataclass(frozen=True, slots=True)
class DominoesSettings(GameSettings):
    """The players of dominoes."""

    section = "dominoes"
    title = said("Dominoes")

    players: tuple[str, str] = setting(("Anna", "Boris"), _names, said("The players."))

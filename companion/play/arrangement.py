"""The arrangement of a game: how it begins, as the players chose it in place of the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from companion.errors import CompanionError
from companion.languages import as_seen, is_plain, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.config import Config

LONGEST_NAME: Final = 40
"""Characters; as in the configuration."""


class ArrangementError(CompanionError):
    """Raised for an impossible arrangement; the message is a sentence for the user."""


class GameArrangement(Protocol):
    """The choices that a game begins with; each game has its own type."""

    game: ClassVar[str]
    """The game, as records name it."""

    def configured(self, config: Config, *, lies_there: bool) -> Config:
        """Return the configuration of a game that begins like this.

        Args:
            config: what holds for all else.
            lies_there: whether the game's material lies on the table even if it is unknown, as at a simulated
                one.

        Raises:
            ArrangementError: no game can begin like this.
        """


def check_names(names: Sequence[str], too_long: str) -> None:
    """Refuse names that cannot be told apart, shown or written.

    Args:
        names: of the players.
        too_long: the sentence for an empty or overlong name.

    Raises:
        ArrangementError: one cannot be, or two are the same.
    """
    if not all(name.strip() and is_plain(name) and len(name) <= LONGEST_NAME for name in names):
        raise ArrangementError(too_long)
    if len({as_seen(name).strip().casefold() for name in names}) < len(names):
        raise ArrangementError(said("The players need different names."))

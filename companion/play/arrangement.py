"""The arrangement of a game: its starting conditions, as the players chose them instead of the configuration's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from companion.errors import CompanionError
from companion.languages import as_seen, is_plain

if TYPE_CHECKING:
    from companion.config import Config

LONGEST_NAME: Final = 40
"""In characters; the same as in the configuration."""


class ArrangementError(CompanionError):
    """Raised for an impossible arrangement; the message is a sentence for the user."""


class GameArrangement(Protocol):
    """The choices made before a game begins; each game has its own type."""

    game: ClassVar[str]
    """The game's name in records."""

    def configured(self, config: Config, *, lies_there: bool) -> Config:
        """Return the configuration of a game with this arrangement.

        Args:
            config: the configuration for everything else.
            lies_there: whether the game's material is present on the table even if it is unknown, as at a simulated
                one.

        Raises:
            ArrangementError: no game can begin with it.
        """


def check_names(names: Sequence[str], too_long: str) -> None:
    """Check that names are distinguishable, printable and not too long.

    Args:
        names: the players' names.
        too_long: the sentence for an empty or overlong name.

    Raises:
        ArrangementError: a name is unusable, or two are the same.
    """
    if not all(name.strip() and is_plain(name) and len(name) <= LONGEST_NAME for name in names):
        raise ArrangementError(too_long)
    # Names that differ only in case, blanks or joiners look alike on the page and sound alike.
    if len({as_seen(name).strip().casefold() for name in names}) < len(names):
        raise ArrangementError.said("The players need different names.")

"""The arrangement of a game of Kvilt: the players' choices for it, which replace the configuration's values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from companion.config import Config
from companion.games.kvilt import Variant
from companion.kvilt.codec import KVILT
from companion.kvilt.settings import BAGS, KviltSettings
from companion.languages import reason, said
from companion.play.arrangement import LONGEST_NAME, ArrangementError, check_names

SEATS: Final = (2, 3, 4)
"""The possible numbers of players (rulebook, first page)."""


@dataclass(frozen=True, slots=True)
class KviltArrangement:
    """The players, bag and variants with which a game of Kvilt begins.

    Attributes:
        players: the players' names, clockwise from seat 1.
        first_seat: the seat that begins.
        bag: the bag from which pencils are drawn: "virtual" or "real".
        variants: the rulebook's variants, by name.

    Raises:
        ArrangementError: no game can begin with this arrangement.
    """

    players: tuple[str, ...]
    first_seat: int = 1
    bag: str = "virtual"
    variants: tuple[str, ...] = ()
    game: ClassVar[str] = KVILT.name

    def __post_init__(self) -> None:
        """Raise ArrangementError if no game can begin with this arrangement."""
        if len(self.players) not in SEATS:
            raise ArrangementError(said("Kvilt is for two to four players."))
        check_names(self.players, said("All players need a name of at most {count} characters.", count=LONGEST_NAME))
        if not 1 <= self.first_seat <= len(self.players):
            raise ArrangementError(said("There is no player at the seat that is to start."))
        unknown = [name for name in (self.bag, *self.variants) if name not in (*BAGS, *Variant)]
        if unknown:
            raise ArrangementError(said("The game cannot start like this: {reason}.", reason=unknown[0]))
        if Variant.KVILTOMANIA in self.variants and len(self.players) != max(SEATS):
            raise ArrangementError(said("Kviltomania is for four players."))

    @classmethod
    def of(cls, config: Config) -> KviltArrangement:
        """Return the arrangement that the configuration describes.

        Args:
            config: the configuration.

        Raises:
            ArrangementError: no game can begin with that arrangement.
        """
        kvilt = config.of(KviltSettings)
        names = tuple(name.strip()[:LONGEST_NAME] for name in kvilt.players)
        return cls(names, kvilt.first_seat, kvilt.bag, kvilt.variants)

    def configured(self, config: Config, *, lies_there: bool) -> Config:
        """Return the configuration of a game that begins with this arrangement.

        Args:
            config: the configuration to take all other values from.
            lies_there: unused, because nothing of Kvilt lies on the table before the game begins.

        Raises:
            ArrangementError: the rules do not allow it.
        """
        del lies_there
        names = tuple(name.strip() for name in self.players)
        kvilt = replace(
            config.of(KviltSettings), players=names, first_seat=self.first_seat, bag=self.bag, variants=self.variants
        )
        try:
            kvilt.check()
        except ValueError as error:
            raise ArrangementError(said("The game cannot start like this: {reason}.", reason=reason(error))) from error
        return config.with_game(kvilt)

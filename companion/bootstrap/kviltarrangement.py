"""How a game of Kvilt is to begin, as people choose it away from the configuration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from companion.bootstrap.arrangement import LONGEST_NAME, ArrangementError
from companion.config import BAGS
from companion.games.kvilt import SetupError, SheetError, Variant
from companion.languages import reason, said
from companion.record import KVILT

if TYPE_CHECKING:
    from companion.config import Config

SEATS: Final = (2, 3, 4)
"""How many may play (rulebook, first page)."""


@dataclass(frozen=True, slots=True)
class KviltArrangement:
    """How a game of Kvilt is to begin.

    Attributes:
        players: their names, clockwise from seat 1.
        first_seat: who begins.
        bag: who draws the pencils: "virtual", or "real".
        variants: of the rulebook, by name.

    Raises:
        ArrangementError: no game can begin like this.
    """

    players: tuple[str, ...]
    first_seat: int = 1
    bag: str = "virtual"
    variants: tuple[str, ...] = ()
    game: ClassVar[str] = KVILT.name

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if len(self.players) not in SEATS:
            raise ArrangementError(said("Two to four play Kvilt."))
        if not all(name.strip() and name.isprintable() and len(name) <= LONGEST_NAME for name in self.players):
            raise ArrangementError(said("All players need a name of at most {count} characters.", count=LONGEST_NAME))
        if len({name.strip().casefold() for name in self.players}) < len(self.players):
            raise ArrangementError(said("The players need different names."))
        if not 1 <= self.first_seat <= len(self.players):
            raise ArrangementError(said("Nobody sits where the game is to begin."))
        unknown = [name for name in (self.bag, *self.variants) if name not in (*BAGS, *Variant)]
        if unknown:
            raise ArrangementError(said("No game can begin like this: {reason}.", reason=unknown[0]))
        if Variant.KVILTOMANIA in self.variants and len(self.players) != len(SEATS) + 1:
            raise ArrangementError(said("Kviltomania is for four players."))

    @classmethod
    def of(cls, config: Config) -> KviltArrangement:
        """What the configuration has, where nobody chooses anything else.

        Args:
            config: the configuration.

        Raises:
            ArrangementError: no game can begin like that.
        """
        kvilt = config.kvilt
        names = tuple(name.strip()[:LONGEST_NAME] for name in kvilt.players)
        return cls(names, kvilt.first_seat, kvilt.bag, kvilt.variants)

    def configured(self, config: Config, *, lies_there: bool) -> Config:
        """The configuration of a game that begins like this.

        Args:
            config: what holds for all else.
            lies_there: as for Patchwork; of Kvilt nothing lies on the table before it begins.

        Raises:
            ArrangementError: the rules do not have it.
        """
        del lies_there
        names = tuple(name.strip() for name in self.players)
        kvilt = replace(config.kvilt, players=names, first_seat=self.first_seat, bag=self.bag, variants=self.variants)
        try:
            kvilt.setup()
        except (SetupError, SheetError) as error:
            raise ArrangementError(said("No game can begin like this: {reason}.", reason=reason(error))) from error
        return replace(config, kvilt=kvilt)

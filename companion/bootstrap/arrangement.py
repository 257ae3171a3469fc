"""How a game is to begin, as people choose it away from the configuration, and what it makes of the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final

from companion.dealing import dealt_market
from companion.errors import CompanionError
from companion.games.patchwork import Edition, PatchworkError, RuleProfile
from companion.languages import reason, said
from companion.palette import COLOURS, USUAL
from companion.record import PATCHWORK

if TYPE_CHECKING:
    from companion.config import Config
    from companion.games.patchwork import Setup
    from companion.journal import Book

LONGEST_NAME: Final = 40
"""Characters; as in the configuration."""
_COLOURS_NOTE: Final = "colours"
_CIRCLE_NOTE: Final = "circle"


class Circle(StrEnum):
    """How the companion knows the circle of patches that lies on the table.

    DEALT: it is told. SEEN: it looks, before the first move. UNKNOWN: it does not know it, and any patch still in the
    box may be bought.
    """

    DEALT = "dealt"
    SEEN = "seen"
    UNKNOWN = "unknown"


class ArrangementError(CompanionError):
    """No game can begin like this; the message is a sentence for whoever wanted it."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How a game is to begin.

    Attributes:
        players: the names of seat 1 and seat 2.
        colours: theirs, keys of `companion.palette.COLOURS`.
        first_seat: who begins, 1 or 2.
        edition: the printing of the time board.
        rules: the rule profile.
        circle: how the companion knows the circle of patches.
        market: the circle, clockwise from the neutral token; None where chance deals it, or nobody knows it.

    Raises:
        ArrangementError: no game can begin like this.
    """

    players: tuple[str, str]
    colours: tuple[str, str] = USUAL
    first_seat: int = 1
    edition: Edition = Edition.ORIGINAL
    rules: RuleProfile = RuleProfile.OFFICIAL
    circle: Circle = Circle.UNKNOWN
    market: tuple[str, ...] | None = None
    game: ClassVar[str] = PATCHWORK.name

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if not all(name.strip() and name.isprintable() and len(name) <= LONGEST_NAME for name in self.players):
            raise ArrangementError(said("Both players need a name of at most {count} characters.", count=LONGEST_NAME))
        if len({name.strip().casefold() for name in self.players}) < 2:
            raise ArrangementError(said("The players need different names."))
        if len({*self.colours}) < 2 or not COLOURS.keys() >= {*self.colours}:
            raise ArrangementError(said("The players need different colours."))

    @classmethod
    def of(cls, config: Config, circle: Circle) -> Arrangement:
        """What the configuration has, where nobody chooses anything else.

        Args:
            config: the configuration.
            circle: how the circle is known.

        Raises:
            ArrangementError: both players have one name there.
        """
        game = config.game
        return cls(game.players, game.colours or USUAL, game.first_seat, game.edition, game.rules, circle, game.market)

    def configured(self, config: Config, *, lies_there: bool) -> Config:
        """The configuration of a game that begins like this.

        Args:
            config: what holds for all else.
            lies_there: whether a circle lies on the table though nobody is told of it, as at a simulated one.

        Raises:
            ArrangementError: the circle cannot be.
        """
        dealt = self.circle is Circle.DEALT or lies_there
        market = (self.market or dealt_market()) if dealt else None
        game = replace(
            config.game,
            players=(self.players[0].strip(), self.players[1].strip()),
            colours=self.colours,
            first_seat=self.first_seat,
            edition=self.edition,
            rules=self.rules,
            market=market,
            circle="seen" if self.circle is Circle.SEEN else "unknown",
        )
        try:
            game.setup()
        except PatchworkError as error:
            raise ArrangementError(said("No game can begin like this: {reason}.", reason=reason(error))) from error
        return replace(config, game=game)


def circle_of(config: Config) -> Circle:
    """How the companion knows the circle at a real table."""
    if config.game.market is not None:
        return Circle.DEALT
    return Circle.SEEN if config.game.circle == "seen" else Circle.UNKNOWN


def note_table(book: Book, game_id: int, config: Config, told: Setup) -> None:
    """Remember beside a game what its setup does not say: the players' colours, and a circle that nobody was told of.

    Raises:
        JournalError: it cannot be written.
    """
    if config.game.colours is not None:
        book.note(game_id, _COLOURS_NOTE, " ".join(config.game.colours))
    if told.market is None and config.game.market is not None:
        book.note(game_id, _CIRCLE_NOTE, " ".join(config.game.market))


def colours_in(notes: Mapping[str, str]) -> tuple[str, str] | None:
    """The players' colours in a game's notes; None where nobody has chosen any."""
    names = notes.get(_COLOURS_NOTE, "").split()
    return (names[0], names[1]) if len(names) == 2 and COLOURS.keys() >= {*names} else None


def circle_in(notes: Mapping[str, str]) -> tuple[str, ...] | None:
    """The circle that lies on the table though nobody was told of it; None where there is none."""
    return tuple(notes[_CIRCLE_NOTE].split()) if _CIRCLE_NOTE in notes else None

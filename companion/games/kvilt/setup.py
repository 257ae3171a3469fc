"""The setup of a game of Kvilt: players, sheet, variants, and settings for open questions of the rulebook."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from unicodedata import category

from companion.games.kvilt.errors import SetupError
from companion.games.kvilt.sheet.files import own_sheet
from companion.games.kvilt.sheet.sheet import Sheet
from companion.languages import said, turns_text

CUSHION_HOLDS: Final = 3
# Control characters would break plain lines; lone surrogates cannot be encoded.
_UNPRINTABLE: Final = ("Cc", "Cs")


class Variant(StrEnum):
    """The rulebook's variants; both may be played together.

    ALL_COUNTED: two rows of every player count negative at the end. KVILTOMANIA: four players, one set of pencils less.
    """

    ALL_COUNTED = "all-counted"
    KVILTOMANIA = "kviltomania"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings for open questions of the rulebook; `docs/kvilt.md` gives the reasons for the defaults.

    Attributes:
        take_just_filled: a player who has placed a pencil may take only the pincushion that it went to.
        background_must: with the bonus colour the background must be coloured too, not only may.
        bonus_pencils_background: pencils from a bonus give a background too if they have the bonus colour.
        swap_again: a pencil got by an exchange may be exchanged again.
        later_backgrounds: a finished two-part embroidery also gives the backgrounds of cells coloured later this round.
        take_both_first: both pencils of a five-part embroidery are taken before the first is used.
        empty_row_counts: an empty row counts as 0 for the smallest row.
        same_rows_for_all: in "all counted" the first player picks the same two rows for all players.
    """

    take_just_filled: bool = False
    background_must: bool = False
    bonus_pencils_background: bool = True
    swap_again: bool = False
    later_backgrounds: bool = False
    take_both_first: bool = True
    empty_row_counts: bool = True
    same_rows_for_all: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices made before a game begins.

    Attributes:
        players: two to four names, clockwise from seat 1.
        first_seat: the seat that has the first-player token.
        sheet: the sheet that all players colour.
        variants: the variants in use.
        settings: the settings for open questions of the rulebook.
        simultaneous: whether all players colour at once instead of in turn from the first player.

    Raises:
        SetupError: if any of these is invalid.
    """

    players: tuple[str, ...] = ("Seat 1", "Seat 2")
    first_seat: int = 1
    sheet: Sheet = field(default_factory=own_sheet)
    variants: frozenset[Variant] = frozenset()
    settings: Settings = Settings()
    simultaneous: bool = False

    def __post_init__(self) -> None:
        """Validate the players, the first seat and the variants."""
        _check_players(self.players)
        if type(self.first_seat) is not int or not 1 <= self.first_seat <= len(self.players):
            raise SetupError(
                said("{key} must be a seat from {first} to {last}", key="first_seat", first=1, last=len(self.players))
            )
        if Variant.KVILTOMANIA in self.variants and len(self.players) != 4:
            raise SetupError(said("the variant {name} is for four players", name=Variant.KVILTOMANIA))

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.players)

    @property
    def cushions(self) -> int:
        """The number of pincushions: one more than players."""
        return self.seats + 1

    @property
    def sets(self) -> int:
        """The number of pencils of each colour."""
        return self.seats - (Variant.KVILTOMANIA in self.variants)

    def seats_from(self, seat: int) -> tuple[int, ...]:
        """Return all seats clockwise, starting with the given one."""
        return tuple((seat - 1 + step) % self.seats + 1 for step in range(self.seats))


def _check_players(players: Sequence[object]) -> None:
    if not isinstance(players, tuple) or not 2 <= len(players) <= 4:
        raise SetupError(said("{key} must be two to four names", key="players"))
    if not all(isinstance(name, str) and name.strip() for name in players):
        raise SetupError(said("{key} must be names, none of them empty", key="players"))
    names = [str(name) for name in players]
    if any(turns_text(name) or any(category(each) in _UNPRINTABLE for each in name) for name in names):
        raise SetupError(said("{key} must be names without control characters", key="players"))

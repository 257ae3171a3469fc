"""The choices open to a player now, as a list: `advance` shows the next, `confirm` takes the one on display.

Questions work in the same way, so three buttons are enough for everything in a round.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from companion.games.kvilt import Decision
    from companion.games.kvilt.sheet.sheet import Colour


class ChoiceTopic(StrEnum):
    """The subject of a choice.

    TOKEN: a scrap token. SHARE: draw a pencil, or take a pincushion. PLACE: where the drawn pencil goes. DRAWN: what
    came out of a real bag. SHEET: the sheet is coloured and laid under the camera. SWAP: what is exchanged. FETCH:
    where an embroidery's pencil comes from. ROWS: which rows count negative. DOUBT: how a region is coloured. TROUBLE:
    what is to be done about a sheet that the rules do not explain.
    """

    TOKEN = "token"  # noqa: S105 - a scrap token
    SHARE = "share"
    PLACE = "place"
    DRAWN = "drawn"
    SHEET = "sheet"
    SWAP = "swap"
    FETCH = "fetch"
    ROWS = "rows"
    DOUBT = "doubt"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Take:
    """Make a decision."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a pencil for the pincushions."""


@dataclass(frozen=True, slots=True)
class Drew:
    """Report that this pencil came out of the real bag."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Exchange:
    """Give these pencils for as many blind ones."""

    given: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class FetchBlind:
    """Take a pencil out of the bag for an embroidery."""


@dataclass(frozen=True, slots=True)
class LookAtSheet:
    """Look at the sheet: the colouring is done, or it has come to where the bag is wanted."""

    wants_bag: bool = False


@dataclass(frozen=True, slots=True)
class Tell:
    """Report the colour of a region, None for white."""

    region: str
    colour: Colour | None


@dataclass(frozen=True, slots=True)
class LetGo:
    """Go on without the marks that are not explained."""


@dataclass(frozen=True, slots=True)
class NothingLies:
    """Go on with the sheet as it is seen: nothing lies on it, or it cannot be taken away."""


Action: TypeAlias = Take | Draw | Drew | Exchange | FetchBlind | LookAtSheet | Tell | LetGo | NothingLies


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose.

    Attributes:
        kind: what it is, in a word.
        action: what is done when it is taken.
        says: it in the players' words.
        colours: the pencils that it concerns.
        numbers: the pincushion or the rows that it is about, from 1.
    """

    kind: str
    action: Action
    says: str
    colours: tuple[Colour, ...] = ()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A list of options for a player.

    Attributes:
        asks: the topic.
        seat: the seat that chooses.
        options: the options; at least one.
        says: the question in the players' words.
        regions: names of the regions of the seat's sheet that it is about; may be empty.
        frame: the name of the frame that caused it; empty if none did.
        drawn: the drawn pencil to be placed; None if there is none.
    """

    asks: ChoiceTopic
    seat: int
    options: tuple[Option, ...]
    says: str
    regions: tuple[str, ...] = ()
    frame: str = ""
    drawn: Colour | None = None

    @property
    def doubts(self) -> bool:
        """True if it was caused by a look, not by the game."""
        return self.asks in (ChoiceTopic.DOUBT, ChoiceTopic.TROUBLE)


@dataclass(frozen=True, slots=True)
class SheetComplaint:
    """A fault of a sheet: the rules do not allow it, or it cannot be read.

    Attributes:
        codes: the kinds: the rules' codes, or "unseen" (the sheet is not to be read), "nothing" (no new mark), "owner"
            (it is another seat's), "covered" (something lies on it), "no-bag" (nothing is due for which the bag is
            wanted), "early" (it was due before some of the marks).
        seat: the seat to move.
        regions: names of the regions that it is about; may be empty.
        says: the sentence the players read.
        frame: the name of the frame that caused it.
    """

    codes: tuple[str, ...]
    seat: int
    regions: tuple[str, ...]
    says: str
    frame: str

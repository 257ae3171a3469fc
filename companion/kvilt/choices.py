"""The choices open to a player, as a list: `advance` shows the next option, `confirm` takes the one on display.

Questions work in the same way, so that three push-buttons are enough for everything in a round.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from companion.games.kvilt.decisions import Decision
from companion.games.kvilt.sheet import Colour


class ChoiceTopic(StrEnum):
    """The subject of a choice.

    TOKEN: a scrap token. SHARE: draw a pencil, or take a pincushion. PLACE: the pincushion for the drawn pencil. DRAWN:
    the pencil drawn from a real bag. SHEET: the sheet is coloured and laid under the camera. SWAP: the pencils to
    exchange. FETCH: the source of an embroidery's pencil. ROWS: the rows that count negative. DOUBT: the colour of a
    region. TROUBLE: the remedy for a sheet that the rules do not explain. TAKE_BACK: whether the other players let a
    draw be taken back.
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
    TAKE_BACK = "take-back"


@dataclass(frozen=True, slots=True)
class Take:
    """Make a decision."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a pencil for the pincushions."""


@dataclass(frozen=True, slots=True)
class ReportDraw:
    """Report the pencil drawn from a real bag."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchange these pencils for as many blind ones."""

    given: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class FetchBlind:
    """Take a pencil out of the bag for an embroidery."""


@dataclass(frozen=True, slots=True)
class LookAtSheet:
    """Look at the sheet: the colouring is done, or it has reached a draw from the bag (`wants_bag`)."""

    wants_bag: bool = False


@dataclass(frozen=True, slots=True)
class ReportColour:
    """Report the colour of a region, None for white."""

    region: str
    colour: Colour | None


@dataclass(frozen=True, slots=True)
class IgnoreMarks:
    """Continue although these regions are coloured and do not count, or were coloured and are white (None) now."""

    marks: tuple[tuple[str, Colour | None], ...] = ()


@dataclass(frozen=True, slots=True)
class NothingCovers:
    """Continue with the sheet as seen: no object lies on it, or the object cannot be removed."""


@dataclass(frozen=True, slots=True)
class LetStand:
    """Continue with a sheet that is not coloured as its partner has decided."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the last step back although a draw has been seen, if the other players have agreed."""

    agreed: bool


Action: TypeAlias = (
    Take
    | Draw
    | ReportDraw
    | Exchange
    | FetchBlind
    | LookAtSheet
    | ReportColour
    | IgnoreMarks
    | NothingCovers
    | LetStand
    | TakeBack
)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice.

    Attributes:
        kind: the kind of option, in a word.
        action: the action when it is taken.
        says: the option in the players' words.
        colours: the pencils that it concerns.
        numbers: the pincushion or the rows that it concerns, from 1.
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
        regions: names of the regions of the seat's sheet that it concerns; may be empty.
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
        """True if it was caused by a look or by an undo, not by the game."""
        return self.asks in (ChoiceTopic.DOUBT, ChoiceTopic.TROUBLE, ChoiceTopic.TAKE_BACK)


@dataclass(frozen=True, slots=True)
class SheetComplaint:
    """A fault of a sheet: the rules do not allow it, or it cannot be read.

    Attributes:
        codes: the kinds: the rules' codes, or "unseen" (the sheet cannot be read), "nothing" (no new mark), "owner"
            (it is another seat's), "covered" (an object lies on it), "no-bag" (no draw from the bag is due), "early" (a
            draw was due before some of the marks), "otherwise" (a partner has decided otherwise).
        seat: the seat to move.
        regions: names of the regions concerned; may be empty.
        says: the sentence that players read.
        frame: the name of the frame that caused it.
    """

    codes: tuple[str, ...]
    seat: int
    regions: tuple[str, ...]
    says: str
    frame: str

"""Kvilt's section of the configuration, and the players' choices for a game, which replace its values."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import ClassVar, Final

from companion.config import Config
from companion.games.kvilt.errors import SetupError
from companion.games.kvilt.state import Settings, Setup, Variant
from companion.kvilt.sheets.files import SheetError, load_sheet
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import load_layout, theme_names
from companion.languages import ENGLISH, Language, Sentence, all_of, as_seen, in_turn, is_plain, reason, render, said
from companion.play.arrangement import LONGEST_NAME, ArrangementError, check_names
from companion.play.partner import Robot, robot_of, with_robot
from companion.settings import Check, GameSettings, file, flag, list_of, one_of, refuse, setting, texts, whole

BAGS = ("virtual", "real")
_USUAL = Settings()
_MOST_SEATS = 4


def _names(value: object) -> tuple[str, ...]:
    """Return two to four different names."""
    names = texts(value)
    if not 2 <= len(names) <= 4 or not all(name.strip() and is_plain(name) for name in names):
        raise refuse(value, said("two to four names"))
    if len({as_seen(name).strip().casefold() for name in names}) < len(names):
        raise refuse(value, said("different names"))
    return names


def _some_of(names: Sequence[str], most: int) -> Check[tuple[str, ...]]:
    return list_of(lambda value: value in names, said("a list of {names}", names=", ".join(names)), high=most)


def _reading(default: bool, comment: Sentence) -> bool:
    return setting(default, flag, in_turn([comment, said("Usually {value}.", value=str(default).lower())]))


USUAL_NAMES: Final = (said("Anna"), said("Boris"), said("Vera"), said("Grigori"))
"""The names of players who have not chosen any; a game has them in the language of its table."""


def _short(name: str) -> str:
    """Return a name without blanks around it and not too long; one that needs no change is returned as it is."""
    short = name.strip()[:LONGEST_NAME]
    return name if name == short else short


@dataclass(frozen=True, slots=True)
class KviltSettings(GameSettings):
    """The players, the sheet, and interpretations of the rulebook where it is ambiguous."""

    section = "kvilt"
    title = said("Kvilt: who plays, what they colour, and how to read the rulebook where it is unclear")

    players: tuple[str, ...] = setting(
        USUAL_NAMES[:2], _names, said("Two to four names, clockwise from seat {seat}.", seat=1)
    )
    first_seat: int = setting(1, whole(1, 4), said("The seat that starts: the player who sewed most recently."))
    sheet: Path | None = setting(
        None,
        file,
        said("The file of the sheet that the players colour; absent: the companion’s own sheet."),
        '"~/mine.toml"',
    )
    themes: tuple[str, ...] = setting(
        (),
        _some_of(theme_names(), _MOST_SEATS),
        said(
            "The pictures on the players’ sheets at the simulated table, one per seat: {names}. Real sheets "
            "are recognised by their markers.",
            names=all_of([f'"{name}"' for name in theme_names()]),
        ),
    )
    bag: str = setting(
        "virtual",
        one_of(*BAGS),
        said(
            "Who draws the pencils: the companion ({virtual}), or a player from a bag, who enters what was "
            "drawn ({real}).",
            virtual='"virtual"',
            real='"real"',
        ),
    )
    variants: tuple[str, ...] = setting(
        (),
        _some_of(tuple(Variant), len(Variant)),
        said(
            "Variants of the rulebook: {all_counted}, and for four players {kviltomania}.",
            all_counted='"all-counted"',
            kviltomania='"kviltomania"',
        ),
    )
    take_just_filled: bool = _reading(
        _USUAL.take_just_filled, said("A player who has placed a pencil takes only the pincushion that it went to.")
    )
    background_must: bool = _reading(
        _USUAL.background_must, said("With the bonus colour, colouring the background is mandatory, not optional.")
    )
    bonus_pencils_background: bool = _reading(
        _USUAL.bonus_pencils_background, said("Bonus pencils of the bonus colour also give a background.")
    )
    swap_again: bool = _reading(_USUAL.swap_again, said("A pencil received in an exchange may be exchanged again."))
    later_backgrounds: bool = _reading(
        _USUAL.later_backgrounds, said("Two-part embroideries also give the backgrounds of cells coloured later.")
    )
    take_both_first: bool = _reading(
        _USUAL.take_both_first, said("Both pencils of a five-part embroidery are taken before one is used.")
    )
    empty_row_counts: bool = _reading(
        _USUAL.empty_row_counts, said("An empty row counts as 0 when finding the smallest row.")
    )
    same_rows_for_all: bool = _reading(
        _USUAL.same_rows_for_all,
        said("In {variant} the first player picks the same two rows for everybody.", variant="all-counted"),
    )

    def setup(self, language: Language = ENGLISH) -> Setup:
        """Return the setup of a game.

        Args:
            language: of the names of players who have not chosen any.

        Raises:
            SetupError: if no game can begin with these settings.
            SheetError: if the sheet's file cannot be used.
        """
        settings = Settings(**{each.name: getattr(self, each.name) for each in fields(Settings)})
        variants = frozenset(map(Variant, self.variants))
        players = tuple(render(name, language) for name in self.players)
        return Setup(load_sheet(self.sheet), players, self.first_seat, variants, settings)

    def layout(self) -> PageLayout:
        """Return the layout of the sheet's page.

        Raises:
            SheetError: if the sheet's file cannot be used.
        """
        return load_layout(self.sheet)

    def check(self) -> None:
        """Raise ValueError if the keys contradict one another."""
        try:
            # The rules themselves decide what fits together, so that both never differ.
            self.setup()
        except SetupError as error:
            # It loads all words of the wing, and every command reads the configuration.
            from companion.kvilt.refusals import rules_fault  # noqa: PLC0415

            raise ValueError(rules_fault(error)) from error
        except SheetError as error:
            raise ValueError(reason(error)) from error


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
        robot: the robot at one of the seats, or None if people have all.

    Raises:
        ArrangementError: no game can begin with this arrangement.
    """

    players: tuple[str, ...]
    first_seat: int = 1
    bag: str = "virtual"
    variants: tuple[str, ...] = ()
    robot: Robot | None = None
    game: ClassVar[str] = KviltSettings.section

    def __post_init__(self) -> None:
        """Raise ArrangementError if no game can begin with this arrangement."""
        if len(self.players) not in SEATS:
            raise ArrangementError.said("Kvilt is for two to four players.")
        check_names(self.players, said("All players need a name of at most {count} characters.", count=LONGEST_NAME))
        if not 1 <= self.first_seat <= len(self.players):
            raise ArrangementError.said("There is no player at the seat that is to start.")
        unknown = [name for name in (self.bag, *self.variants) if name not in (*BAGS, *Variant)]
        if unknown:
            raise ArrangementError.said("The game cannot start like this: {reason}.", reason=unknown[0])
        if Variant.KVILTOMANIA in self.variants and len(self.players) != max(SEATS):
            raise ArrangementError.said("Kviltomania is for four players.")
        if self.robot is not None and self.robot.seat > len(self.players):
            raise ArrangementError.said("There is no player at the robot’s seat.")

    @classmethod
    def of(cls, config: Config) -> "KviltArrangement":
        """Return the arrangement that the configuration describes.

        Args:
            config: the configuration.

        Raises:
            ArrangementError: no game can begin with that arrangement.
        """
        kvilt = config.of(KviltSettings)
        names = tuple(map(_short, kvilt.players))
        return cls(names, kvilt.first_seat, kvilt.bag, kvilt.variants, robot_of(config))

    def configured(self, config: Config, *, lies_there: bool) -> Config:
        """Return the configuration of a game that begins with this arrangement.

        Args:
            config: the configuration to take all other values from.
            lies_there: unused, because nothing of Kvilt lies on the table before the game begins.

        Raises:
            ArrangementError: the rules do not allow it.
        """
        del lies_there
        names = tuple(map(_short, self.players))
        kvilt = replace(
            config.of(KviltSettings), players=names, first_seat=self.first_seat, bag=self.bag, variants=self.variants
        )
        try:
            kvilt.check()
        except ValueError as error:
            raise ArrangementError.said("The game cannot start like this: {reason}.", reason=reason(error)) from error
        return with_robot(config.with_game(kvilt), self.robot)

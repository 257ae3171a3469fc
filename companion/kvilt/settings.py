"""Kvilt's section of the configuration: players, sheet, and interpretations of the rulebook where it is ambiguous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from companion.games.kvilt import Settings, Setup, SetupError, Variant
from companion.kvilt.refusals import rules_fault
from companion.kvilt.sheets.files import SheetError, load_sheet
from companion.kvilt.sheets.layout import PageLayout
from companion.kvilt.sheets.layout_files import load_layout, theme_names
from companion.languages import Sentence, all_of, as_seen, in_turn, is_plain, reason, said
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


@dataclass(frozen=True, slots=True)
class KviltSettings(GameSettings):
    """The players, the sheet, and interpretations of the rulebook where it is ambiguous."""

    section = "kvilt"
    title = said("Kvilt: who plays, what they colour, and how to read the rulebook where it is unclear")

    players: tuple[str, ...] = setting(
        ("Anna", "Boris"), _names, said("Two to four names, clockwise from seat {seat}.", seat=1)
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

    def setup(self) -> Setup:
        """Return the setup of a game.

        Raises:
            SetupError: if no game can begin with these settings.
            SheetError: if the sheet's file cannot be used.
        """
        settings = Settings(**{each.name: getattr(self, each.name) for each in fields(Settings)})
        variants = frozenset(map(Variant, self.variants))
        return Setup(load_sheet(self.sheet), self.players, self.first_seat, variants, settings)

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
            raise ValueError(rules_fault(error)) from error
        except SheetError as error:
            raise ValueError(reason(error)) from error

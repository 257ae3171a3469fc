"""The bag from which pencils are drawn: a virtual one of the companion, or a real one whose draws players report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from companion.games.kvilt import Bag
from companion.languages import said
from companion.play.game import CannotResumeError

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTE: Final = "bag"
"""The key of the journal's note of a game's bag."""
_VIRTUAL: Final = "virtual "
_REAL: Final = "real"


class VirtualBag(Bag):
    """A bag of the companion's own; see `companion.games.kvilt.Bag`."""


class RealBag:
    """A bag on the table: players draw, and report the pencils drawn."""


AnyBag: TypeAlias = VirtualBag | RealBag


class LostBagError(CannotResumeError):
    """Raised for a game whose journal does not record its bag."""


def bag_text(bag: AnyBag) -> str:
    """Return the journal's text for a bag."""
    return _REAL if isinstance(bag, RealBag) else f"{_VIRTUAL}{bag.seed}"


def bag_in(notes: Mapping[str, str]) -> AnyBag:
    """Return the bag in a game's notes.

    Raises:
        LostBagError: the notes contain none.
    """
    text = notes.get(NOTE, "")
    if text == _REAL:
        return RealBag()
    if text.startswith(_VIRTUAL):
        # The seed stays a text: a draw depends on its digits alone, whether it was a number or not.
        return VirtualBag(text.removeprefix(_VIRTUAL))
    raise LostBagError(
        said("the game’s journal does not say which bag is used; start again with {option}", option="--new")
    )

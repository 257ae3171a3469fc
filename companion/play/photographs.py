"""Readings of photographs that people send: of a finished game, a coloured sheet, or a circle of patches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from companion.errors import CompanionError
from companion.languages import Language, said
from companion.play.page import Body, Json, Picture

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.config import Config

Quads: TypeAlias = Sequence["NDArray[np.float64]"]
"""The outer corners A1, I1, I9, A9 of one grid or two, in pixels of the photograph, each of shape (4, 2)."""
Progress: TypeAlias = Callable[[str], None]
"""A function that is told, as a sentence, what is done next."""

ReadingT = TypeVar("ReadingT")
EnteredT = TypeVar("EnteredT", bound=Body)


class NotFoundError(CompanionError):
    """Raised if nothing to read is found in a photograph, although people may show where it is."""


@dataclass(frozen=True, slots=True)
class Result:
    """A scored game to keep.

    Attributes:
        players: the names, by seat.
        scores: the points, by seat.
        sheet: what the page needs to show it again.
    """

    players: tuple[str, ...]
    scores: tuple[int, ...]
    sheet: Json


def _no_result(readings: Sequence[Any], entered: Any) -> None:
    del readings, entered


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotographKind(Generic[ReadingT, EnteredT]):
    """One thing that a game reads from photographs.

    Attributes:
        name: its name in addresses.
        title: the sentence by which people choose it.
        most: the largest number of photographs.
        boards: the number of grids whose corners people may show; 0 if they cannot.
        entered: the type of what people enter; every field has a default.
        read: returns the reading of a photograph, given the corners that people showed or None, and the configuration;
            raises CompanionError. It is called in a process of its own, and its result is pickled.
        is_whole: returns whether these readings are all that belongs to one game.
        sheet: returns the score sheet and the places in the photographs, given the readings and what was entered.
        result: returns the scored game, or None as long as something is missing.
    """

    name: str
    title: str
    most: int
    boards: int
    entered: type[EnteredT]
    read: Callable[[Picture, Quads | None, "Config", Progress], ReadingT]
    is_whole: Callable[[Sequence[ReadingT]], bool]
    sheet: Callable[[Sequence[ReadingT], EnteredT, Language], Json]
    result: Callable[[Sequence[ReadingT], EnteredT], Result | None] = _no_result


AnyKind: TypeAlias = PhotographKind[Any, Any]

# Mean brightness, of 255, below which a picture is called dark: the dimmest of 50 photographs that were read had 77.
_DARK: Final = 45.0


TOO_DARK: Final = said("The picture is dark: switch a lamp on, without a flash, and take it again.")


def is_dark(picture: Picture) -> bool:
    """Return whether a photograph in which nothing was found is too dark."""
    return float(picture[::8, ::8].mean()) < _DARK


def advice(picture: Picture) -> str:
    """Return the sentence on what to change for a photograph in which no board was found."""
    if is_dark(picture):
        return TOO_DARK
    return said("Take it from above, with each board whole in the picture and a hand’s breadth of table around it.")

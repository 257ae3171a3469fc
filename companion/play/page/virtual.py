"""The virtual table of a game, for the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.play.page.json_type import Json

TabletopT = TypeVar("TabletopT")


@dataclass(frozen=True, slots=True)
class VirtualSide(Generic[TabletopT]):
    """The page's interface to a game's virtual table.

    Attributes:
        tabletop: the type of the table's contents, different for each game.
        to_json: converts the table's contents to JSON.
        ranges: the lowest and highest value of each of the circumstances, by name.
    """

    tabletop: type[TabletopT]
    to_json: Callable[[TabletopT], Json]
    ranges: Mapping[str, tuple[float, float]]

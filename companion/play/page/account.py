"""The parts of the page's account of the evening that games contribute to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.play.events import GameOpened


@dataclass(frozen=True, slots=True)
class Visibility:
    """The visibility of the table to the companion.

    Attributes:
        camera: whether frames are coming.
        awaited: whether the first frame may still arrive, as the camera has just been opened.
        boards_seen: whether all empty boards are known; always true for a game without boards.
        in_view: the seats whose board is in the latest frame.
    """

    camera: bool = False
    awaited: bool = True
    boards_seen: bool = False
    in_view: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableAccount:
    """The account of a game on the table; each game adds its own attributes.

    Attributes:
        state: the rules' state.
        looking: whether the companion is looking at the table.
    """

    state: Any
    looking: bool = False


TableT = TypeVar("TableT", bound=TableAccount)


@dataclass(frozen=True, slots=True)
class Opening(Generic[TableT]):
    """A game being opened on a page.

    Attributes:
        event: the event of its opening.
        before: the last account of the same kind of game, or None if another kind, or none, was on the table.
        decisions: the decisions of a resumed game, as far as they are known.
        notes: the journal's notes about the table.
    """

    event: GameOpened[Any]
    before: TableT | None = None
    decisions: tuple[Any, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

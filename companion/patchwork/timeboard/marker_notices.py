"""Markers announced as standing on wrong spaces, tracked from event to event for page, terminal and strip."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from companion.play.events import DecisionTaken, DecisionUndone, GameOpened, TableNoticed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.patchwork.events import Event

NONE_WRONG: Final[Mapping[int, int]] = MappingProxyType({})
"""The value without announced markers."""


@dataclass(frozen=True, slots=True)
class MarkerStatus:
    """The subject of a notice about a marker.

    Attributes:
        seat: the marker's seat.
        space: the wrong space on which it stands; None if it is in its place again.
    """

    seat: int
    space: int | None


def wrong_after(wrong: Mapping[int, int], event: Event) -> Mapping[int, int]:
    """Return by seat the announced wrong spaces after an event, given those before it.

    A seat's decision, or its undo, moves its marker, so an earlier announcement no longer applies.
    """
    match event:
        case TableNoticed(about=MarkerStatus(seat=seat, space=int(space))):
            return {**wrong, seat: space}
        case TableNoticed(about=MarkerStatus(seat=seat)):
            return _without(wrong, seat)
        case DecisionTaken(state=state) if state.finished:
            return NONE_WRONG
        case DecisionTaken(decision=decision) | DecisionUndone(decision=decision):
            return _without(wrong, decision.seat)
        case GameOpened():
            return NONE_WRONG
        case _:
            return wrong


def _without(wrong: Mapping[int, int], seat: int) -> Mapping[int, int]:
    return {each: space for each, space in wrong.items() if each != seat}

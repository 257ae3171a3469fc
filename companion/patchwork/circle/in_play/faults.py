"""Announced faults of the circle, tracked from event to event for page and terminal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from companion.play.events import DecisionTaken, DecisionUndone, GameOpened, TableNoticed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.languages import Sentence
    from companion.patchwork.events import Event


class CircleFault(StrEnum):
    """A fault of the circle: in the order of its patches, missing patches, or the place of its neutral token."""

    ORDER = "order"
    MISSING = "missing"
    TOKEN = "token"  # noqa: S105  # the neutral one


Faults: TypeAlias = "Mapping[CircleFault, Sentence]"
"""By fault, the sentence that applies until it is corrected."""
NO_FAULTS: Final[Faults] = MappingProxyType({})
"""The value for a circle without faults."""


@dataclass(frozen=True, slots=True)
class CircleFaultStatus:
    """The subject of a notice about the circle.

    Attributes:
        fault: the kind of fault.
        wrong: the sentence that applies until the fault is corrected; None if there is no fault, or no longer.
    """

    fault: CircleFault
    wrong: Sentence | None


def faults_after(faults: Faults, event: Event) -> Faults:
    """Return the announced faults after an event, given those before it.

    A decision, or its undo, moves the neutral token, so an earlier announcement about it no longer applies.
    """
    match event:
        case TableNoticed(about=CircleFaultStatus(fault=fault, wrong=wrong)):
            left = _without(faults, fault)
            return left if wrong is None else {**left, fault: wrong}
        case DecisionTaken(state=state) if state.finished:
            return NO_FAULTS
        case DecisionTaken() | DecisionUndone():
            return _without(faults, CircleFault.TOKEN)
        case GameOpened():
            return NO_FAULTS
        case _:
            return faults


def _without(faults: Faults, fault: CircleFault) -> Faults:
    return {each: says for each, says in faults.items() if each is not fault}

"""Temperaments of the simulated players."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Slip(StrEnum):
    """A mistake of a player."""

    NOTHING_PLACED = "nothing placed"
    OVERLAP = "piled on a neighbour"
    OVER_THE_EDGE = "over the edge"
    NOT_OFFERED = "not one of the three"
    NOT_AFFORDABLE = "too dear"
    WRONG_BOARD = "on the other's board"
    NUDGE = "an earlier patch nudged"
    LOST_BUTTON = "a token on an empty cell"
    LEATHER_FORGOTTEN = "leather forgotten"
    UNDO = "another thought"
    MARKER_LEFT = "own marker not moved"
    MARKER_TOO_FAR = "own marker one too far"
    MARKER_OF_OTHER = "the other's marker moved"
    PAID_TOO_FEW = "one button too few paid"
    TOOK_TOO_FEW = "one button too few taken"
    PAWN_LEFT = "neutral token not moved"
    ELBOW = "an elbow in the circle"


@dataclass(frozen=True, slots=True)
class Temper:
    """A player's manner of play.

    Attributes:
        unsteady: factor on the conditions' offset and rotation of a laid patch.
        randomness: of the choice of moves, 0 for the best one found, 1 for about any.
        early: whether the player presses while the hand is still leaving.
        slips: probability of each mistake in a turn.
        marker_slips: the same for mistakes with a marker on the time board, if that is read.
        purse_slips: the same for mistakes with button tokens.
        circle_slips: the same for mistakes with the circle, if that is read.
    """

    unsteady: float
    randomness: float
    early: bool = False
    slips: Mapping[Slip, float] = field(default_factory=dict)
    marker_slips: Mapping[Slip, float] = field(default_factory=dict)
    purse_slips: Mapping[Slip, float] = field(default_factory=dict)
    circle_slips: Mapping[Slip, float] = field(default_factory=dict)


TEMPERS: Final[Mapping[str, Temper]] = MappingProxyType(
    {
        "tidy": Temper(unsteady=0.8, randomness=0.02),
        "hasty": Temper(unsteady=1.7, randomness=0.45, early=True, slips={Slip.NUDGE: 0.03}),
        "forgetful": Temper(
            unsteady=1.1,
            randomness=0.12,
            slips={
                Slip.NOTHING_PLACED: 0.05,
                Slip.OVERLAP: 0.05,
                Slip.OVER_THE_EDGE: 0.04,
                Slip.NOT_OFFERED: 0.04,
                Slip.NOT_AFFORDABLE: 0.04,
                Slip.WRONG_BOARD: 0.03,
                Slip.NUDGE: 0.05,
                Slip.LOST_BUTTON: 0.05,
                Slip.LEATHER_FORGOTTEN: 0.25,
                Slip.UNDO: 0.05,
            },
            marker_slips={Slip.MARKER_LEFT: 0.08, Slip.MARKER_TOO_FAR: 0.06, Slip.MARKER_OF_OTHER: 0.04},
            purse_slips={Slip.PAID_TOO_FEW: 0.03, Slip.TOOK_TOO_FEW: 0.02},
            circle_slips={Slip.PAWN_LEFT: 0.1, Slip.ELBOW: 0.06},
        ),
    }
)
"""The temperaments by name: a tidy packer, a player in a hurry, and a distracted one."""

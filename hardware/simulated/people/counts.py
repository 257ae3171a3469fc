"""The simulated players' observations of the companion, counted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """The players' observations of the companion.

    Attributes:
        misreadings: it took down another decision than the one that lay there.
        unnoticed: it took down a decision where something was wrong on the table.
        undeserved: complaints where nothing was wrong.
        deserved: complaints where something was.
        misnamed: deserved complaints that named another mistake than the one that was made.
        questions: questions asked.
        unforeseen: presses of `confirm` at a hands-free table, for want of an announcement.
        markers_wrong: times that a marker was left on a wrong space.
        markers_mended: those that were mended because the companion said something.
        circle_wrong: times that the neutral token was forgotten or an elbow pushed the circle about.
        circle_mended: those that were mended because the companion said something.
        purses_wrong: times that a player paid, or took, one button too few.
    """

    misreadings: int = 0
    unnoticed: int = 0
    undeserved: int = 0
    deserved: int = 0
    misnamed: int = 0
    questions: int = 0
    unforeseen: int = 0
    markers_wrong: int = 0
    markers_mended: int = 0
    circle_wrong: int = 0
    circle_mended: int = 0
    purses_wrong: int = 0

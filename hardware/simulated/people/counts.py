"""Counters of the simulated players' observations of the companion."""

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """The players' observations of the companion.

    Attributes:
        misreadings: decisions accepted that differ from the true one.
        unnoticed: decisions accepted although something was wrong on the table.
        undeserved: complaints although nothing was wrong.
        deserved: complaints when something was wrong.
        misnamed: deserved complaints that named another mistake.
        questions: questions asked.
        unforeseen: presses of `confirm` at a hands-free table, without an announcement.
        markers_wrong: markers left on a wrong space.
        markers_mended: those corrected because the companion reported them.
        circle_wrong: cases of a forgotten neutral token or a circle pushed by an elbow.
        circle_mended: those corrected because the companion reported them.
        purses_wrong: cases of a player paying, or taking, one button too few.
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

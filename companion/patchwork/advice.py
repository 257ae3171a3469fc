"""Advice on games of Patchwork."""

import random
from typing import Final

from companion.errors import CompanionError
from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.state import State
from companion.games.patchwork.strategy import levels
from companion.games.strategy import Advice, Level
from companion.languages import said
from companion.patchwork.words import described
from companion.play.game import Adviser


class UnknownCircleError(CompanionError):
    """Raised for a game whose circle of patches is unknown, and with it the patches on offer next."""


def _advise(state: State, level: Level, rng: random.Random, seconds: float | None) -> Advice[Decision]:
    if state.market is None:
        raise UnknownCircleError(
            said("no advice without the circle of patches: the header of the record needs {key}", key='"market"')
        )
    return levels.advise(state, level, rng, seconds)


ADVISER: Final[Adviser[State, Decision]] = Adviser(_advise, described)

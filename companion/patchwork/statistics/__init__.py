"""Statistics over many games of Patchwork: the course of each, the worth of the patches, the players' figures."""

from companion.patchwork.statistics.course import (
    FinishedGame,
    PlayedGame,
    Purchase,
    SeatStanding,
    course,
    finished,
    purchases,
    worth,
)
from companion.patchwork.statistics.patches import PatchFigures, patch_figures
from companion.patchwork.statistics.players import PlayerFigures, player_figures
from companion.patchwork.statistics.records import records

__all__ = [
    "FinishedGame",
    "PatchFigures",
    "PlayedGame",
    "PlayerFigures",
    "Purchase",
    "SeatStanding",
    "course",
    "finished",
    "patch_figures",
    "player_figures",
    "purchases",
    "records",
    "worth",
]

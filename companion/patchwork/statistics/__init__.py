"""Statistics over many games of Patchwork: the course of each, the worth of the patches, the players' figures."""

from companion.patchwork.statistics.course import (
    FinishedGame,
    PatchFigures,
    PlayedGame,
    PlayerFigures,
    Purchase,
    SeatStanding,
    course,
    finished,
    patch_figures,
    player_figures,
    purchases,
    records,
    worth,
)

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

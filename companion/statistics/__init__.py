"""What many games tell: how each went, what the patches were worth, what the players have made of them."""

from companion.statistics.course import FinishedGame, PlayedGame, Purchase, Standing, course, finished, purchases, worth
from companion.statistics.kvilt import KviltFigures, KviltGame, finished_kvilt, kvilt_figures, kvilt_records
from companion.statistics.patches import PatchFigures, patch_figures
from companion.statistics.players import PlayerFigures, player_figures
from companion.statistics.records import Record, records

__all__ = [
    "FinishedGame",
    "KviltFigures",
    "KviltGame",
    "PatchFigures",
    "PlayedGame",
    "PlayerFigures",
    "Purchase",
    "Record",
    "Standing",
    "course",
    "finished",
    "finished_kvilt",
    "kvilt_figures",
    "kvilt_records",
    "patch_figures",
    "player_figures",
    "purchases",
    "records",
    "worth",
]

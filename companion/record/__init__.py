"""Game records: a header and one decision a line, as JSON Lines (`*.jsonl`, format 1).

A record holds decisions only. Income, score and all else follow from the rules and are computed again on reading.
Functions that take a game take Patchwork where none is given; `game_of` tells which game a file is of.
"""

from companion.record.errors import RecordError
from companion.record.game import FORMAT, RecordedGame
from companion.record.kvilt import KVILT
from companion.record.patchwork import GAME, PATCHWORK, header_from_json, header_to_json, summary
from companion.record.records import (
    GAMES,
    Record,
    Replayed,
    game_of,
    read_record,
    record_lines,
    replay_record,
    replayed_to_json,
    write_record,
)

__all__ = [
    "FORMAT",
    "GAME",
    "GAMES",
    "KVILT",
    "PATCHWORK",
    "Record",
    "RecordError",
    "RecordedGame",
    "Replayed",
    "game_of",
    "header_from_json",
    "header_to_json",
    "read_record",
    "record_lines",
    "replay_record",
    "replayed_to_json",
    "summary",
    "write_record",
]

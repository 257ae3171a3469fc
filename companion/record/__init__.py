"""Game records: a header and one decision a line, as JSON Lines (`*.jsonl`, format 1).

A record holds decisions only. Income, score and all else follow from the rules and are computed again on reading. How a
game stands in records is its `Codec`; `game_of` finds among the `Games` of an installation the one that a file is of.
"""

from companion.record.codec import FORMAT, AnyCodec, Codec, Play
from companion.record.errors import ForeignGameError, RecordError
from companion.record.games import Games
from companion.record.records import (
    Record,
    Replayed,
    game_of,
    read_record,
    record_lines,
    replay_record,
    write_record,
)

__all__ = [
    "FORMAT",
    "AnyCodec",
    "Codec",
    "ForeignGameError",
    "Games",
    "Play",
    "Record",
    "RecordError",
    "Replayed",
    "game_of",
    "read_record",
    "record_lines",
    "replay_record",
    "write_record",
]

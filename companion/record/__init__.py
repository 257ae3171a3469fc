"""Game records: a header and one decision per line, as JSON Lines (`*.jsonl`, format 1).

A record contains decisions only. Income, score and all else are computed by the rules on reading. A game's `Codec` is
its form in records; `game_of` finds the codec for a file among the `Games` of an installation.
"""

from companion.record.codec import FORMAT, AnyCodec, Codec, Play
from companion.record.errors import ForeignGameError, RecordError
from companion.record.records import (
    Games,
    Replayed,
    game_of,
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
    "RecordError",
    "Replayed",
    "game_of",
    "record_lines",
    "replay_record",
    "write_record",
]

"""A journal in the former format, which that version wrote: its logs, and its tables as SQL.

Game 1 is finished, game 2 is one of Kvilt and was changed last, in game 3 the circle was learnt, and decisions were
undone, replaced and removed; game 4 was deleted.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

DECISIONS: Final = {1: 42, 2: 9, 3: 4}
"""The number of decisions of each game."""
NOTES: Final = {1: {"colours": "red blue", "sheet": "shown"}, 2: {"bag": "virtual 7", "drawn": "25 violet"}, 3: {}}


def lay_earlier(folder: Path) -> None:
    """Write the files of that journal into an existing data folder."""
    (folder / "decisions").mkdir()
    for log in Path(__file__).parent.glob("*.log"):
        shutil.copy(log, folder / "decisions")
    with closing(sqlite3.connect(folder / "journal.sqlite3")) as connection:
        connection.executescript(Path(__file__).with_name("tables.sql").read_text(encoding="utf-8"))
        connection.execute("PRAGMA journal_mode = WAL")
    (folder / "journal.sqlite3.lock").touch()

"""The journal: every decision of every game, on disk before it is announced."""

from companion.journal.errors import JournalError, TableTakenError, UnknownGameError
from companion.journal.journal import JOURNAL_NAME, SHEET_NOTE, Journal, MemoryJournal
from companion.journal.logs import table_lock
from companion.journal.summary import BY_HAND, TABLE_NAME, WATCHED, GameFilter, GameSummary, Status

__all__ = [
    "BY_HAND",
    "JOURNAL_NAME",
    "SHEET_NOTE",
    "TABLE_NAME",
    "WATCHED",
    "GameFilter",
    "GameSummary",
    "Journal",
    "JournalError",
    "MemoryJournal",
    "Status",
    "TableTakenError",
    "UnknownGameError",
    "table_lock",
]

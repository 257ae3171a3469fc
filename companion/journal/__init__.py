"""The journal: every decision of every game, on disk before it is announced."""

from companion.journal.errors import JournalError, TableTakenError, UnknownGameError
from companion.journal.journal import JOURNAL_NAME, SHEET_NOTE, Journal, MemoryJournal
from companion.journal.locks import table_lock
from companion.journal.summary import GameFilter, GameSummary, Status

__all__ = [
    "JOURNAL_NAME",
    "SHEET_NOTE",
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

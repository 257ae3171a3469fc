"""The journal: every decision of every game, on disk before it is announced."""

from companion.journal.book import SHEET_NOTE, Book, GameFilter, GameSummary, UnknownGameError
from companion.journal.disk import Journal
from companion.journal.entries import JournalError
from companion.journal.locks import TableTakenError, table_lock
from companion.journal.memory import MemoryJournal
from companion.journal.opening import JOURNAL_NAME
from companion.journal.summary import Status

__all__ = [
    "JOURNAL_NAME",
    "SHEET_NOTE",
    "Book",
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

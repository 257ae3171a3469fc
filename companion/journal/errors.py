"""The errors of the journal."""

from companion.errors import CompanionError
from companion.languages import said


class JournalError(CompanionError):
    """Raised if the journal cannot be opened, read or written, or lacks what is requested; the message is one line."""


class StorageError(JournalError):
    """Raised if the disk, or another program using it, prevents reading or writing the journal.

    Args:
        says: the message for the user.
        is_undone: whether it is certain that nothing was written.
    """

    def __init__(self, says: str, *, is_undone: bool = True) -> None:
        super().__init__(says)
        self.is_undone = is_undone


class ForeignSetupError(JournalError):
    """Raised for a game of an unknown kind; the journal keeps it."""


class TableTakenError(JournalError):
    """Raised if another companion plays at this table."""


class UnknownGameError(JournalError):
    """Raised for a game that does not exist.

    Args:
        game_id: its number.
    """

    def __init__(self, game_id: int) -> None:
        super().__init__(
            said("there is no game {game}; {command} lists them", game=game_id, command="`companion games`")
        )

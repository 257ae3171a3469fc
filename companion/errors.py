"""The base class of errors that users can correct."""

from companion.languages import SentenceError


class CompanionError(SentenceError):
    """Raised for faults outside the program, which the user can correct.

    The message is one line for the user: what is wrong, where, and the remedy.
    """

"""The base class of errors that users can correct."""


class CompanionError(Exception):
    """Raised for faults outside the program, which the user can correct.

    The message is one line for the user: what is wrong, where, and the remedy.
    """

"""The root of the errors that a user can mend."""

from __future__ import annotations


class CompanionError(Exception):
    """Something outside the program is not as it must be.

    The message is one line for the user: what is wrong, where, and what to do.
    """

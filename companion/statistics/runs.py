"""Runs of victories."""

from collections.abc import Sequence


def longest_run(wins: Sequence[bool]) -> int:
    """Return the greatest number of consecutive wins."""
    longest = run = 0
    for won in wins:
        run = run + 1 if won else 0
        longest = max(longest, run)
    return longest

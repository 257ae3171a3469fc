"""Numbers on the command line. Their error messages are in the forms that `usage` translates."""

import argparse


def seed(text: str) -> int:
    """Return a whole number from 0."""
    return _whole(text, 0)


def count(text: str) -> int:
    """Return a whole number from 1."""
    return _whole(text, 1)


def port(text: str) -> int:
    """Return a port, or 0 for any free one."""
    number = _whole(text, 0)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"must be a port up to 65535, not {text!r}")
    return number


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        # Both faults have the same message.
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"must be a whole number, {least} or more, not {text!r}")
    return number

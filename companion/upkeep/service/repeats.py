"""A log filter for repetitions, so that an error in every frame does not fill the disk of an unattended service."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

AGAIN_S: Final = 3600.0
"""The time after which a repeated message is logged again."""
# The number of different messages remembered.
_KNOWN: Final = 200


class Repeats(logging.Filter):
    """A filter that passes each message once an hour, with the number of repetitions left out.

    Messages are the same if their formatted text and their exception are equal.

    Args:
        clock: monotonic, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a message is due, and add the number of repetitions to it."""
        says = record.getMessage()
        fault = repr(record.exc_info[1]) if record.exc_info else ""
        # Removed and added again below, so that the one not seen for the longest time is dropped first.
        said_s, count = self._known.pop((says, fault), (float("-inf"), 0))
        is_due = self._clock() - said_s >= AGAIN_S
        self._known[says, fault] = (self._clock(), 0) if is_due else (said_s, count + 1)
        if len(self._known) > _KNOWN:
            self._known.popitem(last=False)
        if is_due and count:
            # The text is formatted already; with arguments, a per cent sign in it would be formatted again.
            record.msg, record.args = f"{says} (and {count} times since)", None
        return is_due


@contextmanager
def repeats_left_out() -> Iterator[None]:
    """Log warnings and errors to standard error within the context, each once an hour."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    # On the handler: a logger's filter does not see the messages of loggers below it.
    handler.addFilter(Repeats())
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)

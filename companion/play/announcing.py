"""The delivery of events to listeners."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LOG: Final = logging.getLogger(__name__)

EventT = TypeVar("EventT")


def announce(event: EventT, listeners: Iterable[Callable[[EventT], None]], called: str) -> None:
    """Pass an event to every listener; if one fails, the error is logged and the others still get the event.

    Args:
        event: the event.
        listeners: the functions to call, in order.
        called: the event's name in the log.

    Raises:
        BrokenPipeError: the reader of the output has gone; not a fault, as the program then ends like any command.
    """
    for listener in listeners:
        try:
            listener(event)
        except BrokenPipeError:
            raise
        except Exception:
            _LOG.exception("%s was not told of %s", listener, called)

"""Who reads the page: in which language it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import language_for

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from companion.languages import Language

PARAMETER: Final = "language"
"""Of the address: a stream of events can be asked for with nothing else."""


def reads(request: HTTPConnection) -> Language:
    """The language of whoever asks, by the address or else the Accept-Language header; English where unknown."""
    return language_for(request.query_params.get(PARAMETER) or request.headers.get("accept-language", ""))

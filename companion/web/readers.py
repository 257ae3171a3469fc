"""The language of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import language_for

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from companion.languages import Language

PARAMETER: Final = "language"
"""The parameter of the address: a stream of events can be asked for with nothing else."""


def reads(request: HTTPConnection) -> Language:
    """Return the reader's language, by the address or else the Accept-Language header; English if unknown."""
    return language_for(request.query_params.get(PARAMETER) or request.headers.get("accept-language", ""))

"""The language of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.languages import Language, language_for

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

PARAMETER: Final = "language"
"""The query parameter, as browsers cannot set headers on a request for an event stream."""


def language_of(request: HTTPConnection) -> Language:
    """Return the reader's language by the query, or else by the Accept-Language header; English if unknown."""
    return language_for(request.query_params.get(PARAMETER) or request.headers.get("accept-language", ""))

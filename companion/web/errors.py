"""The one form that every refusal of the page's interface has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from companion.languages import ENGLISH, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.languages import Language
    from companion.web.jsontype import Json


class RefusedError(Exception):
    """A request that is not granted.

    Attributes:
        status: the HTTP status.
        errors: sentences, the first of which says it all.
        more: further keys of the answer.
        headers: further headers of the answer.
    """

    def __init__(
        self,
        status: int,
        *errors: str,
        more: Json | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(errors[0])
        self.status, self.errors, self.more, self.headers = status, errors, more, headers


def refusal(
    status: int,
    errors: Sequence[str],
    more: Json | None = None,
    headers: dict[str, str] | None = None,
    language: Language = ENGLISH,
) -> JSONResponse:
    """The answer to a request that is not granted, in the language of whoever asked."""
    told = [tell(error, language) for error in errors]
    body = {"ok": False, "error": told[0], "errors": told, "status": status, **(more or {})}
    return JSONResponse(body, status, headers)

"""The common form of all refusals of the page's interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from companion.languages import ENGLISH, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.languages import Language
    from companion.play.page.json_type import Json


def refusal(
    status: int,
    errors: Sequence[str],
    more: Json | None = None,
    headers: dict[str, str] | None = None,
    language: Language = ENGLISH,
) -> JSONResponse:
    """Return the answer to a refused request, in the reader's language."""
    sentences = [tell(error, language) for error in errors]
    body = {"ok": False, "error": sentences[0], "errors": sentences, "status": status, **(more or {})}
    return JSONResponse(body, status, headers)

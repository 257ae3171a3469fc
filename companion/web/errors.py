"""The common form of all refusals: JSON for scripts and programs, a small HTML page for browsers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response

from companion.languages import Language, render, said
from companion.web.frame import ICON, framed
from companion.web.readers import language_of

if TYPE_CHECKING:
    from companion.play.page.routes import Json

_NO_SUCH_PAGE: Final = (404, 405)
_TO_TABLE: Final = said("Back to the table")
_AGAIN: Final = said("Try again")


def refusal(
    connection: HTTPConnection,
    status: int,
    errors: Sequence[str],
    more: Json | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """Return the response to a refused request, in the reader's language.

    The response is HTML if the request accepts that, as when a browser opens an address, and JSON otherwise.
    """
    language = language_of(connection)
    sentences = [render(error, language) for error in errors]
    headers = {**(headers or {}), "vary": "accept, accept-language"}
    if "text/html" in connection.headers.get("accept", ""):
        return HTMLResponse(_page(status, sentences, language), status, headers)
    body = {"ok": False, "error": sentences[0], "errors": sentences, "status": status, **(more or {})}
    return JSONResponse(body, status, headers)


def _page(status: int, sentences: Sequence[str], language: Language) -> str:
    # An empty address is the refused one, with its key, which must not be written into the page.
    target, link = ("/", _TO_TABLE) if status in _NO_SUCH_PAGE else ("", _AGAIN)
    room = "\n".join(f"<h1>{escape(sentence)}</h1>" for sentence in sentences)
    room = f'<main>\n{room}\n<p><a href="{target}">{escape(render(link, language))}</a></p>\n</main>'
    return framed("Quilt Companion", f"<nav>{ICON} Quilt Companion</nav>", room, language)

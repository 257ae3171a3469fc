"""The common form of all refusals: JSON for the page's scripts and for programs, a small page for people."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from starlette.responses import HTMLResponse, JSONResponse

from companion.languages import said, tell
from companion.web.readers import reads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import HTTPConnection
    from starlette.responses import Response

    from companion.languages import Language
    from companion.play.page.json_type import Json

_PAGE: Final = """<!doctype html>
<html lang="{lang}" dir="{dir}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
  <meta name="color-scheme" content="light dark">
  <title>Quilt Companion</title>
  <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/static/css/base.css">
  <link rel="stylesheet" href="/static/css/documents.css">
</head>
<body class="doc-page">
<header class="doc-head"><nav><img src="/static/icon.svg" alt="" width="28" height="28"> Quilt Companion</nav></header>
<div class="doc-room"><main>
{sentences}
<p><a href="{target}">{link}</a></p>
</main></div>
</body>
</html>
"""
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
    """Return the answer to a refused request, in the reader's language.

    A browser that opens an address names HTML among what it accepts, and gets a page; everyone else gets JSON.
    """
    language = reads(connection)
    sentences = [tell(error, language) for error in errors]
    headers = {**(headers or {}), "vary": "accept, accept-language"}
    if "text/html" in connection.headers.get("accept", ""):
        return HTMLResponse(_page(status, sentences, language), status, headers)
    body = {"ok": False, "error": sentences[0], "errors": sentences, "status": status, **(more or {})}
    return JSONResponse(body, status, headers)


def _page(status: int, sentences: Sequence[str], language: Language) -> str:
    # An empty address is the one that was refused: with its key, which is told to nobody else so.
    target, link = ("/", _TO_TABLE) if status in _NO_SUCH_PAGE else ("", _AGAIN)
    return _PAGE.format(
        lang=language.code,
        dir="rtl" if language.leftward else "ltr",
        sentences="\n".join(f"<h1>{escape(sentence)}</h1>" for sentence in sentences),
        target=target,
        link=escape(tell(link, language)),
    )

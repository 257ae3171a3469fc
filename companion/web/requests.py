"""Requests of every page: the reader's language, the body of a command, and the response to one that is refused."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from html import escape
from typing import Final, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

from companion.errors import CompanionError
from companion.languages import Language, SentenceError, language_for, reason, render, said
from companion.play.page import Body, Json, RefusedError

PARAMETER: Final = "language"
"""The query parameter, as browsers cannot set headers on a request for an event stream."""


def language_of(request: HTTPConnection) -> Language:
    """Return the reader's language by the query, or else by the Accept-Language header; English if unknown."""
    return language_for(request.query_params.get(PARAMETER) or request.headers.get("accept-language", ""))


def address_of(scope: Scope) -> str:
    """Return the address of a request's client; empty if it is not known."""
    client = scope.get("client")
    return client[0] if client else ""


def query_number(request: Request, name: str, most: int = (1 << 63) - 1) -> int | None:
    """Return the value of a numeric query parameter, or None if it is absent.

    Raises:
        RefusedError: 400, if it is no number, or out of bounds.
    """
    text = request.query_params.get(name)
    if text is None:
        return None
    # `int` would also accept signs, blanks and other scripts' digits.
    if not text.isascii() or not text.isdigit() or len(text) > 19 or not 1 <= int(text) <= most:
        raise RefusedError(400, f"{name} is a number from 1 to {most}.")
    return int(text)


# Bodies.

BodyT = TypeVar("BodyT", bound=Body)

LONGEST_BYTES: Final = 4096
"""Enough for a circle of 33 patches and the players' names."""
# The time-out for a command's body, shorter than the server's for any body, such as a photograph.
_PATIENCE_S: Final = 5.0
# In characters; the messages of msgspec quote names of keys, and patterns of hundreds of names.
_LONGEST_FAULT: Final = 80


async def read_body(request: Request, kind: type[BodyT], longest_bytes: int = LONGEST_BYTES) -> BodyT:
    """Return the JSON object in a request's body.

    Args:
        request: the request.
        kind: the type of the body.
        longest_bytes: the largest size accepted.

    Raises:
        RefusedError: 415 if it is not sent as JSON, 413 if it is too long, 408 if it does not arrive in time, 400 if
            it is malformed or not of this kind.
    """
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # Forms of other sites cannot send this type without asking the server first, which it refuses.
    if media != "application/json":
        raise RefusedError(415, "Send JSON: Content-Type: application/json.")
    read = await _read(request, longest_bytes)
    try:
        return msgspec.json.decode(read, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(400, _fault(error)) from None


def _fault(error: Exception) -> str:
    what, _, where = str(error).partition(" - at ")
    place = f" at {where[:_LONGEST_FAULT]}" if where else ""
    return f"{what if len(what) <= _LONGEST_FAULT else what[:_LONGEST_FAULT] + '…'}{place}."


async def _read(request: Request, longest_bytes: int) -> bytes:
    declared = request.headers.get("content-length", "0")
    # Truncated: a header of thousands of digits would take long to convert.
    if declared.isdecimal() and int(declared[:12]) > longest_bytes:
        raise _too_long(longest_bytes)
    # Counted while reading, too: a body in chunks declares no length.
    read = bytearray()
    try:
        async with asyncio.timeout(_PATIENCE_S):
            async for chunk in request.stream():
                read += chunk
                if len(read) > longest_bytes:
                    raise _too_long(longest_bytes)
    except TimeoutError:
        raise RefusedError(408, "The request did not come to its end.") from None
    return bytes(read)


async def picture_parts(request: Request, largest_bytes: int) -> AsyncIterator[bytes]:
    """Yield the parts of a picture that is the body of a request, as they arrive.

    Raises:
        RefusedError: 413 if it is too large, 400 if it does not arrive whole.
    """
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > largest_bytes:
                raise RefusedError(
                    413,
                    said("The picture is larger than {size} MB: send a smaller one.", size=largest_bytes >> 20),
                    headers={"connection": "close"},
                )
            yield part
    except ClientDisconnect:
        raise RefusedError(400, "The picture did not arrive whole.") from None


def _too_long(longest_bytes: int) -> RefusedError:
    return RefusedError(413, f"A request is at most {longest_bytes} bytes long.", headers={"connection": "close"})


# Refusals.

T = TypeVar("T")


class MissingError(SentenceError):
    """Raised for what does not exist or cannot be read; a request for it is refused with 404 and the message."""


async def done(do: Callable[[], T]) -> T:
    """Return the result of a function, which is called in a thread.

    Raises:
        RefusedError: 409, if it raises a CompanionError.
    """
    try:
        return await run_in_threadpool(do)
    except CompanionError as error:
        raise RefusedError(409, reason(error)) from None


_NO_SUCH_PAGE: Final = (404, 405)
_TO_TABLE: Final = said("Back to the table")
_AGAIN: Final = said("Try again")


def refusal(
    connection: HTTPConnection,
    status: int,
    errors: Sequence[str],
    more: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the response to a refused request, in the reader's language.

    The response is HTML if the request accepts that, as when a browser opens an address, and JSON otherwise.
    """
    language = language_of(connection)
    sentences = [render(error, language) for error in errors]
    headers = {**(headers or {}), "vary": "accept, accept-language"}
    if "text/html" in connection.headers.get("accept", ""):
        return HTMLResponse(_page(status, sentences, language), status, headers)
    body: Json = {"ok": False, "error": sentences[0], "errors": sentences, "status": status, **(more or {})}
    return JSONResponse(body, status, headers)


def _page(status: int, sentences: Sequence[str], language: Language) -> str:
    # An empty address is the refused one, with its key, which must not be written into the page.
    target, link = ("/", _TO_TABLE) if status in _NO_SUCH_PAGE else ("", _AGAIN)
    room = "\n".join(f"<h1>{escape(sentence)}</h1>" for sentence in sentences)
    room = f'<main>\n{room}\n<p><a href="{target}">{escape(render(link, language))}</a></p>\n</main>'
    return framed("Quilt Companion", f"<nav>{ICON} Quilt Companion</nav>", room, language)


# The frame of pages that need no script.

THEMES: Final = ("light", "dark")
ICON: Final = '<img src="/static/icon.svg" alt="" width="28" height="28">'
_STYLES: Final = "\n".join(
    f'  <link rel="stylesheet" href="/static/{style}">' for style in ("css/base.css", "css/documents.css")
)
_PAGE: Final = """<!doctype html>
<html lang="{lang}" dir="{dir}"{theme}>
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
  <meta name="color-scheme" content="light dark">
  <title>{title}</title>
  <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
{styles}
</head>
<body class="doc-page">
<header class="doc-head">{top}</header>
<div class="doc-room">
{room}
</div>
</body>
</html>
"""


def framed(title: str, top: str, room: str, language: Language, theme: str = "") -> str:
    """Return a whole page.

    Args:
        title: the page's title, as text.
        top: the content of its header, as HTML.
        room: the content below the header, as HTML.
        language: the language of the page, which sets its direction.
        theme: "light" or "dark"; otherwise the reader's system decides.
    """
    return _PAGE.format(
        lang=language.code,
        dir="rtl" if language.leftward else "ltr",
        theme=f' data-theme="{theme}"' if theme in THEMES else "",
        title=escape(title),
        styles=_STYLES,
        top=top,
        room=room,
    )

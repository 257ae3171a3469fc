"""Responses with the page's files, compressed, or 304 if the browser's copy is current."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import Response
from starlette.routing import Route

from companion.languages import said
from companion.web.errors import refusal
from companion.web.files.shelf import shelf_of

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

    from companion.web.files.shelf import StaticFile

ASKED: Final = "no-cache"
"""The Cache-Control value for files that browsers must revalidate each time."""
WORKER: Final = "js/offline.js"
"""The service worker, served at the root because its scope is its own directory and below."""
KEPT: Final = "public, max-age=31536000, immutable"
"""The Cache-Control value for files whose address changes with their contents."""


def file_routes(folder: Path) -> list[Route]:
    """Return the routes of all files of a folder."""

    async def written(request: Request) -> Response:
        return _sent(shelf_of(folder).written(request.path_params["name"]), request, ASKED)

    async def linked(request: Request) -> Response:
        shelf = shelf_of(folder)
        # A page opened before an update of the program still finds the files that it loads on demand.
        keeping = KEPT if request.path_params["version"] == shelf.version else ASKED
        return _sent(shelf.linked(request.path_params["name"]), request, keeping)

    async def worker(request: Request) -> Response:
        return _sent(shelf_of(folder).written(WORKER), request, ASKED)

    return [
        Route("/static/{name:path}", written),
        Route("/files/{version}/{name:path}", linked),
        Route("/offline.js", worker),
    ]


def page_file(folder: Path, name: str, request: Request) -> Response:
    """Return a page; with `debug` in the address, one that loads its scripts unbundled."""
    shelf = shelf_of(folder)
    is_plain = "debug" in request.query_params
    return _sent(shelf.written(name) if is_plain else shelf.linked(name), request, ASKED)


def _sent(file: StaticFile | None, request: Request, keeping: str) -> Response:
    if file is None:
        return refusal(request, 404, [said("There is no such page.")])
    headers = {"etag": file.tag, "cache-control": keeping, "vary": "accept-encoding"}
    # Contained in the header, which may list several tags, or mark one as weak.
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if file.packed is None or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.plain, media_type=file.kind, headers=headers)
    return Response(file.packed, media_type=file.kind, headers={**headers, "content-encoding": "gzip"})

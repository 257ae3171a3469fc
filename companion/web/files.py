"""The page's files and texts: read once, compressed, and cached by browsers until they change."""

import gzip
import json
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.languages import FOLDER, LANGUAGES, said
from companion.web.requests import refusal

REVALIDATED: Final = "no-cache"
"""The Cache-Control value for files that browsers must revalidate each time."""
IMMUTABLE: Final = "public, max-age=31536000, immutable"
"""The Cache-Control value for files whose address changes with their contents."""
WORKER: Final = "js/offline.js"
"""The service worker, served at the root because its scope is its own directory and below."""
# Suffixes of files worth compressing; pictures and fonts are compressed already.
_PACKED: Final = (".html", ".css", ".js", ".svg", ".json", ".jsonl", ".csv", ".txt", ".webmanifest")
# Suffixes of files that name others by their address.
_LINKING: Final = (".html", ".css", ".js", ".webmanifest")


@dataclass(frozen=True)
class StaticFile:
    """One file, ready to send.

    Attributes:
        name: its path in the folder.
        plain: its contents.
    """

    name: str
    plain: bytes

    @cached_property
    def packed(self) -> bytes | None:
        """The contents compressed with gzip, or None for types that are compressed already."""
        # Without the time, so that the same contents give the same bytes in each run.
        return gzip.compress(self.plain, mtime=0) if self.name.endswith(_PACKED) else None

    @cached_property
    def tag(self) -> str:
        """The entity tag, with quotation marks."""
        return f'"{sha256(self.plain).hexdigest()[:16]}"'

    @property
    def size(self) -> int:
        """The number of bytes that it takes in memory."""
        return len(self.plain) + len(self.packed or b"")

    @property
    def kind(self) -> str:
        """The media type."""
        # The system's list of types may lack these, or differ.
        if self.name.endswith(".webmanifest"):
            return "application/manifest+json"
        if self.name.endswith(".js"):
            return "text/javascript; charset=utf-8"
        if self.name.endswith(".jsonl"):
            return "application/jsonl; charset=utf-8"
        kind = mimetypes.guess_type(self.name)[0] or "application/octet-stream"
        return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind

    def sent(self, request: Request, caching: str, further: Mapping[str, str] = MappingProxyType({})) -> Response:
        """Return the response with the file and further headers, or 304 if the browser's copy is current."""
        headers = {"etag": self.tag, "cache-control": caching, "vary": "accept-encoding", **further}
        # Contained in the header, which may list several tags, or mark one as weak.
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self.packed is None or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.plain, media_type=self.kind, headers=headers)
        return Response(self.packed, media_type=self.kind, headers={**headers, "content-encoding": "gzip"})


class StaticFiles:
    """The files of a folder, which link one another by addresses that change with their contents.

    Args:
        folder: contains the pages, and the folders `js` and `css`.

    Attributes:
        version: a hash over all files; part of their addresses.
    """

    def __init__(self, folder: Path) -> None:
        plain = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        digest = sha256()
        for name in sorted(plain):
            # With the name and a separator, so that a renamed file changes the version, too.
            digest.update(name.encode() + b"\0" + plain[name])
        self.version = digest.hexdigest()[:12]
        own = f"/files/{self.version}/".encode()
        self._files = {
            name: StaticFile(name, data.replace(b"/static/", own) if name.endswith(_LINKING) else data)
            for name, data in plain.items()
        }

    def get(self, name: str) -> StaticFile | None:
        """Return a file, or None if there is no such file."""
        return self._files.get(name)

    def sent(self, name: str, request: Request, caching: str = REVALIDATED) -> Response:
        """Return the response with a file, or 404 if there is no such file."""
        file = self.get(name)
        return refusal(request, 404, [_NOWHERE]) if file is None else file.sent(request, caching)


_NOWHERE: Final = said("There is no such page.")


@cache
def files_of(folder: Path) -> StaticFiles:
    """Return the files of a folder; read once and cached."""
    return StaticFiles(folder)


def file_routes(folder: Path) -> list[Route]:
    """Return the routes of all files of a folder."""

    async def asked(request: Request) -> Response:
        return files_of(folder).sent(request.path_params["name"], request)

    async def versioned(request: Request) -> Response:
        files = files_of(folder)
        # A page opened before an update of the program still finds the files that it loads on demand.
        caching = IMMUTABLE if request.path_params["version"] == files.version else REVALIDATED
        return files.sent(request.path_params["name"], request, caching)

    async def worker(request: Request) -> Response:
        return files_of(folder).sent(WORKER, request)

    return [
        Route("/static/{name:path}", asked),
        Route("/files/{version}/{name:path}", versioned),
        Route("/offline.js", worker),
    ]


# Texts, from the program's message catalogues.

CATALOGUE: Final = "page.json"
"""The name of the page's catalogue, compiled beside each `.mo`; English has none."""
# The suffix of a language's code for the texts of all pages; without it, only those of the table's page, which phones
# load.
_WHOLE: Final = "-whole"


async def texts(request: Request) -> Response:
    """Return the page's catalogue of a language; browsers revalidate it each time."""
    name = request.path_params["code"]
    # Only the names of languages: each other name that a client thinks of would stay in the cache.
    found = _catalogue(name) if name.removesuffix(_WHOLE) in LANGUAGES else None
    return refusal(request, 404, [_NOWHERE]) if found is None else found.sent(request, REVALIDATED)


@cache
def _catalogue(name: str) -> StaticFile | None:
    path = FOLDER / name.removesuffix(_WHOLE) / "LC_MESSAGES" / CATALOGUE
    if not path.is_file():
        return None
    catalogue = json.loads(path.read_bytes())
    others = catalogue.pop("others")
    if name.endswith(_WHOLE):
        catalogue["texts"] |= others
    return StaticFile(CATALOGUE, json.dumps(catalogue, ensure_ascii=False, separators=(",", ":")).encode())


TEXTS: Final = Route("/texts/{code}.json", texts)
"""The route of the texts, for every application that serves the page's files."""

"""Responses with the page's files, compressed, or 304 if the browser's copy is current."""

from __future__ import annotations

import gzip
import json
import mimetypes
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from json import dumps, loads
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.languages import LANGUAGES, said
from companion.languages.language import FOLDER
from companion.web.requests import refusal

# Suffixes of files worth compressing; pictures and fonts are compressed already.
_PACKED: Final = (".html", ".css", ".js", ".svg", ".json", ".txt", ".webmanifest")
_LINKED: Final = (".html", ".js", ".css", ".json")
_SHEET: Final = re.compile(r'  <link rel="stylesheet" href="/static/(css/[^"]+)">\n')
_PRELOAD: Final = re.compile(r'  <link rel="modulepreload" href="[^"]+">\n')
_SCRIPT: Final = re.compile(r'<script type="module" src="/static/js/([^"]+)">')
_NOTES_SHELF: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_MARGIN_SHELF: Final = re.compile(r"\n\s+")
# For each page, the stem of its bundled files' names, and the modules put into the first file beside its entry.
_PAGES: Final = {
    "index.html": ("page", ("patchwork/game.js",)),
    "defining.html": ("defining", ()),
    "timeboard.html": ("timeboard", ()),
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file, ready to send.

    Attributes:
        plain: its contents.
        packed: the contents compressed with gzip, or None for types that are compressed already.
        tag: its entity tag, with quotation marks.
        kind: its media type.
    """

    plain: bytes
    packed: bytes | None
    tag: str
    kind: str

    @classmethod
    def of(cls, name: str, plain: bytes) -> StaticFile:
        """Return the file with compressed contents, entity tag and media type."""
        packs = name.endswith(_PACKED)
        # Without the time, so that the same contents give the same bytes in each run.
        packed = gzip.compress(plain, mtime=0) if packs else None
        return cls(plain, packed, f'"{sha256(plain).hexdigest()[:16]}"', _kind(name))


class Shelf:
    """The files of a folder, unbundled and bundled.

    Args:
        folder: contains the pages, and the folders `js` and `css`.

    Attributes:
        version: a hash over all files; part of the address of bundled ones.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        plain = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        digest = sha256()
        for name in sorted(plain):
            # With the name and a separator, so that a renamed file changes the version, too.
            digest.update(name.encode() + b"\0" + plain[name])
        self.version = digest.hexdigest()[:12]
        self._written = {name: StaticFile.of(name, data) for name, data in plain.items()}
        self._linked = {name: StaticFile.of(name, data.encode()) for name, data in self._link(plain).items()}

    def written(self, name: str) -> StaticFile | None:
        """Return a file as in the folder, or None if there is no such file."""
        return self._written.get(name)

    def linked(self, name: str) -> StaticFile | None:
        """Return a bundled file, or else the file as in the folder; None if there is no such file."""
        return self._linked.get(name) or self._written.get(name)

    def _link(self, plain: dict[str, bytes]) -> dict[str, str]:
        texts = {name: data.decode() for name, data in plain.items() if name.endswith(_LINKED)}
        scripts = {name.removeprefix("js/"): text for name, text in texts.items() if name.startswith("js/")}
        modules = {name: Module.read(name, text) for name, text in scripts.items()}
        files = {name: _bare(text) for name, text in texts.items() if name.endswith(".css")}
        for page, (called, along) in _PAGES.items():
            if page in texts and RUNTIME in modules:
                files |= _linked_page(page, called, along, texts, modules)
        return {name: text.replace("/static/", f"/files/{self.version}/") for name, text in files.items()}


def _linked_page(
    page: str, called: str, along: tuple[str, ...], texts: dict[str, str], modules: dict[str, Module]
) -> dict[str, str]:
    html = texts[page]
    begins = _SCRIPT.findall(html)[0]
    sheets = _SHEET.findall(html)
    bare = _SHEET.sub("", _PRELOAD.sub("", html))
    linked = (
        f'  <link rel="stylesheet" href="/static/{called}.css">\n  <script type="module" src="/static/{called}.js">'
    )
    styles = "".join(_bare(texts[sheet]) for sheet in sheets)
    return {
        page: _SCRIPT.sub(linked.strip(), bare),
        f"{called}.css": styles,
        **link(called, begins, along, modules),
    }


def _bare(style: str) -> str:
    return _MARGIN_SHELF.sub("\n", _NOTES_SHELF.sub("", style))


def _kind(name: str) -> str:
    # The system's list of types may lack these two, or differ.
    if name.endswith(".webmanifest"):
        return "application/manifest+json"
    if name.endswith(".js"):
        return "text/javascript; charset=utf-8"
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


@cache
def shelf_of(folder: Path) -> Shelf:
    """Return the files of a folder; read once and cached."""
    return Shelf(folder)


_IMPORT: Final = re.compile(r'^import (?:(\w+|\{[^}]*\}) from )?"([^"]+)"(?: with \{ type: "json" \})?;$', re.MULTILINE)
_LATER: Final = re.compile(r'\bimport\("(\.[^"]+)"\)(?!\.[A-Z])')
_EXPORT: Final = re.compile(r"^export ((?:async )?(?:function|class|const) )(\w+|\[[\w, ]+\])", re.MULTILINE)
_NOTHING: Final = re.compile(r"^export \{\};$", re.MULTILINE)
_NOTES: Final = re.compile(r"/\*\*.*?\*/\s*|^\s*//[^\n]*\n", re.DOTALL | re.MULTILINE)
_MARGIN: Final = re.compile(r"^[ ]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Module:
    """A script module, or JSON data that scripts import.

    Attributes:
        name: its path in the folder of scripts, such as "views/turn.js".
        source: its text.
        needs: the names of the modules that it imports statically.
        later: the names of the modules that it imports dynamically.
    """

    name: str
    source: str
    needs: tuple[str, ...]
    later: tuple[str, ...]

    @classmethod
    def read(cls, name: str, source: str) -> Module:
        """Return the module of a source, with its imports."""
        if name.endswith(".json"):
            return cls(name, source, (), ())
        # Without comments, whose imports are of types and load nothing.
        bare = _NOTES.sub("", source)
        needs = tuple(_beside(name, found[2]) for found in _IMPORT.finditer(bare))
        return cls(name, source, needs, tuple(_beside(name, found) for found in _LATER.findall(bare)))

    def linked(self, *, first: bool = False) -> str:
        """Return the call of `put` that registers the module with the runtime in `linked.js`.

        Args:
            first: whether the page begins with it; only that module may use top-level await.
        """
        if self.name.endswith(".json"):
            return f'put("{self.name}",()=>({dumps(loads(self.source), separators=(",", ":"))}));\n'
        body = _NOTES.sub("", self.source)
        body = _IMPORT.sub(self._needing, body)
        body = _LATER.sub(lambda found: f'load("{_beside(self.name, found[1])}")', body)
        exported = ",".join(found[2].strip("[]") for found in _EXPORT.finditer(body))
        body = _NOTHING.sub("", _EXPORT.sub(r"\1\2", body))
        # No string in the scripts has more than one line, so that indentation is never part of one.
        body = _MARGIN.sub("", body).strip()
        return f'put("{self.name}",{"async" if first else ""}(need,load)=>{{{body}\nreturn{{{exported}}};}});\n'

    def _needing(self, found: re.Match[str]) -> str:
        need = f'need("{_beside(self.name, found[2])}");'
        return need if found[1] is None else f"const {found[1].replace(' as ', ':')}={need}"


def closure(modules: Mapping[str, Module], names: Iterable[str]) -> tuple[str, ...]:
    """Return these modules and their transitive static imports, each after the modules that it needs."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        for needed in modules[name].needs if name not in found else ():
            visit(needed)
        found[name] = None

    for name in names:
        visit(name)
    return tuple(found)


def _beside(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


RUNTIME: Final = "linked.js"
"""The runtime in the browser, to which the bundled files register their modules."""


def link(page: str, begins: str, along: Sequence[str], modules: Mapping[str, Module]) -> dict[str, str]:
    """Return the bundled files of a page, by name: "page.js", and "page-1.js" and so on.

    Each module is in exactly one file; modules that the same entry points load are bundled together.

    Args:
        page: the stem of the files' names.
        begins: the module that the page begins with.
        along: modules that are loaded on demand, but by nearly every visitor, and so are put into the first file.
        modules: all modules, by name.
    """
    first = closure(modules, [begins, *along])
    entries = _asked_for(begins, modules)
    groups = _groups(first, entries, modules)
    places: dict[str, list[int]] = {entry: [] for entry in entries if entry not in first}
    files: dict[str, str] = {}
    for number, (wanted, members) in enumerate(groups.items(), 1):
        linked = "".join(modules[name].linked() for name in members)
        files[f"{page}-{number}.js"] = f'import{{put}}from"./{page}.js";\n{linked}'
        for entry in wanted:
            places[entry].append(number)
    files[f"{page}.js"] = _first(page, begins, first, places, modules)
    return files


def _first(
    page: str, begins: str, first: Iterable[str], places: Mapping[str, list[int]], modules: Mapping[str, Module]
) -> str:
    linked = "".join(modules[name].linked(first=name == begins) for name in first)
    where = json.dumps({"page": page, "places": places}, separators=(",", ":"))
    return f'{modules[RUNTIME].source}\nknow({where});\n{linked}await need("{begins}");\n'


def _asked_for(begins: str, modules: Mapping[str, Module]) -> tuple[str, ...]:
    """Return all modules that are loaded on demand, in the order in which they are found."""
    found: dict[str, None] = {}
    waiting = [begins]
    while waiting:
        for name in closure(modules, [waiting.pop()]):
            fresh = [later for later in modules[name].later if later not in found]
            found.update(dict.fromkeys(fresh))
            waiting += fresh
    return tuple(found)


def _groups(
    first: Iterable[str], entries: Iterable[str], modules: Mapping[str, Module]
) -> dict[tuple[str, ...], list[str]]:
    """Return the modules that are not in the first file, by the on-demand entries that need them."""
    wanted: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        for name in closure(modules, [entry]):
            wanted[name] = (*wanted.get(name, ()), entry)
    groups: dict[tuple[str, ...], list[str]] = {}
    there = set(first)
    for name, reasons in wanted.items():
        if name not in there:
            # By the entries that are not there yet: modules wanted by the same ones are always loaded together.
            groups.setdefault(tuple(one for one in reasons if one not in there), []).append(name)
    return groups


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


# Texts, from the program's message catalogues.

CATALOGUE: Final = "page.json"
"""The name of the page's catalogue, compiled beside each `.mo`; English has none."""


# The suffix of a language's code for the texts of all pages; without it, only those of the table's page, which phones
# load.
_WHOLE: Final = "-whole"


async def texts(request: Request) -> Response:
    """Return the page's catalogue of a language; browsers revalidate it each time."""
    found = _read(request.path_params["code"])
    if found is None:
        return refusal(request, 404, [said("There is no such page.")])
    plain, packed, tag = found
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(plain, media_type="application/json", headers=headers)
    return Response(packed, media_type="application/json", headers={**headers, "content-encoding": "gzip"})


@cache
def _read(name: str) -> tuple[bytes, bytes, str] | None:
    """Return a catalogue, plain and compressed, and its entity tag, or None if there is none."""
    code = name.removesuffix(_WHOLE)
    path = FOLDER / code / "LC_MESSAGES" / CATALOGUE
    if code not in LANGUAGES or not path.is_file():
        return None
    catalogue = json.loads(path.read_bytes())
    others = catalogue.pop("others")
    if name.endswith(_WHOLE):
        catalogue["texts"] |= others
    plain = json.dumps(catalogue, ensure_ascii=False, separators=(",", ":")).encode()
    return plain, gzip.compress(plain, mtime=0), f'"{sha256(plain).hexdigest()[:16]}"'


TEXTS: Final = Route("/texts/{code}.json", texts)
"""The route of the texts, for every application that serves the page's files."""

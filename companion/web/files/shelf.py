"""The page's files, compressed once, under an address that changes with the contents of any of them."""

from __future__ import annotations

import gzip
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from companion.web.files.linking import RUNTIME, link
from companion.web.files.modules import Module

if TYPE_CHECKING:
    from pathlib import Path

_PACKED: Final = (".html", ".css", ".js", ".svg", ".json", ".txt", ".webmanifest")
"""Suffixes of files worth compressing; pictures and fonts are compressed already."""
_LINKED: Final = (".html", ".js", ".css", ".json")
_SHEET: Final = re.compile(r'  <link rel="stylesheet" href="/static/(css/[^"]+)">\n')
_PRELOAD: Final = re.compile(r'  <link rel="modulepreload" href="[^"]+">\n')
_SCRIPT: Final = re.compile(r'<script type="module" src="/static/js/([^"]+)">')
_NOTES: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_MARGIN: Final = re.compile(r"\n\s+")
_PAGES: Final = {
    "index.html": ("page", ("patchwork/game.js",)),
    "defining.html": ("defining", ()),
    "timeboard.html": ("timeboard", ()),
}
"""For each page, the stem of its bundled files' names, and the modules put into the first file beside its entry."""


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
    return _MARGIN.sub("\n", _NOTES.sub("", style))


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

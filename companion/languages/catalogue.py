"""Reads a gettext catalogue as translators write it.

A `.po` is read when its language is first wanted, and never compiled to a file: there is no step to forget after an
edit, an editable install and a wheel behave alike, and no binary is kept beside its source. A catalogue of five hundred
messages is read in some milliseconds, once a run; English needs none. Compiled in memory, it is gettext's own to look
messages up in, plural forms by the rule of the catalogue's header included.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MAGIC: Final = 0x950412DE
_HEADER_WORDS: Final = 7
"""A compiled catalogue's head: magic, revision, count, where both tables begin, the hash table's size and place."""
_LINE: Final = re.compile(r'(?:(msgid_plural|msgid|msgstr)(?:\[\d\])? )?"((?:[^"\\]|\\.)*)"')
"""A keyword and a text, or a text that goes on."""
_ESCAPED: Final = re.compile(r"\\(.)")
_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r"}


class CatalogueError(Exception):
    """A catalogue is not as it must be; the message names file and line."""


@dataclass(slots=True)
class Entry:
    """One message of a catalogue.

    Attributes:
        message: what is translated, in English; empty for the catalogue's header.
        plural: its English for more than one; empty where it does not count.
        forms: the translation: one text, or one a plural form of the language.
        fuzzy: whether somebody has still to look at it.
    """

    message: str = ""
    plural: str = ""
    forms: list[str] = field(default_factory=list)
    fuzzy: bool = False

    @property
    def key(self) -> str:
        """As gettext keeps it."""
        return f"{self.message}\0{self.plural}" if self.plural else self.message

    def add(self, keyword: str, text: str) -> None:
        """Go on with what a keyword has begun."""
        if keyword == "msgid":
            self.message += text
        elif keyword == "msgid_plural":
            self.plural += text
        else:
            self.forms[-1] += text


def load(path: Path) -> GNUTranslations:
    """The catalogue at `path`, ready for use.

    Raises:
        CatalogueError: it is no catalogue.
        OSError: it cannot be read.
    """
    return GNUTranslations(BytesIO(compiled(read(path))))


def read(path: Path) -> list[Entry]:
    """All entries of the catalogue at `path`, its header first; what is commented out is not among them.

    Raises:
        CatalogueError: it is no catalogue.
        OSError: it cannot be read.
    """
    entries: list[Entry] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        try:
            _take(line, entries)
        except (ValueError, IndexError) as error:
            raise CatalogueError(f"{path}:{number}: is no line of a catalogue: {line[:60]}") from error
    return [entry for entry in entries if entry.forms]


def _take(line: str, entries: list[Entry]) -> None:
    """Go on with one line; a blank line or a comment begins the next entry.

    Raises:
        ValueError: it is neither, nor a keyword with a text, nor the next part of one.
        IndexError: there is no entry to go on with.
    """
    if not line.strip() or line.startswith("#"):
        if not entries or entries[-1].forms:
            entries.append(Entry())
        if line.startswith("#,") and "fuzzy" in line:
            entries[-1].fuzzy = True
        return
    found = _LINE.fullmatch(line.strip())
    if found is None:
        raise ValueError(line)
    if found[1] == "msgstr":
        entries[-1].forms.append("")
    entries[-1].add(found[1] or _latest(entries[-1]), _ESCAPED.sub(lambda sign: _SIGNS.get(sign[1], sign[1]), found[2]))


def _latest(entry: Entry) -> str:
    """What a line without a keyword goes on with."""
    if entry.forms:
        return "msgstr"
    return "msgid_plural" if entry.plural else "msgid"


def compiled(entries: Iterable[Entry]) -> bytes:
    """The entries that are translated, in gettext's binary form."""
    pairs = sorted(_pairs(entries))
    table = _HEADER_WORDS * 4
    texts_at = table + 16 * len(pairs)
    spans, texts = b"", b""
    for text in (*(key for key, _ in pairs), *(told for _, told in pairs)):
        spans += struct.pack("<2I", len(text), texts_at + len(texts))
        texts += text + b"\0"
    head = struct.pack("<7I", _MAGIC, 0, len(pairs), table, table + 8 * len(pairs), 0, texts_at)
    return head + spans + texts


def _pairs(entries: Iterable[Entry]) -> Iterator[tuple[bytes, bytes]]:
    for entry in entries:
        if all(entry.forms) and not entry.fuzzy:
            yield entry.key.encode(), "\0".join(entry.forms).encode()

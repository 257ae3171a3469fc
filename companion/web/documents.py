"""Markdown to HTML for the documents; raw HTML is escaped, and links out of the documents are dropped."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from companion.errors import CompanionError
from companion.languages import ENGLISH, LANGUAGES, Language, Sentence, said

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

PAPER_NAMES: Final = {"a4": "A4", "a5": "A5", "letter": "US Letter", "a3": "A3"}
"""The display name of each paper size of `companion print`."""
_A4_OR_LETTER: Final = ("a4", "letter")
# The time-out for writing a sheet; a Raspberry Pi Zero 2 takes some 3 s for the mats, and 10 s for a whole set.
_SECONDS: Final = 60.0
NICENESS: Final = 10
"""How much nicer its process is than this one: behind the game, with a tenth of a core that others keep busy."""


@dataclass(frozen=True, slots=True)
class PrintSheet:
    """A sheet for the printer.

    Attributes:
        name: its name for `companion print`.
        says: its description, in a few words.
        papers: the paper sizes on which it is offered.
    """

    name: str
    says: Sentence
    papers: tuple[str, ...] = _A4_OR_LETTER


SHEETS: Final = (
    PrintSheet("mats", said("the mats that the quilt boards lie on, one page per seat")),
    PrintSheet(
        "game", said("a complete print-and-play set: patches, boards, time board, tokens"), (*_A4_OR_LETTER, "a3")
    ),
    PrintSheet("charuco", said("the chart for calibrating a lens")),
    PrintSheet("holder", said("drawings of two holders for a phone over the table: of books, of cardboard")),
    PrintSheet("labels", said("labels for the push-buttons and the seats")),
    PrintSheet(
        "leaflet", said("a leaflet for the box: the rules in two minutes, which buttons to press, what the lights mean")
    ),
    PrintSheet("kvilt-sheet", said("the sheet that each player of Kvilt colours"), ("a4", "a5", "letter")),
    PrintSheet("kvilt-leaflet", said("a leaflet for Kvilt: its rules in two minutes, and which buttons to press")),
    PrintSheet("kvilt-swatches", said("a card for trying out pencils"), ("a4", "a5", "letter")),
)


class PrintSheetError(CompanionError):
    """A sheet cannot be written."""


def print_sheet(name: str, paper: str, language: str) -> bytes:
    """Return a sheet as a PDF, written by another process, which yields to the game.

    Args:
        name: the sheet's name.
        paper: the paper size.
        language: the code of the sheet's language.

    Raises:
        PrintSheetError: it cannot be written.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.pdf"
        # Through the running Python: the program's command may not be in the PATH, or be another version's.
        command = [sys.executable, "-m", "companion", "print", name, "--paper", paper, "--language", language]
        try:
            _run([*command, "--output", str(path)])
            return path.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise PrintSheetError.said("The sheet {name} could not be written.", name=name) from error


def _run(command: Sequence[str]) -> None:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - the program's own command, and names that are known
        try:
            os.setpriority(os.PRIO_PROCESS, process.pid, os.nice(0) + NICENESS)
            status = process.wait(_SECONDS)
        except BaseException:
            process.kill()
            raise
    if status:
        raise subprocess.CalledProcessError(status, command)


FILES: Final = Path(__file__).parent / "docs"
PICTURES: Final = "pictures"
_KINDS: Final = (".svg", ".jpg", ".png")


@dataclass(frozen=True, slots=True)
class Document:
    """A document.

    Attributes:
        name: the name of its file, without suffix.
        says: its subject, in a few words.
    """

    name: str
    says: Sentence


DOCUMENTS: Final = (
    Document("playing", said("An evening with the companion: buttons, questions, hands-free, the page")),
    Document("phone", said("The first game with a laptop and a phone, in ten minutes")),
    Document(
        "kvilt-evening",
        said("A game of Kvilt: sheets, pencils, what is chosen when, and marks that are not understood"),
    ),
    Document("partner", said("Playing against the robot, and what the companion tells after a game")),
    Document("build", said("Parts, wiring, camera, installation, and what to do when something is wrong")),
    Document("controls", said("Number pads, remotes, shutters and pedals in place of soldered buttons")),
    Document("printing", said("Mats, labels and sheets on paper, and how to calibrate the table")),
    Document("lights", said("What each light on the strip means")),
    Document("rules", said("The rules of Patchwork as the companion applies them")),
    Document("upkeep", said("Backups, restoring them on another machine, and updates")),
    Document("privacy", said("What is stored about players, where and for how long, and how to delete it")),
)


def document_file(name: str, language: Language, folder: Path = FILES) -> Path:
    """Return the path of a document in a language; it need not exist."""
    return folder / f"{name}.md" if language.code == ENGLISH.code else folder / language.code / f"{name}.md"


@cache
def document(name: str, code: str) -> Rendered:
    """Return a document in a language as HTML; cached.

    Raises:
        KeyError: there is no such document.
    """
    if name not in {each.name for each in DOCUMENTS}:
        raise KeyError(name)
    text = document_file(name, LANGUAGES[code]).read_text(encoding="utf-8")
    return rendered(text, lambda link: _title(link, code))


@cache
def _title(file: str, code: str) -> tuple[str, str] | None:
    """Return name and title of the document in a linked file, or None if the file is none of the documents."""
    name = file.removesuffix(".md").rpartition("/")[2]
    if not file.endswith(".md") or name not in {each.name for each in DOCUMENTS}:
        return None
    return name, title_of(name, LANGUAGES[code])


def title_of(name: str, language: Language) -> str:
    """Return a document's title in a language: its first heading."""
    text = document_file(name, language).read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith("# "))
    return first.removeprefix("# ").strip()


def picture(name: str, folder: Path = FILES) -> Path | None:
    """Return the file of a picture of the documents, or None if there is no picture of this name."""
    parts = name.split("/")
    # Nothing outside the folder can be named.
    if any(part in ("", ".", "..") for part in parts) or not name.endswith(_KINDS):
        return None
    path = folder / PICTURES / name
    return path if os.path.isfile(path) else None  # noqa: PTH113  # It never raises, however long the name is.


HELP: Final = "/help"
PICTURE_PATHS: Final = "pictures/"
# Characters of right-to-left scripts.
_LEFTWARD: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_TYPED_APOSTROPHE: Final = re.compile(r"(?<=\w)'(?=\w)|(?<=s)'(?!\w)")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document as HTML.

    Attributes:
        title: its first heading.
        body: the whole document, with the title.
        parts: anchor and heading of each part.
    """

    title: str
    body: str
    parts: tuple[tuple[str, str], ...]


def rendered(text: str, titled: Callable[[str], tuple[str, str] | None]) -> Rendered:
    """Return a document as HTML.

    Args:
        text: in Markdown.
        titled: returns name and title of the document in a linked file; None if it is none of the documents.
    """
    tokens = parsed(text)
    _set_apostrophes(tokens)
    headings = list(_name_headings(tokens))
    for place, token in enumerate(tokens):
        if token.children:
            if tokens[place - 1].type == "td_open" and not _LEFTWARD.search(token.content):
                # Cells of figures with units or of Latin abbreviations.
                tokens[place - 1].attrSet("dir", "ltr")
            token.children = list(_links(token.children, titled))
            _move_pictures(token.children)
    body = _parser().renderer.render(tokens, _parser().options, {})
    body = body.replace("<table>", '<div class="doc-table" tabindex="0"><table>').replace("</table>", "</table></div>")
    # Commands and wiring read from left to right in every language.
    body = re.sub(r"<(code|pre)>", r'<\1 dir="ltr" translate="no">', body).replace("<pre ", '<pre tabindex="0" ')
    # A link to the drawing by itself, which fills the window and can be zoomed; in the text it is small.
    body = re.sub(
        r'<p>(<img src="([^"]+)"[^>]*>)</p>', r'<p class="doc-drawing"><a href="\2" target="_blank">\1</a></p>', body
    )
    # Screen readers would announce an empty heading; a column without one gets an empty cell instead.
    body = re.sub(r"<th[^>]*></th>", "<td></td>", body)
    title = next((heading for level, _, heading in headings if level == "h1"), "")
    return Rendered(title, body, tuple((name, heading) for level, name, heading in headings if level == "h2"))


def parsed(text: str) -> list[Token]:
    """Return the Markdown tokens of a document."""
    return _parser().parse(text)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415  # Documents may never be requested.

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _set_apostrophes(tokens: Sequence[Token]) -> None:
    """Set typographic apostrophes, as all sentences on the page have them, wherever no command or file name stands."""
    for token in tokens:
        for piece in token.children or ():
            if piece.type == "text":
                piece.content = _TYPED_APOSTROPHE.sub("’", piece.content)


def _name_headings(tokens: Sequence[Token]) -> Iterator[tuple[str, str, str]]:
    """Give each heading an anchor, as code hosts do; yield its level, its anchor and its text."""
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = "".join(each.content for each in tokens[place + 1].children or ())
            name = slug(heading)
            token.attrSet("id", name)
            yield token.tag, name, heading


def slug(heading: str) -> str:
    """Return the anchor of a heading: its words in lower case, joined by hyphens."""
    kept = [each for each in heading.lower() if each in " -_" or unicodedata.category(each)[0] in "LNM"]
    return "".join(kept).strip().replace(" ", "-")


def _links(tokens: Sequence[Token], titled: Callable[[str], tuple[str, str] | None]) -> Iterator[Token]:
    """Yield a line's tokens with links to other documents; links elsewhere become plain text."""
    # Whether each open link was kept, so that its end is kept or dropped with it.
    opened: list[bool] = []
    name = ""
    for token in tokens:
        if token.type == "link_open":
            href = str(token.attrGet("href") or "")
            target = titled(href.partition("#")[0])
            name = href
            if target is not None:
                token.attrSet("href", f"{HELP}/{target[0]}{''.join(href.partition('#')[1:])}")
            opened.append(target is not None or href.startswith("#"))
            if opened[-1]:
                yield token
        elif token.type == "link_close":
            if opened.pop():
                yield token
        else:
            # A link whose text is the file's name, as in the repository, gets the document's title.
            found = titled(name) if opened and token.type == "text" and token.content == unquote(name) else None
            if found is not None:
                token.content = found[1]
            yield token


def _move_pictures(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type == "image":
            source = str(token.attrGet("src") or "").removeprefix("../")
            token.attrSet("src", f"{HELP}/{source}" if source.startswith(PICTURE_PATHS) else "")
            # Only the drawings that are scrolled to are loaded.
            token.attrSet("loading", "lazy")

"""Markdown to HTML for the documents; raw HTML is escaped, and links out of the documents are dropped."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

HELP: Final = "/help"
PICTURES: Final = "pictures/"
_LEFTWARD: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
"""Characters of right-to-left scripts."""
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
            token.attrSet("src", f"{HELP}/{source}" if source.startswith(PICTURES) else "")
            # Only the drawings that are scrolled to are loaded.
            token.attrSet("loading", "lazy")

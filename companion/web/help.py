"""The routes of the help: the list of the owners' documents, the documents, their pictures, and sheets to print.

None of them needs the key.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Final, Self
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from companion.languages import LANGUAGES, Language, Sentence, reason, render, said
from companion.web.answers import Answers
from companion.web.documents import (
    DOCUMENTS,
    PAPER_NAMES,
    SHEETS,
    PrintSheet,
    PrintSheetError,
    Rendered,
    document,
    picture,
    print_sheet,
    title_of,
)
from companion.web.files import REVALIDATED, StaticFile
from companion.web.requests import ICON, PARAMETER, THEMES, framed, language_of, refusal

THEME: Final = "theme"
_HELP: Final = said("Help")
_BACK: Final = said("To the table")
_ALL: Final = said("All documents")
_LANGUAGE: Final = said("Language")
_HERE: Final = said("On this page")
_TO_PRINT: Final = said("To print")
_AT_FULL_SIZE: Final = said("Print them at {percent} % (actual size), without fitting them to the page.", percent=100)
# The policy for a drawing opened by itself, whose styles are inline.
_DRAWN: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_PRINTED: Final = Answers()


async def listed(request: Request) -> Response:
    """Return the page with the list of documents."""
    return _sent(_list(_Reader.of(request)), request)


async def read_document(request: Request) -> Response:
    """Return the page with a document in the reader's language."""
    try:
        return _sent(_page(request.path_params["name"], _Reader.of(request)), request)
    except KeyError:
        return refusal(request, 404, [said("There is no such page.")])


def _sent(file: StaticFile, request: Request) -> Response:
    # The same address has a text in each language.
    return file.sent(request, REVALIDATED, {"vary": "accept-language, accept-encoding"})


@cache
def _list(reader: "_Reader") -> StaticFile:
    items = "\n".join(
        f'<li class="card"><a href="{reader.link(each.name)}">{escape(title_of(each.name, reader.language))}</a>'
        f"<p>{reader.say(each.says)}</p></li>"
        for each in DOCUMENTS
    )
    main = f'<h1>{reader.say(_HELP)}</h1>\n<ul class="doc-list">\n{items}\n</ul>\n{_sheets(reader)}'
    return reader.page("", render(_HELP, reader.language), main, "")


@cache
def _page(name: str, reader: "_Reader") -> StaticFile:
    found = document(name, reader.language.code)
    return reader.page(name, found.title, reader.linked(found.body), _contents(found, reader))


async def pictured(request: Request) -> Response:
    """Return a picture of the documents."""
    path = picture(request.path_params["name"])
    if path is None:
        return refusal(request, 404, [said("There is no such page.")])
    return FileResponse(path, headers={"cache-control": "no-cache", "content-security-policy": _DRAWN})


async def printed(request: Request) -> Response:
    """Return a sheet to print, as PDF in the reader's language."""
    language = language_of(request)
    name, paper = request.path_params["sheet"], request.path_params["paper"]
    if not any(sheet.name == name and paper in sheet.papers for sheet in SHEETS):
        return refusal(request, 404, [said("There is no such page.")])
    try:
        # It changes with an update of the program only.
        file = await _PRINTED.get(
            request,
            (name, paper, language.code),
            lambda: None,
            lambda: StaticFile(f"{name}-{paper}.pdf", print_sheet(name, paper, language.code)),
        )
    except PrintSheetError as error:
        return refusal(request, 500, [reason(error)])
    return file.sent(request, REVALIDATED, {"content-disposition": f'attachment; filename="{file.name}"'})


HELP_ROUTES: Final = (
    Route("/help", listed),
    Route("/help/print/{sheet}/{paper}.pdf", printed),
    Route("/help/pictures/{name:path}", pictured),
    Route("/help/{name}", read_document),
)


@dataclass(frozen=True, slots=True)
class _Reader:
    """The reader's language and theme, which every link passes on.

    There are few of them, so that a page is made and compressed once for each, however often it is asked for.

    Attributes:
        language: the reader's language.
        is_chosen: whether the address names it.
        theme: "light" or "dark"; empty if the address names neither.
    """

    language: Language
    is_chosen: bool
    theme: str

    @classmethod
    def of(cls, request: Request) -> Self:
        """Return the reader who has sent a request."""
        theme = request.query_params.get(THEME, "")
        return cls(language_of(request), PARAMETER in request.query_params, theme if theme in THEMES else "")

    @property
    def along(self) -> dict[str, str]:
        """The query that every link passes on."""
        language = {PARAMETER: self.language.code} if self.is_chosen else {}
        return language | ({THEME: self.theme} if self.theme else {})

    def say(self, sentence: Sentence) -> str:
        """Return a sentence in the reader's language, escaped for HTML."""
        return escape(render(sentence, self.language))

    def link(self, name: str = "", **along: str) -> str:
        """Return the address of a document, or of the list if no name is given, escaped for HTML."""
        return _address(f"/help/{name}" if name else "/help", {**self.along, **along})

    def linked(self, body: str) -> str:
        """Return a document's HTML whose links to other documents pass on language and theme."""
        if not self.along:
            return body
        for each in DOCUMENTS:
            for ends in ('"', "#"):
                body = body.replace(f'href="/help/{each.name}{ends}', f'href="{self.link(each.name)}{ends}')
        return body

    def page(self, name: str, title: str, main: str, contents: str) -> StaticFile:
        """Return a complete page: that of the document of this name, or of the list."""
        room = f"{contents}\n<main>{main}</main>"
        text = framed(f"{title} · Quilt Companion", self._top(name), room, self.language, self.theme)
        return StaticFile("help.html", text.encode())

    def _top(self, name: str) -> str:
        path = f"/help/{name}" if name else "/help"
        languages = " ".join(
            f'<a lang="{each.code}" href="{_address(path, {**self.along, PARAMETER: each.code})}"'
            f"{_current(each.code == self.language.code)}>{escape(each.name)}</a>"
            for each in LANGUAGES.values()
        )
        back = f'<a class="doc-back" href="{_address("/", self.along)}">{ICON} <span>{self.say(_BACK)}</span></a>'
        index = f'<a href="{self.link()}"{_current(not name)}>{self.say(_ALL)}</a>'
        return (
            f'<nav>{back} {index}</nav><nav class="doc-languages" aria-label="{self.say(_LANGUAGE)}">{languages}</nav>'
        )


def _sheets(reader: _Reader) -> str:
    """Return a table of the sheets to print, as HTML, with a link for each paper size."""
    rows = "\n".join(f"<tr><td>{reader.say(each.says)}</td><td>{_papers(each, reader)}</td></tr>" for each in SHEETS)
    return (
        f'<h2 id="print">{reader.say(_TO_PRINT)}</h2>\n<p>{reader.say(_AT_FULL_SIZE)}</p>\n'
        f'<div class="doc-table" tabindex="0"><table>\n{rows}\n</table></div>'
    )


def _papers(sheet: PrintSheet, reader: _Reader) -> str:
    links = (
        f'<a href="{reader.link(f"print/{sheet.name}/{paper}.pdf")}" download dir="ltr">{PAPER_NAMES[paper]}</a>'
        for paper in sheet.papers
    )
    return " · ".join(links)


def _contents(found: Rendered, reader: _Reader) -> str:
    parts = "\n".join(f'<li><a href="#{escape(name)}">{escape(heading)}</a></li>' for name, heading in found.parts)
    if not parts:
        return ""
    title = reader.say(_HERE)
    return f'<nav class="doc-contents" aria-label="{title}"><p>{title}</p>\n<ul>\n{parts}\n</ul></nav>'


def _current(is_it: bool) -> str:
    return ' aria-current="true"' if is_it else ""


def _address(path: str, along: Mapping[str, str]) -> str:
    return escape(f"{path}?{urlencode(along)}" if along else path)

"""Compilation of the translation catalogues into the files that are read at run time.

    python companion/languages/compiling.py CATALOGUE.po…

Needs Babel, and nothing else of the program: `setup.py` and the Makefile use it.
"""

import json
import re
import sys
from gettext import c2py
from pathlib import Path
from typing import Final, TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

PAGE: Final = "companion/web/static/"
"""The folder whose files contain the messages of the page."""
OTHER_PAGES: Final = (f"{PAGE}js/hall/", f"{PAGE}js/defining/", f"{PAGE}js/score/", f"{PAGE}js/camera/")
"""The scripts of other pages than the table's, which does not need their messages."""
COMPILED, SPOKEN_BY_PAGE = "companion.mo", "page.json"
"""Names of the compiled files beside each catalogue: all messages, and those of the page."""
# Number of counts with a stored plural form. Plural rules depend on the last two digits: they repeat from 100 on.
_COUNTS: Final = 200
# Separator of a context and its message, as in a `.mo`.
_CONTEXT_ENDS: Final = "\u0004"

# What is typed or named in Latin script inside a text from right to left: an assignment, an option with its argument, a
# section with its key, or several words in a row. Its words would change places there.
_TYPED: Final = re.compile(
    r"""(?<![\u2066\w-])(?:
        (?:\{\w+\}|[a-z]\w*)\ =\ (?:\{\w+\}|\w+|"\w+")
        | (?:\{command\}\ )?--[a-z][a-z-]*(?:\ [\w.,-]*\w)?
        | \[[a-z]+\](?:\ [a-z]\w*)?
        | [A-Za-z][\w./-]*(?:\ [\w./-]*\w)+
    )""",
    re.ASCII | re.VERBOSE,
)

PageCatalogue: TypeAlias = "dict[str, str | dict[str, str | list[str]]]"


def compile_catalogue(path: Path) -> None:
    """Compile a `.po` into `COMPILED` and `SPOKEN_BY_PAGE`, both beside it."""
    catalogue = read(path)
    with path.with_name(COMPILED).open("wb") as compiled:
        write_mo(compiled, catalogue)
    spoken = json.dumps(page_catalogue(catalogue), ensure_ascii=False, separators=(",", ":"))
    path.with_name(SPOKEN_BY_PAGE).write_text(spoken, encoding="utf-8")


def read(path: Path) -> Catalog:
    """Return the catalogue in a `.po`; in a language from right to left, with everything typed `isolated`."""
    with path.open("rb") as stream:
        catalogue = read_po(stream)
    if catalogue.locale is not None and catalogue.locale.text_direction == "rtl":
        # The header, which has no message, is for programs.
        for message in (each for each in catalogue if each.id):
            texts = message.string
            message.string = tuple(map(isolated, texts)) if isinstance(texts, tuple) else isolated(str(texts))
    return catalogue


def isolated(text: str) -> str:
    """Return a right-to-left text in which everything typed keeps its order from left to right (UAX 9, isolates)."""
    return _TYPED.sub("\u2066\\g<0>\u2069", text)


def page_catalogue(catalogue: Catalog) -> PageCatalogue:
    """Return the page's messages in the form that its scripts read.

    Returns:
        `texts`: translations by message (its singular if it has plural forms, with its context before it if it has
        one); a list of all forms for a message with plural forms. `others`: the same for messages that only other
        pages than the table's need. `plurals`: a string with the index of the plural form of each count from 0 to 199.
    """
    form = c2py(catalogue.plural_expr)
    texts: dict[str, str | list[str]] = {}
    others: dict[str, str | list[str]] = {}
    for message in filter(_is_page_s, catalogue):
        (others if _is_of_other_pages(message) else texts)[_key(message)] = _translation(message)
    return {"plurals": "".join(str(form(count)) for count in range(_COUNTS)), "texts": texts, "others": others}


def _is_page_s(message: Message) -> bool:
    translated = all(message.string) if isinstance(message.string, tuple) else bool(message.string)
    return translated and not message.fuzzy and any(file.startswith(PAGE) for file, _ in message.locations)


def _is_of_other_pages(message: Message) -> bool:
    return all(file.startswith(OTHER_PAGES) for file, _ in message.locations if file.startswith(PAGE))


def _key(message: Message) -> str:
    one = message.id if isinstance(message.id, str) else message.id[0]
    return one if message.context is None else f"{message.context}{_CONTEXT_ENDS}{one}"


def _translation(message: Message) -> str | list[str]:
    return [*message.string] if isinstance(message.string, tuple) else str(message.string)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        compile_catalogue(Path(name))

"""The HTML frame of pages that need no script: the help's documents, and refusals."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.languages import Language

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
        theme=f' data-theme="{theme}"' if theme in ("light", "dark") else "",
        title=escape(title),
        styles=_STYLES,
        top=top,
        room=room,
    )

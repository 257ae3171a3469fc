"""The page that explains how a phone trusts the table's certificate, and the certificate to install."""

from html import escape
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from companion.languages import Language, Sentence, render, said
from companion.play.page import Need, RefusedError
from companion.web.requests import ICON, framed, language_of
from companion.web.routing import PageRoute
from companion.web.site import Site

_TITLE: Final = said("How a phone trusts this table")
_DOWNLOAD: Final = said("Download the certificate")
_ALONE: Final = said("Without the certificate")
_OPEN: Final = said("Open the encrypted page")
_WHY: Final = said(
    "Browsers open the camera, keep the screen awake and install the page only if the connection is encrypted and they "
    "trust it. This table has an authority of its own for that. It can confirm nothing but machines of a home network."
)
_ANDROID: Final = (
    said("Download the certificate with the button above."),
    said("Open the phone’s settings and search them for “CA certificate”."),
    said("Tap “CA certificate”, “Install anyway”, and choose the file that you downloaded."),
    said("Open the table’s page again."),
)
_IPHONE: Final = (
    said("Open this page in Safari, tap the button above, and allow the profile to be downloaded."),
    said("Open Settings: at the top it says “Profile Downloaded”. Tap it, then “Install”."),
    said("Go to General, About, Certificate Trust Settings, and switch on “Quilt Companion”."),
    said("Open the table’s page again."),
)
_COMPUTER: Final = said(
    "On a computer, open the browser’s settings, search them for “certificates”, and import the file as an authority."
)
_WITHOUT: Final = said(
    "You can also go on without it: open the encrypted page, and when the browser warns, tap “Advanced” (on an iPhone "
    "“Show Details”) and then the link that goes on. The camera works then. What does not: the page cannot be "
    "installed, and shows nothing when the table is out of reach, because browsers allow that only with a trusted "
    "certificate."
)
_UNDO: Final = said(
    "To undo it, remove the certificate in the same place. Whoever has the table’s data folder could pretend to be a "
    "machine of your home network, but no site on the internet."
)


async def page(site: Site, request: Request) -> Response:
    """Return the explanation, with a link to the encrypted page."""
    _require(site)
    language = language_of(request)
    target = "/" if request.url.scheme == "https" else site.access.secure_url(request, "/")
    room = "\n".join(
        (
            "<main>",
            f"<h1>{_text(_TITLE, language)}</h1>",
            f"<p>{_text(_WHY, language)}</p>",
            f'<p><a class="plain" href="/authority.crt">{_text(_DOWNLOAD, language)}</a></p>',
            *_steps("iPhone, iPad", "iphone", _IPHONE, language),
            *_steps("Android", "android", _ANDROID, language),
            f"<p>{_text(_COMPUTER, language)}</p>",
            f"<h2>{_text(_ALONE, language)}</h2>",
            f"<p>{_text(_WITHOUT, language)}</p>",
            f'<p><a class="plain" href="{escape(target)}">{_text(_OPEN, language)}</a></p>',
            f"<p>{_text(_UNDO, language)}</p>",
            "</main>",
        )
    )
    top = f'<nav>{ICON} <a href="{escape(target)}">Quilt Companion</a></nav>'
    return HTMLResponse(framed(render(_TITLE, language), top, room, language))


async def certificate(site: Site, _: Request) -> Response:
    """Return the authority's certificate, in the form that phones install."""
    found = await run_in_threadpool(_require, site)
    headers = {"content-disposition": 'attachment; filename="quilt-companion.crt"'}
    return Response(found, media_type="application/x-x509-ca-cert", headers=headers)


def _require(site: Site) -> bytes:
    found = site.authority()
    if found is None:
        raise RefusedError(404, said("There is no such page."))
    return found


def _steps(title: str, picture: str, steps: tuple[Sentence, ...], language: Language) -> list[str]:
    items = "".join(f"<li>{_text(step, language)}</li>" for step in steps)
    return [
        f'<h2 translate="no">{title}</h2>',
        f'<p><img src="/static/trust/{picture}.svg" alt="" width="560" height="220"></p>',
        f"<ol>{items}</ol>",
    ]


def _text(sentence: Sentence, language: Language) -> str:
    return escape(render(sentence, language))


TRUST_ROUTES: Final[tuple[PageRoute[Site], ...]] = (
    PageRoute("/trust", page, Need.NOTHING),
    PageRoute("/authority.crt", certificate, Need.NOTHING),
)

"""The page's texts in a language, from the program's message catalogues."""

import gzip
import json
from functools import cache
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.languages import LANGUAGES, said
from companion.languages.language import FOLDER
from companion.web.errors import refusal

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

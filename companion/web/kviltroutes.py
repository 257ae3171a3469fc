"""What the page asks of a table of Kvilt alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response

from companion.kvilt.words import region_words
from companion.languages import said, tell
from companion.web.errors import RefusedError
from companion.web.readers import reads

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.web.site import Site


async def sheet(site: Site, request: Request) -> Response:
    """The sheet that everybody colours, for the page to draw."""
    drawn = site.sheet()
    if drawn is None:
        raise RefusedError(404, said("No game of Kvilt is on the table."))
    language = reads(request)
    names = {region: tell(region_words(region), language) for region in drawn["regions"]}
    return JSONResponse({"ok": True, "sheet": drawn, "names": names}, headers={"cache-control": "no-cache"})

"""What the page asks of a table of Kvilt alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response

from companion.languages import said
from companion.web.errors import RefusedError

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.web.site import Site


async def sheet(site: Site, request: Request) -> Response:
    """The sheet that everybody colours, for the page to draw."""
    del request
    drawn = site.sheet()
    if drawn is None:
        raise RefusedError(404, said("No game of Kvilt is on the table."))
    return JSONResponse({"ok": True, "sheet": drawn}, headers={"cache-control": "no-cache"})

"""The page on which an owner marks the spaces of a time board in a photograph."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from companion.config import PageConfig
from companion.errors import CompanionError
from companion.languages import render
from companion.patchwork.timeboard_print import PrintingDesk, Tapped
from companion.play.page.routes import Body, BodyT, NothingMore, RefusedError, between
from companion.web.defining.serving import DescribingPage
from companion.web.defining.site import DescribingSite, Handler, build_describing_app
from companion.web.readers import language_of
from companion.web.schema.bodies import read_command
from vision.timeboard.board import SPACES

TimeBoardSite: TypeAlias = "DescribingSite[PrintingDesk]"
_LONGEST_BYTES: Final = 1 << 16
# In pixels; larger than any photograph.
_FURTHEST: Final = 50_000.0
_Length: TypeAlias = Annotated[float, between(-_FURTHEST, _FURTHEST)]
_Place: TypeAlias = tuple[_Length, _Length]


class TappedBody(Body):
    """The tapped places, in pixels of the photograph; marks by the number of the space that follows."""

    corners: Annotated[tuple[_Place, ...], Meta(min_length=4, max_length=4)]
    spaces: Annotated[tuple[_Place, ...], Meta(max_length=SPACES)]
    marks: dict[str, _Place]


def build_time_board_app(site: TimeBoardSite) -> ASGIApp:
    """Return the application."""
    return build_describing_app(site, "timeboard.html", _ROUTES)


class TimeBoardPage(DescribingPage):
    """The page, served between `with` and its end.

    Args:
        config: the address and port that it listens at.
        desk: the state of the description.

    Raises:
        PageError: on entering, if it cannot be served.
    """

    def __init__(self, config: PageConfig, desk: PrintingDesk) -> None:
        super().__init__(config, lambda access: build_time_board_app(DescribingSite(access, desk)))


async def _photo(site: TimeBoardSite, request: Request) -> Response:
    del request
    return Response(await run_in_threadpool(site.desk.photo_jpeg), media_type="image/jpeg")


async def _shown(site: TimeBoardSite, request: Request) -> Response:
    return await _view_response(site, request)


async def _tapped(site: TimeBoardSite, request: Request) -> Response:
    body = await _body(site, request, TappedBody)
    marks = {int(space): place for space, place in body.marks.items() if space in map(str, site.desk.kinds)}
    site.desk.put(Tapped(body.corners, body.spaces, marks))
    return await _view_response(site, request)


async def _save(site: TimeBoardSite, request: Request) -> Response:
    await _body(site, request, NothingMore)
    try:
        await run_in_threadpool(site.desk.save)
    except CompanionError as error:
        raise RefusedError(409, *error.args[:1]) from None
    return await _view_response(site, request)


async def _view_response(site: TimeBoardSite, request: Request) -> Response:
    return JSONResponse(await run_in_threadpool(_view, site.desk, request))


def _view(desk: PrintingDesk, request: Request) -> dict[str, Any]:
    tapped, fault = desk.tapped, desk.fault()
    return {
        "ok": True,
        "file": desk.path.name,
        "photo": list(desk.size_px),
        "corners": tapped.corners,
        "spaces": tapped.spaces,
        "marks": tapped.marks,
        "kinds": desk.kinds,
        "fault": "" if fault is None else render(fault, language_of(request)),
        "saved": desk.is_saved,
    }


async def _body(site: TimeBoardSite, request: Request, kind: type[BodyT]) -> BodyT:
    return await read_command(site.commands, request, kind, longest_bytes=_LONGEST_BYTES)


_ROUTES: Final[tuple[tuple[str, str, Handler[PrintingDesk]], ...]] = (
    ("GET", "/api/time-board", _shown),
    ("GET", "/api/time-board/photo.jpg", _photo),
    ("POST", "/api/time-board", _tapped),
    ("POST", "/api/time-board/save", _save),
)

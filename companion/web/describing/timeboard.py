"""The page on which an owner marks the spaces of a time board in a photograph."""

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
from companion.play.page.routes import Body, Need, NothingMore, RefusedError, between
from companion.web.describing.page import DescribingPage, DescribingSite, describing_app
from companion.web.requests import language_of
from companion.web.routing import PageRoute, commanded
from vision.timeboard.board import SPACES

TimeBoardSite: TypeAlias = DescribingSite[PrintingDesk]
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


async def _photo(site: TimeBoardSite, _: Request) -> Response:
    return Response(await run_in_threadpool(site.desk.photo_jpeg), media_type="image/jpeg")


async def _shown(site: TimeBoardSite, request: Request) -> Response:
    return await _view_response(site, request)


async def _tapped(site: TimeBoardSite, request: Request, body: TappedBody) -> Response:
    marks = {int(space): place for space, place in body.marks.items() if space in map(str, site.desk.kinds)}
    site.desk.put(Tapped(body.corners, body.spaces, marks))
    return await _view_response(site, request)


async def _save(site: TimeBoardSite, request: Request, _: NothingMore) -> Response:
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


def time_board_app(site: TimeBoardSite) -> ASGIApp:
    """Return the application of the page on which an owner marks the spaces of a time board."""
    return describing_app(
        site,
        "timeboard.html",
        (
            PageRoute("/api/time-board", _shown, Need.TOUCH),
            PageRoute("/api/time-board/photo.jpg", _photo, Need.TOUCH),
            commanded("/api/time-board", _tapped, TappedBody, longest_bytes=_LONGEST_BYTES),
            commanded("/api/time-board/save", _save, NothingMore, longest_bytes=_LONGEST_BYTES),
        ),
    )


def time_board_page(config: PageConfig, desk: PrintingDesk) -> DescribingPage:
    """Return the page, which listens at the configured address and port."""
    return DescribingPage(config, lambda access: time_board_app(DescribingSite(access=access, desk=desk)))

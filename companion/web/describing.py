"""Pages on which an owner describes the sheet of a boxed Kvilt, or the spaces of a time board."""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, Self, TypeAlias, TypeVar

import numpy as np
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from companion.config import PageConfig
from companion.games.kvilt.sheet import BonusKind
from companion.kvilt.defining.desk import DefiningDesk, DefiningView
from companion.kvilt.naming import colour_word
from companion.languages import Language, render
from companion.patchwork.timeboard_print import PrintingDesk, Tapped
from companion.play.page import Body, Json, Need, NothingMore, between
from companion.web.access import Access
from companion.web.door import Door
from companion.web.requests import done, language_of
from companion.web.routing import BodyT, CommandHandler, PageRoute, PageSite, application, commanded, entrances
from vision.timeboard.board import SPACES

DeskT = TypeVar("DeskT")


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribingSite(PageSite, Generic[DeskT]):
    """The parts that the handlers use; `desk` is the state of the description."""

    desk: DeskT


def describing_app(site: DescribingSite[DeskT], page: str, routes: Iterable[PageRoute[Any]]) -> ASGIApp:
    """Return the application of a describing page.

    Args:
        site: the parts that the handlers use.
        page: the name of its file.
        routes: all routes but those of the page itself.
    """
    served = [route.served(site) for route in (*entrances(page), *routes)]
    return application(served, names=site.access.config.names)


class DescribingPage(Door):
    """The page, served between `with` and its end.

    Args:
        config: the address and port that it listens at.
        build: returns the application for the given access rules.

    Raises:
        PageError: on entering, if it cannot be served.
    """

    def __init__(self, config: PageConfig, build: Callable[[Access], ASGIApp]) -> None:
        super().__init__(config, None)
        self._build = build

    def __enter__(self) -> Self:
        super().__enter__()
        self.show(self._build(self.access))
        return self

    def wait(self) -> None:
        """Wait until the user interrupts the program; the page is served until then."""
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


# The sheet of a boxed Kvilt.

SheetSite: TypeAlias = DescribingSite[DefiningDesk]
LONGEST_SHEET_BYTES: Final = 1 << 20
_MOST_CELLS: Final = 240
# In pixels; larger than any photograph, and small enough for the arithmetic.
_FURTHEST: Final = 50_000.0
_Length: TypeAlias = Annotated[float, between(-_FURTHEST, _FURTHEST)]


class SheetCornersBody(Body):
    """The sheet's corners in the photograph, in pixels; null to detect them again."""

    corners: Annotated[tuple[tuple[_Length, _Length], ...], Meta(min_length=4, max_length=4)] | None


class Entered(Body):
    """The sheet as described so far."""

    sheet: dict[str, Any]


class Looked(Body):
    """The cells in which to detect pictures."""

    cells: Annotated[tuple[tuple[_Length, _Length, _Length, _Length], ...], Meta(max_length=_MOST_CELLS)]


PENCILS: Final = {
    "red": "#d63031", "yellow": "#f6d743", "green": "#3c9650", "blue": "#2d5fb4", "violet": "#734196",
    "brown": "#7d5032", "orange": "#ee8434", "pink": "#e36ba0", "black": "#2b2b2e", "grey": "#7f8488",
    "turquoise": "#2f9c96", "light-blue": "#6fb3dd", "light-green": "#9ccc4c", "purple": "#9c2f7a",
}  # fmt: skip
"""Colours of the pencils in known boxes, by name, with an approximate screen colour for each."""


async def _shown_sheet(site: SheetSite, request: Request) -> Response:
    return _response(await run_in_threadpool(site.desk.view), language_of(request))


async def _photo_sheet(site: SheetSite, _: Request) -> Response:
    return Response(await done(site.desk.photo_jpeg), media_type="image/jpeg")


async def _flat(site: SheetSite, _: Request) -> Response:
    return Response(await done(site.desk.flat_jpeg), media_type="image/jpeg")


async def _corners(site: SheetSite, request: Request, body: SheetCornersBody) -> Response:
    """Set the corners, or detect them again if they are null."""
    quad = None if body.corners is None else np.array(body.corners, np.float64)
    return _response(await done(lambda: site.desk.move(quad)), language_of(request))


async def _turn(site: SheetSite, request: Request, _: NothingMore) -> Response:
    return _response(await done(site.desk.turn), language_of(request))


async def _sheet(site: SheetSite, request: Request, body: Entered) -> Response:
    """Take the sheet as entered, and save it as a draft."""
    return _response(await done(lambda: site.desk.put(body.sheet)), language_of(request))


async def _pictures(site: SheetSite, _: Request, body: Looked) -> Response:
    """Detect the pictures in cells and return their outlines."""
    cells = [list(cell) for cell in body.cells]
    return JSONResponse({"ok": True, "outlines": await done(lambda: site.desk.pictures(cells))})


async def _save_sheet(site: SheetSite, request: Request, _: NothingMore) -> Response:
    return _response(await done(site.desk.save), language_of(request))


def _response(view: DefiningView, language: Language) -> Response:
    return JSONResponse(view_json(view, language))


def view_json(view: DefiningView, language: Language) -> Json:
    """Return the state of a sheet that is being described, for the page."""
    corners = view.corners_px
    return {
        "ok": True,
        "file": view.file.name,
        "sheet": view.tables,
        "photo": None if view.photo_px is None else list(view.photo_px),
        "corners": None if corners is None else np.round(corners, 1).tolist(),
        "flat": view.flat_number,
        "px_per_mm": None if view.px_per_mm is None else round(view.px_per_mm, 1),
        "missing": [{"step": str(it.step), "says": render(it.says, language)} for it in view.missing],
        "fault": render(view.fault, language),
        "saved": view.saved,
        "marks": [str(kind) for kind in BonusKind if kind is not BonusKind.PENCIL],
        "pencils": [
            {"key": key, "screen": screen, "name": render(colour_word(key), language)}
            for key, screen in PENCILS.items()
        ],
    }


def _sheet_command(path: str, handler: CommandHandler[SheetSite, BodyT], body: type[BodyT]) -> PageRoute[SheetSite]:
    return commanded(f"/api/define/{path}", handler, body, longest_bytes=LONGEST_SHEET_BYTES)


def sheet_app(site: SheetSite) -> ASGIApp:
    """Return the application of the page on which the sheet of a boxed Kvilt is described."""
    return describing_app(
        site,
        "defining.html",
        (
            PageRoute("/api/define", _shown_sheet, Need.TOUCH),
            PageRoute("/api/define/photo.jpg", _photo_sheet, Need.TOUCH),
            PageRoute("/api/define/flat.jpg", _flat, Need.TOUCH),
            _sheet_command("corners", _corners, SheetCornersBody),
            _sheet_command("turn", _turn, NothingMore),
            _sheet_command("sheet", _sheet, Entered),
            _sheet_command("pictures", _pictures, Looked),
            _sheet_command("save", _save_sheet, NothingMore),
        ),
    )


def sheet_page(config: PageConfig, desk: DefiningDesk) -> DescribingPage:
    """Return the page, which listens at the configured address and port."""
    return DescribingPage(config, lambda access: sheet_app(DescribingSite(access=access, desk=desk)))


# The spaces of a time board.

TimeBoardSite: TypeAlias = DescribingSite[PrintingDesk]
_LONGEST_BYTES: Final = 1 << 16
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
    await done(site.desk.save)
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
        "fault": "" if fault is None else render(fault.says, language_of(request)),
        "at": "" if fault is None else fault.step,
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

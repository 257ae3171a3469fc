"""The page on which the owner of a boxed Kvilt describes the sheet."""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias

import numpy as np
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from companion.config import PageConfig
from companion.errors import CompanionError
from companion.games.kvilt.sheet.sheet import BonusKind
from companion.kvilt.defining.desk import DefiningDesk, DefiningView
from companion.kvilt.naming import colour_word
from companion.languages import Language, render
from companion.play.page.routes import Body, Json, Need, NothingMore, RefusedError, between
from companion.web.describing.page import DescribingPage, DescribingSite, describing_app
from companion.web.requests import language_of
from companion.web.routing import BodyT, CommandHandler, PageRoute, commanded

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


async def _shown(site: SheetSite, request: Request) -> Response:
    return _response(await run_in_threadpool(site.desk.view), language_of(request))


async def _photo(site: SheetSite, _: Request) -> Response:
    return Response(await _done(site.desk.photo_jpeg), media_type="image/jpeg")


async def _flat(site: SheetSite, _: Request) -> Response:
    return Response(await _done(site.desk.flat_jpeg), media_type="image/jpeg")


async def _corners(site: SheetSite, request: Request, body: SheetCornersBody) -> Response:
    """Set the corners, or detect them again if they are null."""
    quad = None if body.corners is None else np.array(body.corners, np.float64)
    return _response(await _done(lambda: site.desk.move(quad)), language_of(request))


async def _turn(site: SheetSite, request: Request, _: NothingMore) -> Response:
    return _response(await _done(site.desk.turn), language_of(request))


async def _sheet(site: SheetSite, request: Request, body: Entered) -> Response:
    """Take the sheet as entered, and save it as a draft."""
    return _response(await _done(lambda: site.desk.put(body.sheet)), language_of(request))


async def _pictures(site: SheetSite, _: Request, body: Looked) -> Response:
    """Detect the pictures in cells and return their outlines."""
    cells = [list(cell) for cell in body.cells]
    return JSONResponse({"ok": True, "outlines": await _done(lambda: site.desk.pictures(cells))})


async def _save(site: SheetSite, request: Request, _: NothingMore) -> Response:
    return _response(await _done(site.desk.save), language_of(request))


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


async def _done(do: Callable[[], Any]) -> Any:
    try:
        return await run_in_threadpool(do)
    except CompanionError as error:
        raise RefusedError(409, *error.args[:1]) from None


def _sheet_command(path: str, handler: CommandHandler[SheetSite, BodyT], body: type[BodyT]) -> PageRoute[SheetSite]:
    return commanded(f"/api/define/{path}", handler, body, longest_bytes=LONGEST_SHEET_BYTES)


def sheet_app(site: SheetSite) -> ASGIApp:
    """Return the application of the page on which the sheet of a boxed Kvilt is described."""
    return describing_app(
        site,
        "defining.html",
        (
            PageRoute("/api/define", _shown, Need.TOUCH),
            PageRoute("/api/define/photo.jpg", _photo, Need.TOUCH),
            PageRoute("/api/define/flat.jpg", _flat, Need.TOUCH),
            _sheet_command("corners", _corners, SheetCornersBody),
            _sheet_command("turn", _turn, NothingMore),
            _sheet_command("sheet", _sheet, Entered),
            _sheet_command("pictures", _pictures, Looked),
            _sheet_command("save", _save, NothingMore),
        ),
    )


def sheet_page(config: PageConfig, desk: DefiningDesk) -> DescribingPage:
    """Return the page, which listens at the configured address and port."""
    return DescribingPage(config, lambda access: sheet_app(DescribingSite(access=access, desk=desk)))

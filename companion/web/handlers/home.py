"""The home on the page: what can be done, and the choice."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.calibrating.guide import CalibrationStep
from companion.languages import Language, render, said
from companion.play.page import Body, Json, NothingMore, RefusedError
from companion.web.handlers.reading import limit_pictures
from companion.web.home import Entry, Home, UnknownEntryError
from companion.web.preview import connected_cameras
from companion.web.requests import language_of
from companion.web.site import Site


class Chosen(Body):
    """The name of an entry."""

    entry: str


async def home(site: Site, request: Request) -> Response:
    """Return what can be done here, and the game that may be gone on with."""
    here, language = _home(site), language_of(request)
    last = await run_in_threadpool(here.last)
    return JSONResponse(
        {
            "ok": True,
            "room": site.room,
            "fault": render(here.fault, language),
            "entries": [_entry(each, language) for each in here.entries],
            "last": None
            if last is None
            else {"game": last.game, "players": list(last.players), "decisions": last.decisions},
            "begins_in_s": here.begins_in_s,
        }
    )


def _entry(entry: Entry, language: Language) -> Json:
    return {
        "name": entry.name,
        "title": render(entry.title, language),
        "says": render(entry.says, language),
        "needs_camera": entry.needs_camera,
        "starts_by_itself": entry.starts_by_itself,
        "address": entry.address,
    }


async def choose(site: Site, _: Request, body: Chosen) -> Response:
    """Open the room of an entry; the page finds it as soon as it is open."""
    try:
        _home(site).choose(body.entry)
    except UnknownEntryError:
        raise RefusedError(409, said("There is nothing of this name here.")) from None
    return JSONResponse({"ok": True, "says": ""})


async def leave(site: Site, _: Request, __: NothingMore) -> Response:
    """Leave the room for the home; a game in it is kept."""
    _home(site).leave()
    return JSONResponse({"ok": True, "says": ""})


async def stay(site: Site, _: Request, __: NothingMore) -> Response:
    """Let nothing start by itself."""
    _home(site).stay()
    return JSONResponse({"ok": True, "says": ""})


async def cameras(site: Site, _: Request) -> Response:
    """Return the connected cameras and the configured one."""
    _home(site)
    found = await run_in_threadpool(connected_cameras)
    return JSONResponse({"ok": True, "cameras": [each._asdict() for each in found]})


async def preview(site: Site, request: Request) -> Response:
    """Return what is seen in the configured camera's newest picture, which `/camera.jpg` shows."""
    if site.preview is None:
        raise RefusedError(404, said("There is no camera to look through now."))
    limit_pictures(site, request)
    fault, view = await run_in_threadpool(site.preview.look)
    language = language_of(request)
    remarks = () if view is None else view.remarks
    return JSONResponse(
        {
            "ok": True,
            "fault": render(fault, language),
            "pictured": view is not None,
            "says": "" if view is None else render(view.says, language),
            "remarks": [{"says": render(each.says, language), "blocks": each.blocks} for each in remarks],
            "ready": view is not None and view.step is CalibrationStep.DONE,
        }
    )


def _home(site: Site) -> Home:
    if site.home is None:
        raise RefusedError(404, said("This program has no home: start it without a command."))
    return site.home

"""The home on the page: what can be done, the choice, and the settings of the configuration's file."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.calibrating.guide import CalibrationStep
from companion.languages import Language, render, said, unwritable
from companion.play.page import Body, Json, NothingMore, RefusedError, one_of
from companion.web.handlers.reading import limit_pictures
from companion.web.home import Entry, Home, UnknownEntryError
from companion.web.preview import connected_cameras
from companion.web.requests import done, language_of
from companion.web.settings import SETTINGS, PageSetting, SettingsFile
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


async def choose(site: Site, request: Request, body: Chosen) -> Response:
    """Open the room of an entry; the page finds it as soon as it is open."""
    try:
        _home(site).choose(body.entry, language_of(request))
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


# The settings.


class Changed(Body):
    """A key of the configuration and its new value; null removes it."""

    section: Annotated[str, one_of(*sorted({each.section for each in SETTINGS}))]
    key: Annotated[str, one_of(*sorted({each.key for each in SETTINGS}))]
    value: str | bool | list[str] | None


async def settings(site: Site, request: Request) -> Response:
    """Return the settings with their values and options."""
    file, language = _file(site), language_of(request)
    found = await done(file.shown)
    return JSONResponse(
        {"ok": True, "file": str(file.path), "settings": [_setting_json(*each, language) for each in found]}
    )


def _setting_json(setting: PageSetting, value: object, language: Language) -> Json:
    return {
        "section": setting.section,
        "key": setting.key,
        "title": render(setting.title, language),
        "kind": setting.kind,
        "value": [render(each, language) for each in value] if isinstance(value, list) else value,
        "options": [{"value": value, "says": render(says, language)} for value, says in setting.options],
    }


class NetworkCamera(Body):
    """The address of the stream of a camera in the network."""

    url: Annotated[str, Meta(min_length=1, max_length=500)]


async def change(site: Site, _: Request, body: Changed) -> Response:
    """Write a setting to the configuration's file."""
    return await _written(_file(site), lambda file: file.change(body.section, body.key, body.value))


async def network_camera(site: Site, _: Request, body: NetworkCamera) -> Response:
    """Choose a camera in the network."""
    return await _written(_file(site), lambda file: file.use_network_camera(body.url))


async def _written(file: SettingsFile, write: Callable[[SettingsFile], None]) -> Response:
    try:
        await done(lambda: write(file))
    except OSError as error:
        raise RefusedError(409, unwritable(file.path, error)) from None
    return JSONResponse({"ok": True, "says": ""})


def _file(site: Site) -> SettingsFile:
    if site.settings is None:
        raise RefusedError(404, said("The settings cannot be changed here."))
    return site.settings

"""The settings on the page: reading and writing the configuration's file."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.config.text import ConfigError
from companion.languages import Language, reason, render, said, system_says
from companion.play.page import Body, Json, RefusedError, one_of
from companion.web.requests import language_of
from companion.web.settings import SETTINGS, PageSetting, SettingsFile
from companion.web.site import Site


class Changed(Body):
    """A key of the configuration and its new value; null removes it."""

    section: Annotated[str, one_of(*sorted({each.section for each in SETTINGS}))]
    key: Annotated[str, one_of(*sorted({each.key for each in SETTINGS}))]
    value: str | bool | list[str] | None


async def settings(site: Site, request: Request) -> Response:
    """Return the settings with their values and options."""
    file, language = _file(site), language_of(request)
    try:
        found = await run_in_threadpool(file.shown)
    except ConfigError as error:
        raise RefusedError(409, reason(error)) from None
    return JSONResponse({"ok": True, "file": str(file.path), "settings": [_json(*each, language) for each in found]})


def _json(setting: PageSetting, value: object, language: Language) -> Json:
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
        await run_in_threadpool(write, file)
    except ConfigError as error:
        raise RefusedError(409, reason(error)) from None
    except OSError as error:
        says = said("{path}: cannot be written: {fault}", path=str(file.path), fault=system_says(error))
        raise RefusedError(409, says) from None
    return JSONResponse({"ok": True, "says": ""})


def _file(site: Site) -> SettingsFile:
    if site.settings is None:
        raise RefusedError(404, said("The settings cannot be changed here."))
    return site.settings

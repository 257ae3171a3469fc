"""Moves at the virtual table of Kvilt: people colour, rub out, and lay a sheet under the camera."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.bootstrap.kviltarrangement import SEATS
from companion.bootstrap.virtual import STYLES, ColourRegion, LaySheet, RubOut, SheetCircumstances
from companion.web.kviltvirtual import RANGES
from companion.web.values import is_between, is_whole
from companion.web.virtual import done, move_body

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.web.bodies import Check
    from companion.web.site import Site

LONGEST_NAME: Final = 40


async def colour(site: Site, request: Request) -> Response:
    """Colour a region of a sheet."""
    body = await move_body(site, request, {"seat": _is_seat, "region": _is_name, "colour": _is_name})
    return await done(site, ColourRegion(int(body["seat"]), body["region"], body["colour"]))


async def rub_out(site: Site, request: Request) -> Response:
    """Make a region white again."""
    body = await move_body(site, request, {"seat": _is_seat, "region": _is_name})
    return await done(site, RubOut(int(body["seat"]), body["region"]))


async def lay_sheet(site: Site, request: Request) -> Response:
    """Lay a sheet under the camera, in the place of what lies there; null takes that away."""
    body = await move_body(site, request, {"seat": lambda value: value is None or _is_seat(value)})
    return await done(site, LaySheet(None if body["seat"] is None else int(body["seat"])))


async def conditions(site: Site, request: Request) -> Response:
    """Change the light, how sheets lie, and how people colour."""
    checks: dict[str, Check] = {name: _within(*span) for name, span in RANGES.items()}
    body = await move_body(site, request, {**checks, "style": _is_style})
    strengths: Mapping[str, float] = {name: float(body[name]) for name in RANGES}
    return await done(site, SheetCircumstances(**strengths, style=body["style"]))


def _is_seat(value: object) -> bool:
    return is_whole(value, 1, max(SEATS))


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME


def _is_style(value: object) -> bool:
    return isinstance(value, str) and value in STYLES


def _within(least: float, most: float) -> Check:
    return lambda value: is_between(value, least, most)

"""Moves at the virtual table of Kvilt: people colour, rub out, and lay a sheet under the camera."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from msgspec import Meta
from msgspec.structs import asdict

from companion.bootstrap.virtual import STYLES, ColourRegion, LaySheet, RubOut, SheetCircumstances
from companion.web.bodies import Body
from companion.web.kviltvirtual import RANGES
from companion.web.values import KviltSeat, between, one_of
from companion.web.virtual import done, move_body

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.web.site import Site

LONGEST_NAME: Final = 40
_Region: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class Coloured(Body):
    """A region of a seat's sheet, and the colour that it gets."""

    seat: KviltSeat
    region: _Region
    colour: _Region


class RubbedOut(Body):
    """A region of a seat's sheet."""

    seat: KviltSeat
    region: _Region


class SheetLaid(Body):
    """Whose sheet is laid under the camera; null for nobody's."""

    seat: KviltSeat | None


class SheetChanged(Body):
    """The light, how sheets lie, and how people colour."""

    exposure: Annotated[float, between(*RANGES["exposure"])]
    gradient: Annotated[float, between(*RANGES["gradient"])]
    shadow: Annotated[float, between(*RANGES["shadow"])]
    turn_deg: Annotated[float, between(*RANGES["turn_deg"])]
    curl_mm: Annotated[float, between(*RANGES["curl_mm"])]
    style: Annotated[str, one_of(*STYLES)]


async def colour(site: Site, request: Request) -> Response:
    """Colour a region of a sheet."""
    body = await move_body(site, request, Coloured)
    return await done(site, ColourRegion(body.seat, body.region, body.colour))


async def rub_out(site: Site, request: Request) -> Response:
    """Make a region white again."""
    body = await move_body(site, request, RubbedOut)
    return await done(site, RubOut(body.seat, body.region))


async def lay_sheet(site: Site, request: Request) -> Response:
    """Lay a sheet under the camera, in the place of what lies there; null takes that away."""
    body = await move_body(site, request, SheetLaid)
    return await done(site, LaySheet(body.seat))


async def conditions(site: Site, request: Request) -> Response:
    """Change the light, how sheets lie, and how people colour."""
    body = await move_body(site, request, SheetChanged)
    return await done(site, SheetCircumstances(**asdict(body)))

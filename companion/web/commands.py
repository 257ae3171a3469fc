"""The table's controls on the page: each command goes to the turn loop, and its answer comes back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.responses import JSONResponse

from companion import events
from companion.games.patchwork import PATCHES, MalformedDecisionError, mask_of
from companion.inbox import Answer, CommandRefusedError, Insist, NamePatch, Override, TableAwayError
from companion.languages import said, tell
from companion.sentences import sentences
from companion.web.bodies import Check, read_command
from companion.web.errors import RefusedError
from companion.web.readers import reads
from hardware.ports import Button

if TYPE_CHECKING:
    from concurrent.futures import Future

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.kvilt.news import AnyEvent
    from companion.web.jsontype import Json
    from companion.web.site import Site

_MOST_OPTIONS: Final = 99
_BUTTONS: Final = tuple(button.value for button in Button)


async def press(site: Site, request: Request) -> Response:
    """Press a button."""
    body = await read_command(site.commands, request, {"button": _is_button})
    return await _answered(site, request, site.controls.press(Button(body["button"])))


async def answer(site: Site, request: Request) -> Response:
    """Answer the open question."""
    body = await read_command(site.commands, request, {"option": _is_option})
    option = None if body["option"] is None else int(body["option"])
    return await _answered(site, request, site.inbox.put(Answer(option)))


async def override(site: Site, request: Request) -> Response:
    """Tell what lies on a quilt."""
    checks: dict[str, Check] = {"seat": _is_seat, "cells": _are_cells, "patch": _is_patch_or_none}
    body = await read_command(site.commands, request, checks, frozenset({"patch"}))
    told = Override(int(body["seat"]), mask_of(body["cells"]), body["patch"])
    return await _answered(site, request, site.inbox.put(told))


async def name(site: Site, request: Request) -> Response:
    """Tell which patch it is."""
    body = await read_command(site.commands, request, {"patch": _is_patch})
    return await _answered(site, request, site.inbox.put(NamePatch(body["patch"])))


async def insist(site: Site, request: Request) -> Response:
    """Tell that what is complained of lies as it is meant."""
    await read_command(site.commands, request, {})
    return await _answered(site, request, site.inbox.put(Insist()))


async def _answered(site: Site, request: Request, outcome: Future[tuple[AnyEvent, ...]]) -> Response:
    """Wait for the table's answer; a command that it has not come to by then is withdrawn."""
    try:
        heard = await asyncio.wait_for(asyncio.wrap_future(outcome), site.answers_in_s)
    except TimeoutError:
        raise RefusedError(503, _silence(site), headers={"retry-after": "1"}) from None
    except CommandRefusedError as refusal:
        status = 503 if isinstance(refusal, TableAwayError) else 409
        raise RefusedError(status, refusal.says, more=_candidates(refusal)) from None
    says = " ".join(tell(sentence, reads(request)) for sentence in _said(heard))
    if any(isinstance(event, events.Complained | events.NothingToUndo) for event in heard):
        raise RefusedError(409, says)
    return JSONResponse({"ok": True, "says": says})


def _silence(site: Site) -> str:
    """Why the table has not answered."""
    if site.circle is not None and site.circle.looking:
        return said("The camera is still looking at the circle of patches: try again in a moment.")
    return said("The table does not answer; try again.")


def _candidates(refusal: CommandRefusedError) -> Json | None:
    return {"candidates": list(refusal.candidates)} if refusal.candidates else None


def _said(heard: tuple[AnyEvent, ...]) -> tuple[str, ...]:
    """The sentences of the last event that has any: what led to it is no news for who gave the command."""
    return next((told for event in reversed(heard) if (told := sentences(event))), ())


def _is_button(value: object) -> bool:
    return isinstance(value, str) and value in _BUTTONS


def _is_whole(value: object, least: int, most: int) -> bool:
    """Whether it is a whole number, which in JSON may be written with a point."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value in range(least, most + 1)


def _is_option(value: object) -> bool:
    return value is None or _is_whole(value, 0, _MOST_OPTIONS)


def _is_seat(value: object) -> bool:
    return _is_whole(value, 1, 2)


def _is_patch(value: object) -> bool:
    return isinstance(value, str) and value in PATCHES


def _is_patch_or_none(value: object) -> bool:
    return value is None or _is_patch(value)


def _are_cells(value: object) -> bool:
    if not isinstance(value, list) or not value or not all(isinstance(cell, str) for cell in value):
        return False
    try:
        mask_of(value)
    except MalformedDecisionError:
        return False
    return True

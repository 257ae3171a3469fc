"""The table's controls on the page; each command is passed to the turn loop, which answers it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.config.devices import VOICE_DRIVERS
from companion.languages import render, said
from companion.play import events
from companion.play.inbox import Answer, CommandRefusedError, Insist, TableAwayError
from companion.play.page.interface import Happening, side_of
from companion.play.page.routes import Body, Json, NothingMore, RefusedError, between, one_of
from companion.web.readers import language_of
from companion.web.schema.bodies import read_command
from hardware.ports import Button

if TYPE_CHECKING:
    from companion.web.site import Site

_MOST_OPTIONS: Final = 99
_SILENCE: Final = "none"
_MOST_QUESTIONS: Final = 1 << 40

QuestionNumber: TypeAlias = Annotated[int, between(0, _MOST_QUESTIONS)]
"""A question's number, from `asked` in the snapshot."""


class Pressed(Body):
    """A button press, and the number of the question that was shown at the time; 0 if there was none."""

    button: Button
    question: QuestionNumber | None = None


class Answered(Body):
    """The number of an answer, null for none of them, and the question's, so that no later question is answered."""

    option: Annotated[int, between(0, _MOST_OPTIONS)] | None
    question: QuestionNumber | None = None


class Voiced(Body):
    """The name of a voice, or "none" for silence."""

    voice: Annotated[str, one_of(*VOICE_DRIVERS)]


async def press(site: Site, request: Request) -> Response:
    """Press a button."""
    body = await read_command(site.commands, request, Pressed)
    return await answered(site, request, site.controls.press(body.button, body.question))


async def answer(site: Site, request: Request) -> Response:
    """Answer the open question."""
    body = await read_command(site.commands, request, Answered)
    return await answered(site, request, site.inbox.put(Answer(body.option, body.question)))


async def insist(site: Site, request: Request) -> Response:
    """Confirm that the placement complained about is intended."""
    await read_command(site.commands, request, NothingMore)
    return await answered(site, request, site.inbox.put(Insist()))


async def voices(site: Site, request: Request) -> Response:
    """Return the voices available at the table, and the one in use."""
    del request
    return JSONResponse({"voices": list(site.voice.names), "chosen": site.voice.chosen or _SILENCE})


async def choose_voice(site: Site, request: Request) -> Response:
    """Choose the voice that speaks at the table, or none."""
    body = await read_command(site.commands, request, Voiced)
    try:
        # This waits until the former voice is silent.
        await run_in_threadpool(site.voice.choose, None if body.voice == _SILENCE else body.voice)
    except KeyError:
        raise RefusedError(409, said("There is no such voice at this table.")) from None
    return JSONResponse({"ok": True, "says": ""})


async def answered(site: Site, request: Request, outcome: Future[Any]) -> Response:
    """Return the table's answer to a command; a command not processed in time is withdrawn.

    Raises:
        RefusedError: 409 or 503, if the table refuses the command or does not answer.
    """
    try:
        followed = await _events_of(site, asyncio.wrap_future(outcome))
    except TimeoutError:
        raise RefusedError(503, _silence(site), headers={"retry-after": "1"}) from None
    except CommandRefusedError as refusal:
        status = 503 if isinstance(refusal, TableAwayError) else 409
        raise RefusedError(status, refusal.says, more=_candidates(refusal)) from None
    says = " ".join(render(sentence, language_of(request)) for sentence in _said(site, followed))
    # The command was carried out, but without the effect that its sender wanted.
    if any(isinstance(event, events.Complained | events.NothingToUndo) for event in followed):
        raise RefusedError(409, says)
    return JSONResponse({"ok": True, "says": says})


async def _events_of(site: Site, outcome: asyncio.Future[Any]) -> Any:
    """Return the events of a command; wait longer for the virtual table's hand, which is slow on a busy machine.

    Raises:
        TimeoutError: the table has not processed the command in time.
    """
    done, _ = await asyncio.wait((outcome,), timeout=site.answers_in_s)
    longer_s = site.opens_in_s if not done and site.controls.waits_for_hand else 0.0
    # A time-out cancels the future, which withdraws the command before the table takes it.
    return await asyncio.wait_for(outcome, longer_s)


def _silence(site: Site) -> str:
    """Return a sentence on why the table has not answered."""
    reasons = (side.silence(site.desks[name]) for name, side in site.games.items() if name in site.desks)
    return next(filter(None, reasons), said("The table does not answer; try again."))


def _candidates(refusal: CommandRefusedError) -> Json | None:
    return {"candidates": list(refusal.candidates)} if refusal.candidates else None


def _said(site: Site, followed: Sequence[Happening]) -> Sequence[str]:
    """Return the sentences of the last event that has any; the sender needs no earlier ones."""
    sentences = (side_of(site.games, event.state).words(event) for event in reversed(followed))
    return next(filter(None, sentences), ())

"""The table's controls on the page; each command is passed to the turn loop, which answers it."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.languages import SentenceError, render, said
from companion.play import events
from companion.play.inbox import (
    Answer,
    CommandRefusedError,
    Insist,
    Outcome,
    PressButton,
    PutRight,
    SendWord,
    TableAwayError,
)
from companion.play.page import (
    Body,
    GamePages,
    HandMove,
    Happening,
    Json,
    NothingMore,
    RefusedError,
    VirtualSide,
    between,
    one_of,
    side_of,
)
from companion.web.requests import language_of
from companion.web.site import Site
from hardware.driver import VoiceDriver, drivers
from hardware.ports import Button
from hardware.simulated.virtual.table import VirtualTable

_MOST_OPTIONS: Final = 99
_SILENCE: Final = "none"
NO_ANSWER: Final = said("The table does not answer; try again.")
_MOST_QUESTIONS: Final = 1 << 40
# A longer word is refused by the table, which says how long it may be.
_LONGEST_WORD: Final = 2000

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


class WantedTempo(Body):
    """The speed of simulated players, in simulated seconds per second, and whether they pause."""

    speed: Annotated[float, between(0.25, 4.0)]
    paused: bool


class Word(Body):
    """A word to the friend at the other table."""

    text: Annotated[str, Meta(max_length=_LONGEST_WORD)]


class Voiced(Body):
    """The name of a voice, or "none" for silence."""

    voice: Annotated[str, one_of(*drivers(VoiceDriver))]


async def press(site: Site, request: Request, body: Pressed) -> Response:
    """Press a button."""
    return await answered(site, request, site.inbox.put(PressButton(body.button, body.question)))


async def answer(site: Site, request: Request, body: Answered) -> Response:
    """Answer the open question."""
    return await answered(site, request, site.inbox.put(Answer(body.option, body.question)))


async def insist(site: Site, request: Request, _: NothingMore) -> Response:
    """Confirm that the placement complained about is intended."""
    return await answered(site, request, site.inbox.put(Insist()))


async def put_right(site: Site, request: Request, _: NothingMore) -> Response:
    """Drop the complaint about what was put right."""
    return await answered(site, request, site.inbox.put(PutRight()))


async def set_tempo(site: Site, _: Request, body: WantedTempo) -> Response:
    """Let the simulated players play faster or slower, or pause."""
    if site.tempo is None:
        raise RefusedError(404, said("No simulated players play here."))
    site.tempo.speed, site.tempo.paused = body.speed, body.paused
    return JSONResponse({"ok": True, "says": ""})


async def send_word(site: Site, request: Request, body: Word) -> Response:
    """Send a word to the friend at the other table."""
    return await answered(site, request, site.inbox.put(SendWord(body.text)))


async def voices(site: Site, _: Request) -> Response:
    """Return the voices available at the table, and the one in use."""
    return JSONResponse({"voices": list(site.voice.names), "chosen": site.voice.chosen or _SILENCE})


async def choose_voice(site: Site, _: Request, body: Voiced) -> Response:
    """Choose the voice that speaks at the table, or none."""
    try:
        # This waits until the former voice is silent.
        await run_in_threadpool(site.voice.choose, None if body.voice == _SILENCE else body.voice)
    except KeyError:
        raise RefusedError(409, said("There is no such voice at this table.")) from None
    return JSONResponse({"ok": True, "says": ""})


async def answered(site: Site, request: Request, outcome: Outcome) -> Response:
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


async def wait_for(awaited: Future[Any], within_s: float) -> None:
    """Wait until the table has done what was asked of it.

    Raises:
        RefusedError: 503 or 409, if it has not; the message says why.
    """
    try:
        await asyncio.wait_for(asyncio.wrap_future(awaited), within_s)
    except TimeoutError:
        raise RefusedError(503, NO_ANSWER, headers={"retry-after": "1"}) from None
    except SentenceError as error:
        raise RefusedError(503 if isinstance(error, TableAwayError) else 409, *error.args) from None


async def _events_of(site: Site, outcome: asyncio.Future[Any]) -> Any:
    """Return the events of a command; wait longer for the virtual table's hand, which is slow on a busy machine.

    Raises:
        TimeoutError: the table has not processed the command in time.
    """
    done, _ = await asyncio.wait((outcome,), timeout=site.answers_in_s)
    longer_s = site.opens_in_s if not done and site.inbox.waits_for_hand else 0.0
    # A time-out cancels the future, which withdraws the command before the table takes it.
    return await asyncio.wait_for(outcome, longer_s)


def _silence(site: Site) -> str:
    """Return a sentence on why the table has not answered."""
    reasons = (side.silence(site.desks[name]) for name, side in site.games.items() if name in site.desks)
    return next(filter(None, reasons), NO_ANSWER)


def _candidates(refusal: CommandRefusedError) -> Json | None:
    return {"candidates": list(refusal.candidates)} if refusal.candidates else None


def _said(site: Site, followed: Sequence[Happening]) -> Sequence[str]:
    """Return the sentences of the last event that has any; the sender needs no earlier ones."""
    sentences = (side_of(site.games, event.state).words(event) for event in reversed(followed))
    return next(filter(None, sentences), ())


# The virtual table.

TOPIC: Final = "virtual"
"""The hub's topic for the contents of the virtual table."""


async def virtual_table(site: Site, _: Request) -> Response:
    """Return the contents of the virtual table, and the ranges of its adjustable conditions."""
    tabletop = _table(site).tabletop
    if tabletop is None:
        raise RefusedError(503, said("The table is not set up yet; try again."), headers={"retry-after": "1"})
    ranges = {name: list(span) for name, span in _side(site.games, tabletop).ranges.items()}
    return JSONResponse({"ok": True, "table": tabletop_json(site.games, tabletop), "ranges": ranges})


async def move(site: Site, wish: HandMove) -> Response:
    """Move a piece, and wait until the virtual hand has begun to."""
    await wait_for(_table(site).move(wish.move), site.answers_in_s)
    return JSONResponse({"ok": True, "says": ""})


def tabletop_json(games: GamePages, tabletop: object) -> Json:
    """Return a virtual table's contents as JSON."""
    return _side(games, tabletop).to_json(tabletop)


def _side(games: GamePages, tabletop: object) -> VirtualSide[Any]:
    """Return the virtual side of the game that a tabletop belongs to.

    Raises:
        TypeError: it belongs to none of these games.
    """
    for side in games.values():
        if side.virtual is not None and isinstance(tabletop, side.virtual.tabletop):
            return side.virtual
    raise TypeError(f"no page for a table that lies as {type(tabletop)}")


def _table(site: Site) -> VirtualTable:
    if site.virtual is None:
        raise RefusedError(404, said("This is not a virtual table."))
    return site.virtual

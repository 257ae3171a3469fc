"""Set-up on the page: what the next game is like, the circle dealt for it, and an earlier one gone on with."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from companion.bootstrap.arrangement import Arrangement, Circle
from companion.dealing import deal_steps, dealt_market
from companion.errors import CompanionError
from companion.games.patchwork import Edition, RuleProfile
from companion.inbox import TableAwayError
from companion.languages import said
from companion.palette import COLOURS
from companion.web.archive import NoGameError
from companion.web.bodies import Body, BodyT, NothingMore, read_command
from companion.web.errors import RefusedError
from companion.web.kviltarranging import KviltBegun, kvilt_offer, wished_for
from companion.web.readers import reads
from companion.web.reading import SNAPSHOT
from companion.web.values import Circuit, LanguageCode, PlayerName, Seat, between, different, one_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.bootstrap import Host
    from companion.web.jsontype import Json
    from companion.web.site import Site

_NAMES_SHOWN: Final = 20
_Colour: TypeAlias = Annotated[str, one_of(*COLOURS)]


class Begun(Body):
    """How the next game is to begin."""

    distinct = ("market",)
    players: Annotated[tuple[PlayerName, PlayerName], different()]
    colours: Annotated[tuple[_Colour, _Colour], different()]
    first_seat: Seat
    edition: Edition
    rules: RuleProfile
    circle: Circle
    market: Circuit | None = None
    language: LanguageCode | None = None
    leave: bool = False


class Resumed(Body):
    """A game that is gone on with."""

    game: Annotated[int, between(1, 2**63 - 1)]
    leave: bool = False


async def shown(site: Site, request: Request) -> Response:
    """What the next game would be like, what may be chosen, and which games can be gone on with."""
    del request
    host = _host(site)
    try:
        games = await run_in_threadpool(site.archive.under_way, host.table)
        names = await run_in_threadpool(site.archive.names)
    except NoGameError:
        games, names = [], []
    here = _newest(site, SNAPSHOT)
    game = here["game"] if here else None
    ended = here and (here["result"] or (here["kvilt"] or {}).get("result"))
    under_way = bool(game and game["decisions"] and not ended)
    live = None if game is None else game["id"]
    return JSONResponse(
        {
            "ok": True,
            "game": host.game,
            "kvilt": kvilt_offer(host),
            "next": _chosen(host),
            "palette": [{"name": name, "colour": colour} for name, colour in COLOURS.items()],
            "editions": [*Edition],
            "rules": [*RuleProfile],
            "circles": [*Circle],
            "lies_there": host.by_hand,
            "under_way": under_way,
            "games": [known for known in games if known["id"] != live],
            "names": names[:_NAMES_SHOWN],
        }
    )


def _chosen(host: Host) -> Json:
    chosen = host.arrangement
    return {
        "players": list(chosen.players),
        "colours": list(chosen.colours),
        "first_seat": chosen.first_seat,
        "edition": chosen.edition.value,
        "rules": chosen.rules.value,
        "circle": chosen.circle.value,
        "language": host.language,
    }


async def deal(site: Site, request: Request) -> Response:
    """Shuffle a circle, and tell how to lay it out, a handful of patches at a time."""
    await _body(site, request, NothingMore)
    market = dealt_market()
    steps = [step.to_json(reads(request)) for step in deal_steps(market)]
    return JSONResponse({"ok": True, "says": "", "market": list(market), "steps": steps})


async def begin(site: Site, request: Request) -> Response:
    """Begin a new game."""
    body = await _body(site, request, Begun)
    host = _host(site)
    try:
        arrangement = Arrangement(
            players=body.players,
            colours=body.colours,
            first_seat=body.first_seat,
            edition=body.edition,
            rules=body.rules,
            circle=body.circle,
            market=body.market,
        )
        wish = host.begin(arrangement, leaves=body.leave)
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None
    host.language = body.language
    return await _opened(site, wish)


async def begin_kvilt(site: Site, request: Request) -> Response:
    """Begin a new game of Kvilt."""
    body = await _body(site, request, KviltBegun)
    host = _host(site)
    wish = wished_for(host, body)
    host.language = body.language
    return await _opened(site, wish)


async def resume(site: Site, request: Request) -> Response:
    """Go on with a game that was cut off or left."""
    body = await _body(site, request, Resumed)
    number = body.game
    known = await run_in_threadpool(site.archive.under_way, _host(site).table)
    if number not in {game["id"] for game in known}:
        raise RefusedError(409, said("This game cannot be gone on with."))
    return await _opened(site, _host(site).resume(number, leaves=body.leave))


async def wait_for(site: Site, wish: Future[None]) -> None:
    """Wait until a game is on the table.

    Raises:
        RefusedError: it is not, and why.
    """
    try:
        await asyncio.wait_for(asyncio.wrap_future(wish), site.opens_in_s)
    except TimeoutError:
        raise RefusedError(503, said("The table does not answer; try again."), headers={"retry-after": "1"}) from None
    except CompanionError as error:
        raise RefusedError(503 if isinstance(error, TableAwayError) else 409, *error.args) from None


def _newest(site: Site, topic: str) -> Json | None:
    """The newest message of a topic; None if there was none."""
    newest = site.hub.latest(topic)
    return None if newest is None else dict(json.loads(newest))


async def _opened(site: Site, wish: Future[None]) -> Response:
    await wait_for(site, wish)
    return JSONResponse({"ok": True, "says": ""})


async def _body(site: Site, request: Request, kind: type[BodyT]) -> BodyT:
    _host(site)
    return await read_command(site.commands, request, kind)


def _host(site: Site) -> Host:
    if site.host is None:
        raise RefusedError(404, said("No other game can be begun at this table."))
    return site.host

"""Set-up on the page: what the next game is like, the circle dealt for it, and an earlier one gone on with."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from companion.bootstrap.arrangement import LONGEST_NAME, Arrangement, Circle
from companion.dealing import deal_steps, dealt_market
from companion.errors import CompanionError
from companion.games.patchwork import PATCHES, Edition, RuleProfile
from companion.inbox import TableAwayError
from companion.languages import said
from companion.palette import COLOURS
from companion.web.archive import NoGameError
from companion.web.bodies import read_command
from companion.web.errors import RefusedError
from companion.web.kviltarranging import CHECKS as KVILT_CHECKS
from companion.web.kviltarranging import kvilt_offer, wished_for
from companion.web.readers import reads
from companion.web.reading import SNAPSHOT
from companion.web.values import is_flag, is_whole, newest_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.bootstrap import Host
    from companion.web.bodies import Check
    from companion.web.jsontype import Json
    from companion.web.site import Site

_NAMES_SHOWN: Final = 20
_LANGUAGES: Final = ("en", "fa", "ru")


async def shown(site: Site, request: Request) -> Response:
    """What the next game would be like, what may be chosen, and which games can be gone on with."""
    del request
    host = _host(site)
    try:
        games = await run_in_threadpool(site.archive.under_way, host.table)
        names = await run_in_threadpool(site.archive.names)
    except NoGameError:
        games, names = [], []
    here = newest_of(site, SNAPSHOT)
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
    await _body(site, request, {})
    market = dealt_market()
    steps = [step.to_json(reads(request)) for step in deal_steps(market)]
    return JSONResponse({"ok": True, "says": "", "market": list(market), "steps": steps})


async def begin(site: Site, request: Request) -> Response:
    """Begin a new game."""
    body = await _body(site, request, _BEGINS, frozenset({"market", "language", "leave"}))
    host = _host(site)
    market = body["market"]
    try:
        arrangement = Arrangement(
            players=(body["players"][0], body["players"][1]),
            colours=(body["colours"][0], body["colours"][1]),
            first_seat=int(body["first_seat"]),
            edition=Edition(body["edition"]),
            rules=RuleProfile(body["rules"]),
            circle=Circle(body["circle"]),
            market=None if market is None else tuple(market),
        )
        wish = host.begin(arrangement, leaves=bool(body["leave"]))
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None
    host.language = body["language"]
    return await _opened(site, wish)


async def begin_kvilt(site: Site, request: Request) -> Response:
    """Begin a new game of Kvilt."""
    checks = {**KVILT_CHECKS, "language": _BEGINS["language"]}
    body = await _body(site, request, checks, frozenset({"language", "leave"}))
    host = _host(site)
    wish = wished_for(host, body)
    host.language = body["language"]
    return await _opened(site, wish)


async def resume(site: Site, request: Request) -> Response:
    """Go on with a game that was cut off or left."""
    body = await _body(site, request, {"game": _is_number, "leave": is_flag}, frozenset({"leave"}))
    number = int(body["game"])
    known = await run_in_threadpool(site.archive.under_way, _host(site).table)
    if number not in {game["id"] for game in known}:
        raise RefusedError(409, said("This game cannot be gone on with."))
    return await _opened(site, _host(site).resume(number, leaves=bool(body["leave"])))


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


async def _opened(site: Site, wish: Future[None]) -> Response:
    await wait_for(site, wish)
    return JSONResponse({"ok": True, "says": ""})


async def _body(
    site: Site, request: Request, checks: Mapping[str, Check], optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    _host(site)
    return await read_command(site.commands, request, checks, optional)


def _host(site: Site) -> Host:
    if site.host is None:
        raise RefusedError(404, said("No other game can be begun at this table."))
    return site.host


def _is_number(value: object) -> bool:
    return is_whole(value, 1, 2**63 - 1)


def _are_two(known: tuple[str, ...]) -> Check:
    return lambda value: isinstance(value, list) and len(value) == 2 and all(_is_one_of(each, known) for each in value)


def _is_one_of(value: object, known: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value in known


def _are_names(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in value)
    )


def _is_circle_of_patches(value: object) -> bool:
    return value is None or (
        isinstance(value, list)
        and len(value) == len(PATCHES)
        and all(isinstance(patch, str) for patch in value)
        and {*value} == PATCHES.keys()
    )


_BEGINS: Final[Mapping[str, Check]] = {
    "players": _are_names,
    "colours": _are_two(tuple(COLOURS)),
    "first_seat": lambda value: is_whole(value, 1, 2),
    "edition": lambda value: _is_one_of(value, tuple(Edition)),
    "rules": lambda value: _is_one_of(value, tuple(RuleProfile)),
    "circle": lambda value: _is_one_of(value, tuple(Circle)),
    "market": _is_circle_of_patches,
    "language": lambda value: value is None or _is_one_of(value, _LANGUAGES),
    "leave": is_flag,
}

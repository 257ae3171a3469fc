"""The handlers of the hall's page."""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from companion import __version__
from companion.hall import club, views
from companion.hall.club import ClubError
from companion.hall.database import DatabaseError, Tournament
from companion.hall.site import HallSite, Role
from companion.languages import reason, said
from companion.mqtt.joining import HallCode, JoinError
from companion.mqtt.messages import is_table
from companion.play.page import Body, NothingMore, RefusedError
from companion.web.access import LASTS_S
from companion.web.files import files_of
from companion.web.requests import address_of, language_of, query_number, read_body
from companion.web.routing import STATIC, TOO_MANY_TRIES, within
from companion.web.transport.hub import CrowdedError, EventStream

# PostgreSQL refuses null characters, and others spoil lists.
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^(?=.*\S)[^\x00-\x1f\x7f]*$")]
_Number = Annotated[int, Meta(ge=1, le=10_000)]


class TournamentBody(Body):
    """A new tournament."""

    name: Name
    system: Literal["swiss", "round-robin"]
    players: Annotated[tuple[Name, ...], Meta(min_length=2, max_length=400)]
    rounds: Annotated[int, Meta(ge=1, le=30)] = 5


class Late(Body):
    """A player to enter after the start."""

    name: Name


class Present(Body):
    """A player's presence: whether the player is paired from the next round on."""

    number: _Number
    present: bool


class Decided(Body):
    """A result: the points of the first of the two players and who was absent, or null to withdraw it."""

    round: _Number
    board: _Number
    score: Annotated[float, Meta(ge=0, le=1)] | None
    absent: club.Absent | None = None


class Seated(Body):
    """The table of a game; null for none."""

    round: _Number
    board: _Number
    table: Annotated[str, Meta(min_length=1, max_length=64)] | None

    def __post_init__(self) -> None:
        # It becomes a part of a topic, in which the broker takes some characters for wildcards.
        if self.table is not None and not is_table(self.table):
            raise ValueError("`table` is no name of a table")


class Joining(Body):
    """The code of a table's invitation."""

    code: Annotated[str, Meta(max_length=60)]


class Announced(Body):
    """An announcement, to one table or, with an empty name, to all; an empty text withdraws it."""

    text: Annotated[str, Meta(max_length=300, pattern=r"^[^\x00]*$")]
    table: Annotated[str, Meta(max_length=64)] = ""

    def __post_init__(self) -> None:
        # It becomes a part of a topic, in which the broker takes some characters for wildcards.
        if self.table and not is_table(self.table):
            raise ValueError("`table` is no name of a table")


Handler: TypeAlias = "Callable[[HallSite, Request], Awaitable[Response]]"
T = TypeVar("T")
BodyT = TypeVar("BodyT", bound=Body)
# The size limit of a command, enough for four hundred names.
_LONGEST_BYTES: Final = 1 << 16
# The number of results in a response: unless asked for otherwise, and at most.
_RESULTS, _MOST_RESULTS = 50, 1000


def bound(site: HallSite, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler as an endpoint of a site."""

    async def endpoint(request: Request) -> Response:
        return await handler(site, request)

    return endpoint


async def _index(site: HallSite, request: Request) -> Response:
    """Return the page, or, with `key` in the address, a redirect with the key's cookie."""
    key = request.query_params.get("key")
    if key is None:
        return files_of(STATIC).sent("hall.html", request)
    within(site.joins, request, TOO_MANY_TRIES, 60)
    # Also with a wrong key: the address bar and the history must not show a key, and the page says which role it has.
    response = RedirectResponse("/", 303)
    if site.roles.of_key(key) > Role.GUEST:
        response.set_cookie(site.roles.cookie, key, max_age=int(LASTS_S), httponly=True, samesite="strict")
    return response


async def _me(site: HallSite, request: Request) -> Response:
    role = site.roles.of(request)
    return JSONResponse({"ok": True, "role": role.name.lower(), "version": __version__})


async def _events(site: HallSite, request: Request) -> Response:
    has_key = site.roles.of(request) > Role.GUEST
    try:
        subscription = site.live.hub.subscribe(address_of(request.scope), keyed=has_key)
    except CrowdedError:
        raise RefusedError(503, said("Too many pages are open.")) from None
    return EventStream(subscription, language_of(request))


def _listing(name: str, ask: Callable[[Session], list[Any]]) -> Handler:
    """Return the handler of a request for a list from the database."""

    async def handle(site: HallSite, _: Request) -> Response:
        return JSONResponse({"ok": True, name: await _read(site, ask)})

    return handle


async def _tables(site: HallSite, _: Request) -> Response:
    return JSONResponse({"ok": True, "tables": site.live.tables()})


async def _table_game(site: HallSite, request: Request) -> Response:
    table = site.live.table(request.path_params["table"])
    if table is None or not table["state"] or not table["state"]["game"]:
        raise RefusedError(404, said("There is no game on this table."))
    language = language_of(request)
    game = await _read(site, lambda session: views.played(session, table["state"], language))
    if game is None:
        raise RefusedError(404, said("The hall cannot show this game: it has not received all of it."))
    return JSONResponse({"ok": True, "game": game})


async def _results(site: HallSite, request: Request) -> Response:
    limit = query_number(request, "limit", _MOST_RESULTS) or _RESULTS
    return JSONResponse({"ok": True, "results": await _read(site, lambda session: views.results(session, limit))})


async def _tournament(site: HallSite, request: Request) -> Response:
    shown = await _read(site, lambda session: views.tournament(session, _requested(session, request)))
    return JSONResponse({"ok": True, "tournament": shown})


# Commands.


async def _begin(site: HallSite, request: Request) -> Response:
    role, body = await _command(site, request, Role.DIRECTOR, TournamentBody)

    def do(session: Session) -> Any:
        begun = club.begin(session, body.name, body.system, body.rounds, body.players)
        club.note(session, role.name, f"begin {begun.id} {begun.name}")
        return {"tournament": views.tournament(session, begun)}

    return await _commit(site, do)


async def _late(site: HallSite, request: Request) -> Response:
    role, body = await _command(site, request, Role.DIRECTOR, Late)
    return await _changed(site, request, role, f"enter {body.name}", lambda s, t: club.enter_late(s, t, body.name))


async def _present(site: HallSite, request: Request) -> Response:
    role, body = await _command(site, request, Role.DIRECTOR, Present)
    what = f"present {body.number} {body.present}"
    return await _changed(
        site, request, role, what, lambda s, t: club.set_present(s, t, body.number, present=body.present)
    )


async def _pair(site: HallSite, request: Request) -> Response:
    role, _ = await _command(site, request, Role.DIRECTOR, NothingMore)
    # Boards are assigned to tables that can show their announcement.
    tables = site.live.online()

    def do(session: Session, tournament: Tournament) -> None:
        club.announce_pairings(session, tournament, club.pair(session, tournament, tables))

    return await _changed(site, request, role, "pair", do)


def _plain(what: str, do: Callable[[Session, Tournament], object]) -> Handler:
    """Return the handler of a director's command that changes a tournament, without a body; `what` is logged."""

    async def handle(site: HallSite, request: Request) -> Response:
        role, _ = await _command(site, request, Role.DIRECTOR, NothingMore)
        return await _changed(site, request, role, what, do)

    return handle


async def _result(site: HallSite, request: Request) -> Response:
    role, body = await _command(site, request, Role.REFEREE, Decided)
    what = f"result {body.round}.{body.board} {body.score} {body.absent or ''}".rstrip()
    return await _changed(
        site, request, role, what, lambda s, t: club.set_result(s, t, body.round, body.board, body.score, body.absent)
    )


async def _seat(site: HallSite, request: Request) -> Response:
    role, body = await _command(site, request, Role.DIRECTOR, Seated)
    what = f"table {body.round}.{body.board} {body.table}"
    return await _changed(
        site, request, role, what, lambda s, t: club.set_table(s, t, body.round, body.board, body.table)
    )


async def _remove(site: HallSite, request: Request) -> Response:
    role, _ = await _command(site, request, Role.DIRECTOR, NothingMore)

    def do(session: Session) -> Any:
        tournament = _requested(session, request)
        club.remove(session, tournament)
        club.note(session, role.name, f"remove {tournament.name} ({tournament.id})")
        return {"tournaments": views.tournaments(session)}

    return await _commit(site, do)


async def _announce(site: HallSite, request: Request) -> Response:
    role, body = await _command(site, request, Role.REFEREE, Announced)

    def do(session: Session) -> Any:
        club.announce(session, body.table, body.text.strip())
        club.note(session, role.name, f"announce {body.table}: {body.text}")
        return {"announcements": club.announcements(session)}

    return await _commit(site, do)


async def _join(site: HallSite, request: Request) -> Response:
    """Return a table's address and credentials at the broker, for the code of an invitation, which is used up."""
    within(site.joins, request, TOO_MANY_TRIES, 60)
    # No role is needed: the code is the permission.
    body = await read_body(request, Joining)
    place = None
    if site.invitations is not None:
        with suppress(JoinError):
            place = await run_in_threadpool(site.invitations.take, HallCode.parse(body.code).secret, time.time())
    if place is None:
        raise RefusedError(404, said("The hall does not accept this code."))
    return JSONResponse({"ok": True, "place": msgspec.to_builtins(place)})


# CSV.

_CSV: Final[dict[str, tuple[str, ...]]] = {
    "results": ("finished_at", "table", "title", "players", "scores", "winners", "decisions", "started_at"),
    "players": ("name", "rating", "deviation", "volatility"),
    "standings": (
        "place", "name", "points", "played", "wins", "buchholz_cut", "buchholz", "sonneborn_berger",
    ),
    "pairings": ("round", "board", "table", "first", "second", "score", "absent"),
}  # fmt: skip


async def _results_csv(site: HallSite, request: Request) -> Response:
    del request
    return _csv("results", await _read(site, lambda session: views.results(session, 1_000_000)))


async def _players_csv(site: HallSite, request: Request) -> Response:
    del request
    return _csv("players", await _read(site, views.players))


async def _standings_csv(site: HallSite, request: Request) -> Response:
    return _csv("standings", await _read(site, lambda s: views.standing_rows(s, _requested(s, request))))


async def _pairings_csv(site: HallSite, request: Request) -> Response:
    shown = await _read(site, lambda session: views.tournament(session, _requested(session, request)))
    return _csv("pairings", views.pairing_rows(shown))


def _csv(name: str, rows: list[Any]) -> Response:
    # The byte-order mark lets spreadsheets detect UTF-8.
    text = "\ufeff" + views.csv_text(rows, _CSV[name])
    head = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(text.encode(), media_type="text/csv; charset=utf-8", headers=head)


# Helpers.


async def _command(site: HallSite, request: Request, role: Role, kind: type[BodyT]) -> tuple[Role, BodyT]:
    found = site.roles.require(request, role)
    within(site.commands, request, said("Too many commands: slow down."))
    return found, await read_body(request, kind, _LONGEST_BYTES)


async def _read(site: HallSite, ask: Callable[[Session], T]) -> T:
    """Return the result of a function run in a transaction, in a thread.

    Raises:
        RefusedError: 503 if the database is unavailable, 409 if a change is not possible, 404 if something does not
            exist.
    """

    def run() -> T:
        with site.database.transaction() as session:
            return ask(session)

    try:
        return await run_in_threadpool(run)
    except ClubError as error:
        raise RefusedError(409, reason(error)) from error
    except DatabaseError as error:
        raise RefusedError(503, said("The database does not answer. The tables continue without it.")) from error


def _requested(session: Session, request: Request) -> Tournament:
    found = session.get(Tournament, request.path_params["tournament"])
    if found is None:
        raise RefusedError(404, said("There is no such tournament."))
    return found


async def _changed(
    site: HallSite, request: Request, role: Role, what: str, do: Callable[[Session, Tournament], object]
) -> Response:
    """Change a tournament, log the change, and return the tournament."""

    def change(session: Session) -> Any:
        tournament = _requested(session, request)
        do(session, tournament)
        session.flush()
        club.note(session, role.name, f"{what} ({tournament.id})")
        return {"tournament": views.tournament(session, tournament)}

    return await _commit(site, change)


async def _commit(site: HallSite, do: Callable[[Session], Any]) -> Response:
    done = await _read(site, do)
    # After the transaction: browsers read the change as soon as they are notified.
    site.live.changed()
    site.announce()
    return JSONResponse({"ok": True, **done})


_ONE: Final = "/api/tournaments/{tournament:number}"
ROUTES: Final[tuple[tuple[str, str, Handler], ...]] = (
    ("GET", "/", _index),
    ("GET", "/api/me", _me),
    ("GET", "/api/events", _events),
    ("GET", "/api/tables", _tables),
    ("GET", "/api/tables/{table}/game", _table_game),
    ("GET", "/api/results", _results),
    ("GET", "/api/players", _listing("players", views.players)),
    ("GET", "/api/announcements", _listing("announcements", club.announcements)),
    ("POST", "/api/announcements", _announce),
    ("GET", "/api/tournaments", _listing("tournaments", views.tournaments)),
    ("POST", "/api/tournaments", _begin),
    ("GET", _ONE, _tournament),
    ("POST", f"{_ONE}/players", _late),
    ("POST", f"{_ONE}/present", _present),
    ("POST", f"{_ONE}/pair", _pair),
    ("POST", f"{_ONE}/unpair", _plain("unpair", club.unpair)),
    ("POST", f"{_ONE}/result", _result),
    ("POST", f"{_ONE}/table", _seat),
    ("POST", f"{_ONE}/remove", _remove),
    ("POST", f"{_ONE}/close", _plain("close", club.close)),
    ("POST", f"{_ONE}/reopen", _plain("reopen", club.reopen)),
    ("POST", "/api/join", _join),
    ("GET", "/csv/results.csv", _results_csv),
    ("GET", "/csv/players.csv", _players_csv),
    ("GET", "/csv/tournaments/{tournament:number}/standings.csv", _standings_csv),
    ("GET", "/csv/tournaments/{tournament:number}/pairings.csv", _pairings_csv),
)

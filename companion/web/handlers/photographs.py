"""Handlers for photographs that people send to be read, and for the games scored from them."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import IO, Annotated, Any, Final

import msgspec
from msgspec import Meta
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from companion.journal.scored import ScoredGames
from companion.languages import render, said, system_says
from companion.play.page import Body, Need, NothingMore, RefusedError, between
from companion.play.photographs import AnyKind
from companion.web.handlers.reading import limit_pictures
from companion.web.photographs import PhotographDesk, quads
from companion.web.requests import done, language_of, picture_parts
from companion.web.routing import PageRoute, commanded, within
from companion.web.site import Site

LARGEST_BYTES: Final = 40 << 20
"""The largest photograph that is accepted; those of fifty megapixels have up to 25 MB."""
_LONGEST_ENTERED: Final = 1 << 16
_FURTHEST: Final = 50_000.0
_Length = Annotated[float, between(-_FURTHEST, _FURTHEST)]
_Quad = Annotated[tuple[tuple[_Length, _Length], ...], Meta(min_length=4, max_length=4)]


class ShownCorners(Body):
    """The corners A1, I1, I9, A9 of one grid or two in a photograph, in its pixels; photographs count from 0."""

    photo: Annotated[int, between(0, 9)]
    corners: Annotated[tuple[_Quad, ...], Meta(min_length=1, max_length=2)]


class LeftOut(Body):
    """A command to leave out one photograph; they count from 0."""

    photo: Annotated[int, between(0, 9)]


class EnteredBody(Body):
    """The entries, whose form depends on the kind of reading."""

    entered: msgspec.Raw


class Kept(Body):
    """A command to keep a game, with its photographs or without."""

    pictures: bool = False


async def kinds(site: Site, request: Request) -> Response:
    """Return what may be read from photographs, and whether games can be kept."""
    language = language_of(request)
    found = [
        {"name": kind.name, "title": render(kind.title, language), "most": kind.most}
        for kind in _desk(site).kinds.values()
    ]
    return JSONResponse({"ok": True, "kinds": found, "keeps": site.archive.folder is not None})


async def send(site: Site, request: Request) -> Response:
    """Take a photograph, the body of the request, for a new game or for one with others."""
    within(site.commands, request, said("Too many commands: slow down."))
    desk, kind = _desk(site), request.query_params.get("kind", "")
    if kind not in desk.kinds:
        raise RefusedError(400, f"kind is {' or '.join(desk.kinds)}.")
    # Forms of other sites cannot send these types without asking the server first, which it refuses.
    if not request.headers.get("content-type", "").startswith("image/"):
        raise RefusedError(415, said("Send a picture as {kinds}.", kinds="JPEG, PNG"))
    try:
        file = desk.file()
    except OSError as error:
        raise _unstored(error) from error
    try:
        await _received(request, file)
        key = await done(lambda: desk.add(kind, file, request.query_params.get("to")))
    except BaseException:
        # What the disk had no room for would be tried again.
        with suppress(OSError):
            file.close()
        raise
    return JSONResponse({"ok": True, "id": key})


def _unstored(error: OSError) -> RefusedError:
    """Return the refusal of a photograph for which the disk has no room, or that it cannot take."""
    return RefusedError(507, said("nothing was stored: {fault}", fault=system_says(error)))


async def _received(request: Request, file: IO[bytes]) -> None:
    try:
        async for part in picture_parts(request, LARGEST_BYTES):
            await run_in_threadpool(file.write, part)
        await run_in_threadpool(file.flush)
    except OSError as error:
        raise _unstored(error) from error


async def view(site: Site, request: Request) -> Response:
    """Return a game's photographs, how far they have been read, and its score sheet."""
    language = language_of(request)
    return JSONResponse({"ok": True, **await done(lambda: _desk(site).view(_key(request), language))})


async def picture(site: Site, request: Request) -> Response:
    """Return a photograph, at most as large as a screen."""
    limit_pictures(site, request)
    sheet = await done(lambda: _desk(site).sheet(_key(request)))
    number = int(request.path_params["photo"])
    shown = sheet.photographs[number].shown if number < len(sheet.photographs) else None
    if shown is None:
        raise RefusedError(404, said("There is no picture yet."))
    return Response(shown, media_type="image/jpeg")


async def corners(site: Site, request: Request, body: ShownCorners) -> Response:
    """Read a photograph again, with the boards where people showed them."""
    await done(lambda: _desk(site).read_again(_key(request), body.photo, quads(body.corners)))
    return await view(site, request)


async def leave_out(site: Site, request: Request, body: LeftOut) -> Response:
    """Forget one photograph that could not be read, so that another one takes its place."""
    await done(lambda: _desk(site).leave_out(_key(request), body.photo))
    return await view(site, request)


async def entered(site: Site, request: Request, body: EnteredBody) -> Response:
    """Take what people entered, and return the score sheet with it."""

    def decoded(kind: AnyKind) -> Body:
        try:
            found: Body = msgspec.json.decode(body.entered, type=kind.entered)
        except (msgspec.MsgspecError, RecursionError):
            raise RefusedError(400, "What was entered has another form.") from None
        return found

    await done(lambda: _desk(site).enter(_key(request), decoded))
    return await view(site, request)


async def keep(site: Site, request: Request, body: Kept) -> Response:
    """Store the game among those that were scored, with its photographs if they are to be kept."""
    folder = site.archive.folder
    if folder is None:
        raise RefusedError(409, said("No games are stored."))
    sheet = await done(lambda: _desk(site).sheet(_key(request)))
    result = sheet.kind.result(sheet.readings, sheet.entered) if sheet.readings else None
    if result is None:
        raise RefusedError(409, said("Enter the buttons of both players first."))
    pictures = [each.shown for each in sheet.photographs if each.shown is not None] if body.pictures else []

    def store() -> None:
        scored, now = ScoredGames(folder), datetime.now(UTC)
        with _desk(site).keeping:
            former = sheet.kept if sheet.kept is not None and scored.still_has(sheet.kept) else None
            sheet.kept = scored.keep(sheet.kind.name, now, result.players, result.scores, result.sheet, pictures)
            # Kept once more after a correction, it takes the place of the first.
            if former is not None:
                scored.delete(former.number)

    await done(store)
    return await view(site, request)


async def forget(site: Site, request: Request, _: NothingMore) -> Response:
    """Forget a game's photographs."""
    await run_in_threadpool(_desk(site).forget, _key(request))
    return JSONResponse({"ok": True, "says": ""})


async def scored_picture(site: Site, request: Request) -> Response:
    """Return a photograph that was kept with a scored game."""
    limit_pictures(site, request)
    folder, number = site.archive.folder, int(request.path_params["photo"])
    paths = [] if folder is None else await run_in_threadpool(ScoredGames(folder).pictures, _game(request))
    if not 1 <= number <= len(paths):
        raise RefusedError(404, said("No picture of this quilt is stored."))
    return Response(await run_in_threadpool(paths[number - 1].read_bytes), media_type="image/jpeg")


async def delete_scored(site: Site, request: Request, _: NothingMore) -> Response:
    """Delete a scored game permanently, with its photographs."""
    folder = site.archive.folder
    if folder is None:
        raise RefusedError(404, said("No games are stored."))
    await done(lambda: ScoredGames(folder).delete(_game(request)))
    return JSONResponse({"ok": True, "says": ""})


def _desk(site: Site) -> PhotographDesk:
    if site.photographs is None:
        raise RefusedError(404, said("There is no such page."))
    return site.photographs


def _key(request: Request) -> str:
    return str(request.path_params["key"])


def _game(request: Request) -> int:
    return int(request.path_params["game"])


def _command(path: str, handler: Any, body: type[Body]) -> PageRoute[Site]:
    return commanded(f"/api/photographs/{{key}}/{path}", handler, body, longest_bytes=_LONGEST_ENTERED)


PHOTOGRAPH_ROUTES: Final[tuple[PageRoute[Site], ...]] = (
    PageRoute("/api/photographs", kinds, Need.TOUCH),
    PageRoute("/api/photographs", send, Need.TOUCH, NothingMore),
    PageRoute("/api/photographs/{key}", view, Need.TOUCH),
    PageRoute("/api/photographs/{key}/{photo:number}.jpg", picture, Need.TOUCH),
    _command("corners", corners, ShownCorners),
    _command("leave-out", leave_out, LeftOut),
    _command("entered", entered, EnteredBody),
    _command("keep", keep, Kept),
    _command("forget", forget, NothingMore),
    PageRoute("/api/scored/{game:number}/{photo:number}.jpg", scored_picture, Need.CAMERA),
    commanded("/api/scored/{game:number}/delete", delete_scored, NothingMore),
)

"""The application of the table's page: the table of its routes."""

from collections.abc import Iterable, Iterator
from typing import Final

from starlette.types import ASGIApp

from companion.play.page import GamePages, Need, NothingMore
from companion.web.handlers import arranging, calibration, commands, library, reading
from companion.web.handlers.game_routes import routes_of
from companion.web.help import HELP_ROUTES
from companion.web.routing import PageRoute, application, commanded, entrances
from companion.web.site import Site

_OF_ANY_GAME: Final[tuple[PageRoute[Site], ...]] = (
    PageRoute("/api/me", reading.me, Need.NOTHING),
    PageRoute("/api/snapshot", reading.snapshot),
    PageRoute("/api/events", reading.stream),
    PageRoute("/api/code", reading.code, Need.TOUCH),
    PageRoute("/api/code.svg", reading.code_svg, Need.TOUCH),
    PageRoute("/camera.jpg", reading.camera, Need.CAMERA),
    PageRoute("/crop/{seat:number}.jpg", reading.crop, Need.CAMERA),
    commanded("/api/press", commands.press, commands.Pressed),
    commanded("/api/answer", commands.answer, commands.Answered),
    commanded("/api/insist", commands.insist, NothingMore),
    PageRoute("/api/voice", commands.voices),
    commanded("/api/voice", commands.choose_voice, commands.Voiced),
    PageRoute("/api/virtual", commands.virtual_table),
    PageRoute("/api/setup", arranging.setup, Need.TOUCH),
    commanded("/api/setup/resume", arranging.resume, arranging.Resumed),
    PageRoute("/api/calibration", calibration.state, Need.TOUCH),
    commanded("/api/calibration/begin", calibration.begin, NothingMore),
    commanded("/api/calibration/corners", calibration.corners, calibration.BoardCornersBody),
    commanded("/api/calibration/save", calibration.save, calibration.Saved),
    PageRoute("/api/statistics", library.statistics),
    PageRoute("/api/players.csv", library.players_csv),
    PageRoute("/api/games", library.games),
    PageRoute("/api/games.csv", library.games_csv),
    PageRoute("/api/games/{game:number}", library.game),
    PageRoute("/api/games/{game:number}/replay", library.replay),
    PageRoute("/api/games/{game:number}/record.jsonl", library.record),
    PageRoute("/api/games/{game:number}/decisions.csv", library.decisions_csv),
    commanded("/api/games/{game:number}/delete", library.delete_game, library.Deletion),
    commanded("/api/players/forget", library.forget_player, library.Named),
)


def page_routes(games: GamePages) -> Iterator[PageRoute[Site]]:
    """Yield the routes of a page for these games, without those of its files."""
    yield from _OF_ANY_GAME
    for side in games.values():
        yield from routes_of(side)


def build_app(site: Site, names: Iterable[str] = ()) -> ASGIApp:
    """Return the application of a site; `names` are further host names by which browsers may call this machine."""
    doors = entrances("index.html", site.static, ("/", "/tv", "/watch"), refused="/?join=refused")
    routes = (route.served(site) for route in (*doors, *page_routes(site.games)))
    return application((*routes, *HELP_ROUTES), site.static, names)

"""The table of routes, with permissions, inputs and outputs, from which the OpenAPI description is made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.play.page.bodies import NothingMore
from companion.web.access.access import Need
from companion.web.handlers import arranging, calibration, commands, figures, forgetting, library, reading, virtual
from companion.web.handlers.game_routes import game_operations
from companion.web.operation import Handler, Operation, Schema, asked, commanded, in_language

if TYPE_CHECKING:
    from companion.play.page.interface import GamePages


def operations(games: GamePages) -> tuple[Operation, ...]:
    """Return all operations of a page for these games."""
    return (*_OF_ANY_GAME, *_archive(games), *(each for side in games.values() for each in game_operations(side)))


def _in_lots(operation: Operation) -> Operation:
    """Return the operation with the paging parameters of a list."""
    limit: Schema = {"type": "integer", "minimum": 1, "maximum": library.MOST}
    before: Schema = {"type": "integer", "minimum": 1}
    return replace(operation, query=(*operation.query, (library.LIMIT, limit), (library.BEFORE, before)))


def _page(path: str, handler: Handler, parameter: str = "key") -> Operation:
    return asked(path, handler, Need.NOTHING, "text/html", 303, query=((parameter, {"type": "string"}),))


_FLAG: Final[Schema] = {"type": "string", "enum": ["0", "1"]}
_OF_ANY_GAME: Final = (
    _page("/", reading.index),
    _page("/tv", reading.index),
    _page("/watch", reading.index),
    _page("/join", reading.join, "code"),
    asked("/api/me", reading.me, Need.NOTHING),
    in_language(asked("/api/snapshot", reading.snapshot, Need.WATCH, "application/json", 503)),
    in_language(asked("/api/events", reading.stream, Need.WATCH, "text/event-stream", 503)),
    asked("/api/code", reading.code, Need.TOUCH),
    asked("/api/code.svg", reading.code_svg, Need.TOUCH, "image/svg+xml", 404),
    asked("/camera.jpg", reading.camera, Need.CAMERA, "image/jpeg", 400, 404, query=(("reading", _FLAG),)),
    asked("/crop/{seat:number}.jpg", reading.crop, Need.CAMERA, "image/jpeg", 404),
    commanded("/api/press", commands.press, commands.Pressed),
    commanded("/api/answer", commands.answer, commands.Answered),
    commanded("/api/insist", commands.insist, NothingMore),
    asked("/api/voice", commands.voices, Need.WATCH),
    commanded("/api/voice", commands.choose_voice, commands.Voiced),
    asked("/api/setup", arranging.setup, Need.TOUCH, "application/json", 404),
    commanded("/api/setup/resume", arranging.resume, arranging.Resumed, 404),
    asked("/api/calibration", calibration.state, Need.TOUCH, "application/json", 404),
    commanded("/api/calibration/begin", calibration.begin, NothingMore, 404),
    commanded("/api/calibration/corners", calibration.corners, calibration.BoardCornersBody, 404),
    commanded("/api/calibration/save", calibration.save, calibration.Saved, 404),
    asked("/api/virtual", virtual.table, Need.WATCH, "application/json", 404, 503),
)


def _archive(games: GamePages) -> tuple[Operation, ...]:
    of_game = (("game", {"type": "string", "enum": [*games]}),)
    kept, csv, watch = "application/json", "text/csv", Need.WATCH
    return (
        asked("/api/statistics", figures.statistics, watch, kept, 400, 404, query=of_game),
        asked("/api/players.csv", figures.players_csv, watch, csv, 400, 404, query=of_game),
        _in_lots(in_language(asked("/api/games", library.games, watch, kept, 400, 404))),
        asked("/api/games.csv", library.games_csv, watch, csv, 400, 404, query=of_game),
        in_language(asked("/api/games/{game:number}", library.game, watch, kept, 404)),
        in_language(asked("/api/games/{game:number}/replay", library.replay, watch, kept, 404)),
        asked("/api/games/{game:number}/record.jsonl", library.record, watch, "application/jsonl", 404),
        asked("/api/games/{game:number}/decisions.csv", library.decisions_csv, watch, csv, 404),
        commanded("/api/games/{game:number}/delete", forgetting.delete_game, forgetting.Deletion, 404),
        commanded("/api/players/forget", forgetting.forget_player, forgetting.Named, 404),
    )

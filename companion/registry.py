"""The installed games: the program's own, and those of other packages.

A package provides a game by an entry point of the group `quilt_companion.games`, whose object is a
`companion.play.game.Game`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from companion.kvilt.game import KVILT
from companion.languages import said
from companion.patchwork.game import PATCHWORK
from companion.play.game import Game
from companion.record import ForeignGameError, Games

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from companion.play.page.interface import GamePage

GROUP: Final = "quilt_companion.games"


class BrokenGameError(ForeignGameError):
    """Raised if a package's game cannot be used."""


@cache
def _installed() -> tuple[Game, ...]:
    """Return the games of other packages."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # It takes longer than most commands, which do without.

    games: dict[str, Game] = {}
    for point in entry_points(group=GROUP):
        game = _loaded(point)
        # Records and journals find a game by its name alone.
        if any(game.name == own.name for own in OWN) or game.name in games:
            raise _broken(point, said("there is already a game with that name"))
        games[game.name] = game
    return tuple(games.values())


def _loaded(point: EntryPoint) -> Game:
    try:
        game = point.load()
    # The code of a package may raise anything.
    except Exception as error:
        raise _broken(point, f"{type(error).__name__}: {error}") from error
    if not isinstance(game, Game):
        raise _broken(point, said("{value} is not a game", value=point.value))
    return game


def _broken(point: EntryPoint, fault: str) -> BrokenGameError:
    package = point.value if point.dist is None else point.dist.name
    says = said(
        "the game {game} of the package {package} cannot be used: {fault}",
        game=point.name,
        package=package,
        fault=fault,
    )
    return BrokenGameError(says)


OWN: Final = (PATCHWORK, KVILT)
"""The program's own games, in the order in which they are listed."""
_CODECS: Final = Games(
    tuple(game.codec for game in OWN),
    unnamed=PATCHWORK.codec,
    installed=lambda: tuple(game.codec for game in _installed()),
)


def games() -> tuple[Game, ...]:
    """Return all games, the program's own first.

    Raises:
        BrokenGameError: a package's game cannot be used.
    """
    return tuple(_each())


def game_named(name: str) -> Game:
    """Return the game of a name.

    Raises:
        ForeignGameError: there is no such game.
        BrokenGameError: a package's game cannot be used.
    """
    codec = _CODECS.named(name)
    return next(game for game in _each() if game.codec is codec)


def _each() -> Iterator[Game]:
    """Yield the program's own games first; entry points are loaded only if the caller goes on to others."""
    yield from OWN
    yield from _installed()


def pages() -> dict[str, GamePage[Any]]:
    """Return the pages of all games, by name.

    Raises:
        BrokenGameError: a package's game cannot be used.
    """
    return {game.name: game.page for game in games()}


def codecs() -> Games:
    """Return the codecs of all games for records and journals."""
    return _CODECS

"""The list of games: the program's own, and those of other packages.

A package provides a game by an entry point of the group `quilt_companion.games`, whose object is a
`companion.play.game.Game`. The program's own are loaded as a whole when a caller names them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from companion.kvilt.entry import KVILT_ENTRY
from companion.languages import said
from companion.patchwork.entry import PATCHWORK_ENTRY
from companion.play.game import AnyEntry, AnyGame, Game
from companion.record import ForeignGameError, Games

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from companion.play.page import GamePage
    from companion.play.photographs import AnyKind

GROUP: Final = "quilt_companion.games"


class BrokenGameError(ForeignGameError):
    """Raised if a package's game cannot be used."""


def _patchwork() -> AnyGame:
    # Here and below: a game imports cameras, pages and drawings, which lists and replays of games do without.
    from companion.patchwork.game import PATCHWORK  # noqa: PLC0415

    return PATCHWORK


def _kvilt() -> AnyGame:
    from companion.kvilt.game import KVILT  # noqa: PLC0415

    return KVILT


GAMES: Final[tuple[AnyEntry, ...]] = (PATCHWORK_ENTRY, KVILT_ENTRY)
"""The program's own games, in the order in which they are listed."""
_LOADERS: Final[Mapping[str, Callable[[], AnyGame]]] = {PATCHWORK_ENTRY.name: _patchwork, KVILT_ENTRY.name: _kvilt}


@cache
def _installed() -> tuple[AnyGame, ...]:
    """Return the games of other packages."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # It takes longer than most commands, which do without.

    found: dict[str, AnyGame] = {}
    for point in entry_points(group=GROUP):
        game = _loaded(point)
        # Records and journals find a game by its name alone.
        if game.name in _LOADERS or game.name in found:
            raise _broken(point, said("there is already a game with that name"))
        found[game.name] = game
    return tuple(found.values())


def _loaded(point: EntryPoint) -> AnyGame:
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


_CODECS: Final = Games(
    tuple(entry.codec for entry in GAMES),
    unnamed=PATCHWORK_ENTRY.codec,
    installed=lambda: tuple(game.codec for game in _installed()),
)


def codecs() -> Games:
    """Return the codecs of all games for records and journals."""
    return _CODECS


def entries() -> tuple[AnyEntry, ...]:
    """Return the entries of all games, the program's own first.

    Raises:
        BrokenGameError: a package's game cannot be used.
    """
    return tuple(_each())


def _each() -> Iterator[AnyEntry]:
    """Yield the program's own games first; entry points are loaded only if the caller goes on to others."""
    yield from GAMES
    yield from (game.entry for game in _installed())


def entry_named(name: str) -> AnyEntry:
    """Return a game's entry by its name.

    Raises:
        ForeignGameError: there is no such game.
        BrokenGameError: a package's game cannot be used.
    """
    codec = _CODECS.named(name)
    return next(entry for entry in _each() if entry.codec is codec)


def game_named(name: str) -> AnyGame:
    """Return a game by its name, loaded as a whole.

    Raises:
        ForeignGameError: there is no such game.
        BrokenGameError: a package's game cannot be used.
    """
    load = _LOADERS.get(entry_named(name).name)
    return next(game for game in _installed() if game.name == name) if load is None else load()


def games() -> tuple[AnyGame, ...]:
    """Return all games, loaded as a whole, the program's own first.

    Raises:
        BrokenGameError: a package's game cannot be used.
    """
    return (*(load() for load in _LOADERS.values()), *_installed())


def photographs() -> dict[str, AnyKind]:
    """Return what all games read from photographs, by name.

    Raises:
        BrokenGameError: a package's game cannot be used.
    """
    return {kind.name: kind for game in games() for kind in game.photographs}


def pages() -> dict[str, GamePage[Any]]:
    """Return the pages of all games, by name.

    Raises:
        BrokenGameError: a package's game cannot be used.
    """
    return {game.name: game.page for game in games()}

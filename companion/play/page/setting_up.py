"""The setup of the next game on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from companion.play.page.bodies import BodyT

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A request for a game.

    Attributes:
        arrangement: the arrangement of the game.
        language: the table's own language, or None if none is chosen.
        leaves: whether a game in progress is abandoned for it.
    """

    arrangement: Any
    language: str | None = None
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Form(Generic[BodyT]):
    """The form for requesting a game.

    Attributes:
        path: the address to which it is sent.
        name: the operation's name in the description of the interface.
        says: what it does, as one line of that description.
        body: the type of the request's body.
        wish: converts the body to a request; raises CompanionError for a game that cannot begin.
    """

    path: str
    name: str
    says: str
    body: type[BodyT]
    wish: Callable[[BodyT], GameRequest]


@dataclass(frozen=True, slots=True)
class SetupOffer:
    """The defaults offered for the next game.

    Attributes:
        chosen: the arrangement to offer: the last requested one, or the configuration's.
        language: the table's own language, or None if none was chosen.
        lies_there: whether all of a game's material is always present on the table, as at the virtual one.
    """

    chosen: Any
    language: str | None = None
    lies_there: bool = False

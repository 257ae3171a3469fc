"""Set-up of the next game on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from companion.play.page.bodies import BodyT

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Wish:
    """A requested game.

    Attributes:
        arrangement: how it begins.
        language: the table's own, or None if none is chosen.
        leaves: whether a game that is under way is abandoned for it.
    """

    arrangement: Any
    language: str | None = None
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Form(Generic[BodyT]):
    """The form with which a game is requested.

    Attributes:
        path: where it is sent to.
        name: of the operation, as a description of the interface has it.
        says: what it does, in a line of that description.
        body: what is sent.
        wish: converts the body to a request; raises CompanionError for a game that cannot begin.
    """

    path: str
    name: str
    says: str
    body: type[BodyT]
    wish: Callable[[BodyT], Wish]


@dataclass(frozen=True, slots=True)
class SetupOffer:
    """The offer for the next game.

    Attributes:
        chosen: the arrangement that is offered: the last requested one, or the configuration's.
        language: the table's own, or None if none was chosen.
        lies_there: whether all of a game's material lies on the table in any case, as at the virtual one.
    """

    chosen: Any
    language: str | None = None
    lies_there: bool = False

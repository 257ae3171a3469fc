"""The request bodies of the hall's page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.play.page.bodies import Body

Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\S")]
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
    """A result: the points of the first of the two players, or null to withdraw it."""

    round: _Number
    board: _Number
    score: Annotated[float, Meta(ge=0, le=1)] | None


class Joining(Body):
    """The code of a table's invitation."""

    code: Annotated[str, Meta(max_length=60)]


class Announced(Body):
    """An announcement, to one table or, with an empty name, to all; an empty text withdraws it."""

    text: Annotated[str, Meta(max_length=300)]
    table: Annotated[str, Meta(max_length=64)] = ""

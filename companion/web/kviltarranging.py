"""Set-up of a game of Kvilt on the page: what may be chosen, and the wish for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from companion.bootstrap.kviltarrangement import SEATS, KviltArrangement
from companion.config import BAGS
from companion.errors import CompanionError
from companion.games.kvilt import Variant
from companion.web.bodies import Body
from companion.web.errors import RefusedError
from companion.web.values import KviltSeat, LanguageCode, PlayerName, different, one_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from companion.bootstrap import Host
    from companion.web.jsontype import Json


class KviltBegun(Body):
    """How the next game of Kvilt is to begin. Of how many play, the table says more than that it will not do."""

    distinct = ("variants",)
    players: Annotated[
        tuple[PlayerName, ...],
        Meta(max_length=max(SEATS), extra_json_schema={"minItems": min(SEATS), "uniqueItems": True}),
    ]
    first_seat: KviltSeat
    bag: Annotated[str, one_of(*BAGS)]
    variants: Annotated[tuple[Variant, ...], Meta(max_length=len(Variant)), different()]
    language: LanguageCode | None = None
    leave: bool = False


def kvilt_offer(host: Host) -> Json:
    """What the next game of Kvilt would be like, and what may be chosen."""
    chosen = host.kvilt
    return {
        "next": {
            "players": list(chosen.players),
            "first_seat": chosen.first_seat,
            "bag": chosen.bag,
            "variants": list(chosen.variants),
        },
        "seats": [*SEATS],
        "bags": [*BAGS],
        "variants": [*Variant],
    }


def wished_for(host: Host, body: KviltBegun) -> Future[None]:
    """Wish for the game that a body describes.

    Raises:
        RefusedError: 409, it cannot begin like this.
    """
    try:
        arrangement = KviltArrangement(
            body.players, body.first_seat, body.bag, tuple(each.value for each in body.variants)
        )
        return host.begin(arrangement, leaves=body.leave)
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None

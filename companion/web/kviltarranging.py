"""Set-up of a game of Kvilt on the page: what may be chosen, and the wish for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.bootstrap.arrangement import LONGEST_NAME
from companion.bootstrap.kviltarrangement import SEATS, KviltArrangement
from companion.config import BAGS
from companion.errors import CompanionError
from companion.games.kvilt import Variant
from companion.web.errors import RefusedError
from companion.web.values import is_flag, is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from companion.bootstrap import Host
    from companion.web.bodies import Check
    from companion.web.jsontype import Json


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


def wished_for(host: Host, body: Mapping[str, Any]) -> Future[None]:
    """Wish for the game that a body describes.

    Raises:
        RefusedError: 409, it cannot begin like this.
    """
    try:
        arrangement = KviltArrangement(
            tuple(body["players"]), int(body["first_seat"]), body["bag"], tuple(body["variants"])
        )
        return host.begin(arrangement, leaves=bool(body["leave"]))
    except CompanionError as error:
        raise RefusedError(409, *error.args) from None


def _are_texts(value: object, most: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= most
        and all(isinstance(text, str) and len(text) <= LONGEST_NAME for text in value)
    )


def _are_different(values: list[str]) -> bool:
    return len({*values}) == len(values)


CHECKS: Final[Mapping[str, Check]] = {
    "players": lambda value: _are_texts(value, max(SEATS)),
    "first_seat": lambda value: is_whole(value, 1, max(SEATS)),
    "bag": lambda value: isinstance(value, str) and value in BAGS,
    "variants": lambda value: _are_texts(value, len(Variant)) and {*value} <= {*Variant} and _are_different(value),
    "leave": is_flag,
}

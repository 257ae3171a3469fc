"""Set-up of a game of Kvilt on the page: the choices, and the request for a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from companion.config import BAGS
from companion.games.kvilt import Variant
from companion.kvilt.arrangement import SEATS, KviltArrangement
from companion.kvilt.page.values import KviltSeat
from companion.play.page.bodies import Body
from companion.play.page.setting_up import Form, GameRequest
from companion.play.page.values import LanguageCode, PlayerName, different, one_of

if TYPE_CHECKING:
    from companion.play.page.json_type import Json
    from companion.play.page.setting_up import SetupOffer


class KviltBegun(Body):
    """The next game of Kvilt. A wrong number of players is refused by the table, with a better message."""

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


def offer(offered: SetupOffer) -> Json:
    """Return the arrangement of the next game of Kvilt, and the choices for it."""
    chosen: KviltArrangement = offered.chosen
    return {
        "kvilt": {
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
    }


def _request(body: KviltBegun) -> GameRequest:
    arrangement = KviltArrangement(body.players, body.first_seat, body.bag, tuple(each.value for each in body.variants))
    return GameRequest(arrangement, body.language, body.leave)


FORM: Final = Form("/api/setup/begin-kvilt", "begin_kvilt", "Begin a new game of Kvilt.", KviltBegun, _request)

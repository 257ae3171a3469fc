"""Set-up of a game of Patchwork on the page: the choices, and the circle dealt for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from companion.config.palette import COLOURS
from companion.games.patchwork import Edition, RuleProfile
from companion.patchwork.arrangement import CircleSource, PatchworkArrangement
from companion.patchwork.dealing import deal_steps, dealt_market
from companion.patchwork.page.values import Circuit, Seat
from companion.play.page.bodies import Body, NothingMore
from companion.play.page.routes import Arranged
from companion.play.page.setting_up import Form, GameRequest
from companion.play.page.values import LanguageCode, PlayerName, different, one_of

if TYPE_CHECKING:
    from companion.languages import Language
    from companion.play.page.json_type import Json
    from companion.play.page.setting_up import SetupOffer

_Colour: TypeAlias = Annotated[str, one_of(*COLOURS)]


class BeginBody(Body):
    """The arrangement of the next game."""

    distinct = ("market",)
    players: Annotated[tuple[PlayerName, PlayerName], different()]
    colours: Annotated[tuple[_Colour, _Colour], different()]
    first_seat: Seat
    edition: Edition
    rules: RuleProfile
    circle: CircleSource
    market: Circuit | None = None
    language: LanguageCode | None = None
    leave: bool = False


def _request(body: BeginBody) -> GameRequest:
    arrangement = PatchworkArrangement(
        players=body.players,
        colours=body.colours,
        first_seat=body.first_seat,
        edition=body.edition,
        rules=body.rules,
        circle=body.circle,
        market=body.market,
    )
    return GameRequest(arrangement, body.language, body.leave)


FORM: Final = Form("/api/setup/begin", "begin", "Begin a new game.", BeginBody, _request)


def offer(offered: SetupOffer) -> Json:
    """Return the arrangement of the next game, and what may be chosen."""
    return {
        "next": _chosen(offered.chosen, offered.language),
        "palette": [{"name": name, "colour": colour} for name, colour in COLOURS.items()],
        "editions": [*Edition],
        "rules": [*RuleProfile],
        "circles": [*CircleSource],
        "lies_there": offered.lies_there,
    }


def _chosen(chosen: PatchworkArrangement, language: str | None) -> Json:
    return {
        "players": list(chosen.players),
        "colours": list(chosen.colours),
        "first_seat": chosen.first_seat,
        "edition": chosen.edition.value,
        "rules": chosen.rules.value,
        "circle": chosen.circle.value,
        "language": language,
    }


def _deal(body: NothingMore, language: Language) -> Json:
    del body
    market = dealt_market()
    steps = [step.to_json(language) for step in deal_steps(market)]
    return {"market": list(market), "steps": steps}


ROUTES: Final = (
    Arranged(
        "/api/setup/deal",
        "deal",
        "Shuffle a circle, and tell how to lay it out, a handful of patches at a time.",
        NothingMore,
        _deal,
    ),
)

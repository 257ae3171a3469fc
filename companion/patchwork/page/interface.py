"""Patchwork's side of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.games.patchwork import State
from companion.languages import said
from companion.patchwork.circle.confirming.desk import CircleDesk
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.page import account, archive, circle, figures, orders, setting_up, snapshot
from companion.patchwork.page import virtual as by_hand
from companion.patchwork.page.account import PatchworkAccount
from companion.patchwork.page.overlay import exposure_of
from companion.patchwork.words import sentences, turn_sentence
from companion.play.page.account import Opening, Visibility
from companion.play.page.interface import GamePage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from companion.journal import GameSummary
    from companion.languages import Language
    from companion.patchwork.circle.confirming.desk import LaidOut
    from companion.patchwork.statistics import FinishedGame
    from companion.patchwork.watching.watch import TableWatch
    from companion.play.events import Event
    from companion.play.page.archived import ArchivedGame, Part, Rows
    from companion.play.page.exposure import Exposure
    from companion.play.page.interface import Publish
    from companion.play.page.json_type import Json
    from companion.play.page.routes import GameRoute
    from companion.play.page.setting_up import Form, SetupOffer
    from companion.play.page.virtual import VirtualSide


class PatchworkPage(GamePage[PatchworkAccount]):
    """Patchwork's implementation of `GamePage`."""

    codec = PATCHWORK
    title = said("Patchwork")
    state = State
    form: Form[Any] = setting_up.FORM
    routes: ClassVar[tuple[GameRoute, ...]] = (
        *circle.ROUTES,
        *orders.ROUTES,
        *setting_up.ROUTES,
        *by_hand.ROUTES,
        *figures.ROUTES,
    )
    player_columns = figures.PLAYER_COLUMNS
    virtual: ClassVar[VirtualSide[Any] | None] = by_hand.VIRTUAL
    notes = "Cells are A1 to I9, seats 1 and 2."

    def words(self, event: Event) -> Sequence[str]:
        """See GamePage."""
        return sentences(event)

    def turn_words(self, state: State) -> str:
        """See GamePage."""
        return turn_sentence(state)

    def opened(self, opening: Opening[PatchworkAccount]) -> PatchworkAccount:
        """See GamePage."""
        return account.opened(opening)

    def after(self, table: PatchworkAccount, event: Event, number: int) -> PatchworkAccount:
        """See GamePage."""
        return account.after(table, event, number)

    def phase(self, table: PatchworkAccount) -> str:
        """See GamePage."""
        return snapshot.phase(table)

    def game(self, table: PatchworkAccount) -> Json:
        """See GamePage."""
        return snapshot.game_json(table)

    def snapshot(self, table: PatchworkAccount, language: Language) -> Json:
        """See GamePage."""
        return snapshot.side_json(table, language)

    def absent(self) -> Json:
        """See GamePage."""
        return snapshot.absent()

    def waiting_for(self, table: PatchworkAccount, visibility: Visibility) -> str:
        """See GamePage."""
        return snapshot.waiting_for(table, visibility)

    def visibility(self, watch: TableWatch) -> Visibility:
        """See GamePage."""
        return Visibility(camera=True, boards_seen=watch.ready, in_view=tuple(sorted(watch.places)))

    def exposure(self, watch: TableWatch, table: PatchworkAccount | None, desk: CircleDesk | None) -> Exposure | None:
        """See GamePage."""
        del desk
        return exposure_of(watch, table)

    def desk(self, publish: Publish) -> CircleDesk:
        """See GamePage."""
        desk = CircleDesk()

        def lay_out(laid: LaidOut | None) -> None:
            # Read now, because the text is written later, in each reader's language.
            share = desk.share
            publish(circle.TOPIC, lambda language: circle.desk_json(laid, share, language))

        desk.follow(lay_out)
        return desk

    def silence(self, desk: CircleDesk) -> str | None:
        """See GamePage."""
        return circle.silence(desk)

    def offer(self, offered: SetupOffer) -> Json:
        """See GamePage."""
        return setting_up.offer(offered)

    def colours(self, notes: Mapping[str, str]) -> tuple[str, ...]:
        """See GamePage."""
        return account.colours_of(notes)

    def details(self, archived: ArchivedGame, language: Language) -> Json:
        """See GamePage."""
        return archive.details(archived, language)

    def replay(self, archived: ArchivedGame, desk: CircleDesk | None, language: Language) -> Json:
        """See GamePage."""
        del desk
        return archive.replay(archived, language)

    def decisions_rows(self, archived: ArchivedGame) -> Rows:
        """See GamePage."""
        return archive.decisions_rows(archived)

    def games_rows(self, listed: Iterable[GameSummary], finished: Sequence[FinishedGame]) -> Rows:
        """See GamePage."""
        del finished
        return archive.games_rows(listed)

    def statistics(self, finished: Sequence[FinishedGame]) -> Json:
        """See GamePage."""
        return figures.statistics_json(finished)

    def parts(self, finished: Sequence[FinishedGame]) -> Iterator[Part]:
        """See GamePage."""
        return figures.parts(finished)

    def pictures(self, folder: Path, game_id: int) -> tuple[Path, ...]:
        """See GamePage."""
        return figures.pictures(folder, game_id)


PATCHWORK_PAGE: Final = PatchworkPage()

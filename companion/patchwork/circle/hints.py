"""Hints about the circle: never blocking, only at rest, each announced once and withdrawn when corrected."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion.games.patchwork.rules import History, offers
from companion.games.patchwork.state import State
from companion.languages import Sentence, all_of, said
from companion.patchwork.circle.canvas import START
from companion.patchwork.circle.evidence import CirclePlay
from companion.patchwork.circle.watch import CircleWatch
from companion.patchwork.codec import Event
from companion.patchwork.naming import patch_name
from companion.patchwork.watching.watch import TableWatch
from companion.play.events import DecisionTaken, DecisionUndone
from vision.stillness import Stillness
from vision.table.plane import PlacedPicture

# Seconds between looks at the table: a frame like that of the previous look is at rest. A look takes a millisecond.
_EVERY_S: Final = 0.5


class CircleRest:
    """A tick that looks once at each rest, in steps: at every piece, then for each missing one, one per frame.

    Attributes:
        is_seen: whether the table is at rest and all of the circle was looked at.
        moved: by number of the place, from 0, the distance in cells by which its piece has moved since the last rest;
            incomplete until all was looked at.
    """

    def __init__(self, watch: TableWatch, play: CirclePlay) -> None:
        self._watch, self._play = watch, play
        self._stillness = Stillness(most_skipped=None)
        self._looked_at_s = float("-inf")
        self.moved: dict[int, float] = {}
        self._is_under_way = self.is_seen = False

    def __call__(self, event: Event) -> None:
        """Handle an event: after a decision other pieces should be there, so the look is repeated."""
        if isinstance(event, DecisionTaken | DecisionUndone):
            self.is_seen = self._is_under_way = False

    def tick(self, now_s: float) -> None:
        """Process the next frame, which the watch has seen."""
        circle, picture = self._play.circle, self._watch.picture
        if circle is None or picture is None or not self._watch.at_rest:
            self.is_seen = self._is_under_way = False
            return
        # A look that is under way takes a step with every frame.
        if now_s - self._looked_at_s < _EVERY_S and not self._is_under_way:
            return
        self._looked_at_s = now_s
        if not self._stillness.holds(picture.image):
            self.is_seen = self._is_under_way = False
        elif not self.is_seen:
            self._step(circle, picture)

    def _step(self, circle: CircleWatch, scene: PlacedPicture) -> None:
        if not self._is_under_way:
            circle.restart()
            self.moved = {}
        step = circle.follow(scene)
        self.moved.update(step.moved)
        self.is_seen, self._is_under_way = step.is_done, not step.is_done


class CircleFault(StrEnum):
    """A fault of the circle: in the order of its patches, missing patches, or the place of its neutral token."""

    ORDER = "order"
    MISSING = "missing"
    TOKEN = "token"  # noqa: S105  # the neutral one


@dataclass(frozen=True, slots=True)
class CircleFaultStatus:
    """The subject of a notice about the circle: the sentence that applies until the fault is corrected, or None."""

    fault: CircleFault
    wrong: Sentence | None


# Grace time after a decision, because players pay and move their markers before they move the neutral token.
_PATIENCE_S: Final = 8.0
# The time for which a fault must persist before it is announced.
_STANDS_S: Final = 3.0
# The same for missing pieces: people pick up several to compare them.
_MISSING_S: Final = 10.0
# The number of pieces, moved at one rest or missing, from which the circle was disturbed; one or two have other causes.
_MANY: Final = 3
# The displacement, in cells, from which a piece counts as moved: people brush pieces by less inadvertently.
_PUSHED_CELLS: Final = 0.4
_MOST_NAMED: Final = 6


@dataclass(slots=True)
class _Fault:
    """A possible fault: its description, the time since which it is seen, and the description last announced."""

    seen: tuple[object, float] | None = None
    announced: object = None

    def is_due(self, what: object, now_s: float, wait_s: float) -> bool:
        """Return whether a fault has persisted for `wait_s` and is not announced yet; if so, it counts as announced."""
        if self.seen is None or self.seen[0] != what:
            self.seen = (what, now_s)
        if self.announced == what or now_s - self.seen[1] < wait_s:
            return False
        self.announced = what
        return True

    def mend(self) -> bool:
        """Reset; return whether the fault was announced."""
        announced, self.announced, self.seen = self.announced is not None, None, None
        return announced


class CircleHints:
    """A listener and tick that announces a circle in disorder, missing pieces and a misplaced neutral token.

    The recorded order does not change.
    """

    def __init__(
        self, play: CirclePlay, rest: CircleRest, history: History, say: Callable[[str, CircleFaultStatus], None]
    ) -> None:
        self._play, self._rest, self._history, self._say = play, rest, history, say
        self._order, self._missing, self._token = _Fault(), _Fault(), _Fault()
        self._decided_s: float | None = None
        self._is_news = True

    def __call__(self, event: Event) -> None:
        """Handle an event."""
        if isinstance(event, DecisionTaken | DecisionUndone):
            self._decided_s = None
            self._token.mend()
        if event.state.finished:
            # The page drops all faults with a game's end; if it is undone, they are announced anew.
            self._order.mend()
            self._missing.mend()

    def tick(self, now_s: float) -> None:
        """Process the next frame, after the look at the circle."""
        # Events carry no time: the next frame's time stands for it.
        self._decided_s = now_s if self._decided_s is None else self._decided_s
        circle = self._play.circle
        if circle is None or not self._rest.is_seen or self._history.state.finished:
            self._is_news = True
            return
        self._announce_disorder(circle, now_s)
        self._announce_missing(circle, now_s)
        self._announce_token(circle, now_s)
        self._is_news = False

    def _announce_disorder(self, circle: CircleWatch, now_s: float) -> None:
        wrong = circle.out_of_order()
        if wrong:
            if self._order.is_due(wrong, now_s, _STANDS_S):
                says = _shuffled(_names(circle, wrong), self._history.state)
                self._say(says, CircleFaultStatus(CircleFault.ORDER, says))
        elif self._order.mend():
            self._say(said("The circle is back in order."), CircleFaultStatus(CircleFault.ORDER, None))
        elif self._is_news and self._has_been_pushed:
            says = said("The circle was moved; its order has not changed.")
            self._say(says, CircleFaultStatus(CircleFault.ORDER, None))

    @property
    def _has_been_pushed(self) -> bool:
        return sum(cells >= _PUSHED_CELLS for cells in self._rest.moved.values()) >= _MANY

    def _announce_missing(self, circle: CircleWatch, now_s: float) -> None:
        lost = circle.lost
        if len(lost) >= _MANY:
            if self._missing.is_due(lost, now_s, _MISSING_S):
                says = _gone(_names(circle, lost))
                self._say(says, CircleFaultStatus(CircleFault.MISSING, says))
        # With one or two still missing the circle is not complete again.
        elif not lost and self._missing.mend():
            self._say(said("The circle is complete again."), CircleFaultStatus(CircleFault.MISSING, None))

    def _announce_token(self, circle: CircleWatch, now_s: float) -> None:
        astray = circle.pawn_astray
        if astray is None:
            if self._token.mend():
                self._say(
                    said("The neutral token is in the right place again."), CircleFaultStatus(CircleFault.TOKEN, None)
                )
        elif now_s - (self._decided_s or 0.0) >= _PATIENCE_S and self._token.is_due(astray, now_s, _STANDS_S):
            says = _wrong_token(circle, *astray)
            self._say(says, CircleFaultStatus(CircleFault.TOKEN, says))


def _names(circle: CircleWatch, places: tuple[int, ...]) -> list[Sentence]:
    """Return the names of the patches that certainly lie in some places, at most the first few."""
    held = [circle.holds(place) for place in places]
    return [said("the {patch}", patch=patch_name(patch)) for patch in held if patch is not None][:_MOST_NAMED]


def _shuffled(names: list[Sentence], state: State) -> Sentence:
    if not names or state.setup.market is None:
        return said("The circle was disturbed: its order has changed.")
    following = [said("the {patch}", patch=patch_name(patch)) for patch in offers(state)]
    return said(
        "The circle was disturbed. Out of order: {patches}. According to the companion, {following} come next.",
        patches=all_of(names),
        following=all_of(following),
    )


def _gone(names: list[Sentence]) -> Sentence:
    if not names:
        return said("Several patches are missing from the circle.")
    return said("Missing from the circle: {patches}.", patches=all_of(names))


def _wrong_token(circle: CircleWatch, booked: int, stands: int) -> Sentence:
    """Return the sentence that the neutral token stands in another gap than it should."""
    right, wrong = (None if place == START else circle.holds(place) for place in (booked, stands))
    if right is None:
        return said("The neutral token is in the wrong place in the circle.")
    if wrong is None:
        return said("The neutral token belongs where the {patch} was; it is somewhere else.", patch=patch_name(right))
    return said(
        "The neutral token belongs where the {patch} was; it is where the {other} was.",
        patch=patch_name(right),
        other=patch_name(wrong),
    )

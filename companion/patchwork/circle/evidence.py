"""The seen circle in play: evidence for the reader, and a notice if it contradicts a decision."""

from collections.abc import Callable, Sequence

from companion.games.patchwork.components import twins_of
from companion.games.patchwork.decisions import Decision, TakePatch
from companion.games.patchwork.rules import History
from companion.languages import said
from companion.patchwork.circle.keeper import LaidOut
from companion.patchwork.circle.proposal import Certainty, PlaceIs
from companion.patchwork.circle.seen import CircleSighting, SeenMarket
from companion.patchwork.circle.watch import CircleWatch
from companion.patchwork.codec import Event
from companion.patchwork.naming import patch_name
from companion.patchwork.reading.reader import Reader
from companion.patchwork.watching.watch import TableWatch
from companion.play.events import Asked, DecisionTaken, DecisionUndone
from vision.table.plane import PlacedPicture


class CirclePlay:
    """A listener that follows the circle of one game, and passes it to the reader as evidence.

    `notice` is called with what play has shown about the circle.

    Attributes:
        circle: the circle that is watched, or None if there is none.
    """

    def __init__(
        self,
        watch: TableWatch,
        reader: Reader,
        history: History,
        say: Callable[[str], None],
        notice: Callable[[PlaceIs], None],
    ) -> None:
        self._watch, self._reader, self._history, self._say, self._notice = watch, reader, history, say, notice
        self._seen: SeenMarket | None = None
        self.circle: CircleWatch | None = None
        self._asked: tuple[Decision, ...] = ()

    def follow(self, laid: LaidOut | None) -> None:
        """Handle a change of the circle at the desk: watch a new one, and apply the answers."""
        if laid is None:
            return
        # By identity: answers change the proposal, but not what was seen.
        if laid.proposal.seen is not self._seen:
            self.watch(laid.proposal.seen, PlacedPicture(laid.image, laid.boards))
        if self.circle is not None:
            self.circle.set_orders([[number - 1 for number in order] for order in laid.proposal.sequences])
        for place in laid.proposal.places:
            if self.circle is None or place.certainty is not Certainty.ANSWERED:
                continue
            # An answer that puts a sure neighbour here concerns the order: the piece itself keeps its name.
            if place.patch is None or place.patch not in _sure_elsewhere(laid.proposal.seen, place.number):
                self.circle.set_patch(place.number - 1, place.patch)

    def watch(self, seen: SeenMarket, scene: PlacedPicture) -> None:
        """Watch a circle that was seen in a picture before the first move; the game may have advanced since."""
        circle = circle_of(seen, scene)
        if circle is not None:
            _catch_up(circle, self._history.decisions)
        self._seen, self.circle = seen, circle
        self._reader.use_circle(circle)

    def __call__(self, event: Event) -> None:
        """Handle an event."""
        if self.circle is None:
            return
        if isinstance(event, Asked):
            self._asked = event.question.options
        elif isinstance(event, DecisionTaken):
            self._decided(self.circle, event)
            self._asked = ()
        elif isinstance(event, DecisionUndone):
            self.circle.record_undo()

    def _decided(self, circle: CircleWatch, event: DecisionTaken) -> None:
        picture = self._watch.picture
        if not isinstance(event.decision, TakePatch) or picture is None:
            circle.record_pass()
            return
        patch = event.decision.patch
        instead = circle.instead_of(patch, picture)
        taken = circle.record_taken(patch, picture)
        if taken.still is not None:
            # Players who were asked about this patch know what the circle shows.
            if event.decision not in self._asked:
                self._say(_differs(patch, instead))
        elif taken.seen and taken.place is not None:
            self._notice(PlaceIs(taken.place + 1, patch))
            # If the game knows the circle, the rules already limit what may be taken.
            if taken.is_beyond and event.state.setup.market is None:
                self._say(_beyond(patch))


def _catch_up(circle: CircleWatch, decisions: Sequence[Decision]) -> None:
    """Apply earlier decisions to a newly watched circle."""
    for decision in decisions:
        if isinstance(decision, TakePatch):
            circle.record_taken_before(decision.patch)
        else:
            circle.record_pass()


def _sure_elsewhere(seen: SeenMarket, number: int) -> set[str | None]:
    """Return the patches that were surely seen in other places, counted from 1, than this one."""
    return {piece.patch for place, piece in enumerate(seen.pieces, start=1) if piece.sure and place != number}


def circle_of(seen: SeenMarket, scene: PlacedPicture) -> CircleWatch | None:
    """Return the circle to watch, or None if no pieces or no boards were seen."""
    if not seen.pieces or not scene.boards:
        return None
    return CircleWatch(
        scene,
        [piece.outline_px for piece in seen.pieces],
        [_chances(piece) for piece in seen.pieces],
        begins=seen.begins != "nowhere",
        token_px=seen.token_px,
    )


def _chances(piece: CircleSighting) -> dict[str, float]:
    """Return the probability of each patch for a piece; unsure twins share theirs equally, lest a guess count twice."""
    chances = dict(piece.chances)
    if piece.sure:
        return chances
    groups = [{patch, *twins_of(patch)} for patch in chances]
    even = {patch: sum(chances.get(one, 0.0) for one in group) / len(group) for group in groups for patch in group}
    return {patch: chance for patch, chance in even.items() if chance > 0}


def _beyond(patch: str) -> str:
    return said(
        "The {patch} was further round the circle: only the three patches after the neutral token may be taken.",
        patch=patch_name(patch),
    )


def _differs(patch: str, instead: str | None) -> str:
    if instead is None:
        return said("The {patch} was taken, but still seems to be in the circle.", patch=patch_name(patch))
    return said(
        "The {patch} was taken, but still seems to be in the circle; the {instead} is missing from it.",
        patch=patch_name(patch),
        instead=patch_name(instead),
    )

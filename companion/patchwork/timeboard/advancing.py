"""Foresight of advances without a press: the mover's marker stands one past the other's, and no quilt has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.games.patchwork import Advance, History, State
from companion.languages import said
from companion.patchwork.reading.verdict import Complaint, Reason
from companion.play.events import DecisionForeseen, ForesightLapsed

if TYPE_CHECKING:
    from companion.patchwork.reading.reader import Reader
    from companion.patchwork.timeboard.watching import TimeBoardWatch
    from companion.patchwork.watching.watch import TableWatch

# The time that the marker must stand before an advance is announced: some people move it before they lay their patch.
_STANDS_S: Final = 3.0
# The time that the markers may be out of sight before their last spaces are forgotten.
_UNSEEN_S: Final = 1.5
# The time that the marker must stand elsewhere before its player is asked about it.
_ASKED_S: Final = 10.0


class AdvanceForesight:
    """A forecaster of advances at a table without presses of `advance`.

    Args:
        board: the watch over the time board and its markers.
        watch: the watch over the quilts.
        reader: the reader of the quilts, on neither of which a new piece may lie.
        pause_s: the time for which a foreseen advance can be stopped by `undo`.
        say: announces a sentence to the players.
    """

    def __init__(
        self,
        board: TimeBoardWatch,
        watch: TableWatch,
        reader: Reader,
        pause_s: float,
        say: Callable[[str], None],
    ) -> None:
        self._board, self._watch, self._reader, self._pause_s, self._say = board, watch, reader, pause_s, say
        self._stands: tuple[int, int, float] | None = None
        self._foreseen: DecisionForeseen | None = None
        self._ignored: tuple[int, int] | None = None
        self._seen_s = float("-inf")

    @property
    def is_announced(self) -> bool:
        """True if a foreseen advance waits to be taken."""
        return self._foreseen is not None

    @property
    def is_able(self) -> bool:
        """True if a time board is followed, on which an advance would be seen."""
        return self._board.is_found

    @property
    def due_s(self) -> float | None:
        """The time at which to act if nothing changes until then, or None."""
        if self._foreseen is not None:
            return self._foreseen.takes_at_s
        return None if self._stands is None else self._stands[2] + _STANDS_S

    def wait(self, now_s: float) -> None:
        """Let the board be looked at when no new frame has come."""
        self._board.tick(now_s)

    def see(self, now_s: float, history: History) -> DecisionForeseen | ForesightLapsed | Advance | None:
        """Return an event to announce, the advance if it is to be taken now, or None."""
        state = history.state
        if self._board.standing is None and self._watch.ready and self._stands is not None:
            # Light flickers and arms pass; an announced advance is checked again before it is taken.
            if now_s - self._seen_s < _UNSEEN_S:
                return None
        else:
            self._seen_s = now_s
        space = self._moved_to(state)
        made = len(history.decisions)
        if space is None or self._ignored == (made, space):
            self._stands = None
            return self.lapse(history, stopped=False)
        if self._stands is None or self._stands[:2] != (made, space):
            self._stands = (made, space, now_s)
        if self._foreseen is not None:
            return self._take_when_due(now_s, history)
        stood_s = now_s - self._stands[2]
        if space == _advance_space(state):
            return self._foresee(now_s, history) if stood_s >= _STANDS_S else None
        if stood_s >= _ASKED_S and self._is_unchanged(history):
            self._ignored = (made, space)
            self._say(_wrong_space_sentence(state, space))
        return None

    def lapse(self, history: History, *, stopped: bool) -> ForesightLapsed | None:
        """Drop the foreseen advance, if any; one that a player `stopped` is not foreseen until its marker moves."""
        foreseen, self._foreseen = self._foreseen, None
        if foreseen is None:
            return None
        if stopped and self._stands is not None:
            self._ignored = self._stands[:2]
        return ForesightLapsed(foreseen.decision, stopped, history.state)

    def refuse(self, history: History) -> None:
        """Do not foresee the advance that was just undone again before its marker is moved."""
        self._ignored = (len(history.decisions), _advance_space(history.state))

    def _foresee(self, now_s: float, history: History) -> DecisionForeseen | None:
        if not self._is_unchanged(history):
            self._stands = None
            return None
        advance = Advance(history.state.mover)
        self._foreseen = DecisionForeseen(advance, self._pause_s, now_s + self._pause_s, history.state)
        return self._foreseen

    def _take_when_due(self, now_s: float, history: History) -> Advance | ForesightLapsed | None:
        foreseen = self._foreseen
        if foreseen is None or now_s < foreseen.takes_at_s:
            return None
        # A patch may have been laid during the pause.
        if not self._is_unchanged(history):
            return self.lapse(history, stopped=False)
        self._foreseen = None
        return Advance(history.state.mover)

    def _moved_to(self, state: State) -> int | None:
        """Return the space of the mover's marker if it was moved forward and the other's is in its place, or None."""
        standing = self._board.standing
        if standing is None or state.turn is None or state.leather_due:
            return None
        mover, other = state.turn, 3 - state.turn
        space = standing.spaces[mover]
        # With the other marker out of place, too, it is not certain who has moved.
        if space is None or space <= state.seat(mover).time or standing.spaces[other] != state.seat(other).time:
            return None
        return space

    def _is_unchanged(self, history: History) -> bool:
        """Return whether the mover's quilt certainly agrees with the game."""
        seat = history.state.mover
        if not self._watch.readable(seat):
            return False
        verdict = self._reader.read(history)
        return isinstance(verdict, Complaint) and verdict.reason is Reason.NOTHING_PLACED


def _advance_space(state: State) -> int:
    """Return the space to which an advance takes the mover's marker: one past the other's."""
    return min(state.setup.track.last_space, state.seat(3 - state.mover).time + 1)


def _wrong_space_sentence(state: State, space: int) -> str:
    return said(
        "{name}’s marker was moved to {space}. To advance, move it to {right}; to take a patch, place the patch first.",
        name=state.setup.players[state.mover - 1],
        space=space,
        right=_advance_space(state),
    )

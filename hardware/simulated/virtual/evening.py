"""An evening at a remotely operated table: people move its pieces from elsewhere, and the camera sees it."""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.components import TIME_TRACKS
from companion.games.patchwork.decisions import Decision, PlaceLeather, TakePatch
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.languages import said
from hardware.clock import Tempo
from hardware.ports import Button
from hardware.simulated.camera import Twins
from hardware.simulated.conditions import LEATHER, Conditions, normal
from hardware.simulated.drawing import Pose
from hardware.simulated.evening import with_circle
from hardware.simulated.people.bookkeeping import paid
from hardware.simulated.people.gestures import Accepted, Arm, Listen, News, Pace, Proposed, Script, Undone
from hardware.simulated.scene.placing import Books, Lying, cells_at, mm_at, placements_of, turned_to
from hardware.simulated.scene.table import SimulatedTable, cells_of
from hardware.simulated.virtual.moves import (
    Bump,
    Bumped,
    Circumstances,
    Forget,
    Lay,
    Lift,
    Move,
    Piece,
    Place,
    Shift,
    Tabletop,
    Token,
    Turn,
)
from hardware.simulated.virtual.table import MoveBox, MoveRefusedError

MOST_TOKENS: Final = 12
"""The greatest number of button tokens on the boards."""


@dataclass(slots=True)
class _Handled:
    """A piece on a board or under way.

    Attributes:
        name: its name.
        place: its present or future place.
        lying: its exact pose; None on its way out of the circle.
        busy: whether a hand has it, or is about to.
    """

    name: str
    place: Place
    lying: Lying | None = None
    busy: bool = True


class Handiwork:
    """The hands at a remotely operated table.

    Args:
        table: the table.
        pace: durations of arms' movements.
        leather: number of leather patches.
    """

    def __init__(self, table: SimulatedTable, pace: Pace, leather: int) -> None:
        self._table, self._leather = table, leather
        self._arms = (Arm(table, 1, pace), Arm(table, 2, pace))
        self._pieces: dict[int, _Handled] = {}
        self._tokens: dict[int, tuple[int, Pose]] = {}
        self._scripts: deque[Script] = deque()
        self._until_s = float("-inf")
        self._numbered = 0
        self.circumstances = Circumstances.of(table.conditions)
        self._adopt()

    @property
    def leather_left(self) -> int:
        """The number of leather patches that are on no quilt."""
        return self._leather - sum(piece.name == LEATHER for piece in self._pieces.values())

    @property
    def fetched(self) -> frozenset[str]:
        """The patches that have left the circle, or are about to."""
        return frozenset(piece.name for piece in self._pieces.values())

    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces on the boards or on their way there."""
        return tuple(_seen(number, piece) for number, piece in self._pieces.items())

    def tokens(self) -> tuple[Token, ...]:
        """Return the button tokens on the boards."""
        return tuple(Token(number, seat, *cells_at(pose)) for number, (seat, pose) in self._tokens.items())

    def begin(self, move: Move) -> None:
        """Queue a move after the earlier ones; changes of light and bumps take effect at once.

        Raises:
            MoveRefusedError: the move is impossible.
        """
        if isinstance(move, Circumstances):
            self.circumstances = move
            self._table.under(move.on(self._table.conditions))
        elif isinstance(move, Bump):
            self._bump(move)
        else:
            self._scripts.append(self._script(move))

    def step(self, now_s: float) -> None:
        """Advance the arms up to this time."""
        # Sums of frame times are inexact.
        while self._scripts and now_s >= self._until_s - 1e-6:
            try:
                waiting = next(self._scripts[0])
            except StopIteration:
                self._scripts.popleft()
                continue
            self._until_s = now_s + (waiting.timeout_s if isinstance(waiting, Listen) else waiting.seconds)

    def _script(self, move: Lay | Shift | Turn | Lift | Forget) -> Script:
        if isinstance(move, Lay):
            # Refused at once if impossible, but prepared when its turn comes: earlier moves change the board.
            return self._laying(self._taken_up(move))
        if isinstance(move, Forget):
            return self._forgetting(move)
        if isinstance(move, Lift) and move.piece in self._tokens:
            return self._picking_up(move.piece)
        piece = self._free(move.piece)
        if isinstance(move, Lift):
            piece.busy = True
            return self._lifting(move.piece)
        place = move.place if isinstance(move, Shift) else _turned(piece, move)
        came_from, piece.place, piece.busy = piece.place.seat, place, True
        return self._shifting(piece, came_from)

    def _taken_up(self, move: Lay) -> _Handled:
        if move.name == LEATHER and self.leather_left < 1:
            raise MoveRefusedError(said("All leather patches are already on the quilts."))
        if move.name != LEATHER and (move.name in self.fetched or move.name not in self._table.market):
            raise MoveRefusedError(said("That patch is no longer in the circle."))
        piece = _Handled(move.name, move.place)
        self._pieces[self._next()] = piece
        return piece

    def _free(self, number: int) -> _Handled:
        piece = self._pieces.get(number)
        if piece is None:
            raise MoveRefusedError(said("That is no longer there."))
        if piece.busy:
            raise MoveRefusedError(said("A hand already has it: wait a moment."))
        return piece

    def _laying(self, piece: _Handled) -> Script:
        seat, lying = piece.place.seat, self._prepared(piece)
        if self.circumstances.arms:
            yield from self._arms[seat - 1].bring(seat, lying)
        else:
            self._table.put(seat, lying)
        piece.lying, piece.busy = lying, False

    def _shifting(self, piece: _Handled, came_from: int) -> Script:
        before, to = _lain(piece), piece.place.seat
        # Its own present place does not obstruct it.
        self._table.lift(came_from, before)
        lying = self._prepared(piece)
        self._table.put(came_from, before)
        if self.circumstances.arms:
            yield from self._arms[to - 1].shift(came_from, before, to, lying)
        else:
            self._table.lift(came_from, before)
            self._table.put(to, lying)
        piece.lying, piece.busy = lying, False

    def _lifting(self, number: int) -> Script:
        piece = self._pieces[number]
        seat, lying = piece.place.seat, _lain(piece)
        if self.circumstances.arms:
            yield from self._arms[seat - 1].take(seat, lying)
        else:
            self._table.lift(seat, lying)
        del self._pieces[number]

    def _prepared(self, piece: _Handled) -> Lying:
        """Return its exact pose after the move."""
        name, place = piece.name, piece.place
        if not place.snapped:
            return self._laid_freely(name, place)
        cells = place.cells(name)
        laid = self._table.prepared(place.seat, name, cells)
        # A piece with symmetries is laid in the requested orientation.
        turn_deg = 90.0 * (place.quarters - turned_to(name, cells)[1])
        return Lying(name, place.flipped, laid.pose.moved(turn_deg=turn_deg), laid.layer)

    def _laid_freely(self, name: str, place: Place) -> Lying:
        pose = Pose(*mm_at(place.x_cells, place.y_cells), 90.0 * place.quarters)
        lying = Lying(name, place.flipped, pose)
        covered = set(lying.cells())
        below = [other.layer for other in self._table.pieces(place.seat) if covered & set(other.cells())]
        return replace(lying, layer=1 + max(below, default=-1))

    # ------------------------------------------------------------------ tokens and bumps

    def _forgetting(self, move: Forget) -> Script:
        if len(self._tokens) >= MOST_TOKENS:
            raise MoveRefusedError(said("There are enough button tokens on the boards."))
        token = (move.seat, Pose(*mm_at(move.x_cells, move.y_cells)))
        self._tokens[self._next()] = token
        return self._touching(token, lambda: self._table.strays.append(token))

    def _picking_up(self, number: int) -> Script:
        token = self._tokens.pop(number)
        return self._touching(token, lambda: self._table.strays.remove(token))

    def _touching(self, token: tuple[int, Pose], act: Callable[[], None]) -> Script:
        seat, pose = token
        if self.circumstances.arms:
            on_table = pose.on(self._table.board_pose(seat))
            yield from self._arms[seat - 1].touch((on_table.x_mm, on_table.y_mm), act)
        else:
            act()

    def _bump(self, move: Bump) -> None:
        if move.what is Bumped.CAMERA:
            self._table.knock_camera(move.by_mm)
        else:
            self._table.knock_board(1 if move.what is Bumped.BOARD_1 else 2, move.by_mm)

    def _next(self) -> int:
        self._numbered += 1
        return self._numbered

    def _adopt(self) -> None:
        """Assign numbers to the pieces that are already on the boards."""
        for seat in (1, 2):
            for lying in self._table.pieces(seat):
                place = Place(seat, *cells_at(lying.pose), round(lying.pose.angle_deg / 90) % 4, lying.flipped)
                self._pieces[self._next()] = _Handled(lying.name, place, lying, busy=False)


def _lain(piece: _Handled) -> Lying:
    if piece.lying is None:
        raise ValueError(f"{piece.name} does not lie on a board yet")
    return piece.lying


def _seen(number: int, piece: _Handled) -> Piece:
    place, lying = piece.place, piece.lying
    if lying is None or piece.busy:
        cells = place.cells(piece.name)
        at, angle_deg, flipped = (place.x_cells, place.y_cells), 90.0 * place.quarters, place.flipped
    else:
        cells, at, angle_deg, flipped = lying.cells(), cells_at(lying.pose), lying.pose.angle_deg, lying.flipped
    return Piece(number, piece.name, place.seat, *at, angle_deg, flipped, tuple(sorted(cells)), piece.busy)


def _turned(piece: _Handled, move: Turn) -> Place:
    """Return the place of a piece rotated about its middle, and kept on the board."""
    lying = _lain(piece)
    quarters = round(lying.pose.angle_deg / 90) % 4
    # Flipping a rotated piece reverses the direction of its rotation, as seen from above.
    quarters = (move.quarters + (-quarters if move.flip else quarters)) % 4
    x_cells, y_cells = cells_at(lying.pose)
    return Place(piece.place.seat, x_cells, y_cells, quarters, lying.flipped != move.flip).on_board(piece.name)


LINGER_S: Final = 600.0
"""Time after a game's end during which its last decision can be undone."""
TRAVEL_S: Final = 0.45
"""Duration of an arm's movement: longer than the camera's interval, short enough for impatient players."""


class VirtualEvening(Twins):
    """A complete environment for a companion; each `camera.capture()` advances the hands by one frame.

    People lay, shift and lift pieces through `moves`. Everything else follows the game as recorded by the companion:
    the time tokens, the leather beside the time board, the buttons and the neutral token.

    Args:
        seed: of the table and the circle of patches.
        moves: the requested moves.
        conditions: the initial difficulty of reading it.
        setup: the game; a missing circle is shuffled by the seed.
        mats: whether the printed mats lie under the boards.
        fps: frames a second.
        tempo: the tempo in real time; None for frames that come as fast as they can.
        pixels: number of pixels of the strip.
        partner: the seat of a partner, whose patches are laid and lifted by themselves; None if there is none.
        presses: whether a laid patch is confirmed by a press.
        publish: called with the table's state after each change, in the thread that captures frames.

    Attributes:
        clock, table, controls, strip, camera: the parts.
        setup: the true setup, with its circle.
    """

    def __init__(
        self,
        seed: int,
        moves: MoveBox[Move],
        conditions: Conditions | None = None,
        *,
        setup: Setup | None = None,
        mats: bool = True,
        fps: float = 5.0,
        tempo: Tempo | None = None,
        pixels: int = 60,
        partner: int | None = None,
        presses: bool = True,
        publish: Callable[[Tabletop], None] = lambda _: None,
    ) -> None:
        # As in `SimulatedEvening`: a seed has the same circle there.
        shuffle, *_ = (np.random.default_rng(stream) for stream in np.random.SeedSequence(seed).spawn(3))
        conditions = conditions or normal()
        self.setup = with_circle(setup or Setup(players=("Anna", "Boris")), shuffle)
        super().__init__(fps, tempo, pixels)
        self.table = SimulatedTable(seed, conditions, market=self.setup.market, edition=self.setup.edition, mats=mats)
        self._moves, self._publish = moves, publish
        self._shown: Tabletop | None = None
        self._ended_s: float | None = None
        self._pace = Pace(1 / fps, max(1, round(TRAVEL_S * fps)))
        self._partner, self._presses, self._laying = partner, presses, ""
        self._leather = len(TIME_TRACKS[self.setup.edition].leather)
        self._sit_down()

    @property
    def over(self) -> bool:
        """True if the game ended long ago."""
        return self._ended_s is not None and self.clock.now() - self._ended_s > LINGER_S

    @property
    def gave_up(self) -> bool:
        """False: people correct rejected moves, or leave them."""
        return False

    def on_feedback(self, news: News) -> None:
        """Process the news of an accepted or undone decision: tokens are moved and payments made.

        What a partner proposes is laid, and lifted when it is undone.
        """
        if isinstance(news, Accepted):
            self._history.apply(news.decision)
        elif isinstance(news, Undone):
            self._lift_partners(self._history.undo())
        elif isinstance(news, Proposed):
            self._lay_partners(news.decision)
        self._ended_s = self.clock.now() if self._history.state.finished else None

    def resume_from(self, decisions: Sequence[Decision]) -> None:
        """Resume an interrupted evening: the quilts and all tokens lie as after these decisions.

        Raises:
            IllegalDecisionError: they are illegal.
        """
        self.table.lay_out(placements_of(decisions))
        self._sit_down(decisions)

    def step(self, now_s: float) -> None:
        """Begin the requested moves, and advance the hands up to this time."""

        def show() -> None:
            self._hands.step(now_s)
            self._confirm_partners()
            self._show_books()
            self._show_table()

        self._moves.carry_out(self._hands.begin, show)

    def _lay_partners(self, decision: Decision) -> None:
        """Begin to lay a partner's patch, from the circle or from the board on which a user has left it."""
        if not isinstance(decision, TakePatch | PlaceLeather):
            return
        name = decision.patch if isinstance(decision, TakePatch) else LEATHER
        place = Place.of(decision.seat, name, cells_of(decision.cells))
        left = next((piece for piece in self._hands.pieces() if piece.name == name != LEATHER), None)
        with suppress(MoveRefusedError):
            self._hands.begin(Lay(name, place) if left is None else Shift(left.number, place))
            self._laying = name

    def _confirm_partners(self) -> None:
        """Press `confirm` once a partner's patch lies."""
        laid = [piece for piece in self._hands.pieces() if piece.name == self._laying and not piece.in_hand]
        if self._laying and laid:
            self._laying = ""
            if self._presses:
                self.controls.press(Button.CONFIRM)

    def _lift_partners(self, decision: Decision) -> None:
        if decision.seat != self._partner or not isinstance(decision, TakePatch | PlaceLeather):
            return
        name = decision.patch if isinstance(decision, TakePatch) else LEATHER
        cells = cells_of(decision.cells)
        for piece in self._hands.pieces():
            if piece.name == name and piece.seat == decision.seat and set(piece.cells) == set(cells):
                with suppress(MoveRefusedError):
                    self._hands.begin(Lift(piece.number))

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        return self.table.frame(now_s)

    def tabletop(self) -> Tabletop:
        """Return the table's current state."""
        hands = self._hands
        circle = tuple(name for name in self._clockwise() if name not in hands.fetched)
        lying = hands.pieces(), hands.tokens()
        return Tabletop(circle, hands.leather_left, *lying, hands.circumstances, self.table.dress)

    def _sit_down(self, decisions: Sequence[Decision] = ()) -> None:
        # Accepted decisions are paid as the companion says, whatever patch people name.
        self._history = History(replace(self.setup, market=None))
        for decision in decisions:
            self._history.apply(decision)
        self._ended_s = None
        self._hands = Handiwork(self.table, self._pace, self._leather)
        self._show_books()

    def _show_books(self) -> None:
        state = self._history.state
        left = tuple(state.leather_left)
        # A player who takes more leather than they have won removes it from the time board.
        taken = max(0, len(left) - self._hands.leather_left)
        bought = {decision.patch for decision in self._history.decisions if isinstance(decision, TakePatch)}
        self.table.books = Books(
            purses=paid(self.table, state),
            times=(state.seat(1).time, state.seat(2).time),
            leather_out=left[taken:],
            first=next((name for name in self._clockwise() if name not in bought), None),
            bonus=next((seat for seat in (1, 2) if state.seat(seat).bonus), None),
        )

    def _show_table(self) -> None:
        tabletop = self.tabletop()
        if tabletop != self._shown:
            self._shown = tabletop
            self._publish(tabletop)

    def _clockwise(self) -> tuple[str, ...]:
        """Return the whole circle from the neutral token's place after the last purchase."""
        market = self.table.market
        bought = [decision.patch for decision in self._history.decisions if isinstance(decision, TakePatch)]
        after = market.index(bought[-1]) + 1 if bought else 0
        return (*market[after:], *market[:after])

"""The simulated table: its pieces are laid, lifted, pushed and rendered to frames."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.patchwork.cells import SIDE
from companion.games.patchwork.components import PATCHES, START_BUTTONS, TIME_TRACKS, Edition
from hardware.simulated.conditions import LEATHER, Conditions, Dress, normal
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.pinhole import pinhole_for
from hardware.simulated.drawing.sprites import BOARD_MM, CELL_MM, warp_for
from hardware.simulated.prints.dress import the_mat
from hardware.simulated.scene.dressing import Dressing, TableState
from hardware.simulated.scene.layout import CirclePiece, Layout, lay_table, middle_px, pushed, seen_pieces
from hardware.simulated.scene.placing import (
    Books,
    Cell,
    Hand,
    Layer,
    Lying,
    cells_at,
    first_purse,
    mm_at,
    nudged,
    purse_of,
    pushed_aside,
    touch,
)
from hardware.simulated.scene.renderer import Renderer

# Share of players who stack tokens of one value.
_STACKING: Final = 0.3
# Share of tables where players begin with a token of 5, as opposed to five of 1.
_ONE_TOKEN: Final = 0.5


class SimulatedTable:
    """Boards, patches, tokens and hands, under a camera.

    Args:
        seed: of all random choices.
        conditions: the difficulty of reading it.
        market: the circle clockwise from the neutral token; None for the order in the box.
        edition: the printing of the time board.
        mats: whether the printed mats lie under the boards.
    """

    def __init__(
        self,
        seed: int,
        conditions: Conditions | None = None,
        *,
        market: Sequence[str] | None = None,
        edition: Edition = Edition.ORIGINAL,
        mats: bool = True,
    ) -> None:
        self.conditions = conditions or normal()
        self.market = tuple(market or PATCHES)
        self.edition = edition
        # Separate streams: another number of draws from one leaves the others unchanged.
        streams = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(9))
        view, looks, people, self._knocks, picture, hand, boards, self._pushes, ways = streams
        self.layout: Layout = lay_table(self.conditions, mats, looks)
        self.camera = pinhole_for(self.conditions, view)
        self.warps = (warp_for(self.conditions, boards), warp_for(self.conditions, boards))
        self.mats = mats
        self.stacks = (bool(ways.random() < _STACKING), bool(ways.random() < _STACKING))
        self._first_purse = purse_of(START_BUTTONS) if ways.random() < _ONE_TOKEN else first_purse(START_BUTTONS)
        self.books = self._first_books()
        self.circle = set(self.market)
        self._pushed: dict[str, Pose] = {}
        self.hands: tuple[Hand, ...] = ()
        self.strays: list[tuple[int, Pose]] = []
        self._lying: tuple[list[Lying], list[Lying]] = ([], [])
        self._layers = (Layer(self.conditions, people), Layer(self.conditions, people))
        self._dressing = Dressing(self.layout, edition, self.warps, self.conditions, self.market, looks, hand, ways)
        self._picture_rng = picture
        self._renderer: Renderer | None = None

    def _first_books(self) -> Books:
        """Return the open pieces before the first move."""
        leather = TIME_TRACKS[self.edition].leather
        return Books((self._first_purse, self._first_purse), leather_out=leather, first=self.market[0])

    def deal(self, market: Sequence[str]) -> None:
        """Set the table up for another game: bare quilts, a new circle, markers and tokens as at the beginning."""
        self.market, self.circle = tuple(market), set(market)
        for lying in self._lying:
            lying.clear()
        self._pushed.clear()
        self.strays.clear()
        self._dressing.deal(market)
        self.books = self._first_books()

    # ------------------------------------------------------------------ what lies on the quilts

    def pieces(self, seat: int) -> tuple[Lying, ...]:
        """Return the pieces on a board, in the order of laying."""
        return tuple(self._lying[seat - 1])

    def lay(self, seat: int, name: str, cells: Iterable[Cell], unsteady: float = 1.0) -> Lying:
        """Lay a patch, or `LEATHER`, on (row, column) cells of a board; it leaves the circle.

        Raises:
            ValueError: the cells do not have its shape.
        """
        piece = self.prepared(seat, name, cells, unsteady)
        self.put(seat, piece)
        return piece

    def prepared(self, seat: int, name: str, cells: Iterable[Cell], unsteady: float = 1.0) -> Lying:
        """Return the piece as it would be laid, without laying it."""
        return self._layers[seat - 1].lay(name, cells, self._lying[seat - 1], unsteady)

    def put(self, seat: int, piece: Lying) -> None:
        """Put a piece down in its exact pose."""
        self._lying[seat - 1].append(piece)
        self.circle.discard(piece.name)

    def lift(self, seat: int, piece: Lying) -> None:
        """Take a piece off a board; a patch returns to its place in the circle.

        Raises:
            ValueError: it is not on that board.
        """
        self._lying[seat - 1].pop(self._index(seat, piece))
        if piece.name != LEATHER:
            self.circle.add(piece.name)

    def move(self, seat: int, piece: Lying, pose: Pose) -> Lying:
        """Shift a piece to another pose in board space.

        Raises:
            ValueError: it is not on that board.
        """
        index = self._index(seat, piece)
        moved = Lying(piece.name, piece.flipped, pose, piece.layer)
        self._lying[seat - 1][index] = moved
        return moved

    def brush(self, seat: int, piece: Lying, by_mm: float, rng: np.random.Generator) -> Lying:
        """Slide a piece, as if brushed, in the direction with the most room.

        Raises:
            ValueError: it is not on that board.
        """
        others = [other for other in self._lying[seat - 1] if other != piece]
        return self.move(seat, piece, nudged(piece, others, by_mm, rng))

    def press(self, seat: int, laid: Lying) -> None:
        """Let a newly laid piece push its neighbours, as far as the conditions allow."""
        if self.conditions.pushing_mm <= 0:
            return
        for piece in self.pieces(seat):
            if piece != laid and touch(piece, laid):
                others = [other for other in self.pieces(seat) if other not in (piece, laid)]
                by_mm = float(self._pushes.uniform(0, self.conditions.pushing_mm))
                self.move(seat, piece, pushed_aside(piece, laid, others, by_mm))

    def _index(self, seat: int, piece: Lying) -> int:
        """Return the index of a piece on its board, even if neighbours have pushed it meanwhile."""
        lying = self._lying[seat - 1]
        if piece in lying:
            return lying.index(piece)
        same = [index for index, other in enumerate(lying) if other.name == piece.name and _near(other, piece)]
        if not same:
            raise ValueError(f"{piece.name} does not lie there")
        return same[0]

    def lay_out(self, placements: tuple[Iterable[tuple[str, int]], Iterable[tuple[str, int]]]) -> None:
        """Restore an evening from each seat's pieces (a patch's ID or `LEATHER`) and the masks that they cover."""
        for seat, laid in enumerate(placements, start=1):
            self._lying[seat - 1].clear()
            for name, mask in laid:
                self.lay(seat, name, cells_of(mask))

    def strew(self, count: int, rng: np.random.Generator) -> None:
        """Leave button tokens on empty cells of both boards, alternating."""
        for index in range(count):
            seat = 1 + index % 2
            rows = self._quilt(seat)
            free = [(row, column) for row in range(SIDE) for column in range(SIDE) if rows[row][column] == "."]
            if free:
                row, column = free[int(rng.integers(len(free)))]
                self.strays.append((seat, Pose(*mm_at(column + 0.5, row + 0.5))))

    def clear_strays(self, seat: int, cells: Iterable[Cell]) -> None:
        """Remove the tokens from cells where a piece is about to be laid."""
        wanted = set(cells)
        self.strays = [(owner, pose) for owner, pose in self.strays if owner != seat or _cell_at(pose) not in wanted]

    def quilts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return nine strings of X (covered) and . for each board, by the true places of pieces."""
        return self._quilt(1), self._quilt(2)

    def _quilt(self, seat: int) -> tuple[str, ...]:
        covered = {cell for piece in self._lying[seat - 1] for cell in piece.cells()}
        return tuple("".join(".X"[(row, column) in covered] for column in range(SIDE)) for row in range(SIDE))

    # ------------------------------------------------------------------ where things are

    def board_pose(self, seat: int) -> Pose:
        """Return a quilt board's pose in table space."""
        return self.layout.board_pose(seat)

    def spot_mm(self, seat: int, piece: Lying) -> tuple[float, float]:
        """Return a piece's middle on a board, in table space."""
        pose = piece.pose.on(self.board_pose(seat))
        return pose.x_mm, pose.y_mm

    def circle_spot_mm(self, name: str) -> tuple[float, float] | None:
        """Return the place of a patch in the circle, in table space, or None if it is not there."""
        if name not in self.circle:
            return None
        pose = self._circle_poses()[name]
        return pose.x_mm, pose.y_mm

    def _circle_poses(self) -> dict[str, Pose]:
        """Return the current places of the circle's patches, in table space, including those already taken."""
        return {**self._dressing.circle.places, **self._pushed}

    def push_circle(self, rng: np.random.Generator) -> bool:
        """Push some patches of the circle by an elbow, and return whether any was moved."""
        poses = self._circle_poses()
        moved = pushed({name: poses[name] for name in self.market if name in self.circle}, self.layout, rng)
        self._pushed.update(moved)
        return any(moved[name] != poses[name] for name in moved)

    def straighten_circle(self) -> None:
        """Return the pushed patches to their previous places."""
        self._pushed.clear()

    @property
    def dress(self) -> Dress | None:
        """The prints of boards and patches; None if all are our own."""
        return self._dressing.dress

    def circle_pieces(self) -> tuple[CirclePiece, ...]:
        """Return the patches in the circle, clockwise as in the market, with their visibility."""
        names = [name for name in self.market if name in self.circle]
        state = self._state()
        above = [*self._dressing.token_items(state), *self._dressing.passing(state)]
        poses = self._circle_poses()
        return seen_pieces({name: poses[name] for name in names}, above, self.camera)

    def circle_middles_px(self) -> dict[str, tuple[float, float]]:
        """Return, by name, (x, y) in the frame of each patch's middle in the initial circle."""
        return {name: middle_px(name, pose, self.camera) for name, pose in self._dressing.circle.places.items()}

    def grid_corners_px(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return, for each board, the outer corners A1, I1, I9, A9 of its printed grid in the frame, (4, 2)."""
        half = the_mat().grid_size_mm / 2
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        return self._seen(1, corners), self._seen(2, corners)

    def _seen(self, seat: int, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points (n, 2) of a board's face in the frame."""
        pose, warp = self.board_pose(seat), self.warps[seat - 1]
        heights = [BOARD_MM + warp.height_mm(float(x), float(y)) for x, y in points_mm]
        spots = zip(pose.place(points_mm), heights, strict=True)
        return np.concatenate([self.camera.frame_points(spot[None], height) for spot, height in spots])

    def knock(self) -> None:
        """Bump into the camera, a mat and a board, as far as the conditions say."""
        conditions = self.conditions
        if conditions.nudge_camera_mm > 0:
            self.knock_camera(conditions.nudge_camera_mm)
        seat = int(self._knocks.integers(2))
        mats, boards = list(self.layout.mats), list(self.layout.boards)
        mats[seat] = self._nudged(mats[seat], conditions.nudge_mat_mm)
        boards[seat] = self._nudged(boards[seat], conditions.nudge_board_mm)
        self.layout = replace(self.layout, mats=(mats[0], mats[1]), boards=(boards[0], boards[1]))

    def knock_camera(self, by_mm: float) -> None:
        """Bump into the camera: it moves by a distance, and rotates a little."""
        self.camera = self.camera.moved(self._direction(by_mm), 0.1)
        if self._renderer is not None:
            self._renderer.look_from(self.camera)

    def knock_board(self, seat: int, by_mm: float) -> None:
        """Bump into a board: it slides by a distance, with all pieces on it, and rotates a little."""
        boards = list(self.layout.boards)
        boards[seat - 1] = self._nudged(boards[seat - 1], by_mm)
        self.layout = replace(self.layout, boards=(boards[0], boards[1]))

    def under(self, conditions: Conditions) -> None:
        """Change the light and the players' accuracy to those of the conditions.

        View, lens and sensor are unchanged, and so are the pieces already laid.
        """
        self.conditions = conditions
        for layer in self._layers:
            layer.under(conditions)
        if self._renderer is not None:
            self._renderer.under(conditions)

    def _nudged(self, pose: Pose, by_mm: float) -> Pose:
        if by_mm <= 0:
            return pose
        return pose.moved(*self._direction(by_mm), turn_deg=float(self._knocks.normal(0, 0.15 * by_mm)))

    def _direction(self, length_mm: float) -> tuple[float, float]:
        angle = self._knocks.uniform(0, 2 * np.pi)
        return float(length_mm * np.cos(angle)), float(length_mm * np.sin(angle))

    # ------------------------------------------------------------------ what it looks like

    def frame(self, t_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture at a time, (height, width, 3), uint8, blue-green-red."""
        if self._renderer is None:
            self._renderer = Renderer(self.conditions, self.camera, self._picture_rng)
        dressing, state = self._dressing, self._state()
        return self._renderer.frame(dressing.ground(state), dressing.settled(state), dressing.passing(state), t_s)

    def _state(self) -> TableState:
        return TableState(
            self.layout,
            self.mats,
            frozenset(self.circle),
            self.books,
            (self.pieces(1), self.pieces(2)),
            tuple(self.strays),
            self.hands,
            self.conditions.sleeve_at_edge,
            pushed=dict(self._pushed),
        )


def _near(one: Lying, other: Lying) -> bool:
    away = np.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)
    return bool(away < CELL_MM / 2 and one.flipped == other.flipped)


def _cell_at(pose: Pose) -> Cell:
    x_cells, y_cells = cells_at(pose)
    return int(y_cells // 1), int(x_cells // 1)


def cells_of(mask: int) -> tuple[Cell, ...]:
    """Return the (row, column) cells of a quilt's bit mask, row by row."""
    return tuple(divmod(bit, SIDE) for bit in range(SIDE * SIDE) if mask >> bit & 1)


class StillTable:
    """A table as a stage without any events; see `hardware.simulated.camera.Stage`."""

    over = False

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table

    def step(self, now_s: float) -> None:
        """Do nothing: there are no people at this table."""

    def picture(self, now_s: float) -> NDArray[np.uint8]:
        """Return the camera's picture, (height, width, 3), uint8, BGR."""
        return self._table.frame(now_s)

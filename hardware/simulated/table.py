"""The simulated table: what really lies where. Nothing here is told to the companion; it sees frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from companion.games.patchwork import PATCHES, SIDE, TIME_TRACKS, Edition
from hardware.simulated.boards import GROUNDS, space_mm
from hardware.simulated.conditions import Conditions, normal
from hardware.simulated.hands import REACH_MM
from hardware.simulated.layout import Layout, lay_table
from hardware.simulated.looks import TIME_BOARD_BORDERS, the_mat
from hardware.simulated.pinhole import pinhole_for
from hardware.simulated.placing import LEATHER, Cell, Layer, Lying, nudged
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import Item, Pose
from hardware.simulated.sprites import CELL_MM

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

BOARD_MM = 2.5
"""Cardboard of boards and patches alike."""
CARRY_MM = 14.0
HAND_MM = 22.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table; the pose is where its fingertips are, in table space.

    Attributes:
        seat: whose.
        x_mm: of the fingertips.
        y_mm: of the fingertips.
        carrying: what is held below it, if anything.
    """

    seat: int
    x_mm: float
    y_mm: float
    carrying: Lying | None = None


@dataclass(frozen=True, slots=True)
class Books:
    """What the open pieces beside the quilts show.

    Attributes:
        buttons: by seat index, button tokens in front of each player.
        times: by seat index, the space of each time token.
        leather_out: marks whose leather patch still lies on the time board.
        first: the patch that the neutral token stands before; None when the circle is used up.
    """

    buttons: tuple[int, int] = (5, 5)
    times: tuple[int, int] = (0, 0)
    leather_out: tuple[int, ...] = ()
    first: str | None = None


class SimulatedTable:
    """Boards, patches, tokens and hands, under a camera.

    Args:
        seed: of everything that is left to chance.
        conditions: how hard it is to see.
        market: the circle clockwise from the neutral token; by default the order in the box.
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
        streams = np.random.SeedSequence(seed).spawn(5)
        view, looks, people, self._knocks, picture = (np.random.default_rng(stream) for stream in streams)
        self.layout: Layout = lay_table(self.conditions, mats, looks)
        self.camera = pinhole_for(self.conditions, view)
        self.mats = mats
        self.books = Books(leather_out=TIME_TRACKS[edition].leather, first=self.market[0])
        self.circle = set(self.market)
        self.hands: tuple[Hand, ...] = ()
        self.strays: list[tuple[int, Pose]] = []
        self._lying: tuple[list[Lying], list[Lying]] = ([], [])
        self._layers = (Layer(self.conditions, people), Layer(self.conditions, people))
        self._dress(looks)
        self._picture_rng = picture
        self._renderer: Renderer | None = None

    def _dress(self, rng: np.random.Generator) -> None:
        grounds = rng.permutation(len(GROUNDS))
        if self.conditions.ground_seed is not None:
            grounds = np.random.default_rng(self.conditions.ground_seed).permutation(len(GROUNDS))
        self._grounds = (int(grounds[0]), int(grounds[1]))
        self._border = int(rng.integers(len(TIME_BOARD_BORDERS)))
        people = rng.permutation(6)
        self._people = (f"{people[0]}/{rng.choice(['left', 'right'])}", f"{people[1]}/right")
        self._ring = {
            patch: self._ring_place(slot, rng) for slot, patch in enumerate(self.market)
        }
        self._scatter = rng.uniform(-1, 1, (2, 24, 3))

    def _ring_place(self, slot: int, rng: np.random.Generator) -> Pose:
        shape = PATCHES[self.market[slot]].cells
        high = max(row for row, _ in shape) - min(row for row, _ in shape)
        wide = max(column for _, column in shape) - min(column for _, column in shape)
        # The long side points away from the middle: 33 patches have to fit round it.
        outwards = 90.0 + 360.0 * slot / len(self.market)
        turn = outwards + (0.0 if wide >= high else 90.0) + float(rng.normal(0, 9))
        place = self.layout.ring_pose(slot, len(self.market), turn)
        return place.moved(*(float(value) for value in rng.normal(0, 5, 2)))

    # ------------------------------------------------------------------ what lies on the quilts

    def pieces(self, seat: int) -> tuple[Lying, ...]:
        """The pieces on a board, the first laid first."""
        return tuple(self._lying[seat - 1])

    def lay(self, seat: int, name: str, cells: Iterable[Cell], unsteady: float = 1.0) -> Lying:
        """Lay a patch, or `LEATHER`, over (row, column) cells of a board; it leaves the circle.

        Raises:
            ValueError: the cells do not have its shape.
        """
        piece = self.prepared(seat, name, cells, unsteady)
        self.put(seat, piece)
        return piece

    def prepared(self, seat: int, name: str, cells: Iterable[Cell], unsteady: float = 1.0) -> Lying:
        """Where the hand would lay it; nothing lies there yet."""
        return self._layers[seat - 1].lay(name, cells, self._lying[seat - 1], unsteady)

    def put(self, seat: int, piece: Lying) -> None:
        """Put a piece down exactly so."""
        self._lying[seat - 1].append(piece)
        self.circle.discard(piece.name)

    def lift(self, seat: int, piece: Lying) -> None:
        """Take a piece off a board; a patch goes back to its place in the circle.

        Raises:
            ValueError: it does not lie there.
        """
        self._lying[seat - 1].remove(piece)
        if piece.name != LEATHER:
            self.circle.add(piece.name)

    def move(self, seat: int, piece: Lying, pose: Pose) -> Lying:
        """Shift a piece to another pose in board space.

        Raises:
            ValueError: it does not lie there.
        """
        index = self._lying[seat - 1].index(piece)
        moved = Lying(piece.name, piece.flipped, pose, piece.layer)
        self._lying[seat - 1][index] = moved
        return moved

    def brush(self, seat: int, piece: Lying, by_mm: float, rng: np.random.Generator) -> Lying:
        """Somebody brushes a piece, and it slides to where there is room.

        Raises:
            ValueError: it does not lie there.
        """
        others = [other for other in self._lying[seat - 1] if other != piece]
        return self.move(seat, piece, nudged(piece, others, by_mm, rng))

    def lay_out(self, placements: tuple[Iterable[tuple[str, int]], Iterable[tuple[str, int]]]) -> None:
        """Restore an evening: for each seat the pieces (a patch's id or `LEATHER`) and the masks that they cover."""
        for seat, laid in enumerate(placements, start=1):
            self._lying[seat - 1].clear()
            for name, mask in laid:
                self.lay(seat, name, cells_of(mask))

    def strew(self, count: int, rng: np.random.Generator) -> None:
        """Leave button tokens on empty cells of both boards, turn about."""
        for index in range(count):
            seat = 1 + index % 2
            rows = self._quilt(seat)
            free = [(row, column) for row in range(SIDE) for column in range(SIDE) if rows[row][column] == "."]
            if free:
                row, column = free[int(rng.integers(len(free)))]
                pose = Pose((column + 0.5 - SIDE / 2) * CELL_MM, (row + 0.5 - SIDE / 2) * CELL_MM)
                self.strays.append((seat, pose))

    def clear_strays(self, seat: int, cells: Iterable[Cell]) -> None:
        """Take away the tokens that lie where a piece is about to be laid."""
        wanted = set(cells)
        self.strays = [
            (owner, pose) for owner, pose in self.strays if owner != seat or _cell_at(pose) not in wanted
        ]

    def quilts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Nine strings of X (covered) and . for each board, by where the pieces really lie."""
        return self._quilt(1), self._quilt(2)

    def _quilt(self, seat: int) -> tuple[str, ...]:
        covered = {cell for piece in self._lying[seat - 1] for cell in piece.cells()}
        return tuple("".join(".X"[(row, column) in covered] for column in range(SIDE)) for row in range(SIDE))

    # ------------------------------------------------------------------ where things are

    def board_pose(self, seat: int) -> Pose:
        """A quilt board's pose in table space."""
        return self.layout.boards[seat - 1].on(self.layout.mats[seat - 1])

    def spot_mm(self, seat: int, piece: Lying) -> tuple[float, float]:
        """A piece's middle on a board, in table space."""
        pose = piece.pose.on(self.board_pose(seat))
        return pose.x_mm, pose.y_mm

    def grid_corners_px(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each board the outer corners A1, I1, I9, A9 of its printed grid in the frame, (4, 2)."""
        half = the_mat().grid_size_mm / 2
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        first, second = (
            self.camera.frame_points(self.board_pose(seat).place(corners), BOARD_MM) for seat in (1, 2)
        )
        return first, second

    def knock(self) -> None:
        """Somebody bumps into something: the camera, a mat or a board moves as far as the conditions say."""
        conditions = self.conditions
        if conditions.nudge_camera_mm > 0:
            self.camera = self.camera.moved(self._direction(conditions.nudge_camera_mm), 0.1)
            if self._renderer is not None:
                self._renderer.look_from(self.camera)
        seat = int(self._knocks.integers(2))
        mats, boards = list(self.layout.mats), list(self.layout.boards)
        mats[seat] = self._nudged(mats[seat], conditions.nudge_mat_mm)
        boards[seat] = self._nudged(boards[seat], conditions.nudge_board_mm)
        self.layout = replace(self.layout, mats=(mats[0], mats[1]), boards=(boards[0], boards[1]))

    def _nudged(self, pose: Pose, by_mm: float) -> Pose:
        if by_mm <= 0:
            return pose
        return pose.moved(*self._direction(by_mm), turn_deg=float(self._knocks.normal(0, 0.15 * by_mm)))

    def _direction(self, length_mm: float) -> tuple[float, float]:
        angle = self._knocks.uniform(0, 2 * np.pi)
        return float(length_mm * np.cos(angle)), float(length_mm * np.sin(angle))

    # ------------------------------------------------------------------ what it looks like

    def frame(self, t_s: float) -> NDArray[np.uint8]:
        """The camera's picture at a time, (height, width, 3), uint8, blue-green-red."""
        if self._renderer is None:
            self._renderer = Renderer(self.conditions, self.camera, self._picture_rng)
        return self._renderer.frame(self._ground_items(), self._settled_items(), self._hand_items(), t_s)

    def _ground_items(self) -> list[Item]:
        pages = [Item("mat", str(seat), self.layout.mats[seat - 1]) for seat in (1, 2)] if self.mats else []
        boards = [Item("board", str(self._grounds[seat - 1]), self.board_pose(seat)) for seat in (1, 2)]
        track = Item("time-board", f"{self.edition.value}/{self._border}", self.layout.time_board)
        return [*pages, *boards, track]

    def _settled_items(self) -> list[Item]:
        items = [Item("patch", patch, self._ring[patch]) for patch in self.market if patch in self.circle]
        items += self._track_items()
        items += [item for seat in (1, 2) for item in self._button_items(seat)]
        items += [self._item(seat, piece) for seat in (1, 2) for piece in self._lying[seat - 1]]
        items += [Item("disc", "button1", pose.on(self.board_pose(seat)), BOARD_MM) for seat, pose in self.strays]
        return items

    def _item(self, seat: int, piece: Lying) -> Item:
        z_mm = BOARD_MM * (1 + piece.layer)
        kind = "leather" if piece.name == LEATHER else "patch"
        return Item(kind, piece.name, piece.pose.on(self.board_pose(seat)), z_mm, piece.flipped)

    def _track_items(self) -> list[Item]:
        board = self.layout.time_board
        marks = (Pose(*space_mm(mark - 0.5)) for mark in self.books.leather_out)
        items = [Item("leather", "", place.on(board), BOARD_MM) for place in marks]
        for index, space in enumerate(self.books.times):
            x_mm, y_mm = space_mm(space)
            items.append(Item("disc", f"token{index + 1}", Pose(x_mm + 7 * index - 3.5, y_mm).on(board), BOARD_MM))
        if self.books.first is not None:
            slot = self.market.index(self.books.first) - 0.5
            items.append(Item("pawn", "", self.layout.ring_pose(slot, len(self.market))))
        return items

    def _button_items(self, seat: int) -> list[Item]:
        count = self.books.buttons[seat - 1]
        coins = ["button10"] * (count // 10) + ["button5"] * (count % 10 // 5) + ["button1"] * (count % 5)
        place = self.layout.buttons[seat - 1]
        items = []
        for index, coin in enumerate(coins[:24]):
            dx, dy, turn = self._scatter[seat - 1, index]
            offset = Pose((index % 4 - 1.5) * 25 + 4 * dx, (index // 4 - 0.5) * 26 + 4 * dy, 180 * turn)
            items.append(Item("disc", coin, offset.on(place)))
        return items

    def _hand_items(self) -> list[Item]:
        hands = list(self.hands)
        if self.conditions.sleeve_at_edge:
            hands.append(self._resting())
        return [item for hand in hands for item in self._items_of_hand(hand)]

    def _resting(self) -> Hand:
        x_mm, y_mm = self.layout.shoulders_mm[1]
        return Hand(2, x_mm * 1.15, y_mm - np.sign(y_mm) * (REACH_MM * 0.66))

    def _items_of_hand(self, hand: Hand) -> list[Item]:
        shoulder = self.layout.shoulders_mm[hand.seat - 1]
        turn = float(np.degrees(np.arctan2(shoulder[1] - hand.y_mm, shoulder[0] - hand.x_mm))) - 90
        items = []
        if hand.carrying is not None:
            angle = hand.carrying.pose.angle_deg + self.board_pose(hand.seat).angle_deg
            kind = "leather" if hand.carrying.name == LEATHER else "patch"
            pose = Pose(hand.x_mm, hand.y_mm, angle)
            items.append(Item(kind, hand.carrying.name, pose, CARRY_MM, hand.carrying.flipped))
        items.append(Item("hand", self._people[hand.seat - 1], Pose(hand.x_mm, hand.y_mm, turn), HAND_MM))
        return items


def _cell_at(pose: Pose) -> Cell:
    return int(pose.y_mm // CELL_MM + SIDE / 2 + 0.5), int(pose.x_mm // CELL_MM + SIDE / 2 + 0.5)


def cells_of(mask: int) -> tuple[Cell, ...]:
    """The (row, column) cells of a quilt's bit mask, row by row."""
    return tuple(divmod(bit, SIDE) for bit in range(SIDE * SIDE) if mask >> bit & 1)

"""The simulated table's appearance: from its state to items that can be drawn."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from companion.games.patchwork.components import Edition
from hardware.simulated.conditions import LEATHER, Conditions
from hardware.simulated.drawing import Pose
from hardware.simulated.drawing.footprint import Room, patch_footprint, rectangle
from hardware.simulated.drawing.sprites import BOARD_MM, COIN_MM, ORDINARY, TILE_MM, Item, Warp, turned
from hardware.simulated.prints.boards import GROUNDS, space_mm
from hardware.simulated.prints.dress import TIME_BOARD_BORDERS, dress_for
from hardware.simulated.prints.objects import THINGS
from hardware.simulated.scene.circle import Circle, lay_circle
from hardware.simulated.scene.layout import Layout, taken
from hardware.simulated.scene.placing import CARRY_MM, HAND_MM, Books, Hand, Lying

# Gap around it, if there is room.
_OFF_MM_TILE: Final = 7.0
_STEP_MM: Final = 8.0
# Limits of an ordinary picture to the sides and towards the near edge, with a margin.
_SEEN_MM: Final = (400.0, 208.0)
# The greatest distance from its usual place.
_REACH_MM_TILE: Final = 184.0


def tile_places(layout: Layout, circle: Mapping[str, Pose], rng: np.random.Generator) -> tuple[Pose, Pose, Pose]:
    """Return the tile's place beside the time board, and by seat index its place after a player has won it.

    Args:
        layout: the other objects.
        circle: the patches' places.
        rng: source of its rotation.
    """
    turns_deg = tuple(rng.uniform(-25, 25, 3).tolist())
    return _found(layout, tuple(circle.items()), turns_deg)


@lru_cache(maxsize=32)  # as the circle itself
def _found(
    layout: Layout, circle: tuple[tuple[str, Pose], ...], turns_deg: tuple[float, ...]
) -> tuple[Pose, Pose, Pose]:
    room = taken(layout)
    for patch, pose in circle:
        room.put(patch_footprint(patch, pose))
    places: list[Pose] = []
    for near, turn_deg in zip((layout.time_board, *layout.buttons), turns_deg, strict=True):
        place = _free(near, room, turn_deg)
        room.put(rectangle(place, *TILE_MM))
        places.append(place)
    return places[0], places[1], places[2]


def _free(near: Pose, room: Room, turn_deg: float) -> Pose:
    """Return the nearest place with enough room around it, or the one with the most."""
    steps = np.arange(-_REACH_MM_TILE, _REACH_MM_TILE + 1, _STEP_MM)
    shifts = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2)
    shifts = shifts[np.argsort(np.hypot(*shifts.T), kind="stable")]
    middles_mm = np.add(shifts, (near.x_mm, near.y_mm))
    # Within the picture.
    middles_mm = middles_mm[(np.abs(middles_mm[:, 0]) < _SEEN_MM[0]) & (middles_mm[:, 1] < _SEEN_MM[1])]
    angle_deg = near.angle_deg + turn_deg
    rim_mm = rectangle(Pose(0.0, 0.0, angle_deg), *TILE_MM).rim_mm
    around_mm = room.around_mm(middles_mm[:, None] + rim_mm)
    wide = np.flatnonzero(around_mm > _OFF_MM_TILE)
    x_mm, y_mm = middles_mm[wide[0] if len(wide) else around_mm.argmax()].tolist()
    return Pose(x_mm, y_mm, angle_deg)


# Corners of the area of their middles: an ordinary camera's view, and a little more.
_REACH_MM: Final = ((-500.0, -380.0), (500.0, 320.0))
_OFF_MM: Final = 8.0
# Additional gap for each millimetre of height, because tall objects lean outwards in the picture.
_LEANS: Final = 0.3
_TRIES: Final = 200


def clutter(
    layout: Layout, circle: Mapping[str, Pose], tile: Sequence[Pose], count: int, rng: np.random.Generator
) -> list[Item]:
    """Return `count` objects in free places; fewer if there is no room for them."""
    room = taken(layout)
    for patch, pose in circle.items():
        room.put(patch_footprint(patch, pose))
    for place in tile:
        room.put(rectangle(place, *TILE_MM))
    items: list[Item] = []
    for _ in range(_TRIES):
        if len(items) == count:
            break
        name = list(THINGS)[int(rng.integers(len(THINGS)))]
        kind, (x_mm, y_mm) = THINGS[name], rng.uniform(*_REACH_MM)
        pose = Pose(float(x_mm), float(y_mm), float(rng.uniform(0, 360)))
        outline = rectangle(pose, *kind.size_mm)
        # `Room` measures up to 60 mm.
        if room.around_mm(outline.rim_mm[None])[0] > min(55.0, _OFF_MM + _LEANS * kind.thick_mm):
            room.put(outline)
            items.append(Item("clutter", f"{name}/{int(rng.integers(1000))}", pose))
    return items


RESTING_MM: Final = 218.0
"""Distance from the middle of the table of the fingertips of a hand resting at the edge of an ordinary picture."""

# The number of spots with their own random offsets.
_SPOTS: Final = 24
# The greatest offset of a token from the one below it, in x and in y.
_ASIDE_MM: Final = 1.6


@dataclass(frozen=True, slots=True)
class TableState:
    """The objects on the table, or moving over it, at one moment.

    Attributes:
        layout: the places of boards and others.
        mats: whether the printed mats lie under the boards.
        circle: the patches in the circle.
        books: the state of the pieces beside the quilts.
        pieces: by seat index, the pieces on each board, in the order of laying.
        strays: tokens left on a seat's board, in board space.
        hands: the hands over the table.
        has_sleeve: whether a player's hand rests at the picture's edge.
        has_boards: whether the quilt boards are on the table.
        pushed: places of pushed patches of the circle, by name.
    """

    layout: Layout
    mats: bool
    circle: frozenset[str]
    books: Books
    pieces: tuple[tuple[Lying, ...], tuple[Lying, ...]]
    strays: tuple[tuple[int, Pose], ...]
    hands: tuple[Hand, ...]
    has_sleeve: bool
    has_boards: bool = True
    pushed: Mapping[str, Pose] = field(default_factory=dict)


class Dressing:
    """The appearance of one evening's table: its boards and people, and the places of circle and tokens.

    Args:
        layout: the initial layout.
        edition: the printing of the time board.
        warps: of the boards, by seat index.
        conditions: may fix the boards' prints.
        market: the circle.
        rng: source of appearances.
        hand: source of the circle's places.
        ways: source of the places of tokens and of the 7x7 tile.
    """

    def __init__(
        self,
        layout: Layout,
        edition: Edition,
        warps: tuple[Warp, Warp],
        conditions: Conditions,
        market: Sequence[str],
        rng: np.random.Generator,
        hand: np.random.Generator,
        ways: np.random.Generator,
    ) -> None:
        self._layout, self._edition, self._warps, self._market = layout, edition, warps, tuple(market)
        grounds = rng.permutation(len(GROUNDS))
        if conditions.ground_seed is not None:
            grounds = np.random.default_rng(conditions.ground_seed).permutation(len(GROUNDS))
        self._grounds = (int(grounds[0]), int(grounds[1]))
        self._border = int(rng.integers(len(TIME_BOARD_BORDERS)))
        people = rng.permutation(6)
        self._people = (f"{people[0]}/{rng.choice(['left', 'right'])}", f"{people[1]}/right")
        self._scatter = rng.uniform(-1, 1, (2, 24, 3))
        self.dress = dress_for(conditions, int(rng.integers(1 << 31)), self._grounds)
        self._clutter_seed = int(rng.integers(1 << 31))
        self._tile_look, self._ways = int(ways.integers(1 << 16)), ways
        self._slips = ways.uniform(-1, 1, (2, 48, 2))
        self._laying = (conditions, hand)

    def deal(self, market: Sequence[str]) -> None:
        """Lay another circle for the next game, and other objects around it."""
        self._market = tuple(market)
        # Cached properties, which are then computed anew.
        for found in ("circle", "_tile", "_clutter"):
            self.__dict__.pop(found, None)

    @cached_property
    def circle(self) -> Circle:
        """The initial places of the circle; computed on first use, because it takes a moment."""
        conditions, hand = self._laying
        return lay_circle(self._layout, self._market, conditions, hand)

    @cached_property
    def _tile(self) -> tuple[Pose, Pose, Pose]:
        """The places of the 7x7 tile; see `tile_places`."""
        return tile_places(self._layout, self.circle.places, self._ways)

    @cached_property
    def _clutter(self) -> list[Item]:
        conditions, _ = self._laying
        if conditions.clutter <= 0:
            return []
        rng = np.random.default_rng(self._clutter_seed)
        return clutter(self._layout, self.circle.places, self._tile, conditions.clutter, rng)

    def ground(self, state: TableState) -> list[Item]:
        """Return the lowest items: mats, quilt boards, time board."""
        pages = [Item("mat", str(seat), state.layout.mats[seat - 1]) for seat in (1, 2)] if state.mats else []
        boards = [self._board(seat, state.layout.board_pose(seat)) for seat in (1, 2)] if state.has_boards else []
        track = Item("time-board", f"{self._edition.value}/{self._border}", state.layout.time_board)
        return [*self._clutter, *pages, *boards, track]

    def _board(self, seat: int, pose: Pose) -> Item:
        own = self.dress is None or self.dress.printing == "own"
        name, dress = (self._grounds[seat - 1], None) if own else (seat, self.dress)
        warp = self._warps[seat - 1]
        bow = warp if warp.bow_mm else None
        return Item("board", str(name), pose, warp.lift_mm, False, dress, turned(warp.slope, pose), bow)

    def _patch(self, name: str, pose: Pose, z_mm: float = 0.0, flipped: bool = False) -> Item:
        """Return a patch, or a leather patch."""
        if name == LEATHER:
            return Item("leather", name, pose, z_mm, flipped)
        return Item("patch", name, pose, z_mm, flipped, self.dress)

    def settled(self, state: TableState) -> list[Item]:
        """Return the pieces at rest, in the order of laying."""
        circle = [patch for patch in self._market if patch in state.circle]
        items = [self._patch(patch, state.pushed.get(patch, self.circle.places[patch])) for patch in circle]
        items += self._track_items(state)
        items.append(Item("tile", str(self._tile_look), self._tile[state.books.bonus or 0]))
        items += [item for seat in (1, 2) for item in self._button_items(state, seat)]
        items += [self._item(state, seat, piece) for seat in (1, 2) for piece in state.pieces[seat - 1]]
        strays = ((seat, Item("disc", self._token(1), pose, BOARD_MM)) for seat, pose in state.strays)
        return items + [self._on_board(state, seat, item) for seat, item in strays]

    def _item(self, state: TableState, seat: int, piece: Lying) -> Item:
        z_mm = BOARD_MM * (1 + piece.layer)
        return self._on_board(state, seat, self._patch(piece.name, piece.pose, z_mm, piece.flipped))

    def _track_items(self, state: TableState) -> list[Item]:
        board = state.layout.time_board
        marks = (Pose(*space_mm(mark - 0.5)) for mark in state.books.leather_out)
        items = [Item("leather", "", place.on(board), BOARD_MM) for place in marks]
        for index, space in enumerate(state.books.times):
            # Side by side, so that both fit on one space.
            x_mm, y_mm = space_mm(space)
            items.append(Item("disc", f"token{index + 1}", Pose(x_mm + 7 * index - 3.5, y_mm).on(board), BOARD_MM))
        return [*items, *self.token_items(state)]

    def token_items(self, state: TableState) -> list[Item]:
        """Return the neutral token: in the place of the patch before the next one for sale, or beside it."""
        first = state.books.first
        if first is None:
            return []
        before, places = self._market[self._market.index(first) - 1], self.circle.places
        place = self.circle.token if first == self._market[0] else _between(places[before], places[first])
        return [Item("pawn", "", place if before in state.circle else places[before])]

    def _button_items(self, state: TableState, seat: int) -> list[Item]:
        place, levels = state.layout.buttons[seat - 1], Counter[int]()
        items = []
        for index, coin in enumerate(state.books.purses[seat - 1]):
            dx, dy, turn = self._scatter[seat - 1, coin.spot % _SPOTS]
            x_mm, y_mm = (coin.spot % 4 - 1.5) * 25 + 4 * dx, (coin.spot // 4 - 0.5) * 26 + 4 * dy
            level = levels[coin.spot]
            # A token is never laid exactly on another one.
            aside = min(level, 1) * _ASIDE_MM * self._slips[seat - 1, index % len(self._slips[0])]
            offset = Pose(x_mm + float(aside[0]), y_mm + float(aside[1]), 180 * turn)
            items.append(Item("disc", self._token(coin.value), offset.on(place), COIN_MM * level))
            levels[coin.spot] += 1
        return items

    def _token(self, value: int) -> str:
        """Return the name of the sprite of a button token."""
        tokens = self._laying[0].tokens
        return f"button{value}" if tokens == ORDINARY else f"{tokens}/{value}"

    def passing(self, state: TableState) -> list[Item]:
        """Return the hands and the pieces that they carry."""
        hands = list(state.hands)
        if state.has_sleeve:
            hands.append(self._resting(state.layout))
        return [item for hand in hands for item in self._items_of_hand(state, hand)]

    def _resting(self, layout: Layout) -> Hand:
        x_mm, y_mm = layout.shoulders_mm[1]
        return Hand(2, x_mm * 1.15, float(np.sign(y_mm)) * RESTING_MM)

    def _items_of_hand(self, state: TableState, hand: Hand) -> list[Item]:
        shoulder = state.layout.shoulders_mm[hand.seat - 1]
        turn = float(np.degrees(np.arctan2(shoulder[1] - hand.y_mm, shoulder[0] - hand.x_mm))) - 90
        items = []
        if hand.carrying is not None:
            angle = hand.carrying.pose.angle_deg + state.layout.board_pose(hand.seat).angle_deg
            pose = Pose(hand.x_mm, hand.y_mm, angle)
            items.append(self._patch(hand.carrying.name, pose, CARRY_MM, hand.carrying.flipped))
        items.append(Item("hand", self._people[hand.seat - 1], Pose(hand.x_mm, hand.y_mm, turn), HAND_MM))
        return items

    def _on_board(self, state: TableState, seat: int, item: Item) -> Item:
        """Return an item on a board, given in board space, in table space."""
        warp, board, pose = self._warps[seat - 1], state.layout.board_pose(seat), item.pose
        slope = turned(warp.slope_at(pose.x_mm, pose.y_mm), board)
        return replace(item, pose=pose.on(board), z_mm=item.z_mm + warp.height_mm(pose.x_mm, pose.y_mm), slope=slope)


def _between(one: Pose, other: Pose) -> Pose:
    return Pose((one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2)

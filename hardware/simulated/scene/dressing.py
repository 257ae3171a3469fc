"""The simulated table's look: from what lies where to items that can be drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from hardware.simulated.drawing.items import Item, Pose
from hardware.simulated.drawing.warping import turned
from hardware.simulated.prints.boards import GROUNDS, space_mm
from hardware.simulated.prints.dress import dress_for
from hardware.simulated.prints.looks import TIME_BOARD_BORDERS
from hardware.simulated.scene.circle import Circle, lay_circle
from hardware.simulated.scene.clutter import clutter
from hardware.simulated.scene.pieces import BOARD_MM, CARRY_MM, HAND_MM, Hand
from hardware.simulated.virtual.tabletop import LEATHER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.simulated.conditions import Conditions
    from hardware.simulated.scene.layout import Layout
    from hardware.simulated.scene.placing import Lying
    from hardware.simulated.scene.table import SimulatedTable

RESTING_MM: Final = 218.0
"""Fingertips of a hand that rests at the edge of an ordinary picture, from the middle of the table."""


class Dressing:
    """The dressing of one evening's table: its boards and people, and where the circle's patches and the tokens lie.

    Args:
        layout: where things stand.
        conditions: may fix the boards' prints.
        market: the circle.
        rng: of looks.
        hand: of how the circle is laid.
    """

    def __init__(
        self,
        layout: Layout,
        conditions: Conditions,
        market: Sequence[str],
        rng: np.random.Generator,
        hand: np.random.Generator,
    ) -> None:
        grounds = rng.permutation(len(GROUNDS))
        if conditions.ground_seed is not None:
            grounds = np.random.default_rng(conditions.ground_seed).permutation(len(GROUNDS))
        self._grounds = (int(grounds[0]), int(grounds[1]))
        self._border = int(rng.integers(len(TIME_BOARD_BORDERS)))
        people = rng.permutation(6)
        self._people = (f"{people[0]}/{rng.choice(['left', 'right'])}", f"{people[1]}/right")
        self._scatter = rng.uniform(-1, 1, (2, 24, 3))
        self._dress = dress_for(conditions, int(rng.integers(1 << 31)), self._grounds)
        self._clutter_seed = int(rng.integers(1 << 31))
        self._laying = (layout, conditions, tuple(market), hand)

    @cached_property
    def circle(self) -> Circle:
        """The places where the circle was laid before the game; it takes a moment, and not everybody looks."""
        layout, conditions, market, hand = self._laying
        return lay_circle(layout, market, conditions, hand)

    @cached_property
    def _clutter(self) -> list[Item]:
        layout, conditions, _, _ = self._laying
        if conditions.clutter <= 0:
            return []
        return clutter(layout, self.circle.places, conditions.clutter, np.random.default_rng(self._clutter_seed))

    def ground(self, table: SimulatedTable) -> list[Item]:
        """Return what lies under everything: mats, quilt boards, time board."""
        pages = [Item("mat", str(seat), table.layout.mats[seat - 1]) for seat in (1, 2)] if table.mats else []
        boards = [self._board(table, seat) for seat in (1, 2)]
        track = Item("time-board", f"{table.edition.value}/{self._border}", table.layout.time_board)
        return [*self._clutter, *pages, *boards, track]

    def _board(self, table: SimulatedTable, seat: int) -> Item:
        own = self._dress is None or self._dress.printing == "own"
        name, dress = (self._grounds[seat - 1], None) if own else (seat, self._dress)
        warp, pose = table.warps[seat - 1], table.board_pose(seat)
        bow = warp if warp.bow_mm else None
        return Item("board", str(name), pose, warp.lift_mm, False, dress, turned(warp.slope, pose), bow)

    def _patch(self, name: str, pose: Pose, z_mm: float = 0.0, flipped: bool = False) -> Item:
        """Return a patch, or a leather patch."""
        if name == LEATHER:
            return Item("leather", name, pose, z_mm, flipped)
        return Item("patch", name, pose, z_mm, flipped, self._dress)

    def settled(self, table: SimulatedTable) -> list[Item]:
        """Return the pieces that lie, in the order in which they were laid."""
        circle = [patch for patch in table.market if patch in table.circle]
        items = [self._patch(patch, self.circle.places[patch]) for patch in circle]
        items += self._track_items(table)
        items += [item for seat in (1, 2) for item in self._button_items(table, seat)]
        items += [self._item(table, seat, piece) for seat in (1, 2) for piece in table.pieces(seat)]
        strays = ((seat, Item("disc", "button1", pose, BOARD_MM)) for seat, pose in table.strays)
        return items + [_on_board(table, seat, item) for seat, item in strays]

    def _item(self, table: SimulatedTable, seat: int, piece: Lying) -> Item:
        z_mm = BOARD_MM * (1 + piece.layer)
        return _on_board(table, seat, self._patch(piece.name, piece.pose, z_mm, piece.flipped))

    def _track_items(self, table: SimulatedTable) -> list[Item]:
        board = table.layout.time_board
        marks = (Pose(*space_mm(mark - 0.5)) for mark in table.books.leather_out)
        items = [Item("leather", "", place.on(board), BOARD_MM) for place in marks]
        for index, space in enumerate(table.books.times):
            x_mm, y_mm = space_mm(space)
            items.append(Item("disc", f"token{index + 1}", Pose(x_mm + 7 * index - 3.5, y_mm).on(board), BOARD_MM))
        return [*items, *self.token_items(table)]

    def token_items(self, table: SimulatedTable) -> list[Item]:
        """Return the neutral token: in the place of the patch before the next one to be bought, or beside it."""
        first = table.books.first
        if first is None:
            return []
        before, places = table.market[table.market.index(first) - 1], self.circle.places
        place = self.circle.token if first == table.market[0] else _between(places[before], places[first])
        return [Item("pawn", "", place if before in table.circle else places[before])]

    def _button_items(self, table: SimulatedTable, seat: int) -> list[Item]:
        count = table.books.buttons[seat - 1]
        coins = ["button10"] * (count // 10) + ["button5"] * (count % 10 // 5) + ["button1"] * (count % 5)
        place = table.layout.buttons[seat - 1]
        items = []
        for index, coin in enumerate(coins[:24]):
            dx, dy, turn = self._scatter[seat - 1, index]
            offset = Pose((index % 4 - 1.5) * 25 + 4 * dx, (index // 4 - 0.5) * 26 + 4 * dy, 180 * turn)
            items.append(Item("disc", coin, offset.on(place)))
        return items

    def passing(self, table: SimulatedTable) -> list[Item]:
        """Hands and what they carry."""
        hands = list(table.hands)
        if table.conditions.sleeve_at_edge:
            hands.append(self._resting(table))
        return [item for hand in hands for item in self._items_of_hand(table, hand)]

    def _resting(self, table: SimulatedTable) -> Hand:
        x_mm, y_mm = table.layout.shoulders_mm[1]
        return Hand(2, x_mm * 1.15, float(np.sign(y_mm)) * RESTING_MM)

    def _items_of_hand(self, table: SimulatedTable, hand: Hand) -> list[Item]:
        shoulder = table.layout.shoulders_mm[hand.seat - 1]
        turn = float(np.degrees(np.arctan2(shoulder[1] - hand.y_mm, shoulder[0] - hand.x_mm))) - 90
        items = []
        if hand.carrying is not None:
            angle = hand.carrying.pose.angle_deg + table.board_pose(hand.seat).angle_deg
            pose = Pose(hand.x_mm, hand.y_mm, angle)
            items.append(self._patch(hand.carrying.name, pose, CARRY_MM, hand.carrying.flipped))
        items.append(Item("hand", self._people[hand.seat - 1], Pose(hand.x_mm, hand.y_mm, turn), HAND_MM))
        return items


def _on_board(table: SimulatedTable, seat: int, item: Item) -> Item:
    """Return what lies on a board, told in board space, as it lies in table space."""
    warp, board, pose = table.warps[seat - 1], table.board_pose(seat), item.pose
    slope = turned(warp.slope_at(pose.x_mm, pose.y_mm), board)
    return replace(item, pose=pose.on(board), z_mm=item.z_mm + warp.height_mm(pose.x_mm, pose.y_mm), slope=slope)


def _between(one: Pose, other: Pose) -> Pose:
    return Pose((one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2)

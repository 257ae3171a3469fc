"""Kvilt at the table: the turn loop, and the players' choices by three push-buttons."""

from companion.kvilt.table.offering import NOTE as BAG_NOTE
from companion.kvilt.table.offering import AnyBag, LostBagError, RealBag, VirtualBag, bag_in, bag_text
from companion.kvilt.table.turn_loop import KviltTable
from companion.kvilt.table.watch import SheetWatch, shows_the_same

__all__ = [
    "BAG_NOTE",
    "AnyBag",
    "KviltTable",
    "LostBagError",
    "RealBag",
    "SheetWatch",
    "VirtualBag",
    "bag_in",
    "bag_text",
    "shows_the_same",
]

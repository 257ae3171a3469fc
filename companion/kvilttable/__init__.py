"""Kvilt at the table: the turn loop, and what players choose with the three buttons."""

from companion.kvilttable.bag import NOTE as BAG_NOTE
from companion.kvilttable.bag import AnyBag, LostBagError, RealBag, VirtualBag, bag_in, bag_text
from companion.kvilttable.orders import SheetClerk
from companion.kvilttable.table import KviltTable
from companion.kvilttable.watch import SheetWatch, shows_the_same

__all__ = [
    "BAG_NOTE",
    "AnyBag",
    "KviltTable",
    "LostBagError",
    "RealBag",
    "SheetClerk",
    "SheetWatch",
    "VirtualBag",
    "bag_in",
    "bag_text",
    "shows_the_same",
]

"""The button tokens before a player: which there are, where each lies, and how they are paid and taken in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BOX: Final[Mapping[int, int]] = MappingProxyType({20: 1, 10: 5, 5: 12, 1: 32})
"""How many tokens of each value there are (rulebook, components)."""
_MANY_ONES: Final = 8
"""Who has so many of 1 changes five of them."""


@dataclass(frozen=True, slots=True)
class Coin:
    """A button token.

    Attributes:
        value: in buttons.
        spot: which of a player's places for tokens it lies on; those on one spot are a stack, the first one undermost.
    """

    value: int
    spot: int


Purse: TypeAlias = tuple[Coin, ...]
"""The tokens before a player."""


def worth(purse: Purse) -> int:
    """Return what tokens are worth."""
    return sum(coin.value for coin in purse)


def purse_of(buttons: int, *, stacks: bool = False) -> Purse:
    """Return so many buttons in as few tokens as there are, side by side or in a stack of each value."""
    return _with((), _in_tokens(buttons, Counter(BOX)), stacks=stacks)


def first_purse(buttons: int) -> Purse:
    """Return the buttons that a player begins with, in tokens of 1."""
    return _with((), [1] * buttons, stacks=False)


def settled(purse: Purse, other: Purse, due: int, *, stacks: bool = False) -> Purse:
    """Return a player's tokens after they have paid, or taken in, what brings them to `due` buttons.

    Args:
        purse: theirs before.
        other: the other player's; the bank has the rest of the box.
        due: what they are to have, at least 0.
        stacks: whether they lay a token on another one of its value.
    """
    surplus = worth(purse) - due
    kept = purse
    if surplus > 0:
        given = _given(purse, surplus)
        kept = tuple(coin for index, coin in enumerate(purse) if index not in given)
    bank = Counter(BOX) - Counter(coin.value for coin in (*kept, *other))
    kept = _with(kept, _in_tokens(due - worth(kept), bank), stacks=stacks)
    return _changed(kept, bank, stacks=stacks)


def _changed(purse: Purse, bank: Counter[int], *, stacks: bool) -> Purse:
    """Return the tokens with five of 1 changed for one of 5, if there are many, and the bank has one."""
    ones = [index for index, coin in enumerate(purse) if coin.value == 1]
    if len(ones) < _MANY_ONES or bank[5] < 1:
        return purse
    return _with(tuple(coin for index, coin in enumerate(purse) if index not in ones[-5:]), [5], stacks=stacks)


def _given(purse: Purse, price: int) -> frozenset[int]:
    """Return which tokens are handed over for a price: the exact sum if they have it, else the least above it.

    Of the tokens of a stack the uppermost go first, and small ones before large ones.
    """
    reached: dict[int, frozenset[int]] = {0: frozenset()}
    for index in sorted(range(len(purse)), key=lambda each: (purse[each].value, -each)):
        for total, used in list(reached.items()):
            reached.setdefault(total + purse[index].value, used | {index})
    return reached[min(total for total in reached if total >= price)]


def _in_tokens(buttons: int, bank: Counter[int]) -> list[int]:
    """Return the values of tokens for so many buttons, the largest first; short of small ones, people use anything."""
    values: list[int] = []
    for value in sorted(BOX, reverse=True):
        count = min(buttons // value, bank[value]) if value > 1 else buttons
        values += [value] * count
        buttons -= value * count
    return values


def _with(purse: Purse, values: Sequence[int], *, stacks: bool) -> Purse:
    """Return the tokens with others put to them: on a stack of their value, or on the first free spot."""
    for value in values:
        same = [coin.spot for coin in purse if coin.value == value]
        used = {coin.spot for coin in purse}
        free = next(spot for spot in range(len(used) + 1) if spot not in used)
        purse = (*purse, Coin(value, same[0] if stacks and same else free))
    return purse

"""The button tokens of a player: their values and places, and payments."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

BOX: Final[Mapping[int, int]] = MappingProxyType({20: 1, 10: 5, 5: 12, 1: 32})
"""The number of tokens of each value (rulebook, components)."""
# Number of tokens of 1 from which five of them are changed.
_MANY_ONES: Final = 8


@dataclass(frozen=True, slots=True)
class Coin:
    """A button token.

    Attributes:
        value: in buttons.
        spot: index of the player's place that it lies on; tokens on one spot are a stack, the first one lowest.
    """

    value: int
    spot: int


Purse: TypeAlias = tuple[Coin, ...]
"""The tokens of a player."""


def worth(purse: Purse) -> int:
    """Return the total value of tokens."""
    return sum(coin.value for coin in purse)


def purse_of(buttons: int, *, stacks: bool = False) -> Purse:
    """Return a number of buttons in the fewest tokens, side by side or in a stack of each value."""
    return _with((), _in_tokens(buttons, Counter(BOX)), stacks=stacks)


def first_purse(buttons: int) -> Purse:
    """Return a player's initial buttons, in tokens of 1."""
    return _with((), [1] * buttons, stacks=False)


def settled(purse: Purse, other: Purse, due: int, *, stacks: bool = False) -> Purse:
    """Return a player's tokens after paying or taking the difference to `due` buttons.

    Args:
        purse: the player's tokens before.
        other: the other player's tokens; the bank has the rest.
        due: the buttons to have afterwards, at least 0.
        stacks: whether the player stacks tokens of one value.
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
    """Return the tokens to pay for a price: the exact sum if possible, else the smallest sum above it.

    Upper tokens of a stack go first, and small ones before large ones.
    """
    reached: dict[int, frozenset[int]] = {0: frozenset()}
    for index in sorted(range(len(purse)), key=lambda each: (purse[each].value, -each)):
        # A copy, so that no token is used twice.
        for total, used in list(reached.items()):
            reached.setdefault(total + purse[index].value, used | {index})
    return reached[min(total for total in reached if total >= price)]


def _in_tokens(buttons: int, bank: Counter[int]) -> list[int]:
    """Return the values of tokens for a number of buttons, largest first; other objects replace missing small ones."""
    values: list[int] = []
    for value in sorted(BOX, reverse=True):
        count = min(buttons // value, bank[value]) if value > 1 else buttons
        values += [value] * count
        buttons -= value * count
    return values


def _with(purse: Purse, values: Sequence[int], *, stacks: bool) -> Purse:
    """Return the tokens with others added: on a stack of their value, or on the first free spot."""
    for value in values:
        same = [coin.spot for coin in purse if coin.value == value]
        used = {coin.spot for coin in purse}
        free = next(spot for spot in range(len(used) + 1) if spot not in used)
        purse = (*purse, Coin(value, same[0] if stacks and same else free))
    return purse

"""The colours that players may choose for themselves, by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from calibration.identity import TONES
from calibration.identity import USUAL as _OF_SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.ports import RGB

COLOURS: Final[Mapping[str, str]] = MappingProxyType({name: tone.page for name, tone in TONES.items()})
"""The colours by name, as a page writes them."""
USUAL: Final = _OF_SEATS[:2]
"""Seat 1 and seat 2, unless they choose; the seats' emblems on the mats are printed in them."""


def page_colours(names: tuple[str, str]) -> tuple[str, str]:
    """Return two colours as a page writes them.

    Raises:
        KeyError: there is no such colour.
    """
    return COLOURS[names[0]], COLOURS[names[1]]


def strip_colours(names: Sequence[str]) -> tuple[RGB, ...]:
    """Return colours as pixels show them.

    Raises:
        KeyError: there is no such colour.
    """
    return tuple(TONES[name].strip for name in names)


def terminal_colours(names: Sequence[str]) -> tuple[str, ...]:
    """Return colours as a terminal shows them.

    Raises:
        KeyError: there is no such colour.
    """
    return tuple(TONES[name].terminal for name in names)

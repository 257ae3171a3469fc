"""The colours that players may choose, by name."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from calibration.identity import TONES
from calibration.identity import USUAL as _OF_SEATS
from hardware.ports import RGB

COLOURS: Final[Mapping[str, str]] = MappingProxyType({name: tone.page for name, tone in TONES.items()})
"""The CSS colours by name."""
USUAL: Final = _OF_SEATS[:2]
"""The default colours of seats 1 and 2, in which the seats' emblems on the mats are printed."""


def page_colours(names: tuple[str, str]) -> tuple[str, str]:
    """Return two colours as CSS colours.

    Raises:
        KeyError: there is no such colour.
    """
    return COLOURS[names[0]], COLOURS[names[1]]


def strip_colours(names: Sequence[str]) -> tuple[RGB, ...]:
    """Return colours as pixel values of the strip.

    Raises:
        KeyError: there is no such colour.
    """
    return tuple(TONES[name].strip for name in names)


def terminal_colours(names: Sequence[str]) -> tuple[str, ...]:
    """Return colours as a terminal's colours.

    Raises:
        KeyError: there is no such colour.
    """
    return tuple(TONES[name].terminal for name in names)

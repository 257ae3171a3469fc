"""A person at a terminal confirms or corrects a circle that was seen, a line a place."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.cli.pictures import patch_height, patch_picture
from companion.games.patchwork import PATCHES
from companion.market.confirming import Proposal, TellingError, told_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import RenderableType

    from companion.market.confirming import Place

HELP: Final = (
    'Say "7 tee" for what lies in place 7, "7 ok" if it is as shown, "7 none" if it is no patch, "7+ tee" for a patch '
    'that lies behind it; "ok" if all is right. An empty line ends.'
)
_MOST_SHOWN: Final = 4


def confirm(proposal: Proposal, ask: Callable[[str], str], out: IO[str]) -> Proposal:
    """Let somebody confirm or correct what was seen, until the circle stands or they end it.

    Args:
        proposal: what was seen.
        ask: shows a prompt and gives the line that was typed; raises EOFError where no more come.
        out: where the places are shown.
    """
    _put(out, HELP)
    while not proposal.settled:
        _show(proposal, out)
        try:
            line = ask("> ")
        except EOFError:
            break
        if not line.strip():
            break
        try:
            proposal = proposal.after(told_in(line))
        except TellingError as error:
            _put(out, str(error))
    return proposal


def prompt(says: str) -> str:
    """Ask on standard error, for standard output may be read by a program."""
    sys.stderr.write(says)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def place_line(place: Place) -> str:
    """A place and what it may be, on one line."""
    likely = [patch for patch in place.candidates if patch != place.patch][: _MOST_SHOWN - 1]
    named = [] if place.patch is None else [place.patch]
    return f"{place.number:>3}  {' or '.join(_priced(patch) for patch in (*named, *likely)) or 'what lies there?'}"


def _show(proposal: Proposal, out: IO[str]) -> None:
    places = proposal.doubtful
    if out.isatty() and places:
        Console(file=out).print(_picture(places[0]))
    for place in places:
        _put(out, place_line(place))
    if proposal.missing:
        _put(out, proposal.wanting())


def _picture(place: Place) -> RenderableType:
    """What the place may be, drawn."""
    named: Sequence[str] = () if place.patch is None else (place.patch,)
    shown = list(dict.fromkeys((*named, *place.candidates)))[:_MOST_SHOWN]
    grid = Table.grid(padding=(0, 3, 0, 0))
    tall = max((patch_height(patch) for patch in shown), default=0)
    grid.add_row(*(Text.assemble(patch_picture(patch, tall), _priced(patch)) for patch in shown))
    return grid


def _priced(patch: str) -> str:
    values = PATCHES[patch]
    return f"{patch} ({values.buttons} buttons, time {values.time})"


def _put(out: IO[str], text: str) -> None:
    out.write(text + "\n")
    out.flush()

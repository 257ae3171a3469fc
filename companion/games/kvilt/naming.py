"""What people call colours, phases and bonuses, as far as the rules speak of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.kvilt.state import Phase, TaskKind
from companion.languages import Sentence, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.kvilt.sheet import Colour

PHASE_WORDS: Final[Mapping[Phase, Sentence]] = {
    Phase.SCRAPS: said("scraps"),
    Phase.PENCILS: said("pencils"),
    Phase.NEUTRAL: said("neutral pincushion"),
    Phase.COLOURING: said("colouring"),
    Phase.COUNTING: said("counting"),
    Phase.END: said("end"),
}
TASK_WORDS: Final[Mapping[TaskKind, Sentence]] = {
    TaskKind.EXTRA: said("extra pencil"),
    TaskKind.NEUTRAL: said("pencil of the neutral pincushion"),
    TaskKind.SWAP: said("swap"),
    TaskKind.SPOOL: said("spool"),
    TaskKind.STITCH: said("stitch"),
    TaskKind.FETCH: said("pencil for an embroidery"),
    TaskKind.HELD: said("pencil that was fetched"),
    TaskKind.BACKGROUNDS: said("backgrounds"),
}


def colour_name(colour: Colour | None) -> str:
    """A colour in the players' words: its key, which the catalogues know where it is a usual pencil's; "" for None."""
    return "" if colour is None else Sentence(colour, "", None, {})

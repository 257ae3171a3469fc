"""The words for colours, phases and bonuses that the rules need."""

from collections.abc import Mapping
from typing import Final

from companion.games.kvilt.sheet.sheet import Colour
from companion.games.kvilt.state import Phase, TaskKind
from companion.languages import Sentence, said

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
    """Return the word for a colour: its key, which catalogues translate for the usual pencils; "" for None."""
    return "" if colour is None else name_sentence(colour)


def name_sentence(name: str) -> Sentence:
    """Return a key as a sentence that catalogues may translate; braces in a key from a file are not placeholders."""
    return Sentence(name.replace("{", "{{").replace("}", "}}"), "", None, {})

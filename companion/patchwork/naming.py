"""Names of the patches for players: by shape, and for twins by their difference. Records contain the ids."""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from companion.games.patchwork.cells import names_of
from companion.languages import LANGUAGES, Label, Sentence, render, said

NAMES: Final[Mapping[str, Sentence]] = MappingProxyType(
    {
        "domino": said("domino"),
        "bar3": said("short bar"),
        "corner-b1": said("corner for 1"),
        "corner-b3": said("corner for 3"),
        "bar4": said("middle bar"),
        "square": said("square"),
        "tee": said("small T"),
        "hook-t2": said("quick hook"),
        "hook-t6": said("slow hook"),
        "zig-b3": said("cheap zigzag"),
        "zig-b7": said("dear zigzag"),
        "bar5": said("long bar"),
        "long-hook": said("long hook"),
        "thorn": said("thorn"),
        "chunk": said("chunk"),
        "cup": said("cup"),
        "tall-tee": said("tall T"),
        "long-zig": said("long zigzag"),
        "stairs": said("stairs"),
        "plus": said("plus"),
        "boot": said("boot"),
        "hat": said("hat"),
        "wide-cup": said("wide cup"),
        "shifted-bricks": said("shifted bricks"),
        "square-with-tail": said("tailed square"),
        "arrow": said("arrow"),
        "mast": said("mast"),
        "crank": said("crank"),
        "dagger": said("dagger"),
        "propeller": said("propeller"),
        "aitch": said("letter H"),
        "long-plus": said("long plus"),
        "fat-plus": said("fat plus"),
    }
)
"""The patches' names by id. The page has the same in `static/js/patchwork/naming.js`."""


def patch_name(patch: str) -> Sentence | str:
    """Return a patch's name, or the argument itself if there is no such patch."""
    return NAMES.get(patch, patch)


def patch_named(text: str) -> str | None:
    """Return the id of the patch that a user names, in any language or by its id, or None if there is no such patch."""
    return _typed().get(_plain(text))


def _plain(text: str) -> str:
    """Return a text without what people do not type alike: capitals, blanks, and Persian marks above letters."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(each for each in letters if unicodedata.category(each) != "Mn").split())


@cache
def _typed() -> Mapping[str, str]:
    names = {_plain(render(name, each)): patch for each in LANGUAGES.values() for patch, name in NAMES.items()}
    return names | {patch: patch for patch in NAMES}


def patch_names(patches: Iterable[str]) -> list[Sentence | str]:
    """Return the names of patches, in their order."""
    return [patch_name(patch) for patch in patches]


def cell_names(mask: int) -> tuple[Label, ...]:
    """Return the names of the cells in a mask, row by row, for people; records use `names_of`."""
    return tuple(map(Label, names_of(mask)))


def cells_named(mask: int) -> Label:
    """Return the names of the cells in a mask as one text, row by row."""
    return Label(" ".join(names_of(mask)))

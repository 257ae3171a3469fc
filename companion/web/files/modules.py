"""The page's scripts as they are written: what each imports, and how it is put into a file with others."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from json import dumps, loads
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_IMPORT: Final = re.compile(r'^import (?:(\w+|\{[^}]*\}) from )?"([^"]+)"(?: with \{ type: "json" \})?;$', re.MULTILINE)
_LATER: Final = re.compile(r'\bimport\("(\.[^"]+)"\)(?!\.[A-Z])')
_EXPORT: Final = re.compile(r"^export ((?:async )?(?:function|class|const) )(\w+|\[[\w, ]+\])", re.MULTILINE)
_NOTHING: Final = re.compile(r"^export \{\};$", re.MULTILINE)
_NOTES: Final = re.compile(r"/\*\*.*?\*/\s*|^\s*//[^\n]*\n", re.DOTALL | re.MULTILINE)
_MARGIN: Final = re.compile(r"^[ ]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Module:
    """A script that is imported by others or imports them, or data that they import.

    Attributes:
        name: its path in the folder of scripts: "views/turn.js".
        source: as it is written.
        needs: the names of the modules without which it does not begin.
        later: the names of those that it loads when they are first asked for.
    """

    name: str
    source: str
    needs: tuple[str, ...]
    later: tuple[str, ...]

    @classmethod
    def read(cls, name: str, source: str) -> Module:
        """Return the module with what it imports."""
        if name.endswith(".json"):
            return cls(name, source, (), ())
        bare = _NOTES.sub("", source)
        needs = tuple(_beside(name, found[2]) for found in _IMPORT.finditer(bare))
        return cls(name, source, needs, tuple(_beside(name, found) for found in _LATER.findall(bare)))

    def linked(self, *, first: bool = False) -> str:
        """Return the call of `put` that hands it to the runtime in `linked.js`.

        Args:
            first: whether the page begins with it; only such a module may await at its top level.
        """
        if self.name.endswith(".json"):
            return f'put("{self.name}",()=>({dumps(loads(self.source), separators=(",", ":"))}));\n'
        body = _NOTES.sub("", self.source)
        body = _IMPORT.sub(self._needing, body)
        body = _LATER.sub(lambda found: f'load("{_beside(self.name, found[1])}")', body)
        exported = ",".join(found[2].strip("[]") for found in _EXPORT.finditer(body))
        body = _NOTHING.sub("", _EXPORT.sub(r"\1\2", body))
        # Indentation is no part of any string here: none has more than one line.
        body = _MARGIN.sub("", body).strip()
        return f'put("{self.name}",{"async" if first else ""}(need,load)=>{{{body}\nreturn{{{exported}}};}});\n'

    def _needing(self, found: re.Match[str]) -> str:
        need = f'need("{_beside(self.name, found[2])}");'
        return need if found[1] is None else f"const {found[1].replace(' as ', ':')}={need}"


def closure(modules: Mapping[str, Module], names: Iterable[str]) -> tuple[str, ...]:
    """Return these modules and all that they cannot begin without, each after what it needs."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        for needed in modules[name].needs if name not in found else ():
            visit(needed)
        found[name] = None

    for name in names:
        visit(name)
    return tuple(found)


def _beside(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))

"""The page's script modules: their imports, and their form in a bundled file."""

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
    """A script module, or JSON data that scripts import.

    Attributes:
        name: its path in the folder of scripts, such as "views/turn.js".
        source: its text.
        needs: the names of the modules that it imports statically.
        later: the names of the modules that it imports dynamically.
    """

    name: str
    source: str
    needs: tuple[str, ...]
    later: tuple[str, ...]

    @classmethod
    def read(cls, name: str, source: str) -> Module:
        """Return the module of a source, with its imports."""
        if name.endswith(".json"):
            return cls(name, source, (), ())
        # Without comments, whose imports are of types and load nothing.
        bare = _NOTES.sub("", source)
        needs = tuple(_beside(name, found[2]) for found in _IMPORT.finditer(bare))
        return cls(name, source, needs, tuple(_beside(name, found) for found in _LATER.findall(bare)))

    def linked(self, *, first: bool = False) -> str:
        """Return the call of `put` that registers the module with the runtime in `linked.js`.

        Args:
            first: whether the page begins with it; only that module may use top-level await.
        """
        if self.name.endswith(".json"):
            return f'put("{self.name}",()=>({dumps(loads(self.source), separators=(",", ":"))}));\n'
        body = _NOTES.sub("", self.source)
        body = _IMPORT.sub(self._needing, body)
        body = _LATER.sub(lambda found: f'load("{_beside(self.name, found[1])}")', body)
        exported = ",".join(found[2].strip("[]") for found in _EXPORT.finditer(body))
        body = _NOTHING.sub("", _EXPORT.sub(r"\1\2", body))
        # No string in the scripts has more than one line, so that indentation is never part of one.
        body = _MARGIN.sub("", body).strip()
        return f'put("{self.name}",{"async" if first else ""}(need,load)=>{{{body}\nreturn{{{exported}}};}});\n'

    def _needing(self, found: re.Match[str]) -> str:
        need = f'need("{_beside(self.name, found[2])}");'
        return need if found[1] is None else f"const {found[1].replace(' as ', ':')}={need}"


def closure(modules: Mapping[str, Module], names: Iterable[str]) -> tuple[str, ...]:
    """Return these modules and their transitive static imports, each after the modules that it needs."""
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

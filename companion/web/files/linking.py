"""Bundling of scripts into few files: one that a page begins with, and others that are loaded on demand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from companion.web.files.modules import closure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.web.files.modules import Module

RUNTIME: Final = "linked.js"
"""The runtime in the browser, to which the bundled files register their modules."""


def link(page: str, begins: str, along: Sequence[str], modules: Mapping[str, Module]) -> dict[str, str]:
    """Return the bundled files of a page, by name: "page.js", and "page-1.js" and so on.

    Each module is in exactly one file; modules that the same entry points load are bundled together.

    Args:
        page: the stem of the files' names.
        begins: the module that the page begins with.
        along: modules that are loaded on demand, but by nearly every visitor, and so are put into the first file.
        modules: all modules, by name.
    """
    first = closure(modules, [begins, *along])
    entries = _asked_for(begins, modules)
    groups = _groups(first, entries, modules)
    places: dict[str, list[int]] = {entry: [] for entry in entries if entry not in first}
    files: dict[str, str] = {}
    for number, (wanted, members) in enumerate(groups.items(), 1):
        linked = "".join(modules[name].linked() for name in members)
        files[f"{page}-{number}.js"] = f'import{{put}}from"./{page}.js";\n{linked}'
        for entry in wanted:
            places[entry].append(number)
    files[f"{page}.js"] = _first(page, begins, first, places, modules)
    return files


def _first(
    page: str, begins: str, first: Iterable[str], places: Mapping[str, list[int]], modules: Mapping[str, Module]
) -> str:
    linked = "".join(modules[name].linked(first=name == begins) for name in first)
    where = json.dumps({"page": page, "places": places}, separators=(",", ":"))
    return f'{modules[RUNTIME].source}\nknow({where});\n{linked}await need("{begins}");\n'


def _asked_for(begins: str, modules: Mapping[str, Module]) -> tuple[str, ...]:
    """Return all modules that are loaded on demand, in the order in which they are found."""
    found: dict[str, None] = {}
    waiting = [begins]
    while waiting:
        for name in closure(modules, [waiting.pop()]):
            fresh = [later for later in modules[name].later if later not in found]
            found.update(dict.fromkeys(fresh))
            waiting += fresh
    return tuple(found)


def _groups(
    first: Iterable[str], entries: Iterable[str], modules: Mapping[str, Module]
) -> dict[tuple[str, ...], list[str]]:
    """Return the modules that are not in the first file, by the on-demand entries that need them."""
    wanted: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        for name in closure(modules, [entry]):
            wanted[name] = (*wanted.get(name, ()), entry)
    groups: dict[tuple[str, ...], list[str]] = {}
    there = set(first)
    for name, reasons in wanted.items():
        if name not in there:
            # By the entries that are not there yet: modules wanted by the same ones are always loaded together.
            groups.setdefault(tuple(one for one in reasons if one not in there), []).append(name)
    return groups

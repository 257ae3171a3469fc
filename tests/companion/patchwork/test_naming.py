"""Test the patches' names for people, which are the same on the page as everywhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.patchwork.components import PATCHES
from companion.languages import LANGUAGES, render
from companion.patchwork.naming import NAMES, patch_name

TEXTS = Path(__file__).parents[3] / "companion/web/static/js/patchwork/texts.js"


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_every_patch_has_a_short_name_of_its_own(language: object) -> None:
    names = [render(NAMES[patch], language) for patch in PATCHES]  # type: ignore[arg-type]
    assert len({*names}) == len(PATCHES) == len(NAMES)
    assert max(map(len, names)) <= 19


def test_the_page_says_the_same_names() -> None:
    said = dict(re.findall(r'"patch\.([\w-]+)": said\("([^"]+)"\)', TEXTS.read_text(encoding="utf-8")))
    assert said == {patch: str(name) for patch, name in NAMES.items()}


def test_an_unknown_patch_keeps_its_id() -> None:
    assert patch_name("leather patch") == "leather patch"

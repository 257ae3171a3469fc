"""Test the settings that a page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.languages import LANGUAGES
from companion.web.handlers.settings import _json
from companion.web.settings import SettingsFile

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("written", "names"),
    [("", ["Анна", "Борис"]), ('[patchwork]\nplayers = ["Ada", "Bea"]\n', ["Ada", "Bea"])],
)
def test_only_names_that_nobody_has_chosen_are_in_the_readers_language(
    tmp_path: Path, written: str, names: list[str]
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(written, encoding="utf-8")
    shown = {each.key: _json(each, value, LANGUAGES["ru"])["value"] for each, value in SettingsFile(path).shown()}
    assert shown["players"] == names

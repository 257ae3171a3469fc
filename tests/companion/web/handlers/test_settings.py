"""Test the settings that a page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.config.text import ConfigError
from companion.languages import LANGUAGES
from companion.web.handlers.home import _setting_json
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
    shown = {
        each.key: _setting_json(each, value, LANGUAGES["ru"])["value"] for each, value in SettingsFile(path).shown()
    }
    assert shown["players"] == names


def test_a_network_camera_is_chosen_with_its_address_and_comments_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('# Ours.\n[camera]\ndriver = "webcam"\n', encoding="utf-8")
    told: list[object] = []
    file = SettingsFile(path, lambda *changed: told.append(changed))
    file.use_network_camera("rtsp://192.168.1.20/stream")
    written = path.read_text(encoding="utf-8")
    assert written.startswith("# Ours.\n")
    assert 'driver = "network"' in written
    assert 'url = "rtsp://192.168.1.20/stream"' in written
    assert told == [("camera", "driver", "network")]
    with pytest.raises(ConfigError, match="url"):
        file.use_network_camera("the garage")
    assert path.read_text(encoding="utf-8") == written

from __future__ import annotations

from pathlib import Path

from companion.config import Config, DataConfig
from companion.config.text import data_folder, find_config


def _write(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text("")
    return path


def test_the_user_s_file_goes_before_the_system_s(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "xdg"), "HOME": str(tmp_path / "home")}
    system = tmp_path / "etc" / "config.toml"
    assert find_config(environ, system) is None
    _write(system)
    assert find_config(environ, system) == system
    mine = _write(tmp_path / "xdg" / "quilt-companion" / "config.toml")
    assert find_config(environ, system) == mine


def test_without_xdg_the_file_lies_in_the_home_folder(tmp_path: Path) -> None:
    mine = _write(tmp_path / ".config" / "quilt-companion" / "config.toml")
    for xdg in ({}, {"XDG_CONFIG_HOME": ""}, {"XDG_CONFIG_HOME": "relative"}):
        assert find_config({"HOME": str(tmp_path), **xdg}, tmp_path / "none") == mine


def test_the_data_folder_is_the_option_s_the_environment_s_the_file_s_or_the_user_s() -> None:
    config = Config(data=DataConfig(Path("/file")))
    environ = {"HOME": "/home/anna", "QUILT_COMPANION_DATA": "/environment"}
    assert data_folder(config, environ, Path("/option")) == Path("/option")
    assert data_folder(config, environ) == Path("/environment")
    assert data_folder(config, {"HOME": "/home/anna"}) == Path("/file")
    assert data_folder(Config(), {"HOME": "/home/anna"}) == Path("/home/anna/.local/state/quilt-companion")
    assert data_folder(Config(), {"HOME": "/h", "XDG_STATE_HOME": "/state"}) == Path("/state/quilt-companion")

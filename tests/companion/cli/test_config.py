from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.config import Config
from companion.configuration import config_text, parse_config

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]


def test_the_effective_configuration_is_printed_and_can_be_read_again(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[strip]\npixels = 30\n")
    status, out, err = run("config", "--config", path)
    assert (status, err) == (0, "")
    assert out.startswith(f"# From {path}.\n")
    assert parse_config(out, "printed") == parse_config(path.read_text(), "mine")


def test_the_defaults_are_printed_where_there_is_no_file(run: Run) -> None:
    status, out, _ = run("config")
    assert status == 0
    assert out == f"# These are the defaults: there is no configuration file.\n\n{config_text(Config())}"


def test_a_file_in_its_usual_place_is_found(run: Run, tmp_path: Path) -> None:
    path = tmp_path / ".config" / "quilt-companion" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[patchwork]\nplayers = ["Zoe", "Li"]\n')
    assert 'players = ["Zoe", "Li"]' in run("config")[1]


def test_a_mistake_is_one_line_and_status_2(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[strip]\npixel = 30\n")
    assert run("config", "--config", path) == (
        2,
        "",
        f"companion: {path}: [strip] pixel: is not a key; did you mean pixels?\n",
    )

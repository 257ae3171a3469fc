"""Test that commands load no libraries for vision, drawing or serving that they do not need."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from companion.cli.commands import COMMANDS, build_parser
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.codec import PATCHWORK
from companion.record import write_record
from companion.registry import codecs
from companion.terminal.output import text_width

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = ("cv2", "numpy", "starlette", "uvicorn", "reportlab", "rich", "vision", "companion.compose", "companion.web")
LOADED = """
import sys
from companion.__main__ import main
for line in sys.argv[1:]:
    try:
        status = main(line.split())
    except SystemExit as ended:
        status = ended.code
    assert not status, line
    print(line, *sys.modules, sep="\\t", file=sys.stderr)
"""
"""Carries out command lines one after the other and prints the modules that are loaded after each."""


def loaded_by(*lines: str) -> dict[str, set[str]]:
    """Return the modules that are loaded after each of some command lines, which one process carries out."""
    command = [sys.executable, "-c", LOADED, *lines]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout
    told = (line.split("\t") for line in ended.stderr.splitlines())
    return {line: set(modules) for line, *modules in told}


def loads(loaded: dict[str, set[str]], *unwanted: str) -> dict[str, set[str]]:
    """Return what is loaded of some modules after each command line that has loaded any."""
    return {line: found for line, modules in loaded.items() if (found := modules.intersection(unwanted))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal and the record of a finished game."""
    path = tmp_path_factory.mktemp("data")
    history, rng = History(Setup()), random.Random(5)
    while not history.state.finished:
        history.apply(legal_decisions(history.state).pick(rng))
    write_record(path / "game.jsonl", history.setup, history.decisions, PATCHWORK)
    with Journal(path / JOURNAL_NAME, codecs()) as journal:
        game = journal.new_game(history.setup)
        for number, decision in enumerate(history.decisions, start=1):
            journal.append(game, number, decision)
    return path


def test_light_commands_load_no_heavy_library(folder: Path) -> None:
    plain = ("games --data {folder}", "replay {folder}/game.jsonl")
    others = (
        "games --json --data {folder}",
        "games export 1 --data {folder}",
        "replay --json {folder}/game.jsonl",
        "advise --help",
        "games --help",
        "score --help",
        # "kvilt" is the name of a command, too.
        "score --game kvilt --help",
    )
    loaded = loaded_by(*(line.format(folder=folder) for line in plain + others))
    assert len(loaded) == len(plain + others)
    assert loads(loaded, *HEAVY) == {}
    # What packages bring is not looked for where the own games answer.
    assert not any("importlib.metadata" in loaded[line.format(folder=folder)] for line in plain)


@pytest.mark.parametrize("package", ["companion.__main__", "vision"])
@pytest.mark.parametrize("given", [None, "3"])
def test_small_matrices_keep_to_one_thread_unless_somebody_says_otherwise(package: str, given: str | None) -> None:
    surroundings = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    if given is not None:
        surroundings["OPENBLAS_NUM_THREADS"] = given
    asked = f"import os, sys, {package}; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])"
    ended = subprocess.run([sys.executable, "-c", asked], env=surroundings, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["False", given or "1"]


@pytest.mark.parametrize("room_bytes", [1 << 20, 1 << 30])
def test_on_a_nearly_full_disk_no_compiled_module_is_stored_of_which_only_a_part_may_fit(
    tmp_path: Path, room_bytes: int
) -> None:
    line = (
        "import os, types; "
        f"os.statvfs = lambda _: types.SimpleNamespace(f_bavail={room_bytes}, f_frsize=1); "
        "import companion.errors"
    )
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environ["PYTHONPYCACHEPREFIX"] = str(tmp_path)
    subprocess.run([sys.executable, "-c", line], check=True, env=environ)
    stored = list(tmp_path.rglob("companion/errors.*.pyc"))
    assert len(stored) == (room_bytes > 1 << 20)


def test_a_real_table_and_its_page_load_nothing_that_draws_a_simulated_one() -> None:
    asked = "import sys, companion.cli.serve, companion.registry as games; games.pages(); print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    assert {"companion.web.page", "companion.patchwork.page.virtual", "companion.compose.devices"} <= loaded
    drawing = ("hardware.simulated.drawing", "hardware.simulated.prints", "hardware.simulated.scene", "reportlab")
    assert not loaded.intersection(drawing)


def test_a_command_without_games_loads_no_journal() -> None:
    loaded = loaded_by("--version", "--help", "config", "--help --language fa")
    assert len(loaded) == 4
    assert loads(loaded, *HEAVY, "sqlite3", "msgspec", "companion.journal") == {}


def test_a_command_is_loaded_where_its_name_is_on_the_line_and_listed_where_it_is_not() -> None:
    parser = build_parser(["games", "--limit", "3"])
    assert parser.parse_args(["games", "--limit", "3"]).limit == 3
    told = parser.format_help()
    assert all(command.name in told and command.summary[:20] in told for command in COMMANDS)
    assert told == build_parser().format_help()


def test_every_command_of_the_table_is_carried_out_by_its_module() -> None:
    for command in COMMANDS:
        (listed,) = (action for action in build_parser([command.name])._actions if action.choices)
        assert isinstance(listed.choices, dict)
        assert listed.choices[command.name].description


@pytest.mark.parametrize(
    "text",
    ["Anna", "李小龍", "한국", "e\u0301te\u0301", "نَمایش", "می\u200cرود", "\u2068Anna\u2069", "ｆｕｌｌ", "", "±½"],
)
def test_a_text_is_as_wide_as_the_terminal_draws_it(text: str) -> None:
    assert text_width(text) == cell_len(text)

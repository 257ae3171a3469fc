from __future__ import annotations

import argparse
import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import __version__
from companion.__main__ import main
from companion.cli.commands import COMMANDS, build_parser, in_words, with_command
from companion.config.text import ConfigError
from companion.journal import JournalError
from companion.record import RecordError
from hardware.ports import CameraError

Run = Callable[..., tuple[int, str, str]]


def _raising(error: BaseException) -> Callable[[argparse.Namespace], int]:
    def run(_: argparse.Namespace) -> int:
        raise error

    return run


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """A function that makes `companion config` raise an error."""
    return lambda error: monkeypatch.setattr("companion.cli.config.run", _raising(error))


@pytest.mark.parametrize(
    "error",
    [
        ConfigError("c: bad"),
        JournalError("j: bad"),
        RecordError("r: bad"),
        CameraError("the camera is busy:\n  end the other program"),
    ],
)
def test_an_error_that_users_can_correct_is_one_line_and_status_2(
    run: Run, fail: Callable[[BaseException], None], error: Exception
) -> None:
    fail(error)
    status, out, err = run("config")
    assert (status, out) == (2, "")
    assert err == "companion: " + " ".join(str(error).split()) + "\n"


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.EROFS, "cannot be written: Read-only file system"),
        (errno.ENOSPC, "cannot be written: No space left on device"),
        (errno.EEXIST, "cannot be written: File exists"),
        (errno.ENOTDIR, "cannot be read: Not a directory"),
        (errno.EIO, "cannot be read: Input/output error"),
    ],
)
def test_an_error_of_the_disk_is_one_line_and_status_2(
    run: Run, fail: Callable[[BaseException], None], number: int, told: str
) -> None:
    fail(OSError(number, os.strerror(number), "/media/stick/hall"))
    assert run("config") == (2, "", f"companion: /media/stick/hall: {told}\n")


def test_a_file_of_the_program_that_is_missing_is_a_fault_of_the_program(fail: Callable[[BaseException], None]) -> None:
    fail(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "patches.json"))
    with pytest.raises(FileNotFoundError):
        main(["config"])


def test_a_fault_of_the_program_is_not_hidden(fail: Callable[[BaseException], None]) -> None:
    fail(ZeroDivisionError("a fault"))
    with pytest.raises(ZeroDivisionError):
        main(["config"])


def test_an_interrupted_command_ends_quietly(run: Run, fail: Callable[[BaseException], None]) -> None:
    fail(KeyboardInterrupt())
    assert run("config") == (130, "", "")


@pytest.mark.parametrize(
    "arguments", [["--nonsense"], ["nonsense"], ["config", "--nonsense"], ["games", "export", "one"]]
)
def test_a_command_that_is_none_is_status_2(run: Run, arguments: list[str]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("companion: ")
    assert line.endswith("--help")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["paly"], "play"),
        (["print", "mat"], "mats"),
        (["play", "--simulate", "--tabel", "hard"], "--table"),
        (["play", "--simulate", "--table", "dusk-lamp"], "desk-lamp"),
        (["scroe", "photo.jpg"], "score"),
    ],
)
def test_a_word_that_is_nearly_right_is_put_right(run: Run, arguments: list[str], meant: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert f"(did you mean {meant}?); see companion" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("choices", ["'home', 'play'", "home, play"])
@pytest.mark.parametrize(("value", "says"), [("plya", "(did you mean play?)"), ("xyz", "(choose from home, play)")])
@pytest.mark.parametrize("suggested", ["", ", maybe you meant 'play'?"])
def test_each_python_s_wording_of_a_wrong_choice_is_said_alike(
    choices: str, value: str, says: str, suggested: str
) -> None:
    told = in_words(f"invalid choice: '{value}'{suggested} (choose from {choices})")
    assert str(told) == f"invalid choice: '{value}' {says}"


def test_without_a_command_the_home_is_opened() -> None:
    assert with_command([]) == ["home"]
    assert with_command(["--port", "8090"]) == ["home", "--port", "8090"]
    assert with_command(["--help"]) == ["--help"]
    assert with_command(["play", "--simulate"]) == ["play", "--simulate"]


def test_the_version_is_told(run: Run) -> None:
    assert run("--version") == (0, f"quilt-companion {__version__}\n", "")


def test_the_version_is_the_package_s() -> None:
    text = Path(__file__).parents[3].joinpath("pyproject.toml").read_text()
    assert f'version = "{__version__}"' in text


def test_every_command_explains_itself(run: Run) -> None:
    (commands,) = (each for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction))
    assert len(commands.choices) == len(COMMANDS)
    for name in commands.choices:
        status, out, _ = run(name, "--help")
        assert status == 0
        assert out.startswith(f"usage: companion {name}")


def test_every_command_says_what_carries_it_out() -> None:
    assert callable(build_parser().parse_args(["games"]).run)
    assert callable(build_parser().parse_args(["config"]).run)


def test_a_reader_who_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -u -m companion config; echo $? >&2"
    ended = subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; ({command}) | true"], capture_output=True, text=True, check=False
    )
    # The reader has exited, so that the write fails, unless it finished earlier.
    assert ended.stderr in ("141\n", "0\n")


def test_the_module_runs_as_the_command_does() -> None:
    ended = subprocess.run([sys.executable, "-m", "companion", "--version"], capture_output=True, text=True, check=True)
    assert ended.stdout == f"quilt-companion {__version__}\n"

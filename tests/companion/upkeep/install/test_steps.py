from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.errors import CompanionError
from companion.upkeep.install import RemoveFile, RunCommand, WriteFile

if TYPE_CHECKING:
    from pathlib import Path


def nothing(_: object) -> int:
    raise AssertionError("no command is to be run")


def test_a_file_is_written_whole_with_its_mode(tmp_path: Path) -> None:
    step = WriteFile(tmp_path / "new" / "file", "text\n", mode=0o640)
    assert not step.is_done()
    step.do(nothing)
    assert step.is_done()
    assert (tmp_path / "new" / "file").stat().st_mode & 0o777 == 0o640
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["file"]


def test_a_file_with_another_text_is_written_anew_unless_it_is_to_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("other")
    assert not WriteFile(path, "text").is_done()
    assert WriteFile(path, "text", keep=True).is_done()


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CompanionError, match=r"file/below: .*; fix that"):
        WriteFile(tmp_path / "file" / "below", "text").do(nothing)


def test_only_ones_own_text_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("changed")
    assert RemoveFile(path, only_if="text").is_done()
    path.write_text("text")
    step = RemoveFile(path, only_if="text")
    assert not step.is_done()
    step.do(nothing)
    assert step.is_done()
    assert tmp_path.exists(), "a folder that is not ours stays"


def test_a_command_that_may_fail() -> None:
    ran: list[tuple[str, ...]] = []

    def fail(command: object) -> int:
        ran.append(tuple(command))  # type: ignore[arg-type]
        return 3

    RunCommand(("a", "b"), needed=False).do(fail)
    assert ran == [("a", "b")]
    with pytest.raises(CompanionError, match="a b: failed with status 3"):
        RunCommand(("a", "b")).do(fail)

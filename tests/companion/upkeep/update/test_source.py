from __future__ import annotations

import zipfile
from pathlib import Path
from random import Random

import pytest

from companion.upkeep.update import UpdateError, source_of
from companion.upkeep.update.source import wheel_version
from tests.hostile.spoiling import spoiled_bytes

ROOT = Path(__file__).parents[4]


def wheel(path: Path, name: str = "quilt-companion", version: str = "9.1") -> Path:
    with zipfile.ZipFile(path, "w") as out:
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nx"
        out.writestr("quilt_companion-9.1.dist-info/METADATA", text)
    return path


def test_a_wheel_of_this_program_tells_its_version(tmp_path: Path) -> None:
    path = wheel(tmp_path / "quilt_companion-9.1-py3-none-any.whl")
    assert source_of(str(path)).is_wheel
    assert wheel_version(path) == "9.1"
    assert wheel_version(wheel(tmp_path / "b.whl", "Quilt_Companion")) == "9.1"


@pytest.mark.parametrize(("packing", "more"), [(zipfile.ZIP_LZMA, 0), (zipfile.ZIP_DEFLATED, 2 << 20)])
def test_a_wheel_that_takes_much_memory_to_read_is_none_of_ours(tmp_path: Path, packing: int, more: int) -> None:
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("a.dist-info/METADATA", "Name: quilt-companion\nVersion: 9.1\n\n" + " " * more)
    with pytest.raises(UpdateError, match="is not a quilt-companion"):
        wheel_version(path)


@pytest.mark.parametrize("seed", range(60))
def test_a_wheel_that_was_spoiled_is_one_line_or_what_it_was(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.dist-info/METADATA", "Name: quilt-companion\nVersion: 9.1\n" + "Classifier: x\n" * 50)
    path.write_bytes(spoiled_bytes(Random(seed), path.read_bytes()))
    says = ""
    try:
        assert wheel_version(path)
    except UpdateError as error:
        says = str(error)
    assert not says or "is not a quilt-companion" in says


@pytest.mark.parametrize("project", ["a = " + "[" * 20_000, "\xff", "a = " + "{a = " * 20_000])
def test_a_folder_whose_description_is_nonsense_is_none_of_ours(tmp_path: Path, project: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(project.encode("latin-1"))
    with pytest.raises(UpdateError, match="is not a quilt-companion"):
        source_of(str(tmp_path))


def test_the_own_clone_is_a_source_and_its_copy_is_clean(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (clone / "companion" / "install").mkdir(parents=True)
    (clone / "pyproject.toml").write_text('[project]\nname = "quilt-companion"\n')
    (clone / "systemd").mkdir()
    (clone / "companion" / "install" / "files").symlink_to("../../systemd")
    for stale in ("build/lib/old.py", ".venv/bin/python", ".git/HEAD", "x.egg-info/SOURCES.txt", "a/__pycache__/b.pyc"):
        (clone / stale).parent.mkdir(parents=True)
        (clone / stale).touch()
    copy = source_of(str(clone)).buildable(tmp_path)
    assert {str(path.relative_to(copy)) for path in copy.rglob("*") if not path.is_dir()} == {"pyproject.toml"}
    assert (copy / "companion" / "install" / "files").is_symlink()
    assert source_of(str(ROOT)).path == ROOT


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("none", "No such file or directory"),
        ("empty", "is not a quilt-companion; give its folder"),
        ("other", "is not a quilt-companion"),
        ("notes.txt", "is not a quilt-companion"),
        ("other.whl", "is not a quilt-companion"),
        ("broken.whl", "is not a quilt-companion"),
        ("quilt-companion_1_all.deb", "sudo apt install .*quilt-companion_1_all.deb"),
        ("https://example.invalid/x.whl", "is an address; download it first"),
        ("git+ssh://example.invalid/x", "is an address"),
    ],
)
def test_what_is_none_of_ours_is_one_line(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "pyproject.toml").write_text('[project]\nname = "other"\n')
    wheel(tmp_path / "other.whl", "other")
    for each in ("notes.txt", "broken.whl", "quilt-companion_1_all.deb"):
        (tmp_path / each).write_text("x")
    with pytest.raises(UpdateError, match=says):
        source_of(name if ":" in name else str(tmp_path / name))

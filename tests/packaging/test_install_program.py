"""Test the calls of pip by `make install`, with a fake Python that only records its arguments."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
case "$1 $2" in
    "-c "*) [ -n "$NUMPY" ] && echo "$NUMPY" ;;
    "-m venv") for path; do :; done; mkdir -p "$path/bin" && cp "$0" "$path/bin/python3" ;;
    "-m pip")
        echo "$@" >> "$SEEN/asked"
        if [ "$3" = wheel ]; then
            mkdir "$9" && touch "$9/program.whl"
            (cd "${10}" && ls . companion) > "$SEEN/program"
        fi
        case "$*" in *--constraint*) cp "$7" "$SEEN/constraints" ;; esac
        ;;
esac
"""


class Seen:
    """The recorded arguments of pip."""

    def __init__(self, folder: Path) -> None:
        self.asked = (folder / "asked").read_text().splitlines()
        self.requirement = Path(self.asked[-1].split()[-1])
        self.locked = re.findall(r"packaging/locked/(\S+)\.txt", self.asked[0])
        self.constraints = (folder / "constraints").read_text().split()
        self.program = (folder / "program").read_text().split()


def installed(
    folder: Path, *, numpy: str = "", model: str | None = None, project: Path = ROOT, boards: str = "", parts: str = ""
) -> Seen:
    python = folder / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    told = folder / "model"
    if model is not None:
        told.write_text(model + "\0")
    asked = {"NUMPY": numpy, "MODEL": str(told), "BOARDS": boards, "PARTS": parts}
    environ = {**os.environ, **asked, "SEEN": str(folder), "TMPDIR": str(folder)}
    command = [project / "packaging" / "install-program.sh", python, folder / "prefix"]
    subprocess.run(command, env=environ, check=True)
    return Seen(folder)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project with the remains of an earlier build."""
    root = tmp_path_factory.mktemp("project")
    for folder in ("companion", "vision", "calibration", "hardware", "systemd", "docs", "build/lib/companion"):
        (root / folder).mkdir(parents=True)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        (root / name).touch()
    (root / "build" / "lib" / "companion" / "gone.py").touch()
    (root / "packaging" / "page").mkdir(parents=True)
    for name in ("bundle.sh", "package.json", "package-lock.json", ".npmrc"):
        (root / "packaging" / "page" / name).touch()
    shutil.copy(ROOT / "packaging" / "install-program.sh", root / "packaging")
    return root


@pytest.mark.parametrize("numpy", ["1.24.2", "1.26.4"])
def test_beside_a_system_of_numpy_1_it_stays_numpy_1(numpy: str, tmp_path: Path, project: Path) -> None:
    seen = installed(tmp_path, numpy=numpy, project=project)
    assert seen.constraints == ["numpy<2", "opencv-python-headless<4.12"]
    assert seen.locked == ["program", "mqtt", "https", "opencv-numpy1"]


@pytest.mark.parametrize("numpy", ["2.2.4", ""])
def test_elsewhere_nothing_holds_numpy_back(numpy: str, tmp_path: Path, project: Path) -> None:
    seen = installed(tmp_path, numpy=numpy, project=project)
    assert seen.constraints == []
    assert seen.locked == (["program", "mqtt", "https", *([] if numpy else ["numpy"]), "opencv"])


def test_only_files_with_a_listed_hash_are_installed(tmp_path: Path, project: Path) -> None:
    lists, tools, build, program, rest = installed(tmp_path, numpy="2.2.4", project=project).asked
    assert "install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement" in lists
    assert "install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement" in tools
    assert tools.endswith("packaging/locked/build.txt")
    assert "wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation" in build
    assert "--no-deps --force-reinstall" in program
    assert rest.endswith("/dist/program.whl[mqtt,https]")


@pytest.mark.parametrize(
    ("model", "extra"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", "pi5"),
        ("Raspberry Pi 500 Rev 1.0", "pi5"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "pi5"),
        ("Raspberry Pi 4 Model B Rev 1.4", "pi"),
        ("Raspberry Pi 400 Rev 1.0", "pi"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "pi"),
        ("Raspberry Pi Compute Module 4 Rev 1.0", "pi"),
        ("ThinkPad", ""),
        (None, ""),
    ],
)
def test_each_board_gets_the_drivers_that_it_can_use(
    model: str | None, extra: str, tmp_path: Path, project: Path
) -> None:
    seen = installed(tmp_path, model=model, project=project)
    assert seen.requirement.name == f"program.whl[{','.join(filter(None, ('mqtt', 'https', extra)))}]"
    assert [each for each in seen.locked if "drivers" in each] == ([f"drivers-{extra}"] if extra else [])


@pytest.mark.parametrize(
    ("boards", "extra", "lists"),
    [("all", "[mqtt,https,pi,pi5]", {"drivers-pi", "drivers-pi5"}), ("none", "[mqtt,https]", set())],
)
def test_a_package_has_the_drivers_of_every_board_or_of_none_whatever_it_is_built_on(
    boards: str, extra: str, lists: set[str], tmp_path: Path, project: Path
) -> None:
    seen = installed(tmp_path, model="Raspberry Pi 4 Model B", project=project, boards=boards)
    assert seen.requirement.name == f"program.whl{extra}"
    assert {name for name in seen.locked if name.startswith("drivers")} == lists


def test_a_hall_is_installed_where_it_is_asked_for_and_kept_by_the_next_installation(
    tmp_path: Path, project: Path
) -> None:
    asked = installed(tmp_path, numpy="2.2.4", project=project, parts="hall")
    assert asked.locked == ["program", "mqtt", "https", "hall", "opencv"]
    assert asked.requirement.name == "program.whl[mqtt,https,hall]"
    again = tmp_path / "again"
    (again / "prefix" / "lib" / "python3.13" / "site-packages" / "sqlalchemy").mkdir(parents=True)
    assert "hall" in installed(again, numpy="2.2.4", project=project).locked


def test_remains_of_an_earlier_build_are_not_installed(tmp_path: Path, project: Path) -> None:
    seen = installed(tmp_path, project=project)
    assert "companion" in seen.program
    assert "build" not in seen.program
    assert not list(tmp_path.glob("quilt-companion.*"))


def test_everything_that_a_build_needs_is_copied(tmp_path: Path) -> None:
    seen = installed(tmp_path)
    assert {"pyproject.toml", "setup.py", "systemd", "upkeep", "languages"} <= set(seen.program)

"""Test that all that `make install` installs is locked, listed with its licence, and used."""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LISTS = sorted((ROOT / "packaging" / "locked").glob("*.txt"))
PACKAGES = ("companion", "vision", "calibration", "hardware")
MODULES = {
    "arabic-reshaper": "arabic_reshaper",
    "adafruit-circuitpython-neopixel": "neopixel",
    "opencv-python-headless": "cv2",
    "markdown-it-py": "markdown_it",
    "paho-mqtt": "paho",
    "psycopg": "psycopg",
    "python-bidi": "bidi",
    "svg-path": "svg",
    "caissify-pairings": "caissify_pairings",
}
"""Packages whose module has another name."""
DRIVERS = ("picamera2", "gpiozero", "gpiod", "neopixel")
"""Modules that are imported by name if the hardware is there."""
IMPORT = re.compile(r"^\s*(?:import (?=[\w.]+(?: as \w+)?$)|from (?=[\w.]+ import ))(\w+)", re.MULTILINE)
"""An import statement, which stands on a line of its own; the group is the module's top-level name."""
LOADED_BY_OTHERS = {
    "adafruit-blinka-raspberry-pi5-neopixel", "gpiod", "lgpio", "psycopg", "quilt-companion", "rpi-ws281x",
}  # fmt: skip
"""Packages that neopixel, gpiozero and SQLAlchemy choose as drivers."""
BROUGHT_BY_OTHERS = {
    "anyio": "starlette", "typing_extensions": "starlette", "h11": "uvicorn", "libcamera": "picamera2",
}  # fmt: skip
"""Modules of packages that are dependencies of a declared one."""


@cache
def project() -> dict[str, list[Requirement]]:
    """Return the declared dependencies by extra; "" is the program itself."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {"": told["dependencies"], **told["optional-dependencies"]}
    return {extra: [Requirement(each) for each in lines] for extra, lines in wanted.items()}


def pinned(*paths: Path) -> dict[str, list[str]]:
    """Return the versions in lists of locked packages, by package."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for name, version in re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", path.read_text(), re.MULTILINE):
            found.setdefault(name, []).append(version)
    return found


@cache
def imported() -> frozenset[str]:
    """Return the top-level names of all modules that the program imports, anywhere in a file."""
    names: set[str] = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            names |= set(IMPORT.findall(text))
            names |= {name for name in DRIVERS if f'"{name}"' in text}
    return frozenset(names - set(sys.stdlib_module_names) - set(PACKAGES))


def module_of(name: str) -> str:
    """Return the module of a package."""
    return MODULES.get(name, name.replace("-", "_"))


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_version_is_pinned_by_hashes_and_no_place_is_named(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for block in re.split(r"\n(?=\S)", text.strip()):
        assert re.match(r"[a-z0-9._-]+==\S+ .*\\\n(    --hash=sha256:[0-9a-f]{64}( \\)?\n?)+$", block), block[:80]
    assert "://" not in text
    assert "--index" not in text


def test_all_that_the_program_asks_for_is_locked_as_it_asks() -> None:
    locked = pinned(*LISTS)
    for wanted in (each for extra, lines in project().items() if extra != "dev" for each in lines):
        name = canonicalize_name(wanted.name)
        if name in ("quilt-companion", "picamera2", "gpiozero", "lgpio"):  # of the distribution
            continue
        assert all(wanted.specifier.contains(version, prereleases=True) for version in locked[name]), name
        assert locked[name]


def test_lists_that_are_installed_together_agree() -> None:
    for board in ("pi", "pi5"):
        together = ("program", "opencv", "numpy", "mqtt", "hall", f"drivers-{board}")
        lists = [path for path in LISTS if path.stem in together]
        versions = pinned(*lists)
        # These have another version for an older Python.
        assert {name for name, each in versions.items() if len(set(each)) > 1} <= {"numpy", "networkx"}


def test_every_locked_package_is_listed_with_its_licence() -> None:
    listed = (ROOT / "packaging" / "LICENCES.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([a-z0-9._-]+) \| ([^|]+) \| [^|]*[A-Za-z][^|]* \|$", listed, re.MULTILINE))
    rows.pop("package")
    assert {name: ", ".join(sorted(set(each))) for name, each in pinned(*LISTS).items()} == rows


def test_every_declared_package_is_used() -> None:
    declared = {canonicalize_name(each.name) for extra, lines in project().items() if extra != "dev" for each in lines}
    idle = {name for name in declared - LOADED_BY_OTHERS if module_of(name) not in imported()}
    assert idle == set()


def test_every_package_that_is_used_is_declared() -> None:
    declared = {module_of(canonicalize_name(each.name)) for lines in project().values() for each in lines}
    assert imported() - declared - set(BROUGHT_BY_OTHERS) == set()


def test_the_tests_run_with_versions_no_older_than_the_locked_ones() -> None:
    locked = pinned(ROOT / "packaging" / "locked" / "program.txt")
    here = {name: metadata.version(name) for name in ("starlette", "uvicorn", "msgspec")}
    assert all(int(here[name].partition(".")[0]) >= int(locked[name][0].partition(".")[0]) for name in here)


def test_every_network_says_where_it_comes_from() -> None:
    told = (ROOT / "vision" / "PROVENANCE.md").read_text(encoding="utf-8")
    sums = dict(re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", told, re.MULTILINE))
    found = [path for suffix in ("*.onnx", "*.npz") for path in (ROOT / "vision").rglob(suffix)]
    vision = ROOT / "vision"
    assert sums == {str(each.relative_to(vision)): hashlib.sha256(each.read_bytes()).hexdigest() for each in found}


def test_every_font_is_named_beside_its_licence() -> None:
    fonts = [path for package in PACKAGES for kind in ("*.ttf", "*.woff2") for path in (ROOT / package).rglob(kind)]
    assert fonts
    for font in fonts:
        licence = next(font.parent.glob("*.txt")).read_text(encoding="utf-8")
        family = font.stem.partition("-")[0]
        assert family.lower() in licence.lower()
        assert "SIL OPEN FONT LICENSE" in licence

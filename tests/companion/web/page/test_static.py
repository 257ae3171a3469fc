"""Test the static files: small, without third parties, and usable without a build step."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.tokens.kinds import Likeness, known_kinds

STATIC: Final = Path(str(resources.files("companion.web"))) / "static"
MODULES: Final = sorted(STATIC.rglob("*.js"))
SHEETS: Final = sorted(STATIC.rglob("*.css"))
PAGE: Final = (STATIC / "index.html").read_text(encoding="utf-8")
_IMPORT: Final = re.compile(r'^(?:import|export) (?:[^("]*?from )?"(.+?)";', re.MULTILINE)
_TYPES: Final = re.compile(r'import\("(\S+?\.js)"\)\.[A-Z]')
_LAZY: Final = re.compile(r'import\("(.+?)"\)(?!\.[A-Z])')


@cache
def imported(module: Path, pattern: re.Pattern[str] = _IMPORT) -> frozenset[Path]:
    """Return the modules that a module imports."""
    return frozenset({(module.parent / name).resolve() for name in pattern.findall(module.read_text(encoding="utf-8"))})


def needed(module: Path) -> set[Path]:
    """Return a module and all its static imports, transitively."""
    found, waiting = set[Path](), {module.resolve()}
    while waiting:
        one = waiting.pop()
        found.add(one)
        waiting |= imported(one) - found
    return found


def leads_to(module: Path) -> set[Path]:
    """Return all that a module loads, at once or on demand, transitively; itself only in a cycle."""
    found, waiting = set[Path](), [module.resolve()]
    while waiting:
        one = waiting.pop()
        fresh = (imported(one) | imported(one, _LAZY)) - found
        found |= fresh
        waiting += fresh
    return found


def test_the_first_page_is_small() -> None:
    sheets = [STATIC / name for name in re.findall(r'href="/static/(css/.+?)"', PAGE)]
    first = {STATIC / "index.html", *sheets, *needed(STATIC / "js/main.js"), *needed(STATIC / "js/patchwork/game.js")}
    assert sum(file.stat().st_size for file in first) < 300_000


def test_icons_have_the_size_that_is_said_and_those_that_are_cut_to_shape_fill_it() -> None:
    manifest = json.loads((STATIC / "companion.webmanifest").read_text(encoding="utf-8"))
    pictures = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    (touch,) = re.findall(r'apple-touch-icon" href="(.+?)"', PAGE)
    pictures.append({"src": touch, "sizes": "180x180", "purpose": "maskable"})

    for icon in pictures:
        drawn = cv2.imread(str(STATIC / icon["src"].removeprefix("/static/")), cv2.IMREAD_UNCHANGED)
        assert drawn is not None
        assert f"{drawn.shape[1]}x{drawn.shape[0]}" == icon["sizes"]
        is_filled = drawn.shape[2] == 3 or int(drawn[0, 0, 3]) == 255
        assert is_filled is (icon["purpose"] == "maskable"), icon
    wanted = {("192x192", "any"), ("512x512", "any"), ("192x192", "maskable"), ("512x512", "maskable")}
    assert wanted <= {(icon["sizes"], icon["purpose"]) for icon in pictures}


def test_every_module_is_used_and_every_import_is_there() -> None:
    used = {path for module in MODULES for path in imported(module) | imported(module, _LAZY)}
    typed = {path for module in MODULES for path in imported(module, _TYPES)}

    assert used <= {module.resolve() for module in MODULES}
    begins = (
        "main.js",
        "defining/main.js",
        "defining/timeboard.js",
        "score/main.js",
        "camera/main.js",
        "offline.js",
        "recovering.js",
    )
    entries = {(STATIC / "js" / name).resolve() for name in begins}
    assert {module.resolve() for module in MODULES} == used | typed | entries


def test_modules_of_no_game_name_no_game() -> None:
    games = {folder.name for folder in (STATIC / "js").iterdir() if (folder / "game.js").is_file()} - {"general"}
    own = {STATIC / "js" / name for name in ("registry.js", "contract.js", "store.js", "texts.js", "score/kinds.js")}
    others = [module for module in MODULES if module not in own and not {*games, "defining"} & {*module.parts}]

    assert games == {"patchwork", "kvilt"}
    for module in others:
        code = re.sub(r"/\*.*?\*/|^import [^\n]*", "", module.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        assert not re.search("|".join(f"[\"'`/.]{game}\\b" for game in games), code), module.name
        assert not {path for path in imported(module) if games & {*path.parts}}, module.name


def test_no_module_leads_back_to_itself() -> None:
    assert [str(module) for module in MODULES if module.resolve() in leads_to(module)] == []


def test_nothing_comes_from_another_host() -> None:
    address = re.compile(r"(?:https?:)?//[\w.]+\.\w+[^\s\"')]*")
    found = [
        (file.name, each)
        for file in [*MODULES, *SHEETS, STATIC / "index.html"]
        for each in address.findall(file.read_text(encoding="utf-8"))
        if "www.w3.org/2000/svg" not in each
    ]
    assert found == []


def test_the_page_keeps_to_its_own_policy() -> None:
    assert re.findall(r"<script(?![^>]*\bsrc=)", PAGE) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", PAGE) == []
    for module in MODULES:
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function", module.read_text("utf-8"))


def test_sheets_read_both_ways() -> None:
    found = []
    for sheet in SHEETS:
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
        sided = re.findall(r"(?:margin|padding|border)-(?:left|right)|text-align:\s*(?:left|right)|float:", text)
        places = [line.strip() for line in text.splitlines() if re.search(r"[{;]\s*(?:left|right):", line)]
        # The squares to tap are over a drawing, which is not mirrored.
        found += [(sheet.name, each) for each in [*sided, *places] if not each.startswith(".tap-cells")]
    assert found == []


def test_the_theme_is_written_once() -> None:
    styles = "\n".join(sheet.read_text("utf-8") for sheet in SHEETS)

    assert "prefers-color-scheme" not in styles
    schemes = re.findall(r'\[data-theme="(\w+)"\][^{]*\{ color-scheme: (\w+); \}', styles)
    assert schemes == [("light", "light"), ("dark", "dark")]
    # Once for both themes, and once for browsers that cannot tell them apart.
    assert len(re.findall(r"^\s+--card:", styles, re.MULTILINE)) == 2


def test_each_colour_of_two_themes_has_one_for_browsers_that_know_but_one() -> None:
    text = (STATIC / "css" / "base.css").read_text(encoding="utf-8")
    head, _, rest = text.partition("@supports not (color: light-dark(")
    fallback = dict(re.findall(r"(--[\w-]+): ([^;]+);", rest[: rest.index("}")]))
    themed = dict(re.findall(r"(--[\w-]+):\s*([^;]*light-dark[^;]*);", head))
    assert fallback.keys() == themed.keys()
    for name, value in themed.items():
        light = re.sub(r"light-dark\(((?:[^(),]|\([^()]*\))+), (?:[^()]|\([^()]*\))+\)", r"\1", value)
        assert fallback[name].split() == light.split(), name
    assert all("light-dark" not in sheet.read_text(encoding="utf-8") for sheet in SHEETS if sheet.name != "base.css")


def test_a_browser_that_cannot_read_the_scripts_says_so_and_the_scripts_take_it_back() -> None:
    assert '<p id="too-old"' in PAGE
    assert 'document.getElementById("too-old")?.remove();' in (STATIC / "js" / "main.js").read_text(encoding="utf-8")
    lint = (Path(__file__).parents[4] / "packaging" / "page" / "eslint.config.js").read_text(encoding="utf-8")
    # What `make scripts` lets pass is what the bundle is made for, and what docs/playing.md promises.
    assert "ecmaVersion: 2022" in lint


def test_the_coins_have_the_colours_of_the_tokens_that_the_camera_counts() -> None:
    style = (STATIC / "css" / "board.css").read_text(encoding="utf-8")
    for kind in known_kinds():
        selector = r"\.coin" if kind.value == 1 else rf"\.coin-{kind.value}"
        [colour] = re.findall(selector + r" \{[^}]*background: #([0-9a-f]{6});", style)
        red, green, blue = bytes.fromhex(colour)
        shown = np.array([[[blue, green, red]]], np.float32) / 255
        light, a, b = cv2.cvtColor(shown, cv2.COLOR_BGR2LAB)[0, 0].tolist()
        assert kind.fits(Likeness(sum(kind.radius_cells) / 2, (light, a, b))), kind.value

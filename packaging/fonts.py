"""Makes the font files of the page's headings: one for Latin letters, one for Cyrillic and Latin letters.

    npm pack @fontsource/fraunces @fontsource/vollkorn     # and unpack each in a folder of its name
    python packaging/fonts.py FOLDER                       # with fonttools and brotli installed

FOLDER contains `fraunces` and `vollkorn`, as subset by Google Fonts. Each becomes one file, so that a page loads one
file whatever its players' names. Figures are lining and tabular, as the page sets them, and accented letters are single
glyphs. Outlines are rounded to a 500th of the em, which is invisible on screens and saves a sixth of the bytes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fontTools.merge import Merger
from fontTools.merge import Options as Merged
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

if TYPE_CHECKING:
    from collections.abc import Iterable

FONTS: Final = Path(__file__).parent.parent / "companion" / "web" / "static" / "fonts"
UNITS_PER_EM: Final = 500
_SIGNS: Final = {*map(chr, range(0x20, 0x7F)), *"\xa0«»·×–—‘’‚“”„•…−"}
_WESTERN: Final = {*map(chr, range(0xC0, 0x100)), *"ŒœŸı¡¿ªº°"} - {"÷"}
# Letters of names in the languages of Europe and in Turkish.
_EXTENDED: Final = set("ĀāĂăĄąĆćČčĎďĐđĒēĖėĘęĚěĞğĢģĪīĮįİĶķĹĺĽľĻļŁłŃńŇňŅņŌōŐőŘřŚśŞşŠšŢţŤťŪūŮůŰűŲųŹźŻżŽžȘșȚț")
_CYRILLIC: Final = {*map(chr, range(0x400, 0x460)), *"ҐґҰұ№"}


def keep(font: Any, letters: set[str]) -> None:
    """Reduce a font to what some letters need, with kerning as its only feature."""
    options = Options()
    options.layout_features = ["kern"]
    options.glyph_names = options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 5, 13, 14]
    options.drop_tables += ["STAT"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[ord(letter) for letter in letters if ord(letter) in font.getBestCmap()])
    subsetter.subset(font)


def assign(font: Any, code: int, glyph: str) -> None:
    """Map a character to a glyph."""
    for table in font["cmap"].tables:
        table.cmap[code] = glyph


def set_figures(font: Any) -> None:
    """Map figures to the glyphs of the features for lining and tabular figures, if the font has them."""
    for feature in ("lnum", "tnum"):
        for code in map(ord, "0123456789"):
            glyph = font.getBestCmap()[code]
            assign(font, code, _replacements(font, feature).get(glyph, glyph))


def _replacements(font: Any, feature: str) -> dict[str, str]:
    table = font["GSUB"].table
    indices = {
        i for one in table.FeatureList.FeatureRecord if one.FeatureTag == feature for i in one.Feature.LookupListIndex
    }
    subtables = [each for index in indices for each in table.LookupList.Lookup[index].SubTable]
    plain = [getattr(each, "ExtSubTable", each) for each in subtables]
    return {glyph: other for each in plain for glyph, other in getattr(each, "mapping", {}).items()}


def add(font: Any, other: Any, letters: Iterable[str]) -> None:
    """Add letters of another part of the same typeface, with the components that they consist of."""
    outlines, order = font["glyf"], font.getGlyphOrder()

    def put(name: str) -> str:
        if name not in outlines.glyphs:
            glyph = other["glyf"][name]
            for component in glyph.components if glyph.isComposite() else ():
                put(component.glyphName)
            outlines.glyphs[name] = glyph
            font["hmtx"].metrics[name] = other["hmtx"][name]
            order.append(name)
        return name

    for code in sorted(map(ord, letters)):
        if code in other.getBestCmap() and code not in font.getBestCmap():
            assign(font, code, put(other.getBestCmap()[code]))
    font.setGlyphOrder(order)
    outlines.setGlyphOrder(order)


def merged(font: Any, other: Any, scratch: Path) -> Any:
    """Return both parts of a typeface as one font. Letters with equal outlines, such as А and A, share one."""
    parts = [scratch / "one.ttf", scratch / "other.ttf"]
    for part, path in zip((font, other), parts, strict=True):
        part.save(path)
    whole = Merger(Merged()).merge([str(path) for path in parts])
    outlines = whole["glyf"]
    for glyph in (outlines[name] for name in whole.getGlyphOrder()):
        for component in glyph.components if glyph.isComposite() else ():
            first = re.sub(r"[#.]\d+$", "", component.glyphName)
            if first in outlines.glyphs and outlines[first] == outlines[component.glyphName]:
                component.glyphName = first
    letters = set(map(chr, whole.getBestCmap()))
    keep(whole, letters)
    return whole


def write(font: Any, name: str, scratch: Path) -> None:
    """Write a font for the page with rounded outlines, and print its number of characters and size."""
    # Scaled after reading it from a file, because some tables have the right number of glyphs only then.
    font.save(scratch / "whole.ttf")
    with TTFont(scratch / "whole.ttf") as whole:
        scale_upem(whole, UNITS_PER_EM)
        whole["post"].formatType = 3.0  # without the glyphs' names
        whole.flavor = "woff2"
        whole.save(FONTS / name)
        print(f"{name}: {len(whole.getBestCmap())} characters, {(FONTS / name).stat().st_size} bytes")


def main() -> None:
    """Make both font files."""
    folder = Path(sys.argv[1])

    def part(family: str, letters: str) -> Any:
        return TTFont(folder / family / "files" / f"{family}-{letters}-600-normal.woff2")

    fraunces = part("fraunces", "latin")
    # Combining accents are left out: with them "ź" would be composed of two glyphs, without the position of the second.
    keep(fraunces, _SIGNS | _WESTERN)
    add(fraunces, part("fraunces", "latin-ext"), _EXTENDED)
    write(fraunces, "fraunces-600.woff2", folder)

    vollkorn, cyrillic = part("vollkorn", "latin"), part("vollkorn", "cyrillic")
    set_figures(vollkorn)
    keep(vollkorn, _SIGNS | _WESTERN)
    add(vollkorn, part("vollkorn", "latin-ext"), _EXTENDED)
    keep(cyrillic, _CYRILLIC)
    write(merged(vollkorn, cyrillic, folder), "vollkorn-600.woff2", folder)


if __name__ == "__main__":
    main()

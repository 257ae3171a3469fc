"""Makes the font files of the printed sheets, from the typefaces of Debian's fonts-comfortaa and fonts-dejavu.

    python packaging/print_fonts.py /usr/share/fonts/truetype          # with fonttools installed

A PDF is written without an engine for shaping: Persian words are written in presentation forms, and he with hamza,
which DejaVu composes of two glyphs, becomes one. The fonts are renamed, because their licences ask for it.
"""

import sys
from pathlib import Path
from typing import Any, Final

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONTS: Final = Path(__file__).parent.parent / "calibration" / "printing" / "fonts"
_LATIN: Final = {*map(chr, range(0x20, 0x7F)), *"\xa0«»°±·×–—‘’“”„…−"}
_CYRILLIC: Final = {*map(chr, range(0x400, 0x460)), *"Ґґ№"}
_SIGNS: Final = set("§‐‑‒‚‛•←↑→↓✓")
# Presentation forms of the letters of Persian and Arabic, in these two blocks (UAX 44), and what stands between words.
_FORMS: Final = {
    *map(chr, (*range(0xFB56, 0xFB5A), *range(0xFB7A, 0xFB7E), *range(0xFB8A, 0xFB96), *range(0xFBFC, 0xFC00))),
    *map(chr, range(0xFE80, 0xFEFD)),
    *"،؛؟ـ٪٫٬۰۱۲۳۴۵۶۷۸۹\u0654\u200c",
}
_HAMZA: Final = "\u0654"
# He with hamza, isolated and final, by the form of he.
_COMPOSED: Final = {"\ufba4": "\ufee9", "\ufba5": "\ufeea"}
_PERSIAN: Final = _FORMS | _COMPOSED.keys()
FACES: Final = {
    "round": ("comfortaa/Comfortaa-Bold.ttf", "Companion Round", _LATIN),
    "bold": ("dejavu/DejaVuSansCondensed-Bold.ttf", "Companion Bold", _LATIN | _CYRILLIC | _PERSIAN),
    "text": ("dejavu/DejaVuSansCondensed.ttf", "Companion Text", _LATIN | _CYRILLIC | _SIGNS | _PERSIAN),
}


def anchors(font: Any, base: str, mark: str) -> tuple[int, int]:
    """Return how far a mark's glyph is moved to stand on a base's, in font units, by the font's own anchors."""
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for each in lookup.SubTable:
            table = getattr(each, "ExtSubTable", each)
            if table.LookupType == 4 and base in table.BaseCoverage.glyphs and mark in table.MarkCoverage.glyphs:
                record = table.MarkArray.MarkRecord[table.MarkCoverage.glyphs.index(mark)]
                foot = table.BaseArray.BaseRecord[table.BaseCoverage.glyphs.index(base)].BaseAnchor[record.Class]
                return (
                    foot.XCoordinate - record.MarkAnchor.XCoordinate,
                    foot.YCoordinate - record.MarkAnchor.YCoordinate,
                )
    raise KeyError(f"no anchor of {base} for {mark}")


def compose(font: Any) -> None:
    """Add he with hamza as one glyph in each of its forms."""
    names, mark = font.getBestCmap(), font.getBestCmap()[ord(_HAMZA)]
    for composed, form in _COMPOSED.items():
        base, name = names[ord(form)], f"uni{ord(composed):04X}"
        pen = TTGlyphPen(font.getGlyphSet())
        pen.addComponent(base, (1, 0, 0, 1, 0, 0))
        pen.addComponent(mark, (1, 0, 0, 1, *anchors(font, base, mark)))
        font["glyf"].glyphs[name] = pen.glyph()
        font.setGlyphOrder([*font.getGlyphOrder(), name])
        font["glyf"].setGlyphOrder(font.getGlyphOrder())
        font["hmtx"].metrics[name] = font["hmtx"].metrics[base]
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[ord(composed)] = name


def rename(font: Any, family: str) -> None:
    """Give a font another name, and keep its copyright and licence."""
    names = font["name"]
    names.names = [each for each in names.names if each.nameID in {0, 5, 13, 14}]
    for number, name in ((1, family), (2, "Regular"), (3, family), (4, family), (6, family.replace(" ", ""))):
        names.setName(name, number, 3, 1, 0x409)


def main() -> None:
    """Make the files."""
    folder = Path(sys.argv[1])
    for file, (source, family, letters) in FACES.items():
        font = TTFont(folder / source)
        if letters >= _PERSIAN:
            compose(font)
        options = Options()
        options.layout_features, options.hinting, options.notdef_outline = [], False, True
        options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
        options.drop_tables += ["GSUB", "GPOS", "GDEF", "kern", "MATH", "FFTM"]
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=map(ord, letters))
        subsetter.subset(font)
        rename(font, family)
        font.save(FONTS / f"{file}.ttf")
        missing = {letter for letter in letters if ord(letter) not in font.getBestCmap()}
        print(f"{file}.ttf: {len(font.getBestCmap())} characters, {(FONTS / f'{file}.ttf').stat().st_size} bytes")
        print(f"  lacks {sorted(missing)}" if missing else "  complete")


if __name__ == "__main__":
    main()

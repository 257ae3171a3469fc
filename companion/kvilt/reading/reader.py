"""Reading of a photograph of a sheet: the colour of each region, and the doubtful regions.

A region that is certain by itself stays as it is, however odd: a cell in another colour than its row is a mistake to
report, not one to smooth away.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.kvilt.judging import SheetVerdict, judge_sheet
from companion.games.kvilt.sheet import Sheet, cell_name
from companion.kvilt.codec import marks_to_json
from companion.kvilt.naming import colour_word
from companion.kvilt.reading.evidence import (
    SWATCH,
    Judge,
    SheetPlaces,
    SheetSigns,
    SignSeeker,
    odds_of,
    sheet_places,
    veiled,
)
from companion.kvilt.reading.finding import (
    COLOURLESS,
    WASHED_OUT,
    FoundSheet,
    SheetPhotoError,
    blank_of,
    find_sheet,
    lay_flat,
)
from companion.kvilt.refusals import sheet_fault
from companion.kvilt.sheets.layout import PageLayout
from companion.languages import listed, said
from vision.sheet.page import Page
from vision.sheet.pencil import Pencils, full_scale, learn_pencils, page_density, print_mask, reach_deg, screen_hue
from vision.sheet.regions import RegionLook, Window, look_at

Weights: TypeAlias = "dict[str, NDArray[np.float64]]"
"""By region, the log-probabilities: not coloured, then each of the sheet's colours; shape (7,)."""

SURE: Final = 0.99
"""Probability below which a region is doubtful."""
# Probability that people follow the rules.
_KEEPS_RULES: Final = 0.97
# Weight of neighbours' evidence, because their errors are correlated.
_TEMPER: Final = 0.5


def settled(weights: NDArray[np.float64]) -> bool:
    """Return whether a region is certain."""
    return bool(np.exp(weights.max()) >= SURE)


def weigh_by_rules(sheet: Sheet, alone: Mapping[str, NDArray[np.float64]]) -> Weights:
    """Return the weights of all regions, with the doubtful ones weighed by the rules.

    Args:
        sheet: the sheet.
        alone: the weights of each region by itself.
    """
    weighed = dict(alone)
    for run in _runs(sheet):
        _weigh_run(run, alone, weighed)
    for number, row in enumerate(sheet.rows, start=1):
        cells = [cell_name((number, cell)) for cell in range(1, len(row) + 1)]
        _weigh_row([f"{cell}.picture" for cell in cells], _others(sheet, number, alone), alone, weighed)
        for cell in cells:
            _weigh_background(f"{cell}.background", weighed[f"{cell}.picture"], alone, weighed)
    return weighed


def _runs(sheet: Sheet) -> list[list[str]]:
    """Return the runs of regions that are coloured one after the other from the left."""
    rows = [
        [f"{cell_name((number, cell))}.picture" for cell in range(1, len(row) + 1)]
        for number, row in enumerate(sheet.rows, start=1)
    ]
    numbers = range(1, len(sheet.spools.points) + 1)
    bodies = [f"spool{number}.body" for number in numbers if number > sheet.spools.open]
    return [*rows, bodies, [f"spool{number}.thread" for number in numbers]]


def _weigh_run(run: list[str], alone: Mapping[str, NDArray[np.float64]], weighed: Weights) -> None:
    """Weigh a run: after a certain white region a coloured one is unlikely, before a coloured one a white one."""
    states = [_state(alone[name]) for name in run]
    for place, name in enumerate(run):
        if states[place] is not None:
            continue
        prior = np.full(2, 0.5)
        if False in states[:place]:
            prior *= (_KEEPS_RULES, 1 - _KEEPS_RULES)
        if True in states[place + 1 :]:
            prior *= (1 - _KEEPS_RULES, _KEEPS_RULES)
        weighed[name] = _normal(alone[name] + np.log(np.append(prior[0], np.full(len(alone[name]) - 1, prior[1]))))


def _state(weights: NDArray[np.float64]) -> bool | None:
    """Return whether a region is coloured, or None if that is not certain."""
    white = float(np.exp(weights[0]))
    return None if 1 - SURE < white < SURE else white < SURE


def _others(sheet: Sheet, row: int, alone: Mapping[str, NDArray[np.float64]]) -> set[int]:
    """Return the colours that other rows certainly have."""
    cells = [cell for cell in sheet.cells() if cell[0] != row]
    found = [alone[f"{cell_name(cell)}.picture"] for cell in cells]
    return {int(weights.argmax()) - 1 for weights in found if settled(weights) and weights.argmax() > 0}


def _weigh_row(
    pictures: list[str], taken: set[int], alone: Mapping[str, NDArray[np.float64]], weighed: Weights
) -> None:
    for name in pictures:
        if settled(weighed[name]):
            continue
        # Their own evidence, not the weighed one, which contains that of this cell.
        mates = [alone[mate][1:] for mate in pictures if mate != name and _state(alone[mate])]
        colours = len(alone[name]) - 1
        word = _TEMPER * np.sum(mates, axis=0) if mates else np.zeros(colours)
        word = np.asarray(word) + np.log([1 - _KEEPS_RULES if colour in taken else 1.0 for colour in range(colours)])
        weighed[name] = _leaning(weighed[name], np.exp(_normal(word)))


def _weigh_background(
    name: str, picture: NDArray[np.float64], alone: Mapping[str, NDArray[np.float64]], weighed: Weights
) -> None:
    """Weigh a background, which has its picture's colour."""
    if settled(alone[name]) or picture.argmax() == 0:
        return
    weighed[name] = _leaning(alone[name], np.exp(_normal(picture[1:])))


def _leaning(weights: NDArray[np.float64], colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights with a prior on the colour, given as the share of each colour, shape (6,)."""
    prior = _KEEPS_RULES * colours + (1 - _KEEPS_RULES) / len(colours)
    tinted = weights[1:] + np.log(prior)
    # The probability of white is independent of the colour, and stays as it was.
    coloured = np.logaddexp.reduce(weights[1:])
    return np.append(weights[0], tinted - np.logaddexp.reduce(tinted) + coloured)


def _normal(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(weights - np.logaddexp.reduce(weights))


CLOSE_PENCILS_DEG: Final = 12.0
# The figures for sheets whose file does not give them.
_DEFAULTS: Final = {
    "stroke_density": 0.2,
    "marked": 0.35,
    "empty": 0.08,
    "background_marked": 0.3,
    "background_empty": 0.1,
    "core_share": 0.4,
    "colour_margin_deg": 6.0,
}
# Share of bare paper at full scale from which faint colours may have lost a channel.
_MOST_CLIPPED: Final = 0.15
_CLIPPED_MARGIN: Final = 2.0
# The share of overexposed paper from which marks are lost if samples have faded.
_WASHED_OUT: Final = 0.5
_COLOURLESS_DEG: Final = 9.0
# The number of pencils that look this alike only in a photograph without colours.
_ENOUGH_SAMPLES: Final = 3
# Coverage below which a sample has faded in such a picture: it was covered wholly.
_FADED: Final = 0.8
_OVEREXPOSED: Final = said(
    "The picture is overexposed: the paper is pure white and faint colours are lost; take a darker one."
)
_COVERED: Final = said(
    "Something is on the sheet, or a lamp is reflected in it: remove it and photograph the sheet again."
)
_MANY: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class SheetReading:
    """The reading of a sheet.

    Attributes:
        sheet: the sheet that was read.
        seen: the colour of every region, None if it is not coloured; regions that cannot be coloured are missing.
        likely: by region, the probability that it was read correctly, 0..1.
        weights: by region, the log-probabilities: not coloured, then each of the sheet's colours.
        doubtful: the regions that a player should check, in the order of the sheet.
        hidden: those of them on which an object seems to lie.
        notes: sentences on the samples and on the light.
        page: the sheet's place in the picture.
        layout: the sheet's layout.
        empty_row_counts: how the table counts an empty row, as in `score`.
    """

    sheet: Sheet
    seen: Mapping[str, str | None]
    likely: Mapping[str, float]
    weights: Weights
    doubtful: tuple[str, ...]
    hidden: tuple[str, ...]
    notes: tuple[str, ...]
    page: Page
    layout: PageLayout
    empty_row_counts: bool = True

    def ways(self, region: str) -> list[tuple[str | None, float]]:
        """Return the states of a region, the most likely first: its colour or None (white), and the probability."""
        shares = np.exp(self.weights[region])
        return sorted(zip((None, *self.sheet.colours), map(float, shares), strict=True), key=lambda way: -way[1])

    @property
    def remarks(self) -> tuple[str, ...]:
        """Advice for the next photograph."""
        return (*self.notes, _COVERED) if is_covered(self.hidden) else self.notes

    def verdict(self) -> SheetVerdict:
        """Return the rules' verdict on the sheet."""
        return judge_sheet(self.sheet, self.seen, empty_row_counts=self.empty_row_counts)

    def to_json(self, image: str) -> dict[str, Any]:
        """Return the JSON of `companion score --game kvilt --json`; `image` is the picture's name."""
        verdict = self.verdict()
        errors = [
            {"code": str(fault.code), "regions": list(fault.regions), "says": sheet_fault(fault)}
            for fault in verdict.errors
        ]
        notes = {"notes": list(self.remarks)} if self.remarks else {}
        return {
            "game": "kvilt",
            "image": image,
            **({"theme": self.layout.theme} if self.layout.theme else {}),
            "sheet": self.sheet.id,
            **marks_to_json(self.sheet, verdict.marks),
            "score": verdict.score.to_json(),
            "doubtful": list(self.doubtful),
            "errors": errors,
            **notes,
        }


class SheetReader:
    """A reader of pictures of one kind of sheet.

    Args:
        sheet: the sheet's contents.
        layout: the places of these.

    Raises:
        CompanionError: the sheet has no markers, and the picture of the blank one cannot be used.
    """

    def __init__(self, sheet: Sheet, layout: PageLayout) -> None:
        self._sheet, self._layout = sheet, layout
        self._blank = None if layout.fiducials.markers else blank_of(layout).flat
        # Before the first look; other themes are prepared when a sheet in one of them is seen.
        _kind_of(layout, self._blank)
        self._figures = {**_DEFAULTS, **layout.reading}
        self._guesses = {colour.key: screen_hue(colour.screen) for colour in layout.colours}
        # The flanges of spools that are open from the start are printed hatched, and are no evidence.
        self._mute = {f"spool{number}.body" for number in range(1, sheet.spools.open + 1)}

    def read(self, image: NDArray[np.uint8], found: FoundSheet | None = None) -> SheetReading:
        """Find the sheet and read it.

        Args:
            image: the photograph, shape (height, width, 3), uint8, BGR.
            found: the sheet in it, by `find_sheet`, or None to search for it.

        Raises:
            SheetPhotoError: the sheet is missing, cut off, not flat, too small, blurred, or overexposed.
        """
        found = found or find_sheet(image, self._layout)
        kind = _kind_of(found.layout, self._blank)
        places = kind.places
        flat = lay_flat(image, found.page, found.layout)
        density = page_density(flat, places.free, places.windows.values(), self._blank)
        signs = kind.seeker.seek(flat, density)
        looks = {name: self._look(density, window) for name, window in places.windows.items() if name not in self._mute}
        samples = {colour: self._sample(SWATCH + colour, looks, signs) for colour in self._sheet.colours}
        _check_colours(samples)
        marks = {name: look for name, look in looks.items() if not name.startswith(SWATCH)}
        clipped = _clipped(flat, places, samples)
        textures = tuple(None if look is None else signs.texture(SWATCH + colour) for colour, look in samples.items())
        judge = Judge(self._figures, self._pencils(samples, marks, signs, clipped=clipped), textures, signs)
        alone = {name: judge.weights(name, look) for name, look in marks.items()}
        weighed = weigh_by_rules(self._sheet, alone)
        # For a hidden region the rules may make a state likely, but it was not seen.
        hidden = {name for name, look in marks.items() if judge.is_hidden(name, look)}
        weights = {name: veiled(weight) if name in hidden else weight for name, weight in weighed.items()}
        notes = (*_notes(samples, judge.pencils), *[_OVEREXPOSED] * clipped)
        return self._assembled(weights, hidden, notes, found)

    def _pencils(
        self,
        samples: Mapping[str, RegionLook | None],
        marks: Mapping[str, RegionLook],
        signs: SheetSigns,
        *,
        clipped: bool,
    ) -> Pencils:
        margin_deg = self._figures["colour_margin_deg"] * (_CLIPPED_MARGIN if clipped else 1.0)
        # An object would be learnt as the hue of a pencil.
        visible = {name: look for name, look in marks.items() if name not in signs.hidden}
        coloured = [look for name, look in visible.items() if odds_of(name, look, self._figures) > 0]
        return learn_pencils(samples, self._guesses, coloured, margin_deg)

    def _look(self, density: NDArray[np.float32], window: Window) -> RegionLook:
        figures = self._figures
        return look_at(density, window, figures["stroke_density"], figures["core_share"])

    def _sample(self, name: str, looks: Mapping[str, RegionLook], signs: SheetSigns) -> RegionLook | None:
        """Return the look of a sample, or None if it is missing or hidden."""
        look = looks.get(name)
        if look is None or look.coverage < self._figures["marked"] or name in signs.hidden:
            return None
        return look

    def _assembled(self, weights: Weights, hidden: set[str], notes: tuple[str, ...], found: FoundSheet) -> SheetReading:
        states = (None, *self._sheet.colours)
        seen = {name: states[int(weight.argmax())] for name, weight in weights.items()}
        likely = {name: float(np.exp(weight.max())) for name, weight in weights.items()}
        doubtful = tuple(name for name, weight in weights.items() if not settled(weight))
        unseen = tuple(name for name in doubtful if name in hidden)
        return SheetReading(self._sheet, seen, likely, weights, doubtful, unseen, notes, found.page, found.layout)


@dataclass(frozen=True, slots=True, eq=False)
class _Kind:
    """The data computed for a sheet in a theme: the places of the regions, and the search for objects on them."""

    layout: PageLayout
    blank: NDArray[np.uint8] | None
    places: SheetPlaces
    seeker: SignSeeker


# The latest kinds of sheets, for all readers: a few sheets, or one in all its themes.
_KINDS: Final = deque[_Kind](maxlen=8)


def _kind_of(layout: PageLayout, blank: NDArray[np.uint8] | None) -> _Kind:
    """Return the data for reading a sheet, computed once: another game with the sheet starts without delay.

    Args:
        layout: the sheet's layout, in a theme.
        blank: the blank sheet in flat space, or None if it has markers.
    """
    for kind in tuple(_KINDS):
        if kind.layout is layout and kind.blank is blank:
            return kind
    places = sheet_places(layout, None if blank is None else print_mask(blank))
    kind = _Kind(layout, blank, places, SignSeeker(layout, places, blank))
    _KINDS.append(kind)
    return kind


def _clipped(flat: NDArray[np.uint8], places: SheetPlaces, samples: Mapping[str, RegionLook | None]) -> bool:
    """Return whether the paper is overexposed; raise SheetPhotoError if the samples show that it loses pencils."""
    share = float(full_scale(flat)[places.free].mean())
    faded = any(look is None or look.coverage < _FADED for look in samples.values())
    if share > _WASHED_OUT and faded:
        raise SheetPhotoError(WASHED_OUT)
    return share > _MOST_CLIPPED


def is_covered(hidden: Sequence[str]) -> bool:
    """Return whether something removable hides these regions; a stain or a crease may hide one or two."""
    return len(hidden) >= _MANY


def _check_colours(samples: Mapping[str, RegionLook | None]) -> None:
    hues = [look.hue for look in samples.values() if look is not None]
    if len(hues) >= _ENOUGH_SAMPLES and reach_deg(np.array(hues)) < _COLOURLESS_DEG:
        raise SheetPhotoError(COLOURLESS)


def _notes(samples: Mapping[str, RegionLook | None], pencils: Pencils) -> tuple[str, ...]:
    notes: list[str] = []
    missing = [colour for colour, look in samples.items() if look is None]
    if missing:
        samples_of = listed([colour_word(colour) for colour in missing])
        notes.append(
            said(
                "The samples of {colours} are not coloured, or not clearly seen: those pencils are guessed.",
                colours=samples_of,
            )
        )
    one, other, gap_deg = pencils.nearest_pair()
    if not missing and gap_deg < CLOSE_PENCILS_DEG:
        notes.append(
            said(
                "The samples of {one} and {other} look very similar: choose pencils that differ more.",
                one=colour_word(one),
                other=colour_word(other),
            )
        )
    return tuple(notes)

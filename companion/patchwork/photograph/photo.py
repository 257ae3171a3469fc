"""The quilts in a photograph: found by mats, by given corners or by their appearance, and read.

A grid may be found one line beside its place: one row of cells then shows cloth or the board's own edge, of which the
network is less certain, and the box's pieces cannot explain the quilt so well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.locator import SEATS, MatLocator, board_cells
from calibration.mat import load_mats
from companion.errors import CompanionError
from companion.games.patchwork.cells import cell_index, cell_name
from companion.patchwork.photograph.reading import (
    QuiltEvidence,
    QuiltPiece,
    looks_of,
    name_pieces,
    read_together,
    see_quilt,
)
from companion.patchwork.photograph.tiling import best_tilings, most_weight
from vision.board.candidates import separate_pair
from vision.board.finding import PlaceSearch, in_order
from vision.board.grid import GridFit, fit_covered_grid, fit_grid, fit_shown_grid, lines_between
from vision.board.quality import edge_contrast, overexposed_share
from vision.geometry import GRID_CORNERS, SIDE, Homography, cells_in_frame, rectify, through_corners, translation
from vision.networks import NoNumbersError
from vision.quilt.network import QuiltLook, look_at_quilt

SURE: Final = 0.97
"""Probability below which a cell is doubtful. On 400 drawn quilts not used in training, cells of 0.97 to 0.98 were
wrong as often as predicted, in 2.4 %, and all of 0.97 and more in 0.25 %."""
# Number of doubtful cells beyond which it is no quilt, or one that cannot be seen: 44 quilts had up to 10, a time board
# and cloths 24 to 62. Of 16 quilts, also seen through seven degraded cameras, those with up to 20 had no wrong cell
# above SURE; of those with more than 35, 13 of 111 cells above 0.9 were wrong, instead of 3.
_NO_QUILT: Final = 20
# Width of a cell, in pixels, below which what is read is not sure whatever it looks like: of 42 quilts in photographs,
# reduced, no wrong cell was taken for sure at 7 pixels a cell or more, but one at 6, four at 5 and 2,292 at 2.
_LEAST_CELL_PX: Final = 6.5
# Number of printed segments between cells that look bare from which so many must be seen, and their least share. Of 49
# quilts in photographs that were blurred, hazy or overexposed until patches were surely taken for bare cells, each had
# 116 and more, of which 0.73 at most were seen; of quilts that were read rightly, 0.94 and more, if there were 30.
_MANY_LINES: Final = 60
_LEAST_LINES: Final = 0.8
# The least contrast of edges in a picture of which lines may be missing, because they are faint, and the greatest share
# of it that may be overexposed: good ones had 0.2 and more, and none; the others up to 0.14, or 0.97 and more.
_LEAST_CONTRAST: Final = 0.16
_MOST_OVEREXPOSED: Final = 0.5
# The least share of the printed grid that is seen on an empty board; the published one has 1.0, a plain tile of another
# game no fit at all.
_LEAST_GRID: Final = 0.55


class PhotoError(CompanionError):
    """Raised for a picture that cannot be read, or shows no board; the message says what to do."""


class NoBoardError(PhotoError):
    """Raised for a picture in which no board is found, although people may show where it is."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenQuilt:
    """One quilt as read.

    Attributes:
        place: maps cell space to pixels of the photograph.
        likely: the probability that each cell is covered, shape (9, 9), float64.
        guessed: true if its place and seat were derived from the board's appearance alone.
        pieces: the pieces on it.
        income: the number of buttons printed on its patches.
        income_confidence: the probability of that number, 0..1.
        unclear: true if the place may be off by one grid line; then every cell is doubtful.
        is_legible: false if patches may look bare, as in a very blurred, hazy or overexposed picture.
    """

    seat: int
    place: Homography
    likely: NDArray[np.float64]
    guessed: bool = False
    pieces: tuple[QuiltPiece, ...] = ()
    income: int = 0
    unclear: bool = False
    income_confidence: float = 1.0
    is_legible: bool = True

    @property
    def covered(self) -> NDArray[np.bool_]:
        """The likelier reading of each cell, shape (9, 9)."""
        return np.asarray(self.likely >= 0.5)

    @property
    def rows(self) -> tuple[str, ...]:
        """Nine strings of X (covered) and . (empty), one per row."""
        return tuple("".join(".X"[int(cell)] for cell in row) for row in self.covered)

    @property
    def empty(self) -> int:
        """The number of empty cells."""
        return int(np.count_nonzero(~self.covered))

    @property
    def confidence(self) -> float:
        """The mean probability that a cell was read correctly, 0..1."""
        return float(np.maximum(self.likely, 1 - self.likely).mean())

    @property
    def is_seen(self) -> bool:
        """False if it is too small, blurred, dark or hazy in the picture; then every cell is doubtful."""
        corners = self.place(GRID_CORNERS)
        sides_px = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
        return bool(sides_px.min() >= _LEAST_CELL_PX * SIDE) and self.is_legible and _doubts(self.likely) <= _NO_QUILT

    @property
    def is_income_sure(self) -> bool:
        """True if no other set of patches with another number of buttons explains the picture nearly as well."""
        return self.is_seen and self.income_confidence >= SURE

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The cells to check, by name, row by row."""
        return tuple(cell_name(int(cell)) for cell in np.flatnonzero(self.doubts))

    @property
    def doubts(self) -> NDArray[np.bool_]:
        """The cells to check, shape (9, 9); of a piece whose cells are doubtful by half or more, all of them."""
        unsure = np.maximum(self.likely, 1 - self.likely).reshape(-1) < SURE
        # A piece that is not there is wrong in all of its cells, also in those that look sure beside the others.
        pieces = [[cell_index(name) for name in piece.cells] for piece in self.pieces]
        whole = [cells for cells in pieces if 2 * np.count_nonzero(unsure[cells]) >= len(cells)]
        unsure[[cell for cells in whole for cell in cells]] = True
        return (unsure | self.unclear | (not self.is_seen)).reshape(SIDE, SIDE)


def read_photo(image: NDArray[np.uint8], corners: Sequence[ArrayLike] | None = None) -> tuple[SeenQuilt, ...]:
    """Find and read the quilts of one game: both, or the only one in the picture.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        corners: for each seat in order, the outer corners A1, I1, I9, A9 of its grid in pixels, a few pixels off, or
            one of them by a cell; those of a single grid are seat 1's. None if the boards are to be found, by mats
            under them or by their appearance.

    Raises:
        PhotoError: no board is found, corners lie outside the picture, or this machine cannot compute the evidence.
    """
    try:
        return _read(image, corners)
    except NoNumbersError as error:
        raise PhotoError.said(
            "this machine cannot do the calculations for reading the quilts: {command} tells more",
            command="companion doctor",
        ) from error


def _read(image: NDArray[np.uint8], corners: Sequence[ArrayLike] | None) -> tuple[SeenQuilt, ...]:
    found = find_quilts(image, corners)
    places, unclear = dict(sorted(found.places.items())), found.unclear
    all_evidence = {seat: see_quilt(quilt_view(image, place)) for seat, place in places.items()}
    if found.guessed:
        quilts = [seat for seat, evidence in all_evidence.items() if _is_quilt(image, places[seat], evidence)]
        if not quilts:
            raise nothing_found()
        # Seats number the boards of a pair: a single one left over is seat 1's.
        places = {number: places[seat] for number, seat in enumerate(quilts, start=1)}
        unclear = frozenset(number for number, seat in enumerate(quilts, start=1) if seat in unclear)
        all_evidence = {number: all_evidence[seat] for number, seat in enumerate(quilts, start=1)}
    readings = dict(zip(all_evidence, read_together(list(all_evidence.values())), strict=True))
    names = name_pieces(image, places, readings)
    return tuple(
        SeenQuilt(
            seat,
            places[seat],
            reading.likely,
            found.guessed,
            names[seat],
            reading.income,
            seat in unclear,
            reading.income_confidence,
            _is_legible(image, places[seat], reading.likely),
        )
        for seat, reading in readings.items()
    )


def _is_quilt(image: NDArray[np.uint8], place: Homography, evidence: QuiltEvidence) -> bool:
    """Return whether this is a quilt, rather than, say, a time board, of which most cells are doubtful.

    Without a patch, only the printed grid shows that it is one: a plain tile of another game has no doubtful cell, too.
    """
    likely = read_together([evidence])[0].likely
    if _doubts(likely) > _NO_QUILT:
        return False
    if (likely >= 0.5).any():
        return True
    fitted = fit_grid(image, place)
    return isinstance(fitted, GridFit) and fitted.support >= _LEAST_GRID


def _is_legible(image: NDArray[np.uint8], place: Homography, likely: NDArray[np.float64]) -> bool:
    """Return whether cells that look bare are bare: the lines between them are seen, or are faint in a good picture.

    Very blurred, hazy or overexposed patches look bare to the network, and surely so.
    """
    view = rectify(image, place)
    seen, all_between = lines_between(view, likely < 0.5)
    if all_between < _MANY_LINES or seen >= _LEAST_LINES * all_between:
        return True
    return edge_contrast(view) >= _LEAST_CONTRAST and overexposed_share(view) <= _MOST_OVEREXPOSED


def _doubts(likely: NDArray[np.float64]) -> int:
    """Return the number of cells whose reading is doubtful by itself."""
    return int(np.count_nonzero(np.maximum(likely, 1 - likely) < SURE))


# Freedom of the fit, because an outline locates the grid less exactly than a user does.
_FREEDOM: Final = 1.5
# The least rating of a board: in 20 pictures, boards had 0.5 and more; a time board, cloths and grids one line beside
# their place up to 0.44.
_LEAST_RATING: Final = 0.45
# The greatest ratio of the sides of a picture that may be a single quilt's.
_SQUARE: Final = 1.2
# Distance outside the picture, in its sides, up to which a corner is accepted: a board may be cut off at the edge.
_OUTSIDE: Final = 0.1


@dataclass(frozen=True, slots=True)
class FoundBoards:
    """The boards in a photograph.

    Attributes:
        places: by seat, the map from cell space to pixels of the photograph.
        guessed: true if places and seats were derived from the boards' appearance alone.
        unclear: the seats whose boards' places may be off by one grid line.
    """

    places: Mapping[int, Homography]
    guessed: bool
    unclear: frozenset[int] = frozenset()


def find_quilts(image: NDArray[np.uint8], corners: Sequence[ArrayLike] | None = None) -> FoundBoards:
    """Find one quilt or both.

    Args:
        image: the photograph, shape (height, width, 3), uint8, BGR.
        corners: as for `read_photo`; None to find the boards.

    Raises:
        PhotoError: no quilt is found, or corners lie outside the picture.
    """
    if corners is not None:
        return _by_corners(image, corners)
    matted = MatLocator(*load_mats()).locate(image)
    if matted:
        return FoundBoards({seat: fit_covered_grid(image, place)[0] for seat, place in matted.items()}, guessed=False)
    found = _by_looks(image)
    if not found:
        raise nothing_found()
    # Outlines and people's corners can be a whole grid line off: mats are nearer than that.
    right = dict(zip(SEATS, (put_right(image, place) for place in found), strict=False))
    unclear = frozenset(seat for seat, each in right.items() if not each.clear)
    return FoundBoards({seat: each.place for seat, each in right.items()}, guessed=True, unclear=unclear)


def _by_looks(image: NDArray[np.uint8]) -> Sequence[Homography]:
    """Find boards that look like quilts, seat 1's first; once one is found, the other is sought in its plane."""
    search = PlaceSearch(image, board_cells())
    places = [*search.places(), *_whole_picture(image)]
    rated = _rated(image, places)
    pair = separate_pair([place for _, place in rated])
    if len(pair) == 1:
        known = {id(place) for place in places}
        rated += _rated(image, [place for place in search.places(pair[0]) if id(place) not in known])
        pair = separate_pair([place for _, place in sorted(rated, key=lambda each: -each[0])])
    return in_order(pair)


def _rated(image: NDArray[np.uint8], places: Sequence[Homography]) -> list[tuple[float, Homography]]:
    """Return possible places of quilts, the surest first, rated by the position of lines and the certainty of edges."""
    rated = []
    for guess in places:
        place, support = fit_covered_grid(image, guess, _FREEDOM)
        if support >= _LEAST_RATING:
            look = look_at_quilt(quilt_view(image, place), ways=1)
            edges = np.concatenate([look.beside.reshape(-1, 4), look.below.reshape(-1, 4)])
            rated.append((support * float(np.exp(edges.max(axis=1)).mean()), place))
    return sorted((each for each in rated if each[0] >= _LEAST_RATING), key=lambda each: -each[0])


def _whole_picture(image: NDArray[np.uint8]) -> Sequence[Homography]:
    """Return the grid that fills a picture of a single quilt, if the picture is about square."""
    height, width = image.shape[:2]
    if max(height, width) > _SQUARE * min(height, width):
        return []
    return [through_corners(GRID_CORNERS, [[0, 0], [width, 0], [width, height], [0, height]])]


def _by_corners(image: NDArray[np.uint8], corners: Sequence[ArrayLike]) -> FoundBoards:
    height, width = image.shape[:2]
    points = np.asarray(corners, np.float64).reshape(-1, 2)
    outside = np.maximum(-points, points - [width, height])
    if (outside > [_OUTSIDE * width, _OUTSIDE * height]).any():
        raise PhotoError.said(
            "the corners lie outside the picture, which is {width} x {height} pixels", width=width, height=height
        )
    shown = {
        seat: fit_shown_grid(image, through_corners(GRID_CORNERS, quad))
        for seat, quad in zip(SEATS, corners, strict=False)
    }
    right = {seat: put_right(image, place) for seat, place in shown.items()}
    # In a blurred picture no place is clear, and people know better.
    places = {seat: each.place if each.clear else shown[seat] for seat, each in right.items()}
    return FoundBoards(places, guessed=False, unclear=frozenset(seat for seat, each in right.items() if not each.clear))


def nothing_found() -> NoBoardError:
    """Return the error of a picture without a quilt board."""
    return NoBoardError.said(
        "no quilt board is found in the picture: take it from above with the whole board in view, or give {option}",
        option="--corners",
    )


# Cell size to which sharper pictures are reduced before they are rectified: fine threads would become noise.
_CELL_PX: Final = 40.0
_BESIDE: Final = tuple(translation(x, y) for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)))
# The number of rounds of fitting: a place one line beside a fitted grid needs few.
_ROUNDS: Final = 2
_MOVES: Final = 3
# The lead in certainty from which a neighbouring place is the board's. Of 44 quilts one was located one line off, and
# was more certain at its true place by 0.12; none of the others was so beside its place by more than 0.005.
_SURER: Final = 0.03
# The lead over neighbouring places from which a board's place is certain; 34 of the other 43 quilts have it.
_PLAINLY: Final = 0.02
# The least share of the grid's segments of an empty board, and its lead over the places beside. Four real empty boards
# had 1.00 and led by 0.06; beside them, in pictures cropped there, it was 0.94 at most, and behind.
_ALL_LINES: Final = 0.97
_ONE_LINE: Final = 0.04
# Weight of the likeliest tiling's log weight, relative to the certainty of edges, in ambiguous cases.
_PER_TILING: Final = 1 / 500


@dataclass(frozen=True, slots=True, eq=False)
class RightPlace:
    """The place of a board, and whether it certainly lies there rather than one line beside."""

    place: Homography
    clear: bool


def put_right(image: NDArray[np.uint8], place: Homography) -> RightPlace:
    """Correct a grid, mapped from cell space to the photograph, that may lie one line or two beside its place."""
    for _ in range(_MOVES):
        look = look_at_quilt(quilt_view(image, place), ways=1)
        around = [fit_covered_grid(image, place.after(shift), _FREEDOM, _ROUNDS) for shift in _BESIDE]
        beside = [look_at_quilt(quilt_view(image, each), ways=1) for each, _ in around]
        sureness = [_sureness(each) for each in beside]
        lead = _sureness(look) - max(sureness)
        if lead > -_SURER:
            is_bare = _shows_all_lines(image, place, max(support for _, support in around))
            return RightPlace(place, lead > _PLAINLY or is_bare or _is_laid_here(image, place, look, beside))
        place = around[int(np.argmax(sureness))][0]
    return RightPlace(place, clear=False)


def _shows_all_lines(image: NDArray[np.uint8], place: Homography, beside: float) -> bool:
    """Return whether an empty board lies here: all its lines are seen, and from the places beside one is missing."""
    support = fit_covered_grid(image, place, _FREEDOM, _ROUNDS)[1]
    return support >= _ALL_LINES and support - beside >= _ONE_LINE


def _sureness(look: QuiltLook) -> float:
    """Return the network's certainty of the edges, plus that of the rim's edges: mean probabilities, 0..2."""
    edges = np.concatenate([look.beside.reshape(-1, 4), look.below.reshape(-1, 4)])
    rim = np.concatenate([look.beside[:, 0], look.beside[:, -1], look.below[0], look.below[-1]])
    return sum(float(np.exp(each.max(axis=1)).mean()) for each in (edges, rim))


def _is_laid_here(image: NDArray[np.uint8], place: Homography, look: QuiltLook, beside: Sequence[QuiltLook]) -> bool:
    """Return whether the box's pieces leave no doubt that a board lies at a place, and at none of those beside it."""
    evidence = QuiltEvidence(look, best_tilings(looks_of(look)))
    here = _explained(evidence)
    rivals = [number for number, each in enumerate(beside) if _rivals(each, here)]
    shown = cells_in_frame(place, image.shape[1], image.shape[0])[1:-1, 1:-1]
    pieces = read_together([evidence])[0].pieces
    sure = [np.array(piece.cells) for piece in pieces if piece.confidence >= SURE]
    within = [cells for cells in sure if shown[tuple(cells.T)].all()]
    return all(any(_overhangs(cells, _BESIDE[number]) for cells in within) for number in rivals)


def _rivals(look: QuiltLook, here: float) -> bool:
    """Return whether the pieces seen at a place beside explain it about as well as `here`, or better."""
    looks = looks_of(look)
    # For most places beside, no tiling could.
    if here - _sureness(look) - _PER_TILING * most_weight(looks) > _PLAINLY:
        return False
    return here - _explained(QuiltEvidence(look, best_tilings(looks))) <= _PLAINLY


def _overhangs(cells: NDArray[np.intp], shift: Homography) -> bool:
    """Return whether a piece with these cells, (row, column), would lie across the edge of a grid shifted by a line."""
    inside = ((shift.inverse(cells[:, ::-1] + 0.5) > 0) & (shift.inverse(cells[:, ::-1] + 0.5) < SIDE)).all(axis=1)
    return bool(inside.any() and not inside.all())


def _explained(evidence: QuiltEvidence) -> float:
    return _sureness(evidence.look) + _PER_TILING * float(evidence.tilings.log_weights[0])


def quilt_view(image: NDArray[np.uint8], place: Homography) -> NDArray[np.uint8]:
    """Return the rectified view of a quilt (`vision.geometry`); sharper pictures are reduced first."""
    edges_px = np.roll(place(GRID_CORNERS), -1, axis=0) - place(GRID_CORNERS)
    scale = min(1.0, _CELL_PX * SIDE / float(np.hypot(*edges_px.T).mean()))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    # Whole pixels' centres move by half a pixel more than their edges do.
    shrink = Homography(np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1.0]]))
    return rectify(np.asarray(small, np.uint8), shrink.after(place))

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.mat import load_mat
from calibration.printing import CELL_MM, LARGE_PAPERS, game_pdf, mats_pdf
from calibration.printing.game import (
    BUTTONS,
    MARGIN_MM,
    TIME_CELLS,
    CutOut,
    draw_guide,
    draw_time_board,
    draw_token,
    lay_out,
    parts_of,
    time_board_mm,
    token_cells,
)
from calibration.printing.page import PdfSheet
from calibration.printing.patches import draw_patch, outline
from companion.games.patchwork.components import PATCHES, TIME_TRACKS, Edition, Patch
from companion.languages import ENGLISH, LANGUAGES
from vision.fiducials import FiducialDetector
from vision.geometry import SIDE, through_corners
from vision.pieces.tag import places_on, read_tag
from vision.timeboard.board import load_layout
from vision.tokens.kinds import Likeness, known_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

Printed: TypeAlias = Any
"""A printed page, see `Printed` of conftest."""
TWINS = (("corner-b1", "corner-b3"), ("hook-t2", "hook-t6"), ("zig-b3", "zig-b7"))
AT_MM = 20.0


def _area(outline: Sequence[tuple[float, float]]) -> float:
    """Return the signed area: above 0 for an outline that runs clockwise where y points down."""
    x, y = np.array(outline).T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_an_outline_encloses_the_cells(patch: Patch) -> None:
    assert _area(outline(patch.cells)) == len(patch.cells)


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
def test_an_inset_takes_a_rim_off(patch: Patch) -> None:
    inset, loop = 0.2, outline(patch.cells)
    rim = sum(abs(x - x2) + abs(y - y2) for (x, y), (x2, y2) in zip(loop, loop[1:] + loop[:1], strict=True))
    # Each outer corner loses a square twice, each inner one gains it.
    turns = sum(np.sign(_turn(loop, index)) for index in range(len(loop)))

    assert _area(outline(patch.cells, inset)) == pytest.approx(len(patch.cells) - rim * inset + turns * inset**2)


def _turn(loop: Sequence[tuple[float, float]], index: int) -> float:
    before, here, after = (np.array(loop[(index + step) % len(loop)]) for step in (-1, 0, 1))
    one, other = here - before, after - here
    return float(one[0] * other[1] - one[1] * other[0])


@pytest.mark.parametrize(("paper", "cell_mm", "pages"), [("a4", 25.0, 12), ("a3", 15.0, 5)])
def test_the_set_has_so_many_pages(
    printed: Callable[..., Sequence[Printed]], paper: str, cell_mm: float, pages: int
) -> None:
    found = printed(game_pdf(LARGE_PAPERS[paper], cell_mm, ENGLISH, Edition.REVISED, ""), dpi=20)

    assert len(found) == pages
    for page in found:
        np.testing.assert_allclose(page.size_mm, LARGE_PAPERS[paper], atol=0.1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_has_a_ruler_and_the_cells_size(
    printed: Callable[..., Sequence[Printed]], language: str
) -> None:
    sheet = PdfSheet(LARGE_PAPERS["a4"], "")
    draw_guide(sheet, 17.5, LANGUAGES[language], Edition.REVISED, "")
    [page] = printed(sheet.pdf(), dpi=100)

    dark = (page.picture < 190)[(page.y_mm > 255) & (page.y_mm < 259)]
    longest = max(int(line.sum()) for line in dark)
    assert longest / page.px_per_mm[0] == pytest.approx(100, abs=1)


@pytest.mark.parametrize("cell_mm", [CELL_MM[0] - 0.1, CELL_MM[1] + 0.1])
def test_cells_that_cannot_be_cut_are_refused(cell_mm: float) -> None:
    with pytest.raises(ValueError, match="cells"):
        game_pdf(LARGE_PAPERS["a4"], cell_mm, ENGLISH, Edition.REVISED, "")


@given(st.lists(st.tuples(st.floats(5, 190), st.floats(5, 270)), min_size=1, max_size=40))
def test_pieces_lie_on_the_paper_and_apart(sizes: list[tuple[float, float]]) -> None:
    page, lying = [0], []

    class Page(PdfSheet):
        def end_page(self) -> None:
            page[0] += 1

    def place(size: tuple[float, float]) -> CutOut:
        return CutOut(size, lambda _, corner: lying.append((page[0], *corner, *size)))

    lay_out(Page(LARGE_PAPERS["a4"], ""), map(place, sizes))

    assert len(lying) == len(sizes)
    for index, (number, x, y, wide, high) in enumerate(lying):
        assert min(x, y) >= MARGIN_MM
        assert x + wide <= 210 - MARGIN_MM + 1e-9
        assert y + high <= 297 - MARGIN_MM + 1e-9
        for other, x2, y2, wide2, high2 in lying[:index]:
            assert number != other or x >= x2 + wide2 or x2 >= x + wide or y >= y2 + high2 or y2 >= y + high


@given(st.floats(100, 600), st.sampled_from(sorted(LARGE_PAPERS)))
def test_the_parts_of_a_board_cover_it(size_mm: float, paper: str) -> None:
    room = LARGE_PAPERS[paper]
    parts = parts_of(size_mm, room)

    for count, side in zip(parts, room, strict=True):
        assert size_mm <= side or count * (side - 2 * MARGIN_MM) - (count - 1) * 10 >= size_mm - 1e-6


@pytest.mark.parametrize(("name", "other"), TWINS)
def test_labels_tell_twins_apart(name: str, other: str) -> None:
    for mine, instead in ((name, other), (other, name)):
        read = _label(mine)
        own, wrong = (read[PATCHES[each].buttons, PATCHES[each].time - 1] for each in (mine, instead))
        assert own > wrong + 2


def _label(name: str) -> NDArray[np.float64]:
    """Return what the label reader reads of a patch's printed label, rendered at 25 pixels a cell."""
    sheet = PdfSheet((AT_MM * 6, AT_MM * 6), "")
    draw_patch(sheet, (AT_MM, AT_MM), PATCHES[name], AT_MM)
    sheet.end_page()
    document = pypdfium2.PdfDocument(sheet.pdf())
    picture = np.ascontiguousarray(document[0].render(scale=25.4 / 72 * 25 / AT_MM).to_numpy()[..., :3])
    document.close()
    side = picture.shape[0]
    cells_to_image = through_corners([[-1, -1], [5, -1], [5, 5], [-1, 5]], [[0, 0], [side, 0], [side, side], [0, side]])
    return np.asarray(read_tag(picture, cells_to_image, places_on(PATCHES[name].cells)))


def test_the_time_board_has_a_button_before_each_space_that_pays_the_centre_as_well() -> None:
    side, scale = time_board_mm(20.0), 3.0
    sheet = PdfSheet((side, side), "")
    draw_time_board(sheet, (0.0, 0.0), Edition.ORIGINAL, 20.0)
    document = pypdfium2.PdfDocument(sheet.pdf())
    # (height, width, 3), BGR.
    picture = document[0].render(scale=scale * 25.4 / 72).to_numpy()[..., :3].astype(int)
    document.close()
    is_blue = (picture[..., 0] - picture[..., 2] > 60).astype(np.uint8)
    count, _, _, centres = cv2.connectedComponentsWithStats(is_blue)
    edge_mm = TIME_CELLS * 20.0
    found = (centres[1:] / scale - (side - edge_mm) / 2) / edge_mm * SIDE
    marks = load_layout("square").marks(TIME_TRACKS[Edition.ORIGINAL].income)

    assert count - 1 == len(marks) == 9
    apart = np.linalg.norm(found[:, None] - marks[None], axis=2)
    assert apart.min(axis=0).max() < 0.05


@pytest.mark.parametrize("edition", ["original", "revised"])
def test_no_leather_patch_covers_the_number_of_a_space(edition: Edition) -> None:
    side = time_board_mm(20.0)
    sheet = PdfSheet((side, side), "")
    draw_time_board(sheet, (0.0, 0.0), edition, 20.0)
    document = pypdfium2.PdfDocument(sheet.pdf())
    text = document[0].get_textpage()
    picture = np.asarray(document[0].render(scale=3, grayscale=True).to_numpy()).squeeze()
    height = picture.shape[0]
    bright = []
    for index in (each for each in range(text.count_chars()) if text.get_text_range(each, 1).isdigit()):
        left, bottom, right, top = (round(3 * each) for each in text.get_charbox(index, loose=True))
        bright.append(float(np.mean(picture[height - top : height - bottom, left:right] > 200)))
    numbers = text.get_text_range().split()
    document.close()

    assert sorted(map(int, numbers)) == list(range(1, 53))
    assert min(bright) > 0.5


@pytest.mark.parametrize(("cell_mm", "paper"), [(15.0, "a4"), (25.0, "a3")])
def test_mats_follow_the_cells_and_their_rulers_do_not(
    printed: Callable[..., Sequence[Printed]], cell_mm: float, paper: str
) -> None:
    mat = load_mat()
    scale = cell_mm / mat.cell_mm
    [first, _] = printed(mats_pdf(mat, paper, LARGE_PAPERS[paper], cell_mm))
    found = FiducialDetector(mat.dictionary).detect(first.picture)

    offset = (np.array(LARGE_PAPERS[paper]) - np.array(mat.page_mm) * scale) / 2
    for index, number in enumerate(mat.seats[1]):
        np.testing.assert_allclose(first.mm(found[number]), offset + mat.marker_corners_mm(index) * scale, atol=0.15)


def test_mats_larger_than_the_paper_are_refused() -> None:
    with pytest.raises(ValueError, match="mats of 261 x 369 mm"):
        mats_pdf(load_mat(), "A4", LARGE_PAPERS["a4"], 25.0)


@pytest.mark.parametrize("value", BUTTONS)
def test_a_token_has_the_size_and_the_colour_by_which_the_camera_counts_it(value: int) -> None:
    sheet, radius = PdfSheet((AT_MM * 2, AT_MM * 2), ""), token_cells(value) / 2
    draw_token(sheet, value, (AT_MM, AT_MM), AT_MM)
    sheet.end_page()
    document = pypdfium2.PdfDocument(sheet.pdf())
    picture = np.ascontiguousarray(document[0].render(scale=6).to_numpy()[..., :3])
    document.close()
    half = picture.shape[0] // 2
    # Between its rim and the ring around the number.
    face = picture[half, half + round(half * radius * 0.74)]
    light, a, b = cv2.cvtColor(face[None, None].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[0, 0].tolist()
    fitting = [kind.value for kind in known_kinds() if kind.fits(Likeness(radius, (light, a, b)))]
    assert fitting == [value]

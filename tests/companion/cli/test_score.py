"""`companion score` on photographs of the simulated table."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import cv2
import numpy as np
import pytest

from companion.patchwork.photograph.photo import read_photo
from hardware.simulated.conditions import Conditions
from hardware.simulated.scene.table import SimulatedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.calibrating.configured import Quad
    from companion.patchwork.photograph.hands import SeenHand
    from companion.patchwork.photograph.photo import SeenQuilt
    from tests.companion.cli.conftest import Run
    from vision.geometry import Homography

Answer = TypeVar("Answer")

LAID = (
    ("square", ((0, 0), (0, 1), (1, 0), (1, 1))),
    ("bar5", ((8, 0), (8, 1), (8, 2), (8, 3), (8, 4))),
    ("bar3", ((3, 4), (4, 4), (5, 4))),
    ("leather", ((0, 8),)),
)
COUNTED = ("--buttons", "9,9")
"""Options that give the buttons in hand, so that they are not searched for in the photograph."""
OTHERS = (("bar4", ((2, 2), (2, 3), (2, 4), (2, 5))), ("domino", ((6, 6), (6, 7))))


@dataclass(frozen=True)
class Photographed:
    """A photograph and its ground truth."""

    path: Path
    quilts: tuple[tuple[str, ...], tuple[str, ...]]
    corners: Path


@pytest.fixture(scope="module")
def kept() -> dict[object, Any]:
    """A cache of results by command line."""
    return {}


@pytest.fixture(autouse=True)
def _read_once(monkeypatch: pytest.MonkeyPatch, kept: dict[object, Any]) -> None:
    """Cache readings: the commands here read the same photographs repeatedly; and see no tokens, which takes long."""

    def quilts(image: NDArray[np.uint8], corners: tuple[Quad, ...] | None) -> tuple[SeenQuilt, ...]:
        return answered((image.tobytes(), repr(corners)), lambda: read_photo(image, corners))

    def hands(image: NDArray[np.uint8], places: Mapping[int, Homography]) -> Mapping[int, SeenHand]:
        assert list(places) == [1, 2]
        assert all((place([[4.5, 4.5]]) > 0).all() for place in places.values())
        assert all((place([[4.5, 4.5]]) < image.shape[1::-1]).all() for place in places.values())
        return {}

    def answered(asked: object, read: Callable[[], Answer]) -> Answer:
        if asked not in kept:
            kept[asked] = read()
        answer: Answer = kept[asked]
        return answer

    monkeypatch.setattr("companion.patchwork.photograph.sheet.read_photo", quilts)
    monkeypatch.setattr("companion.patchwork.photograph.sheet.read_hands", hands)


def _photograph(table: SimulatedTable, folder: Path) -> Photographed:
    path, corners = folder / "finished.jpg", folder / "finished.corners.toml"
    assert cv2.imwrite(str(path), table.frame(0.0))
    corners.write_text(f"corners = {[np.round(quad, 1).tolist() for quad in table.grid_corners_px()]}\n")
    return Photographed(path, table.quilts(), corners)


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    table = SimulatedTable(5, Conditions(ground_seed=2, creep_mm=0.5), mats=False)
    for seat, pieces in ((1, LAID), (2, OTHERS)):
        for name, cells in pieces:
            table.lay(seat, name, cells)
    return table


@pytest.fixture(scope="module")
def matted(table: SimulatedTable, tmp_path_factory: pytest.TempPathFactory) -> Photographed:
    table.mats = True
    return _photograph(table, tmp_path_factory.mktemp("mats"))


@pytest.fixture(scope="module")
def bare(table: SimulatedTable, tmp_path_factory: pytest.TempPathFactory) -> Photographed:
    table.mats = False
    return _photograph(table, tmp_path_factory.mktemp("bare"))


def _wrong(found: Sequence[str], true: Sequence[str]) -> set[str]:
    return {
        f"{'ABCDEFGHI'[column]}{row + 1}"
        for row in range(9)
        for column in range(9)
        if found[row][column] != true[row][column]
    }


def _judge(out: str, photo: Photographed) -> None:
    """Assert that nearly all cells are right, that wrong ones are doubted, and that few others are."""
    for seat, true in zip(json.loads(out)["seats"], photo.quilts, strict=True):
        wrong = _wrong(seat["quilt"], true)
        assert len(wrong) <= 1
        assert wrong <= set(seat["doubtful"])
        assert len(seat["doubtful"]) <= 16
        assert seat["empty"] == sum(row.count(".") for row in seat["quilt"])


def test_quilts_on_mats(run: Run, matted: Photographed) -> None:
    status, out, err = run("score", matted.path, "--json", "--buttons", "14,18")
    assert (status, err, out.count("\n")) == (0, "", 1)
    _judge(out, matted)
    for seat, buttons in zip(json.loads(out)["seats"], (14, 18), strict=True):
        assert seat["score"] == buttons - 2 * seat["empty"]


def test_quilts_by_corners(run: Run, bare: Photographed) -> None:
    status, out, err = run("score", bare.path, "--json", "--corners", bare.corners, *COUNTED)
    assert (status, err) == (0, "")
    _judge(out, bare)


def test_a_photograph_of_more_pixels_than_the_memory_is_for_is_read_at_a_half_of_its_size(
    run: Run, bare: Photographed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = cv2.imread(str(bare.path))
    assert image is not None
    monkeypatch.setattr("companion.patchwork.terminal.score.most_read_px", lambda: image.shape[0] * image.shape[1])
    large, corners = tmp_path / "large.png", tmp_path / "large.toml"
    assert cv2.imwrite(str(large), cv2.resize(image, None, fx=2, fy=2))
    corners.write_text(f"corners = {(2 * np.array(json.loads(bare.corners.read_text().split('=')[1]))).tolist()}\n")
    status, out, err = run("score", large, "--json", "--corners", corners, *COUNTED)
    assert (status, err) == (0, "")
    _judge(out, bare)


def test_in_a_picture_too_small_to_be_read_all_squares_are_to_be_checked_and_nobody_wins(
    run: Run, bare: Photographed, tmp_path: Path
) -> None:
    image, scale = cv2.imread(str(bare.path)), 0.06
    assert image is not None
    small, corners = tmp_path / "small.png", tmp_path / "small.toml"
    assert cv2.imwrite(str(small), cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    corners.write_text(f"corners = {(scale * np.array(json.loads(bare.corners.read_text().split('=')[1]))).tolist()}\n")
    status, out, err = run("score", small, "--corners", corners, *COUNTED)
    assert (status, err) == (0, "")
    assert out.count("check every square") == 2
    assert "Please check" not in out
    assert "is ahead" in out
    assert "wins" not in out
    _, out, _ = run("score", small, "--corners", corners, "--json", *COUNTED)
    one, other = (seat["empty"] for seat in json.loads(out)["seats"])
    _, out, _ = run("score", small, "--corners", corners, "--buttons", f"{2 * one},{2 * other}")
    assert "A tie" not in out


@pytest.mark.parametrize(("fault", "unseen"), [("blurred", {1, 2}), ("overexposed", {1})])
def test_patches_that_look_bare_in_a_bad_picture_are_not_surely_bare(
    run: Run, matted: Photographed, tmp_path: Path, fault: str, unseen: set[int]
) -> None:
    """Seat 2's board is so dark that it is read rightly also in the overexposed picture."""
    image, bad = cv2.imread(str(matted.path)), tmp_path / "bad.png"
    assert image is not None
    worse = cv2.GaussianBlur(image, (0, 0), 14.0) if fault == "blurred" else np.clip(4.0 * image, 0, 255)
    assert cv2.imwrite(str(bad), worse.astype(np.uint8))
    status, out, err = run("score", bad, "--json", "--corners", matted.corners, *COUNTED)
    assert (status, err) == (0, "")
    seats = {seat["seat"]: seat for seat in json.loads(out)["seats"]}
    assert {number for number, seat in seats.items() if len(seat["doubtful"]) == 81} == unseen
    assert {number for number, seat in seats.items() if _wrong(seat["quilt"], matted.quilts[number - 1])} == unseen
    assert sum("check every square" in note for note in json.loads(out)["notes"]) == len(unseen)


def test_quilts_by_themselves(run: Run, bare: Photographed) -> None:
    """Without mats, boards are read as oriented in the picture; here they are upright or upside down."""
    status, out, err = run("score", bare.path, "--json", *COUNTED)
    assert (status, err) == (0, "")
    found = sorted(sum(row.count(".") for row in seat["quilt"]) for seat in json.loads(out)["seats"])
    true = sorted(sum(row.count(".") for row in quilt) for quilt in bare.quilts)
    assert np.abs(np.subtract(found, true)).max() <= 2
    assert "by their outlines alone" in json.loads(out)["notes"][0]


def test_a_time_board_is_no_quilt(run: Run, bare: Photographed, tmp_path: Path) -> None:
    """Neither beside two quilts nor beside one, where it could pass for the other."""
    status, out, _ = run("score", bare.path, *COUNTED, "--json")
    assert status == 0
    ways = _ways(bare.quilts)
    assert [seat["quilt"] in ways for seat in json.loads(out)["seats"]] == [True, True]
    image = cv2.imread(str(bare.path))
    assert image is not None
    corners = np.array(json.loads(bare.corners.read_text().split("=")[1])[0])
    middle = np.mean(corners, axis=0)
    cv2.fillPoly(image, [np.rint(middle + 1.2 * (corners - middle)).astype(np.int32)], (90, 110, 120))
    path = tmp_path / "one-quilt.png"
    cv2.imwrite(str(path), image)
    status, out, _ = run("score", path, *COUNTED, "--json")
    assert status == 0
    assert [each["quilt"] in ways[4:] for each in json.loads(out)["seats"]] == [True]
    assert "Only one quilt is seen" in json.loads(out)["notes"][0]


def _ways(quilts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return each quilt as seen from each side of the table."""
    cells = [np.array([list(row) for row in quilt]) for quilt in quilts]
    return [["".join(row) for row in np.rot90(each, turn)] for each in cells for turn in range(4)]


def test_the_sheet_for_people_and_the_picture_with_verdicts(run: Run, matted: Photographed, tmp_path: Path) -> None:
    shown = tmp_path / "out.png"
    status, out, _ = run("score", matted.path, "--show", shown)
    assert status == 0
    picture = cv2.imread(str(shown))
    assert picture is not None
    assert picture.shape[1] == 1600
    assert "Seat 1" in out.splitlines()[0]
    assert "Seat 2" in out.splitlines()[0]
    assert "A B C D E F G H I" in out
    assert "Buttons are not counted" in out
    (totals,) = [line for line in out.splitlines() if line.startswith("score")]
    assert totals.count("+ buttons") == 2, "what lacks the buttons does not look like a total"
    assert "wins" not in out


def test_the_winner_is_named_once_the_buttons_are_known(
    run: Run, matted: Photographed, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, _ = run("score", matted.path, "--buttons", "30,9")
    assert status == 0
    assert "+ buttons" not in out
    assert "Seat 1 wins, " in out
    # At a terminal they are asked for; what is no number is asked again.
    typed = io.StringIO("x\n3\n40\n")
    monkeypatch.setattr(typed, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", typed)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    status, out, _ = run("score", matted.path)
    assert out.count("Seat 1’s buttons in hand (Enter if unknown):") == 2
    assert "Seat 2 wins, " in out


def test_quilts_without_patches_are_no_finished_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "begun.png"
    cv2.imwrite(str(path), SimulatedTable(3, Conditions()).frame(0.0))
    status, out, err = run("score", path, *COUNTED)
    assert (status, out) == (2, "")
    assert "no patch lies on the quilts" in err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--buttons", "14"), "--buttons 14"),
        (("--buttons", ""), "--buttons"),
        (("--buttons", "a,b"), "--buttons a,b"),
        (("--buttons", "1,2,3"), "--buttons 1,2,3"),
        (("--buttons=-1,2",), "--buttons -1,2"),
        (("--buttons", "1,9999999999"), "nobody has more"),
        (("--bonus", "3"), "--bonus 3"),
        (("--corners", "none.toml"), "none.toml"),
        (("--show", "no/such/folder/out.png"), "--show"),
        (("--show", "out.nonsense"), "out.nonsense"),
    ],
)
def test_bad_options_get_one_line(run: Run, matted: Photographed, options: tuple[str, ...], says: str) -> None:
    status, out, err = run("score", matted.path, *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_the_photograph_is_never_written_over(run: Run, matted: Photographed) -> None:
    before = matted.path.read_bytes()
    status, _, err = run("score", matted.path, "--show", matted.path)
    assert status == 2
    assert "the photograph itself" in err
    assert matted.path.read_bytes() == before


def test_a_missing_picture(run: Run, tmp_path: Path) -> None:
    status, _, err = run("score", tmp_path / "none.jpg")
    assert (status, err.count("\n")) == (2, 1)
    assert "none.jpg: cannot be read" in err


@pytest.mark.parametrize("content", [b"", b"no picture at all", b"\xff\xd8\xff\xe0broken"])
def test_a_file_that_is_no_picture_is_refused(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(content)
    status, _, err = run("score", path)
    assert (status, err.count("\n")) == (2, 1)
    assert "photo.jpg: is not a readable picture" in err


def test_an_empty_table(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((300, 400, 3), 90, np.uint8))
    status, _, err = run("score", path)
    assert (status, err.count("\n")) == (2, 1)
    assert "no quilt board is found" in err


def test_the_patches_and_their_income(run: Run, matted: Photographed) -> None:
    _, out, _ = run("score", matted.path, "--json")
    for seat, pieces in zip(json.loads(out)["seats"], (LAID, OTHERS), strict=True):
        read = {(each["patch"], tuple(each["cells"])) for each in seat["patches"]}
        assert read == {
            (name, tuple(f"{'ABCDEFGHI'[column]}{row + 1}" for row, column in cells)) for name, cells in pieces
        }
    assert [seat["income"] for seat in json.loads(out)["seats"]] == [3, 1]
    _, sheet, _ = run("score", matted.path)
    assert "income 3 from 3 patches" in sheet


def test_corners_of_one_quilt(run: Run, bare: Photographed, tmp_path: Path) -> None:
    corners = tmp_path / "one.toml"
    corners.write_text(f"corners = {json.loads(bare.corners.read_text().split('=')[1])[:1]}\n")
    status, out, err = run("score", bare.path, "--json", "--corners", corners, "--buttons", "14")
    assert (status, err) == (0, "")
    (seat,) = json.loads(out)["seats"]
    assert not _wrong(seat["quilt"], bare.quilts[0])
    assert (seat["seat"], seat["score"]) == (1, 14 - 2 * seat["empty"])
    status, sheet, _ = run("score", bare.path, "--corners", corners, "--buttons", "14")
    assert status == 0
    assert "Seat 2" not in sheet


def test_one_mat_alone(run: Run, matted: Photographed, tmp_path: Path) -> None:
    """The quilt on it is scored; of two given numbers of buttons, its own seat's counts."""
    image = cv2.imread(str(matted.path))
    assert image is not None
    places = json.loads(matted.corners.read_text().split("=")[1])
    middle = (np.mean(places[0], axis=0)[0] + np.mean(places[1], axis=0)[0]) / 2
    image[:, round(middle) :] = 90
    path = tmp_path / "half.png"
    cv2.imwrite(str(path), image)
    status, out, _ = run("score", path, "--json", "--buttons", "14,18")
    assert status == 0
    (seat,) = json.loads(out)["seats"]
    assert seat["buttons"] == (14, 18)[seat["seat"] - 1]
    assert not _wrong(seat["quilt"], matted.quilts[seat["seat"] - 1])
    assert "Only one quilt is seen" in json.loads(out)["notes"][0]


def test_corners_of_another_picture(run: Run, matted: Photographed, tmp_path: Path) -> None:
    far = tmp_path / "far.toml"
    quad = [[5000, 5000], [6000, 5000], [6000, 6000], [5000, 6000]]
    far.write_text(f"corners = {[quad, quad]}\n")
    status, _, err = run("score", matted.path, "--corners", far)
    assert (status, err.count("\n")) == (2, 1)
    assert "outside the picture" in err

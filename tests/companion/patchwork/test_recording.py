from __future__ import annotations

import json
import tomllib
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration.boards import FoundLocator, Seating, Side
from calibration.locator import CornerLocator, MatLocator
from companion.games.patchwork.components import PATCHES, Edition
from companion.games.patchwork.state import RuleProfile, Setup
from companion.patchwork.recording import RecordingHead, head_text, read_head
from companion.record import RecordError
from hardware.recorded.writer import HEADER_NAME

if TYPE_CHECKING:
    from pathlib import Path

OTHERS = [patch for patch in PATCHES if patch != "domino"]
HEAD = 'format = 1\ngame = "patchwork"\nrules = "official"\nplayers = ["Anna", "Boris"]\nfirst_seat = 1\n'
ONE: list[list[float]] = [[10, 20], [400.5, 22], [398, 390], [12, 388]]
OTHER = [[936, 336], [631, 331], [642, 73], [923, 79]]
in_a_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None)


def _read(folder: Path, text: str | bytes) -> RecordingHead:
    (folder / HEADER_NAME).write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_head(folder)


def _reason(folder: Path, text: str | bytes) -> str:
    """Return the reason why a text is refused: one line that begins with the file."""
    with pytest.raises(RecordError) as caught:
        _read(folder, text)
    assert "\n" not in caught.value.reason.strip()
    assert caught.value.path is not None
    assert caught.value.path.parent == folder
    return caught.value.reason


def test_mats_on_the_table(tmp_path: Path) -> None:
    head = _read(tmp_path, HEAD + "[calibration]\nfiducials = true\n")
    assert head.setup == Setup(players=("Anna", "Boris"))
    assert head.corners is None
    assert isinstance(head.locator(), MatLocator)


def test_corners_that_somebody_gave(tmp_path: Path) -> None:
    head = _read(tmp_path, HEAD + f"[calibration]\ncorners = {[ONE, OTHER]}\n")
    assert head.corners is not None
    assert np.array_equal(head.corners[0], ONE)
    locator = head.locator()
    assert isinstance(locator, CornerLocator)
    placed = locator.locate(np.zeros((4, 4, 3), np.uint8))
    assert np.allclose(placed[2]([[0, 0], [9, 0], [9, 9], [0, 9]]), OTHER)


@pytest.mark.parametrize(
    ("more", "seating"),
    [
        ("", Seating()),
        ('sides = ["left", "right"]\n', Seating((Side.LEFT, Side.RIGHT))),
        ('swap = true\nsides = ["far", "near"]\n', Seating((Side.FAR, Side.NEAR), swap=True)),
        ("swap = false\n", Seating()),
    ],
)
def test_boards_that_are_found_by_themselves(tmp_path: Path, more: str, seating: Seating) -> None:
    head = _read(tmp_path, HEAD + "[calibration]\nboards = true\n" + more)
    assert head.corners is None
    assert head.seating == seating
    assert isinstance(head.locator(), FoundLocator)
    assert _read(tmp_path, head_text(head.setup, seating=seating)).seating == seating


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("boards = false", "boards must be true, or give corners instead"),
        ("boards = true\nfiducials = true", "must have exactly one of fiducials, corners, file and boards"),
        ('boards = true\nsides = "near"', "sides must be two of near, far, left, right: where seat 1 and seat 2 sit"),
        ('boards = true\nsides = ["near", "above"]', "sides must be two of near, far, left, right"),
        ('boards = true\nsides = ["near", 3]', "sides must be two of"),
        ("boards = true\nswap = 1", "swap must be true or false"),
    ],
)
def test_boards_that_cannot_be_are_one_line(tmp_path: Path, lines: str, says: str) -> None:
    assert says in _reason(tmp_path, HEAD + f"[calibration]\n{lines}\n")


def test_corners_in_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "calibration.toml").write_text(f"corners = {[ONE, OTHER]}\n")
    head = _read(tmp_path, HEAD + '[calibration]\nfile = "calibration.toml"\n')
    assert head.corners is not None
    assert np.array_equal(head.corners[1], OTHER)


def test_a_mirrored_picture_s_corners_go_the_other_way_round(tmp_path: Path) -> None:
    assert _read(tmp_path, HEAD + f"[calibration]\ncorners = {[ONE[::-1], OTHER]}\n").corners is not None


def test_an_older_edition_and_a_circle_are_read(tmp_path: Path) -> None:
    market = [*OTHERS, "domino"]
    extra = f'edition = "revised"\nmarket = {json.dumps(market)}\nlater = "keys are passed over"\n'
    setup = _read(tmp_path, "\ufeff" + HEAD + extra + "[calibration]\nfiducials = true\nlens = 3\n").setup
    assert (setup.edition, setup.market) == (Edition.REVISED, tuple(market))


setups = st.builds(
    Setup,
    rules=st.sampled_from(RuleProfile),
    edition=st.sampled_from(Edition),
    players=st.tuples(*[st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip)] * 2),
    first_seat=st.sampled_from([1, 2]),
    market=st.none() | st.permutations(OTHERS).map(lambda patches: (*patches, "domino")),
)


@in_a_folder
@given(setup=setups, given=st.booleans(), offset=st.floats(-900, 900))
def test_a_written_head_is_read_back(tmp_path: Path, setup: Setup, given: bool, offset: float) -> None:
    corners = (np.array(ONE) + offset, np.array(OTHER) - offset) if given else None
    head = _read(tmp_path, head_text(setup, corners))
    assert head.setup == setup
    assert (head.corners is None) == (corners is None)
    for read, written in zip(head.corners or (), corners or (), strict=True):
        assert np.allclose(read, written, atol=0.006)


def test_the_text_is_what_the_format_asks_for() -> None:
    table = tomllib.loads(head_text(Setup(players=('A "quoted" \\ name', "Zoë"))))
    assert table == {
        "format": 1,
        "game": "patchwork",
        "rules": "official",
        "edition": "original",
        "players": ['A "quoted" \\ name', "Zoë"],
        "first_seat": 1,
        "calibration": {"fiducials": True},
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", '"format" must be 1'),
        ("format = 2", '"format" must be 1'),
        ("format = true", '"format" must be 1'),
        ("this is no toml", "is not TOML"),
        (b"\xff\xfe\x00", "is not TOML"),
        ("x = " + "[" * 4000, "nested too deeply"),
        ("x = " + "9" * 5000, "is not TOML"),
        (HEAD, "[calibration] must have exactly one of fiducials, corners, file and boards"),
        (HEAD + "calibration = 7", "[calibration] must have exactly one"),
        (HEAD + "[calibration]", "[calibration] must have exactly one"),
        (HEAD + '[calibration]\nfiducials = true\nfile = "c.toml"', "[calibration] must have exactly one"),
        (HEAD + "[calibration]\nfiducials = false", "fiducials must be true, or give corners instead"),
        (HEAD + "[calibration]\nfiducials = 1", "fiducials must be true, or give corners instead"),
        (HEAD + "[calibration]\nfile = 3", "file must be the name of a file"),
        (HEAD + '[calibration]\nfile = "none.toml"', "cannot be read: No such file"),
        (HEAD + '[calibration]\nfile = "recording.toml"', "corners must be four [x, y] points"),
        (HEAD + '[calibration]\nfile = "a\\u0000b"', "null byte"),
        (HEAD.replace("official", "unofficial") + "[calibration]\nfiducials = true", '"rules" must be'),
        (HEAD.replace("first_seat = 1", "first_seat = 3") + "[calibration]\nfiducials = true", "first_seat must be"),
        (HEAD + "market = 7\n[calibration]\nfiducials = true", '"market" must be a list of texts'),
    ],
)
def test_a_head_that_cannot_be_used_is_one_line_that_names_the_key(
    tmp_path: Path, text: str | bytes, says: str
) -> None:
    assert says in _reason(tmp_path, text)


@pytest.mark.parametrize(
    "corners",
    [
        "7",
        "[]",
        "[[1, 2], [3, 4]]",
        f"[{ONE}]",
        f"[{ONE}, {ONE}, {ONE}]",
        f"[{ONE}, {ONE[:3]}]",
        f"[{ONE}, [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 1, 1]]]",
        f'[{ONE}, [["1", "2"], ["9", "2"], ["9", "9"], ["1", "9"]]]',
        f"[{ONE}, [[false, false], [true, false], [true, true], [false, true]]]",
        f"[{ONE}, [[nan, 0], [400, 0], [400, 400], [0, 400]]]",
        f"[{ONE}, [[0, 0], [inf, 0], [400, 400], [0, 400]]]",
        f"[{ONE}, [[0, 0], [{10**400}, 0], [400, 400], [0, 400]]]",
        f"[{ONE}, [[0, 0], [1e7, 0], [400, 400], [0, 400]]]",
        f"[{ONE}, [[0, 0], [2026-01-02, 0], [400, 400], [0, 400]]]",
        f"[{ONE}, [[0, 0], [{{}}, 0], [400, 400], [0, 400]]]",
    ],
)
def test_corners_that_are_no_corners_are_one_line(tmp_path: Path, corners: str) -> None:
    says = "corners must be four [x, y] points in pixels for each grid: A1, I1, I9, A9"
    assert _reason(tmp_path, HEAD + f"[calibration]\ncorners = {corners}\n") == says


@pytest.mark.parametrize(
    "quad",
    [
        [[0, 0], [400, 400], [400, 0], [0, 400]],
        [[7, 7]] * 4,
        [[0, 0], [100, 0], [200, 0], [300, 0]],
        [[0, 0], [400, 0], [100, 100], [0, 400]],
        [[0, 0], [8, 0], [8, 8], [0, 8]],
    ],
)
def test_corners_that_go_across_the_grid_are_one_line(tmp_path: Path, quad: list[list[int]]) -> None:
    assert "must go around each grid" in _reason(tmp_path, HEAD + f"[calibration]\ncorners = {[ONE, quad]}\n")


def test_a_missing_head_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"recording\.toml: cannot be read: No such file"):
        read_head(tmp_path)
    (tmp_path / HEADER_NAME).mkdir()
    with pytest.raises(RecordError, match="cannot be read: Is a directory"):
        read_head(tmp_path)


plain = st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["official", "patchwork"])
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=5), max_leaves=20)
CALIBRATION_KEYS = ["fiducials", "corners", "file", "boards", "sides", "swap"]
KEYS = ["format", "game", "rules", "edition", "players", "first_seat", "market"]


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value)


@in_a_folder
@given(
    changes=st.dictionaries(st.sampled_from(KEYS), values, max_size=3),
    calibration=st.dictionaries(st.sampled_from(CALIBRATION_KEYS), values, max_size=3),
)
def test_whatever_the_keys_say_it_is_used_or_refused(
    tmp_path: Path, changes: dict[str, object], calibration: dict[str, object]
) -> None:
    lines = tomllib.loads(HEAD) | changes
    text = "".join(f"{key} = {_toml(value)}\n" for key, value in lines.items()) + "[calibration]\n"
    text += "".join(f"{key} = {_toml(value)}\n" for key, value in calibration.items())
    with suppress(RecordError):
        assert _read(tmp_path, text).locator() is not None


@in_a_folder
@given(content=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: (HEAD + text).encode("utf-8", "replace")))
def test_whatever_the_bytes_are_they_are_used_or_refused(tmp_path: Path, content: bytes) -> None:
    with suppress(RecordError):
        _read(tmp_path, content)

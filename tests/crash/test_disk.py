from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from tests.crash.announced import LostError, announced
from tests.crash.disk import Disk, Kind, Step, damage, flip, printed, steps_in

ROOT = Path("/data")
LOG, NEW, OLD = "/data/game.log", "/data/.game.tmp", "/data/game.toml"


def left(tmp_path: Path, *steps: Step, before: dict[str, bytes] | None = None, tries: int = 60) -> set[tuple[str, ...]]:
    """Return the states that power cuts after these steps leave, each as texts of file names and contents."""
    found = set()
    for seed in range(tries):
        image, folder = tmp_path / f"image {seed}", tmp_path / f"left {seed}"
        image.mkdir()
        folder.mkdir()
        for name, content in (before or {}).items():
            (image / name).write_bytes(content)
        disk = Disk(ROOT)
        disk.begin(image)
        for step in steps:
            disk.take(step)
        disk.cut(random.Random(seed), folder)
        found.add(tuple(f"{path.name}={path.read_text()}" for path in sorted(folder.iterdir())))
    return found


def test_synced_writes_stay_and_others_may_be_gone(tmp_path: Path) -> None:
    first = (Step(Kind.CREATE, 1, name=LOG), Step(Kind.WRITE, 1, 0, LOG, data=b"one"), Step(Kind.SYNC, 1, name=LOG))
    assert left(tmp_path, *first) == {("game.log=one",)}
    more = (*first, Step(Kind.WRITE, 1, 3, LOG, data=b"two"))
    (tmp_path / "more").mkdir()
    assert left(tmp_path / "more", *more) == {("game.log=one",), ("game.log=onetwo",)}


def test_without_any_sync_the_name_may_be_there_without_its_content(tmp_path: Path) -> None:
    steps = (Step(Kind.CREATE, 1, name=LOG), Step(Kind.WRITE, 1, 0, LOG, data=b"one"))
    assert left(tmp_path, *steps) == {(), ("game.log=",), ("game.log=one",)}


def test_a_write_is_torn_between_sectors_and_done_in_any_order(tmp_path: Path) -> None:
    steps = (
        Step(Kind.CREATE, 1, name=LOG),
        Step(Kind.SYNC, 1, name=LOG),
        Step(Kind.WRITE, 1, 0, LOG, data=b"a" * 512 + b"b" * 512),
    )
    zeros = "\0" * 512
    assert left(tmp_path, *steps) == {
        ("game.log=",), ("game.log=" + "a" * 512,), ("game.log=" + zeros + "b" * 512,),
        ("game.log=" + "a" * 512 + "b" * 512,),
    }  # fmt: skip


def test_a_file_that_is_replaced_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    steps = (
        Step(Kind.CREATE, 2, name=NEW),
        Step(Kind.WRITE, 2, 0, NEW, data=b"new"),
        Step(Kind.SYNC, 2, name=NEW),
        Step(Kind.RENAME, name=NEW, other=OLD),
    )
    old = {"game.toml": b"old"}
    assert left(tmp_path, *steps, before=old) == {(".game.tmp=new", "game.toml=old"), ("game.toml=new",)}
    (tmp_path / "synced").mkdir()
    synced = (*steps, Step(Kind.SYNC, 9, name="/data"))
    assert left(tmp_path / "synced", *synced, before=old) == {("game.toml=new",)}


def test_a_renamed_folder_keeps_its_files(tmp_path: Path) -> None:
    disk = Disk(ROOT)
    for step in (
        Step(Kind.MKDIR, name=f"{ROOT}/new"), Step(Kind.CREATE, 1, name=f"{ROOT}/new/1.log"),
        Step(Kind.WRITE, 1, 0, f"{ROOT}/new/1.log", data=b"one"), Step(Kind.SYNC, 1, name=f"{ROOT}/new/1.log"),
        Step(Kind.SYNC, 2, name=f"{ROOT}/new"), Step(Kind.RENAME, name=f"{ROOT}/new", other=f"{ROOT}/games"),
        Step(Kind.SYNC, 9, name=str(ROOT)),
    ):  # fmt: skip
        disk.take(step)
    disk.cut(random.Random(1), tmp_path)
    assert {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.log")} == {
        Path("games/1.log"): b"one"
    }


def test_a_file_that_was_there_before_is_cut_and_taken_away(tmp_path: Path) -> None:
    cut = Step(Kind.TRUNCATE, 7, 1, OLD)
    assert left(tmp_path, cut, before={"game.toml": b"old"}) == {("game.toml=old",), ("game.toml=o",)}
    (tmp_path / "away").mkdir()
    gone = (Step(Kind.UNLINK, name=OLD), Step(Kind.SYNC, 9, name="/data"))
    assert left(tmp_path / "away", *gone, before={"game.toml": b"old"}) == {()}


def test_a_number_that_a_new_file_has_from_a_deleted_one_is_another_file(tmp_path: Path) -> None:
    steps = (
        Step(Kind.CREATE, 1, name=LOG), Step(Kind.WRITE, 1, 0, LOG, data=b"first"), Step(Kind.SYNC, 1, name=LOG),
        Step(Kind.UNLINK, name=LOG), Step(Kind.CREATE, 1, name=NEW), Step(Kind.SYNC, 1, name=NEW),
    )  # fmt: skip
    assert left(tmp_path, *steps) == {(".game.tmp=",)}


def test_the_steps_are_read_as_the_recorder_writes_them_and_a_half_one_is_left_out() -> None:
    def recorded(kind: Kind, inode: int, offset: int, name: bytes, data: bytes) -> bytes:
        return struct.pack("=5Q", kind, inode, offset, len(name), len(data)) + name + data

    log = b"".join((
        recorded(Kind.CREATE, 5, 0, LOG.encode(), b""), recorded(Kind.WRITE, 5, 3, LOG.encode(), b"abc"),
        recorded(Kind.RENAME, 0, 0, LOG.encode(), NEW.encode()), recorded(Kind.PRINT, 0, 0, b"Anna ad", b""),
        recorded(Kind.PRINT, 0, 0, b"vances\nBor", b""),
    ))  # fmt: skip
    steps = list(steps_in(log + recorded(Kind.WRITE, 5, 0, LOG.encode(), b"lost")[:-2]))
    assert steps[:3] == [
        Step(Kind.CREATE, 5, name=LOG), Step(Kind.WRITE, 5, 3, LOG, data=b"abc"), Step(Kind.RENAME, name=LOG, other=NEW)
    ]  # fmt: skip
    assert printed(steps) == ["Anna advances"], "a line that was cut off was not announced"


def test_one_bit_of_a_file_is_flipped(tmp_path: Path) -> None:
    assert flip(tmp_path, random.Random(1)) == {}
    (tmp_path / "file").write_bytes(bytes(20))
    assert list(flip(tmp_path, random.Random(1))) == [tmp_path / "file"]
    assert sum(byte.bit_count() for byte in (tmp_path / "file").read_bytes()) == 1


def test_a_log_and_the_index_are_damaged_at_once(tmp_path: Path) -> None:
    for name in ("1.log", "2.log", "games.sqlite3", "games.sqlite3-wal"):
        (tmp_path / name).write_bytes(bytes(20))
    found = [flip(tmp_path, random.Random(seed)) for seed in range(20)]
    assert {len(each) for each in found} == {1, 2}
    for each in found:
        assert {path: path.read_bytes() for path in each}.keys() == each.keys()
        assert len(each) == 1 or {path.suffix == ".log" for path in each} == {True, False}


def test_a_sector_is_zeroed_and_an_end_is_cut(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 2000)
    assert damage(tmp_path / "file", random.Random(1), "zero").count(b"\0") == 512
    assert len(damage(tmp_path / "file", random.Random(1), "cut")) < 2000


DUE = ["Anna advances and earns 4 buttons.", "Boris takes the corner at A1 A2 B2."]


def test_announcements_are_counted_among_other_lines() -> None:
    assert announced(["Game 1: Anna and Boris play.", DUE[0], "The lights are back."], DUE) == 1
    assert announced(["Game 1", *DUE, "Final score"], DUE) == 2


def test_an_entry_without_a_sentence_counts_with_the_next_one() -> None:
    due = [DUE[0], "", DUE[1], ""]
    assert announced(DUE[:1], due) == 1
    assert announced(DUE, due) == 3


def test_an_announcement_that_the_journal_does_not_have_is_a_loss() -> None:
    with pytest.raises(LostError, match="Anna takes the tee"):
        announced([*DUE, "Anna takes the tee at C3 C4 C5 D4."], DUE)

"""Test `companion replay` on game records and on table recordings, one of them of a simulated evening."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.__main__ import main
from companion.games.patchwork.decisions import Advance, Decision, decision_to_json
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.codec import PATCHWORK, summary
from companion.patchwork.recording import head_text
from companion.play.events import Complained, DecisionTaken, Event
from companion.play.terminal import EventPrinter
from companion.record import replay_record, write_record
from companion.registry import codecs
from hardware.simulated.conditions import TABLES
from vision.geometry import VIEW_PX

if TYPE_CHECKING:
    from companion.patchwork.reading.verdict import Complaint

Run = Callable[..., tuple[int, str, str]]
SETUP = Setup(players=("Anna", "Boris"))
SEED = 4
TAPED = 3
"""The recorded evening and the decisions after which it is broken off: the second one is complained of at first."""


@pytest.fixture
def record(tmp_path: Path) -> Callable[[str, int], Path]:
    """A function that writes a random game of at most `most` decisions."""

    def record(name: str, most: int = 1000) -> Path:
        history, rng = History(SETUP), random.Random(name)
        while not history.state.finished and len(history.decisions) < most:
            history.apply(legal_decisions(history.state).pick(rng))
        write_record(tmp_path / name, SETUP, history.decisions, PATCHWORK)
        return tmp_path / name

    return record


Record = Callable[..., Path]

# Game records.


def test_json_is_one_line_a_file_in_their_order(run: Run, record: Record) -> None:
    paths = [record("b.jsonl"), record("a.jsonl", 5), record("c.jsonl")]
    status, out, err = run("replay", "--json", *paths)
    assert (status, err) == (0, "")
    shown = [json.loads(line) for line in out.splitlines()]
    assert [game["moves"] for game in shown] == [len(replay_record(path, PATCHWORK).decisions) for path in paths]
    assert [game["finished"] for game in shown] == [True, False, True]
    keys = ["game", "finished", "winner", "turn", "seats", "market", "moves"]
    assert all(list(game) == keys for game in shown)


def test_without_json_people_read_the_score_sheet(run: Run, record: Record) -> None:
    status, out, err = run("replay", record("a.jsonl", 5), record("b.jsonl", 6))
    assert (status, err) == (0, "")
    assert out.count("Anna (seat 1)") == 2
    assert "after 5 decisions." in out
    assert "after 6 decisions." in out


def test_faulty_files_are_named_with_line_and_reason_and_the_others_are_replayed(
    run: Run, record: Record, tmp_path: Path
) -> None:
    first, last, illegal = record("a.jsonl"), record("z.jsonl"), record("i.jsonl", 4)
    with illegal.open("a") as stream:
        stream.write('{"seat": 1, "move": "patch", "patch": "corner-b1", "cells": ["A1", "A2", "I9"]}\n')
    status, out, err = run("replay", "--json", first, illegal, tmp_path / "none.jsonl", last)
    assert status == 2
    shown = [json.loads(line) for line in out.splitlines()]
    assert ["error" in game for game in shown] == [False, True, True, False]
    assert shown[1]["moves"] == 4, "the state before the offending line"
    assert [line.split(": ")[1] for line in err.splitlines()] == [f"{illegal}:6", str(tmp_path / "none.jsonl")]
    assert err.splitlines()[0] == "companion: " + shown[1]["error"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"{}", b"[]", b"null", b"\xff\xfe", b'{"format": 1}', b'{"format": ' + b"9" * 9000, b"[" * 9000],
)
def test_a_file_that_is_no_record_is_one_line(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    status, out, err = run("replay", path, "--json")
    assert status == 2
    assert err.count("\n") == 1
    assert err.startswith(f"companion: {path}")
    assert json.loads(out)["seats"] == []
    assert run("replay", path)[1] == ""


def test_a_name_that_is_no_text_is_replayed_and_named(record: Record, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.jsonl")
    path.write_text("{}\n")
    command = [sys.executable, "-m", "companion", "replay", "--json", str(record("a.jsonl", 3)), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert [json.loads(line)["moves"] for line in done.stdout.splitlines()] == [3, 0]
    assert json.loads(done.stdout.splitlines()[1])["error"].startswith(str(path))


def test_hundreds_of_files_take_no_time_to_speak_of(run: Run, record: Record) -> None:
    path = record("a.jsonl", 30)
    status, out, _ = run("replay", "--json", *[path] * 400)
    assert (status, out.count("\n")) == (0, 400)


def test_save_writes_the_decisions_as_a_record(run: Run, record: Record, tmp_path: Path) -> None:
    path = record("a.jsonl", 9)
    assert run("replay", path, "--save", tmp_path / "copy.jsonl")[0] == 0
    assert (tmp_path / "copy.jsonl").read_bytes() == path.read_bytes()


def test_save_keeps_what_was_good_of_a_faulty_record(run: Run, record: Record, tmp_path: Path) -> None:
    path = record("a.jsonl", 9)
    good = path.read_bytes()
    path.write_bytes(good + b"no json\n")
    assert run("replay", path, "--save", tmp_path / "copy.jsonl")[0] == 2
    assert (tmp_path / "copy.jsonl").read_bytes() == good


def test_save_is_for_one_path_and_must_be_possible(run: Run, record: Record, tmp_path: Path) -> None:
    path = record("a.jsonl", 3)
    assert run("replay", path, path, "--save", tmp_path / "x") == (
        2, "", "companion: --save writes one game record: give one PATH\n"
    )  # fmt: skip
    status, _, err = run("replay", path, "--save", tmp_path / "no" / "folder" / "x")
    assert (status, err.count("\n")) == (2, 1)
    assert "cannot be written" in err
    (tmp_path / "empty").touch()
    assert run("replay", tmp_path / "empty", "--save", tmp_path / "x")[0] == 2
    assert not (tmp_path / "x").exists(), "nothing was read, so nothing is written"


def test_no_path_at_all_is_a_matter_of_usage(run: Run) -> None:
    status, out, err = run("replay")
    assert (status, out) == (2, "")
    assert "PATH" in err


# Table recordings made by hand: no mats to be seen in grey pictures.


def _tape(folder: Path, lines: list[str], frames: int = 3, header: str | None = None) -> Path:
    (folder / "frames").mkdir(parents=True)
    for number in range(frames):
        cv2.imwrite(str(folder / "frames" / f"{number}.png"), np.full((40, 60, 3), 128, np.uint8))
    (folder / "recording.toml").write_text(head_text(SETUP) if header is None else header)
    (folder / "events.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder


def _frame(number: int) -> str:
    return json.dumps({"t": number, "frame": f"{number}.png"})


def _press(t_s: float, button: str, **more: bool) -> str:
    return json.dumps({"t": t_s, "button": button, **more})


def test_a_recording_prints_the_record_the_questions_and_the_complaints(run: Run, tmp_path: Path) -> None:
    lines = [_frame(0), _frame(1), _press(1.5, "advance"), _press(1.6, "undo"), _press(1.7, "advance"), _frame(2)]
    status, out, err = run("replay", _tape(tmp_path / "tape", lines), "--json")
    assert (status, err) == (0, "")
    shown = json.loads(out)
    assert list(shown)[-3:] == ["record", "questions", "complaints"]
    assert shown["record"] == [{"seat": 1, "move": "advance"}]
    assert (shown["questions"], shown["complaints"], shown["moves"]) == ([], [], 1)


def test_a_look_at_nothing_is_complained_of_with_its_frame(run: Run, tmp_path: Path) -> None:
    lines = [_frame(0), _press(0.5, "confirm"), _frame(1)]
    status, out, _ = run("replay", _tape(tmp_path / "tape", lines), "--json")
    assert status == 0
    (complaint,) = json.loads(out)["complaints"]
    assert (complaint["reason"], complaint["seat"], complaint["frame"]) == ("unclear", 1, "1.png")


def test_records_and_recordings_go_together(run: Run, record: Record, tmp_path: Path) -> None:
    tape = _tape(tmp_path / "tape", [_frame(0), _press(1, "advance")])
    status, out, _ = run("replay", "--json", tape, record("a.jsonl", 3), tape)
    assert status == 0
    assert [json.loads(line)["moves"] for line in out.splitlines()] == [1, 3, 1]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (_frame(7), "7.png cannot be read: No such file"),
        ('{"t": 5, "frame": "../events.jsonl"}', "must be the name of a file in frames/"),
        ('{"t": 5, "frame": "events"}', "cannot be read"),
        ("no json", "is not JSON"),
        ('{"t": 0.2, "button": "advance"}', "time runs backwards"),
        ('{"t": 5, "button": "sing"}', '"button" is not valid; allowed: "confirm", "advance" or "undo"'),
        ('{"t": "soon", "button": "undo"}', '"t" has a value that it cannot have'),
    ],
)
def test_a_fault_in_the_middle_keeps_what_came_before_it(run: Run, tmp_path: Path, line: str, says: str) -> None:
    lines = [_frame(0), _frame(1), _press(1.5, "advance"), line, _press(9, "advance")]
    tape = _tape(tmp_path / "tape", lines)
    status, out, err = run("replay", tape, "--json", "--save", tmp_path / "saved.jsonl")
    assert status == 2
    assert err.startswith(f"companion: {tape / 'events.jsonl'}:4: ")
    assert says in err
    assert err.count("\n") == 1
    shown = json.loads(out)
    assert shown["record"] == [{"seat": 1, "move": "advance"}]
    assert "companion: " + shown["error"] == err.rstrip()
    assert replay_record(tmp_path / "saved.jsonl", PATCHWORK).decisions == (Advance(1),)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("recording.toml", "recording.toml: cannot be read: No such file"),
        ("events.jsonl", "events.jsonl: is missing"),
        ("frames", "cannot be read: No such file"),
    ],
)
def test_a_folder_that_lacks_a_part_is_one_line(run: Run, tmp_path: Path, name: str, says: str) -> None:
    tape = _tape(tmp_path / "tape", [_frame(0)])
    shutil.rmtree(tape / name) if (tape / name).is_dir() else (tape / name).unlink()
    status, _, err = run("replay", tape)
    assert (status, err.count("\n")) == (2, 1)
    assert says in err


def test_a_picture_that_is_none_is_one_line(run: Run, tmp_path: Path) -> None:
    tape = _tape(tmp_path / "tape", [_frame(0), _frame(1)])
    (tape / "frames" / "1.png").write_bytes(b"\x89PNG and no more")
    status, _, err = run("replay", tape)
    assert (status, err.count("\n")) == (2, 1)
    assert "events.jsonl:2: the frame" in err


@pytest.mark.parametrize("size", [(1, 1), (3, 5), (9, 400)])
@pytest.mark.parametrize("corners", [False, True])
def test_pictures_of_any_size_are_no_crash(run: Run, tmp_path: Path, size: tuple[int, int], corners: bool) -> None:
    quad = np.array([[0.0, 0.0], [90.0, 0.0], [90.0, 90.0], [0.0, 90.0]])
    lines = [_frame(0), _frame(1), _frame(2), _press(2.5, "confirm"), _frame(3), _press(9, "confirm")]
    header = head_text(SETUP, (quad, quad + 20) if corners else None)
    tape, rng = _tape(tmp_path / "tape", lines, header=header), np.random.default_rng(1)
    for number in (0, 1, 3):
        picture = rng.integers(0, 255, (*size, 3), dtype=np.uint8)
        cv2.imwrite(str(tape / "frames" / f"{number}.png"), picture)
    status, out, err = run("replay", tape, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["record"] == []


junk = st.lists(
    st.sampled_from([_frame(0), _frame(1), _press(1, "advance"), _press(2, "undo"), _press(2, "confirm", answers=True)])
    | st.text(max_size=12)
    | st.dictionaries(st.sampled_from(["t", "frame", "button", "answers"]), st.none() | st.integers() | st.text()).map(
        json.dumps
    ),
    max_size=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(lines=junk)
def test_whatever_the_events_say_they_are_played_or_refused_in_one_line(
    run: Run, tmp_path: Path, lines: list[str]
) -> None:
    tape = tmp_path / "tape"
    shutil.rmtree(tape, ignore_errors=True)
    status, out, err = run("replay", _tape(tape, lines, frames=2), "--json")
    assert (status, err.count("\n")) in {(0, 0), (2, 1)}
    assert json.loads(out)["game"] == "patchwork"


# A table recording of a simulated evening.


@dataclass
class Taped:
    """A recorded evening and its game as the journal stores it."""

    folder: Path
    data: Path
    status: int
    said: str
    decisions: tuple[Decision, ...]
    complaints: tuple[Complaint, ...]


class LeavingPrinter(EventPrinter):
    """A printer that ends the evening like Ctrl-C."""

    decisions = 0
    complaints: ClassVar[list[Complaint]] = []

    def __call__(self, event: Event) -> None:
        super().__call__(event)
        if isinstance(event, Complained):
            self.complaints.append(event.complaint)
        self.decisions += isinstance(event, DecisionTaken)
        if self.decisions == TAPED:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def taped(tmp_path_factory: pytest.TempPathFactory) -> Taped:
    base, out, err = tmp_path_factory.mktemp("taped"), io.StringIO(), io.StringIO()
    options = [
        "--fast",
        "--seed",
        str(SEED),
        "--temper",
        "forgetful",
        "--record",
        base / "tape",
        "--data",
        base / "data",
    ]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("HOME", str(base))
        patch.setattr("companion.cli.sessions.EventPrinter", LeavingPrinter)
        small = {name: table.but(width_px=1152, height_px=648) for name, table in TABLES.items()}
        patch.setattr("companion.patchwork.simulated.TABLES", small)
        status = main(["play", "--simulate", "--autoplay", *map(str, options)])
    with Journal(base / "data" / JOURNAL_NAME, codecs(), read_only=True) as journal:
        decisions = journal.decisions(1, PATCHWORK)
    said = out.getvalue() + err.getvalue()
    return Taped(base / "tape", base / "data", status, said, decisions, tuple(LeavingPrinter.complaints))


@pytest.fixture(scope="module")
def replayed(taped: Taped) -> tuple[dict[str, Any], Path]:
    """The replay's output and the record that it saved; its looks are drawn into the folder `looks`."""
    out, saved, looks = io.StringIO(), taped.data / "saved.jsonl", taped.data / "looks"
    with redirect_stdout(out):
        assert main(["replay", "--json", str(taped.folder), "--save", str(saved), "--explain", str(looks)]) == 0
    return json.loads(out.getvalue()), saved


def test_an_evening_that_is_broken_off_is_recorded_until_then(taped: Taped) -> None:
    assert taped.status == 130
    assert "Traceback" not in taped.said
    assert len(taped.decisions) == TAPED
    lines = [json.loads(line) for line in (taped.folder / "events.jsonl").read_text().splitlines()]
    names = [line["frame"] for line in lines if "frame" in line]
    assert names == sorted(path.name for path in (taped.folder / "frames").iterdir())
    assert all(isinstance(line["answers"], bool) for line in lines if "button" in line)


def test_the_replay_decides_what_was_decided_at_the_table(taped: Taped, replayed: tuple[dict[str, Any], Path]) -> None:
    shown, saved = replayed
    assert shown["record"] == [decision_to_json(decision) for decision in taped.decisions]
    kept = replay_record(saved, PATCHWORK)
    assert kept.decisions == taped.decisions
    assert kept.state is not None
    assert {**shown, **summary(kept.state)} == shown


def test_every_look_is_drawn_once_in_their_order(taped: Taped, replayed: tuple[dict[str, Any], Path]) -> None:
    lines = [json.loads(line) for line in (taped.folder / "events.jsonl").read_text().splitlines()]
    presses = [line for line in lines if line.get("button") == "confirm" and not line["answers"]]
    drawn = sorted((taped.data / "looks").iterdir())
    assert 0 < len(drawn) <= len(presses)
    frames = [path.stem.split("-")[1] for path in drawn]
    assert frames == sorted(frames)
    assert {entry["frame"].split(".")[0] for entry in replayed[0]["complaints"]} <= set(frames)
    for path in drawn:
        picture = cv2.imread(str(path))
        assert picture is not None
        assert picture.shape[1] == 4 * VIEW_PX


def test_a_file_is_no_folder_for_pictures(run: Run, taped: Taped, tmp_path: Path) -> None:
    (tmp_path / "looks").write_text("")
    status, _, err = run("replay", taped.folder, "--explain", tmp_path / "looks")
    assert status == 2
    assert err.count("\n") == 1
    assert str(tmp_path / "looks") in err


def test_a_record_has_no_pictures_to_be_played_hands_free(run: Run, record: Record) -> None:
    path = record("a.jsonl", 5)
    status, _, err = run("replay", "--hands-free", path)
    assert status == 2
    assert err == f"companion: {path}: --hands-free plays table recordings, and this is a game record\n"


def test_the_replay_complains_of_what_was_complained_of_at_the_table(
    taped: Taped, replayed: tuple[dict[str, Any], Path]
) -> None:
    shown, _ = replayed
    assert len(taped.complaints) == 1
    assert [entry["reason"] for entry in shown["complaints"]] == [said.reason for said in taped.complaints]
    assert all(complaint.says in taped.said for complaint in taped.complaints)
    for entry in shown["complaints"]:
        assert (taped.folder / "frames" / entry["frame"]).is_file()
    for entry in shown["questions"]:
        assert (taped.folder / "frames" / entry["frame"]).is_file()


def test_an_evening_under_way_cannot_be_recorded_from_its_start(run: Run, taped: Taped, tmp_path: Path) -> None:
    play = ("play", "--simulate", "--autoplay", "--fast", "--seed", SEED, "--temper", "forgetful", "--data", taped.data)
    status, out, err = run(*play, "--record", tmp_path / "tape")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "game 1 is in progress: add --new to start a new game" in err
    assert not (tmp_path / "tape").exists()


def test_a_folder_that_holds_something_is_not_recorded_into(run: Run, taped: Taped) -> None:
    before = sorted(path.name for path in (taped.folder / "frames").iterdir())
    play = ("play", "--simulate", "--autoplay", "--fast", "--seed", 1, "--data", taped.data)
    status, out, err = run(*play, "--record", taped.folder)
    assert (status, out) == (2, "")
    assert err == f"companion: {taped.folder}: is not empty; record into a new folder\n"
    assert sorted(path.name for path in (taped.folder / "frames").iterdir()) == before
    with Journal(taped.data / JOURNAL_NAME, codecs(), read_only=True) as journal:
        assert len(journal.games()) == 1, "no game was begun"


def test_a_frame_that_is_lost_ends_the_replay_there(run: Run, taped: Taped, tmp_path: Path) -> None:
    tape = tmp_path / "tape"
    (tape / "frames").mkdir(parents=True)
    for name in ("recording.toml", "events.jsonl"):
        shutil.copy(taped.folder / name, tape / name)
    kept = sorted((taped.folder / "frames").iterdir())[:25]
    for path in kept:
        (tape / "frames" / path.name).symlink_to(path)
    status, out, err = run("replay", tape, "--json")
    assert (status, err.count("\n")) == (2, 1)
    assert f"{len(kept):06d}.jpg cannot be read: No such file" in err
    shown = json.loads(out)
    assert shown["record"] == [decision_to_json(decision) for decision in taped.decisions[: shown["moves"]]]
    assert 0 < shown["moves"] < len(taped.decisions)

"""Test killing the whole program at any moment: what it announced is in its journal, and the evening resumes there."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import pytest

from companion.__main__ import main
from companion.games.patchwork.decisions import Decision
from companion.games.patchwork.rules import History
from companion.journal import JOURNAL_NAME, Journal
from companion.patchwork.codec import PATCHWORK, summary
from companion.patchwork.words import sentences
from companion.play.events import DecisionTaken
from companion.record import replay_record
from companion.registry import codecs
from hardware.simulated.calibrating import SettingUp
from tests.companion.journal.conftest import unfinished

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


PLAY = [sys.executable, "-m", "companion", "play", "--simulate", "--autoplay", "--fast", "--seed", "5"]
MOVE = re.compile(r"(Anna|Boris|Seat 1|Seat 2) (takes .+ at|advances and earns|sews the leather patch on) ")
KILLED_AFTER = 2
GOES_ON_AFTER = 38


@dataclass
class Evening:
    """An evening in a data folder of its own; `told` holds the moves announced and not taken back."""

    data: Path
    told: list[str] = field(default_factory=list)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `companion` to its end in this process, which shares no state with the killed ones."""
        shown, told = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(shown), redirect_stderr(told):
            for name in ("QUILT_COMPANION_DATA", "HOME"):
                patch.setenv(name, self.environment[name])
            status = main(arguments)
        texts = []
        for stream in (shown, told):
            stream.seek(0)
            texts.append(stream.read())
        return subprocess.CompletedProcess(arguments, status, *texts)

    @property
    def environment(self) -> dict[str, str]:
        """The environment, with a home folder and a data folder of its own."""
        return {**os.environ, "QUILT_COMPANION_DATA": str(self.data), "HOME": str(self.data)}

    @property
    def path(self) -> Path:
        """The journal's path."""
        return self.data / JOURNAL_NAME

    def journal(self) -> tuple[Decision, ...]:
        """Return the decisions in the journal."""
        with Journal(self.path, codecs(), read_only=True) as journal:
            (game,) = journal.games()
            return journal.decisions(game.game_id, PATCHWORK)

    def moves_in_journal(self) -> list[str]:
        """Return the sentences that announce the journal's decisions."""
        with Journal(self.path, codecs(), read_only=True) as journal:
            history = History(journal.setup(1, PATCHWORK))
            told = []
            for decision in journal.decisions(1, PATCHWORK):
                outcome = history.apply(decision)
                told.append(sentences(DecisionTaken(decision, outcome.facts, outcome.state))[0])
            return told

    def play_until_killed(self, moves: int) -> None:
        """Kill the program once this number of moves has been announced."""
        with subprocess.Popen(PLAY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            for line in process.stdout:
                self._on_line(line)
                moves -= MOVE.match(line.decode()) is not None
                if moves <= 0:
                    break
            process.kill()
            for line in process.stdout:
                self._on_line(line)
            assert b"Traceback" not in process.stderr.read()

    def _on_line(self, line: bytes) -> None:
        text = line.decode()
        if not text.endswith("\n"):
            return  # The line was cut off while it was printed.
        if MOVE.match(text):
            self.told.append(text.rstrip())
        elif text.startswith("Taken back: "):
            self.told.pop()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """An evening that was killed in its course; `make crash` does this many times, and again after it was resumed."""
    evening = Evening(tmp_path_factory.mktemp("data") / "data")
    evening.play_until_killed(KILLED_AFTER)
    written = evening.moves_in_journal()
    assert len(evening.told) >= KILLED_AFTER
    assert written[: len(evening.told)] == evening.told, "what was announced was written before"
    assert len(written) - len(evening.told) in (0, 1), "at most one was written and not announced"
    evening.told = written
    return evening


@pytest.fixture(scope="module")
def finished(evening: Evening, play_on: Callable[[Journal, int], None]) -> subprocess.CompletedProcess[str]:
    """The end of that evening, resumed; its profile is lost until the table is calibrated."""
    with Journal(evening.path, codecs()) as journal:
        play_on(journal, GOES_ON_AFTER)
    profile = evening.data / "profiles" / "1.npz"
    profile.unlink()
    before = evening.journal()
    lost = evening.run(*PLAY[3:])
    assert (lost.returncode, lost.stdout) == (2, "")
    going_on, says = lost.stderr.splitlines()
    assert going_on == f"companion: resuming game 1 after {len(before)} decisions"
    assert re.fullmatch(r"companion: .*1\.npz: .*No such file.*; .*start again with --new", says)
    assert evening.journal() == before
    calibration, config, photograph = (
        evening.data.parent / name for name in ("table.toml", "config.toml", "table.png")
    )
    cv2.imwrite(str(photograph), SettingUp(5).table.frame(0.0))
    calibrated = evening.run("calibrate", "--image", str(photograph), "--output", str(calibration))
    assert calibrated.returncode == 0, calibrated.stderr
    config.write_text(f'[table]\ncalibration = "{calibration}"\n', encoding="utf-8")
    return evening.run(*PLAY[3:], "--json", "--config", str(config))


def test_the_evening_goes_on_to_its_end(evening: Evening, finished: subprocess.CompletedProcess[str]) -> None:
    assert finished.returncode == 0, finished.stderr
    shown = json.loads(finished.stdout)
    assert shown["finished"]
    assert shown["moves"] == len(evening.journal()) > len(evening.told)
    assert evening.moves_in_journal()[: len(evening.told)] == evening.told, "not one decision of before was touched"


def test_the_record_is_what_lies_on_the_table(
    evening: Evening, finished: subprocess.CompletedProcess[str], tmp_path: Path
) -> None:
    exported = evening.run("games", "export", "1", "--output", str(tmp_path / "evening.jsonl"))
    assert (exported.returncode, exported.stderr) == (0, "")
    replayed = replay_record(tmp_path / "evening.jsonl", PATCHWORK)
    assert replayed.error is None
    assert replayed.state is not None
    assert replayed.decisions == evening.journal()
    shown = json.loads(finished.stdout)
    assert [seat["quilt"] for seat in summary(replayed.state)["seats"]] == shown["table"]
    assert summary(replayed.state)["seats"] == shown["seats"]


def test_the_next_evening_at_that_table_is_a_new_one(
    evening: Evening, finished: subprocess.CompletedProcess[str]
) -> None:
    assert finished.returncode == 0
    with Journal(evening.path, codecs()) as journal:
        assert unfinished(journal, "simulated 5 tidy tidy") is None
        assert [game.finished for game in journal.games()] == [True]

"""Test the analysis of a game as the page shows it."""

import io
import json
import random
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from companion.games.patchwork.components import PATCHES, SMALLEST_PATCH
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.games.patchwork.strategy.choice import choose
from companion.games.strategy import Judged
from companion.languages import ENGLISH, LANGUAGES
from companion.patchwork.codec import PATCHWORK
from companion.patchwork.page import archive as analysis
from companion.patchwork.page.archive import analysis_json
from companion.play.coach import Remark, to_json
from companion.play.page import ArchivedGame, Asking, RefusedError

CIRCLE = (*(patch for patch in PATCHES if patch != SMALLEST_PATCH), SMALLEST_PATCH)


def game(decisions: int = 99) -> ArchivedGame:
    history, rng = History(Setup(players=("Anna", "Boris"), market=CIRCLE)), random.Random(5)
    while not history.state.finished and len(history.decisions) < decisions:
        history.apply(choose(history.state, rng.gauss).decision)
    return ArchivedGame(1, datetime(2026, 1, 1, tzinfo=UTC), history.setup, history.decisions)


def remarks(played: ArchivedGame) -> list[Remark]:
    """Return remarks by which the third decision lost a third, and no other."""
    lost = {3: 0.33}
    return [
        Remark(number, each.seat, Judged(each, each, 0.5 - lost.get(number, 0.0), 0.5))
        for number, each in enumerate(played.decisions, start=1)
    ]


def asking(played: ArchivedGame, folder: Path) -> Asking[None]:
    return Asking(None, None, ENGLISH, {}, {"game": 1}, lambda _: played, dict, folder)


def test_an_analysis_under_way_has_its_progress_and_the_curve_so_far() -> None:
    played = game()
    shown = analysis_json(played, remarks(played)[:4], ENGLISH)
    assert (shown["done"], shown["of"], shown["turning"]) == (4, len(played.decisions), [])
    assert len(shown["chances"]) == 4


@pytest.mark.parametrize("code", ["en", "ru", "fa"])
def test_a_complete_analysis_has_the_turning_points_in_the_reader_s_language(code: str) -> None:
    played = game()
    shown = analysis_json(played, remarks(played), LANGUAGES[code])
    assert [each["number"] for each in shown["turning"]] == [3]
    assert LANGUAGES[code].number(17) in shown["turning"][0]["says"]
    assert max(shown["lost"]) > min(shown["lost"]) == 0


def test_an_analysis_is_begun_once_and_a_second_game_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Path] = []

    class Process:
        stdout = io.BytesIO()

        def poll(self) -> None: ...

    def started(folder: Path, game_id: int) -> analysis._Analysis:
        del game_id
        begun.append(folder)
        return analysis._Analysis(cast("subprocess.Popen[bytes]", Process()))

    monkeypatch.setattr(analysis, "_started", started)
    monkeypatch.setattr(analysis, "_ANALYSES", analysis.Analyses())
    played = game()
    assert analysis.analysis(asking(played, tmp_path))["done"] == 0
    Process.stdout = io.BytesIO(json.dumps(to_json(remarks(played)[0], PATCHWORK)).encode() + b"\n{")
    assert analysis.analysis(asking(played, tmp_path))["done"] == 1
    with pytest.raises(RefusedError) as refused:
        analysis.analysis(asking(played, tmp_path / "other"))
    assert begun == [tmp_path]
    assert refused.value.status == 503


def test_an_analysis_ends_with_the_program_that_began_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = tmp_path / "python"
    endless.write_text("#!/bin/sh\nwhile echo '{}'; do sleep 0.01; done\n")
    endless.chmod(0o755)
    monkeypatch.setattr("companion.patchwork.page.archive.sys.executable", str(endless))
    begun = analysis._started(tmp_path, 1)
    assert begun.process.stdout is not None
    begun.process.stdout.close()  # As at the end of a program, even of one that was killed.
    assert begun.process.wait(60) != 0


def _refusal(played: ArchivedGame, folder: Path) -> RefusedError:
    """Ask for an analysis until it has failed."""
    for _ in range(2000):
        try:
            assert analysis.analysis(asking(played, folder))["done"] == 0
        except RefusedError as refused:
            return refused
        time.sleep(0.005)
    raise AssertionError("it has not failed before long")


@pytest.mark.parametrize("is_there", [False, True], ids=["cannot be started", "ends early"])
def test_an_analysis_that_failed_is_said_to_have_and_begins_anew_when_asked_for_again(
    is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, begun = tmp_path / "python", tmp_path / "begun"
    if is_there:
        program.write_text(f"#!/bin/sh\necho >>{begun}\n")
        program.chmod(0o755)
    monkeypatch.setattr(analysis, "_ANALYSES", analysis.Analyses())
    monkeypatch.setattr("companion.patchwork.page.archive.sys.executable", str(program))
    for times in (1, 2):
        refused = _refusal(game(), tmp_path)
        assert (refused.status, str(refused)) == (500, "The game could not be analysed.")
        assert not is_there or begun.read_text() == times * "\n"


def test_a_game_that_goes_on_is_not_analysed(tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as refused:
        analysis.analysis(asking(game(5), tmp_path))
    assert refused.value.status == 404

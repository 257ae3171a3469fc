from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.cli.doctor import report
from hardware.diagnosis import fault, note, ok

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]


def test_the_simulated_table_is_sound_here(run: Run) -> None:
    status, out, err = run("doctor", "--simulate")
    assert (status, err) == (0, "")
    assert "No problems" in out


def test_a_real_table_is_not_here_and_each_fault_has_its_remedy(run: Run) -> None:
    status, out, err = run("doctor", "--json")
    assert (status, err) == (1, "")
    told = json.loads(out)
    assert told["ok"] is False
    wrong = [finding for finding in told["findings"] if finding["level"] == "fault"]
    assert len(wrong) == told["faults"] >= 2
    assert all(set(finding) == {"level", "subject", "title", "means", "do"} for finding in told["findings"])
    assert all(finding["means"] and finding["do"] for finding in wrong)


def test_a_configuration_that_is_no_toml_is_a_fault_not_a_bad_call(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[camera\n")
    status, out, _ = run("doctor", "--simulate", "--config", config)
    assert status == 1
    assert "is not TOML" in " ".join(out.split())


def test_the_worst_finding_is_last_and_lines_are_short() -> None:
    gone = fault("camera", "Gone.", "No picture. " * 20, "Plug it in.")
    text = report([gone, ok("python", "Good."), note("disk", "Little.")])
    lines = text.splitlines()
    assert [line.split()[0] for line in lines if line and not line.startswith(" ")] == ["ok", "note", "FAULT", "1"]
    assert lines[-1] == "1 problem, 1 note."
    assert max(map(len, lines)) <= 100
    assert "-> Plug it in." in text

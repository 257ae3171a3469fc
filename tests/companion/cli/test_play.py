from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal import seated_at

Run = Callable[..., tuple[int, str, str]]
SIMULATED = ("play", "--simulate", "--autoplay", "--fast")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("play",), "companion: play: this version plays at the simulated table only: add --simulate --autoplay\n"),
        (("play", "--simulate"), "add --simulate --autoplay"),
        ((*SIMULATED, "--temper", "tidy", "tidy", "tidy"), "--temper takes one temper for both, or one a seat"),
        ((*SIMULATED, "--temper", "sleepy"), "invalid choice: 'sleepy'"),
        ((*SIMULATED, "--seed", "-1"), "must be a whole number from 0, is '-1'"),
        ((*SIMULATED, "--seed", "one"), "must be a whole number from 0, is 'one'"),
        ((*SIMULATED, "--seed", "9" * 5000), "must be a whole number from 0"),
        ((*SIMULATED, "--games", "0"), "must be a whole number from 1, is '0'"),
        ((*SIMULATED, "--record", "new", "--games", "2"), "--record writes one evening: leave out --games"),
        ((*SIMULATED, "--config", "nowhere.toml"), "nowhere.toml"),
        ((*SIMULATED, "--data", "/dev/null/data"), "/dev/null/data: cannot be made"),
    ],
)
def test_bad_options_are_one_line_and_status_2(run: Run, options: tuple[str, ...], says: str) -> None:
    status, out, err = run(*options)
    assert (status, out) == (2, "")
    assert says in err
    assert err.splitlines()[-1].startswith("companion")
    assert "Traceback" not in err


def test_a_table_where_another_companion_plays_is_one_line_and_status_2(run: Run, tmp_path: Path) -> None:
    with seated_at(tmp_path / "data", "simulated 7 hasty tidy"):
        status, out, err = run(*SIMULATED, "--seed", 7, "--temper", "hasty", "tidy", "--data", tmp_path / "data")
    assert (status, out) == (2, "")
    assert err == (
        "companion: another companion plays at the table 'simulated 7 hasty tidy'; "
        "end that one, or choose another table or --data\n"
    )

"""Test reading figures from the benchmarks' output and comparing them."""

from __future__ import annotations

from pathlib import Path

from bench.every import BENCHMARKS, HERE, compared, ratios, rows_of

PRINTED = """Python 3.11.7, x86_64, one core, 5 rounds

games a second              best    median   decisions     ratio
baseline: plain lists       44.1      39.9        42.7       1.0
rules core                1839.1    1770.0        42.8      41.7
page answers after         3.59 s, 0.85 s of them on the processor
330 half-open        6.0     525.5      0
python -c pass     0.011 s    1.0 x
median of a decision: 5.98 ms
"""


def test_a_row_is_a_label_and_its_numbers() -> None:
    assert rows_of(PRINTED) == {
        "baseline: plain lists": [44.1, 39.9, 42.7, 1.0],
        "rules core": [1839.1, 1770.0, 42.8, 41.7],
        "page answers after": [3.59, 0.85],
        "330 half-open": [6.0, 525.5, 0.0],
        "python -c pass": [0.011, 1.0],
        "median of a decision": [5.98],
    }


def test_two_runs_are_compared_number_by_number() -> None:
    now, then = {"rules": {"core": [50.0, 3.0], "new": [1.0]}}, {"rules": {"core": [100.0, 3.0, 9.0], "old": [2.0]}}
    assert ratios(now, then) == [("rules", "core", 1, 50.0, 100.0), ("rules", "core", 2, 3.0, 3.0)]
    told = compared(now, then)
    assert "0.50" in told
    assert "changed by more than 20%: 1" in told


def test_a_figure_that_was_nothing_and_is_something_has_changed() -> None:
    assert "20%: 1" in compared({"a": {"b": [1.0]}}, {"a": {"b": [0.0]}})
    assert "20%: 0" in compared({"a": {"b": [0.0]}}, {"a": {"b": [0.0]}})


def test_every_benchmark_that_is_run_is_there() -> None:
    for each in BENCHMARKS:
        first, second = (*each.line, "")[:2]
        script = HERE / first if first != "-m" else _module(second)
        assert script.is_file()


def _module(name: str) -> Path:
    """Return the file that `python -m` runs."""
    path = HERE.parent.joinpath(*name.split("."))
    return path / "__main__.py" if path.is_dir() else path.with_suffix(".py")

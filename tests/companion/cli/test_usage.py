"""Command lines that cannot be understood, told of in one line."""

from __future__ import annotations

import pytest

from companion.cli.commands import build_parser


def refused(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str = "en") -> str:
    monkeypatch.setenv("LANGUAGE", code)
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args(line.split())
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    (said,) = told.err.splitlines()
    return said


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("play --bogus", "companion: unrecognized arguments: --bogus; see companion --help"),
        ("score", "companion: the following arguments are required: IMAGE; see companion score --help"),
        ("play --seed", "companion: argument --seed: expected one argument; see companion play --help"),
    ],
)
def test_one_line_says_what_where_and_where_to_read_on(
    line: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(line, monkeypatch, capsys) == says


@pytest.mark.parametrize("code", ["ru", "fa"])
@pytest.mark.parametrize(
    "line",
    [
        "play --bogus",
        "plai",
        "score",
        "play --seed",
        "play --seed x",
        "play --port 70000",
        "play --seats 9",
        "play --temper",
        "play --se 5",
    ],
)
def test_it_is_said_in_the_terminal_s_language(
    line: str, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    english = refused(line, monkeypatch, capsys)
    told = refused(line, monkeypatch, capsys, code)
    left = {"argument", "invalid", "expected", "required:", "unrecognized", "must", "choose", "ambiguous", "see"}
    assert not left & set(told.split())
    assert told.split()[0] == english.split()[0] == "companion:"
    assert all(word in told for word in line.split() if word.startswith("--"))

"""Test that command lines that cannot be parsed are reported in one line."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Final

import pytest
from rich.cells import cell_len

from companion.cli.commands import build_parser
from companion.config import SIMULATED_TABLES
from companion.games.strategy import LEVEL_CHOICES
from companion.languages import Sentence
from companion.upkeep.privacy.keeping import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES: Final = re.compile(r"[a-z-]+(, [a-z-]+)*")
"""A list of words that may be typed, separated by commas."""
TYPED: Final = {
    "companion", "calibrate", "print", "mats", "charuco", "labels", "score", "root", "patchwork", "kvilt", "swatches",
    "tidy", "hasty", "forgetful", "dealt", "seen", "unknown", "found", "none", "letter", "systemd", "sheet",
    "dead", "pixel", "stuck", "button", "blurred", "camera", "crossed", "wires", "colour", "order", "toml",
    "calibration", "game", "leaflet", "mqtt", "wheel", "mosquitto", "passwords", "sudo", "robot", "friend", "holder",
    *LEVEL_CHOICES,
    *(kind.name for kind in KINDS),
    *(word for name in SIMULATED_TABLES for word in name.split("-")),
}  # fmt: skip
"""Names of commands, files and choices that occur in help texts."""


PARSER: Final = build_parser()
"""Parsing leaves nothing in it but the language, which every line sets anew."""


def refused(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str = "en") -> str:
    monkeypatch.setenv("LANGUAGE", code)
    with pytest.raises(SystemExit) as ended:
        PARSER.parse_args(line.split())
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    (said,) = told.err.splitlines()
    return said


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("play --bogus", "companion: unrecognized arguments: --bogus; see companion play --help"),
        (
            "serve --simulate",
            "companion: companion serve plays at the real table; for the simulated one use companion play --simulate; "
            "see companion serve --help",
        ),
        ("score", "companion: the following arguments are required: IMAGE; see companion score --help"),
        ("play --seed", "companion: argument --seed: expected one argument; see companion play --help"),
    ],
)
def test_one_line_says_what_where_and_where_to_read_on(
    line: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(line, monkeypatch, capsys) == says


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_it_is_said_in_the_terminal_s_language(
    code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left = {"argument", "invalid", "expected", "required:", "unrecognized", "must", "choose", "ambiguous", "see"}
    for line in (
        "play --bogus",
        "serve --simulate",
        "plai",
        "score",
        "play --seed",
        "play --seed x",
        "play --port 70000",
        "play --seats 9",
        "play --temper",
        "play --se 5",
    ):
        english = refused(line, monkeypatch, capsys)
        told = refused(line, monkeypatch, capsys, code)
        assert not left & set(told.split()), line
        assert told.split()[0] == english.split()[0] == "companion:"
        assert all(word in told for word in line.split() if word.startswith("--")), line


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of all its commands, at any depth."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from parsers(command)


def helps(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield every text in the parser's help that is written for people."""
    yield from (text for text in (parser.description, parser.epilog) if text)
    yield from (group.title for group in parser._action_groups if group.title and group._group_actions)
    for action in parser._actions:
        yield from [action.help] if action.help and action.help != argparse.SUPPRESS else []
        if isinstance(action, argparse._SubParsersAction):
            yield from (choice.help for choice in action._choices_actions if choice.help)


EVERY = {parser.prog: parser for parser in parsers(PARSER)}


def test_every_command_is_among_those_that_are_looked_at() -> None:
    assert {"companion", "companion play", "companion games export", "companion kvilt define"} <= EVERY.keys()
    assert len(EVERY) >= 18


def test_help_consists_of_sentences() -> None:
    """The catalogues hold a translation of each: see `tests.companion.languages.test_translations`."""
    texts = [(prog, text) for prog, parser in EVERY.items() for text in helps(parser)]
    assert [(prog, text) for prog, text in texts if not isinstance(text, Sentence) and not NAMES.fullmatch(text)] == []


@pytest.mark.parametrize("code", ["en", "ru", "fa"])
def test_help_is_told_in_the_terminal_s_language(
    code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.setenv("LANGUAGE", code)
    typed = TYPED | {word for name in EVERY for word in name.split()}
    for prog, parser in EVERY.items():
        with pytest.raises(SystemExit) as ended:
            PARSER.parse_args([*prog.split()[1:], "--help"])
        assert ended.value.code == 0
        told = capsys.readouterr().out
        assert max(map(cell_len, told.splitlines())) <= 90, prog
        if code == "en":
            continue
        assert not re.search(r"usage:|options:|positional arguments:|show this help|commands:", told), prog
        # Text in braces, in capitals or after dashes is typed and stays untranslated.
        left = set(re.findall(r"(?<![\w{-])[a-z]{4,}(?![\w}-])", re.sub(r"\{[^}]*\}", "", told)))
        prose = set(re.findall(r"[a-z]{4,}", " ".join(str(text) for text in helps(parser))))
        assert left & prose <= typed, prog


def test_help_follows_the_language_that_stands_on_the_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "fa")
    for line in ("score --language ru --help", "score --language=ru --help", "score --lang ru -h"):
        with pytest.raises(SystemExit):
            PARSER.parse_args(line.split())
        assert "показать эту справку и выйти" in capsys.readouterr().out


@pytest.mark.parametrize("line", ["score --language ru", "score --language=ru", "play --language ru --bogus"])
def test_faults_of_a_line_follow_the_language_that_stands_on_it(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "подробнее: " in refused(line, monkeypatch, capsys)


def test_a_language_that_there_is_not_leaves_the_terminal_s(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "tlh" in refused("score a.jpg --language tlh", monkeypatch, capsys, "ru")
    assert "нужно одно значение" in refused("score --language", monkeypatch, capsys, "ru")

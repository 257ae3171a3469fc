"""Test the terminal in every language: its texts, and that they fit."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len
from rich.console import Console

from companion.cli.doctor import report
from companion.config import Config
from companion.configuration import parse_config
from companion.games.patchwork.components import PATCHES
from companion.games.patchwork.decisions import Advance
from companion.games.patchwork.legal import legal_decisions
from companion.games.patchwork.rules import History
from companion.games.patchwork.state import Setup
from companion.kvilt.entry import kvilt_sheet
from companion.languages import ENGLISH, LANGUAGES, Language, said
from companion.patchwork.codec import summary
from companion.patchwork.game import PATCHWORK
from companion.patchwork.terminal.score_sheet import score_sheet
from companion.play import events
from companion.play.terminal import EventPrinter
from companion.record import write_record
from companion.terminal.output import padded, words, wrapped
from hardware.diagnosis import fault, note, ok

Run = Callable[..., tuple[int, str, str]]

RUSSIAN, PERSIAN = LANGUAGES["ru"], LANGUAGES["fa"]
NAMES: Final = {"en": ("Anna", "Boris"), "ru": ("Анна", "Борис"), "fa": ("مریم", "رضا")}
_PATCH: Final = re.compile("|".join(sorted(map(re.escape, PATCHES), key=len, reverse=True)))
_MARKS: Final = re.compile("[\u2066-\u2069\u200e\u200f]")


def _circle(seed: int) -> tuple[str, ...]:
    patches = [patch for patch in PATCHES if patch != "domino"]
    random.Random(seed).shuffle(patches)
    return (*patches, "domino")


def _game(code: str, seed: int, *, known: bool = True) -> Iterator[events.Event]:
    """Yield all events of a random game between players whose names are in the language's script."""
    history = History(Setup(players=(NAMES[code][0], NAMES[code][1]), market=_circle(seed) if known else None))
    chance = random.Random(seed)
    yield events.GameOpened(7, history.state)
    while not history.state.finished:
        decision = legal_decisions(history.state).pick(chance)
        yield events.LookStarted(history.state)
        outcome = history.apply(decision)
        yield events.DecisionTaken(decision, outcome.facts, outcome.state)


def _english(text: str) -> set[str]:
    """Return the English words in a text, except the names of patches, of the program and of its page."""
    known = ("Quilt Companion", "http://localhost:8080/?key=abc")
    for name in known:
        text = text.replace(name, "")
    return set(re.findall("[A-Za-z]{2,}", _PATCH.sub("", _MARKS.sub("", text))))


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_lines_and_pictures_at_a_terminal_are_in_the_language(code: str) -> None:
    console = Console(width=200, file=io.StringIO(), color_system=None)
    printer = EventPrinter(PATCHWORK.terminal, Config(), LANGUAGES[code], console)
    for event in _game(code, 4):
        printer(event)
    assert isinstance(console.file, io.StringIO)
    assert _english(console.file.getvalue()) == set()
    words = {"ru": ("цена", "доход"), "fa": ("قیمت", "دکمه‌برداری")}[code]
    assert all(word in console.file.getvalue() for word in words)


def test_lines_for_a_log_are_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    printer = EventPrinter(PATCHWORK.terminal, Config(), RUSSIAN)
    for event in _game("ru", 3):
        printer(event)
    log = capsys.readouterr().out
    lines = log.splitlines()
    assert lines[0] == "Партия 7: играют Анна и Борис. Ходит Анна."
    assert _english(log) == set()
    assert lines[-1].startswith("Партия окончена: ")


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_the_score_sheet_is_in_the_language_with_its_columns_even(code: str) -> None:
    last = [event.state for event in _game(code, 3)][-1]
    sheet = score_sheet(summary(last), LANGUAGES[code])
    assert _english(sheet) == set()
    lines = sheet.splitlines()
    rules = [line for line in lines if "──" in line]
    assert len(rules) == 1
    sums = lines[lines.index(rules[0]) - 3 : lines.index(rules[0]) + 2]
    assert {cell_len(line) for line in sums} == {cell_len(rules[0])}, "all numbers end below one another"


def test_a_score_sheet_of_kvilt_is_in_the_language() -> None:
    score = {"patches": 3, "rows": [5, 0], "spools": 2, "buttons": 4, "total": -14}
    rows = [{"colour": "red", "cells": 3}, {"colour": None, "cells": 0}]
    seats = [{"name": name, "seat": seat, "rows": rows, "score": score} for seat, name in enumerate(NAMES["ru"], 1)]
    game = {"seats": seats, "round": 2, "winners": [], "phase": "colouring", "turn": 2}
    sheet = kvilt_sheet(game, RUSSIAN)
    assert _english(sheet) == set()
    assert "красный 3" in sheet
    assert sheet.rstrip().endswith("Раунд 2, раскрашивание. Ходит Борис.")
    shared = kvilt_sheet({**game, "winners": [1, 2]}, RUSSIAN)
    assert shared.rstrip().endswith("Анна и Борис делят победу после 2\xa0раундов.")
    assert "−۱۴" in kvilt_sheet(game, PERSIAN)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    write_record(path, Setup(players=("Anna", "Boris")), [Advance(1)], PATCHWORK.codec)
    return path


def test_the_language_is_asked_for_or_configured_or_the_terminal_s(
    run: Run, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('[terminal]\nlanguage = "fa"\n')
    assert "It is Boris’s turn after 1 decision." in run("replay", record)[1]
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert "Ходит Boris, после 1\xa0хода." in run("replay", record)[1]
    assert "نوبت" in run("replay", record, "--config", config)[1]
    assert "Ходит Boris" in run("replay", record, "--config", config, "--language", "ru")[1]
    assert "after 1 decision." in run("replay", record, "--config", config, "--language", "en")[1]


def test_a_language_that_there_is_not_is_refused(run: Run, record: Path) -> None:
    status, _, err = run("replay", record, "--language", "tlh")
    assert status == 2
    assert "en" in err
    assert "fa" in err


def test_a_part_of_a_line_keeps_its_direction_to_itself() -> None:
    assert words("Anna", ENGLISH) == "Anna"
    assert words("Anna", PERSIAN) == "\u2068Anna\u2069"
    assert cell_len(padded(said("time"), 7, PERSIAN)) == 7


def test_an_address_stands_alone_so_that_nothing_clings_to_it() -> None:
    told = said("Page: {address}", address="http://localhost:8080/?key=abc").rendered(PERSIAN)
    assert told == "صفحه: http://localhost:8080/?key=abc"


def test_a_text_is_broken_by_columns_and_a_command_keeps_its_direction_on_both_lines() -> None:
    assert wrapped("one two three", 8, ENGLISH) == ["one two", "three"]
    assert wrapped("", 8, ENGLISH) == []
    told = said("{command}, then log in again", command="sudo usermod -aG video $USER")
    lines = wrapped(told, 20, PERSIAN)
    assert len(lines) > 1
    assert all(cell_len(line) <= 20 for line in lines)
    assert all(line.count("\u2068") == line.count("\u2069") > 0 for line in lines)
    assert lines[1].startswith("\u2068\u2068"), "the command goes on"


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=list(LANGUAGES))
def test_findings_stand_below_one_another_in_every_script(language: Language) -> None:
    found = [
        ok(said("disk"), said("{path} is valid.", path="/home/anna")),
        note(said("configuration"), said("There is no configuration file."), said("See above."), "companion config"),
        fault(said("push-buttons"), said("No press is noticed."), said("Nobody can press them."), said("See above.")),
    ]
    lines = [line for line in report(found, language).splitlines()[:-2] if line]
    first = {
        cell_len(line[: line.index(words(each.title, language))])
        for line, each in zip([line for line in lines if not line.startswith(" ")], found, strict=True)
    }
    below = {cell_len(line) - cell_len(line.lstrip()) for line in lines if line.startswith(" ")}
    assert first == below
    assert len(first) == 1
    left = re.sub("/home/anna|companion config", "", "".join(lines))
    assert language is ENGLISH or _english(left) == set()


@pytest.mark.parametrize("code", ["ru", "fa"])
def test_the_doctor_speaks_the_terminal_s_language(run: Run, code: str) -> None:
    status, out, err = run("doctor", "--language", code)
    assert (status, err) == (1, "")
    typed = r"[~/][^\s\u2069]*|\"[a-z]+\"|\[[a-z]+\] \w+( = \w+)?|companion (config > config.toml|controls learn)"
    quoted = re.sub(typed, "", out)
    known = {"python", "Python", "Raspberry", "Pi", "NeoPixel", "WLED", "cv2", "cv", "numpy", "Debian", "GNU", "Linux"}
    release = Path("/etc/os-release")
    system = _english(release.read_text()) if release.exists() else set()
    assert {word for word in _english(quoted) - known if word.islower()} <= system
    as_json = run("doctor", "--json", "--language", code)[1]
    assert "The camera is simulated." in as_json


FAULTY: Final = {
    "broken.toml": "[camera\n",
    "size.toml": "[camera]\nsize = 7\n",
    "section.toml": "[camra]\n",
    "players.toml": '[kvilt]\nplayers = ["A"]\n',
    "market.toml": '[patchwork]\nmarket = ["bar3"]\n',
    "format.jsonl": '{"format": 2}\n',
    "turn.jsonl": '{"format": 1, "game": "patchwork", "rules": "official", "players": ["A", "B"], "first_seat": 1}\n'
    '{"seat": 2, "move": "advance"}\n',
    "json.jsonl": '{"format": 1,\n',
    "token.jsonl": '{"format": 1, "game": "kvilt", "players": ["A", "B"], "first_seat": 1, "sheet": "companion-a"}\n'
    '{"seat": 1, "move": "token", "colour": "mauve"}\n',
    "sheet.toml": 'game = "kvilt"\nformat = 1\n',
    "calibration.toml": "format = 7\n",
    "table.toml": '[table]\ncalibration = "calibration.toml"\n[camera]\ndriver = "folder"\npath = "."\n',
    "picture.jpg": "no picture",
}
"""Files that cannot be used, by their names."""
LINES: Final = [
    "config --config broken.toml",
    "config --config size.toml",
    "config --config section.toml",
    "config --config players.toml",
    "config --config market.toml",
    "config --config nowhere.toml",
    "replay format.jsonl",
    "replay turn.jsonl",
    "replay json.jsonl",
    "replay token.jsonl",
    "replay nowhere.jsonl",
    "score picture.jpg",
    "score picture.jpg --game kvilt --sheet sheet.toml",
    "score picture.jpg --buttons 3",
    "score picture.jpg --bonus 7",
    "games export 7 --data .",
    "photo a.gif",
    "photo a.jpg --config table.toml",
    "print mats --paper a5",
    "print kvilt-sheet --sheet sheet.toml",
    "play --simulate --no-page",
    "play --temper tidy",
    "play --port 99999999",
    "kvilt define",
    "calibrate",
    "market picture.jpg",
    "hardware-test --plant gnome",
]
_KEPT: Final = set(re.findall(r"\w+", """
    FILE JPEG JSON PNG TOML a4 autoplay bar blurred boards bonus broken button buttons calibrate calibration
    camera camra colour companion config corner corners crossed data dead define domino driver enabled false
    fiducials file folder format game games gif gnome hardware help hex image journal jpeg jpg json jsonl
    kvilt letter market mats mauve network none no nowhere order out page paper patchwork phone
    photo pi picture pixel plant play players png port print replay score section sheet
    simulate simulated size sqlite sqlite3 stuck table temper test token toml turn webcam wires
"""))  # fmt: skip
"""Names of files, keys, choices and options."""
# Messages of the parsers of TOML and JSON stay in English; the sentences around them have the place and the file.
_OF_PARSERS: Final = {
    *("Expected", "at", "the", "end", "of", "declaration"),
    *("Expecting", "property", "name", "enclosed", "in", "double", "quotes"),
}


@pytest.mark.parametrize("line", LINES)
def test_an_error_is_one_line_in_the_language(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    for name, text in FAULTY.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    status, _, english = run(*line.split())
    for code, letter in (("ru", "[а-яё]"), ("fa", "[آ-ی]")):
        monkeypatch.setenv("LANG", code)
        told_status, _, told = run(*line.split())
        assert status == told_status == 2
        assert told.count("\n") == 1
        assert told.startswith("companion: ")
        assert re.search(letter, told)
        words_of = re.compile("[A-Za-z]{2,}")
        left = set(words_of.findall(_MARKS.sub("", told))) & set(words_of.findall(english))
        assert left <= _KEPT | _OF_PARSERS


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=list(LANGUAGES))
def test_the_configuration_is_commented_in_the_language_and_reads_the_same(run: Run, language: Language) -> None:
    status, out, err = run("config", "--language", language.code)
    assert (status, err) == (0, "")
    assert parse_config(out, "printed") == Config()
    comments = [line for line in out.splitlines() if line.startswith("# ") and " = " not in line]
    assert len(comments) > 40
    if language is not ENGLISH:
        script = re.compile("[а-яё]" if language is RUSSIAN else "[آ-ی]")
        assert [line for line in comments if not script.search(line)] == []

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from companion.__main__ import main
from companion.cli.hardware_test import _offered, _typed
from companion.upkeep.hardware_test.course import Prompt

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]
COLOURS = Prompt("Which?", choices=("red", "green", "something else"))


def test_a_simulated_test_names_what_was_planted_in_the_language_and_leaves_a_report_in_english(
    run: Run, tmp_path: Path
) -> None:
    """In one language: `test_translations.py` checks that the others lack none of its sentences."""
    config = tmp_path / "c.toml"
    config.write_text("[strip]\npixels = 30\n[camera]\nsize = [1152, 648]\n")
    report = tmp_path / "report.txt"
    status, out, err = run("hardware-test", "--simulate", "--config", config, "--report", report, "--language", "ru")
    assert (status, err) == (1, "")
    for named in ("3\xa0неполадки.", "Залипла", "Пиксель 24 не светится", "Снимок размыт", "Шаг 8 из 8: Ход"):
        assert named in out
    assert out.startswith("Нарочно подстроенные неисправности")
    assert "негорящий пиксель" in out.splitlines()[0]
    left = out.replace(str(report), "").replace("simulated", "")
    assert set(re.findall("[A-Za-z]{2,}", left)) <= {"GPIO"}
    for named in ("It is stuck", "Pixel 24 stays dark", "The picture is blurred", "Wiring"):
        assert named in report.read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--simulate", "--plant", "gremlin"), "'gremlin' is not a fault; use dead-pixel, "),
        (("--buttons", "simulated", "--strip", "wled"), "wled_host: is missing"),
        (("--camera", "folder"), "path: is missing"),
    ],
)
def test_a_test_that_cannot_be_made_is_one_line(run: Run, arguments: tuple[str, ...], says: str) -> None:
    status, _, err = run("hardware-test", *arguments)
    assert status == 2
    assert says in err
    assert err.count("\n") == 1


def test_without_a_configuration_it_does_not_praise_twins_that_nobody_asked_for(run: Run) -> None:
    status, out, err = run("hardware-test")
    assert (status, out) == (2, "")
    assert "there is no configuration with this table’s devices" in err
    assert "--camera pi --buttons gpio --strip neopixel" in err


def test_devices_that_the_configuration_simulates_are_named_as_untested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[camera]\ndriver = "folder"\npath = "/nowhere"\n[strip]\npixels = 30\n')
    monkeypatch.setattr("companion.cli.hardware_test._follow", lambda *_: None)
    report = tmp_path / "report.txt"
    main(["hardware-test", "--config", str(config), "--report", str(report)])
    assert "Not tested, because they are simulated in the configuration: the push-buttons, the strip." in (
        capsys.readouterr().out
    )


def test_a_report_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text(
        '[camera]\ndriver = "folder"\npath = "/nowhere"\n[controls]\ndriver = "none"\n[strip]\ndriver = "none"\n'
    )
    status, _, err = run("hardware-test", "--config", config, "--report", tmp_path / "no" / "report.txt")
    assert status == 2
    assert "cannot be written" in err


def test_typed_answers_may_be_short_and_wrong_ones_are_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = io.StringIO("RED\nsome\ns\nmauve\n\n")
    monkeypatch.setattr("sys.stdin", typed)
    monkeypatch.setattr("companion.cli.hardware_test.select.select", lambda *_: ([typed], [], []))
    assert [_typed(COLOURS) for _ in range(5)] == ["red", "something else", "skip", None, None]
    assert capsys.readouterr().out.count("Type one of: red, green, something else; or skip.") == 2
    with pytest.raises(KeyboardInterrupt):
        _typed(COLOURS)


def test_without_a_typed_line_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.hardware_test.select.select", lambda *_: ([], [], []))
    assert _typed(COLOURS) is None


def test_numbers_are_offered_shortly() -> None:
    assert _offered(("0", "1", "2")) == " [0 to 2]"
    assert _offered(("red", "nothing")) == " [red, nothing]"
    assert _offered(()) == ""

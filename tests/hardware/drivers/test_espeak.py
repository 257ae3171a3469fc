"""Test espeak-ng by a fake program that reports its input and waits until the test has read it."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from queue import Queue
from typing import TYPE_CHECKING

import pytest

from hardware.drivers.espeak import EspeakVoice
from hardware.voices import ProgramVoice

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import sys
with open({pipe!r}, "w", encoding="utf-8") as pipe:
    pipe.write(" ".join(sys.argv[1:]) + "|" + sys.stdin.buffer.read().decode("utf-8"))
open({go!r}, "rb").read()
"""


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    for name in ("pipe", "go"):
        os.mkfifo(tmp_path / name)
    return tmp_path / "pipe"


@pytest.fixture
def voice(tmp_path: Path, pipe: Path) -> Iterator[EspeakVoice]:
    script = tmp_path / "speak.py"
    script.write_text(PROGRAM.format(pipe=str(pipe), go=str(tmp_path / "go")), encoding="utf-8")
    spoken = EspeakVoice((sys.executable, str(script)))
    yield spoken
    spoken.close()


Heard = Callable[[], str]


@pytest.fixture
def output(pipe: Path) -> Heard:
    return lambda: pipe.read_text(encoding="utf-8")


def test_a_text_is_spoken_in_its_language(voice: EspeakVoice, output: Heard) -> None:
    voice.say("Ход игрока Анна.", "ru")
    assert output() == "-v ru --stdin|Ход игрока Анна."


def test_a_text_is_never_taken_for_an_option(voice: EspeakVoice, output: Heard) -> None:
    voice.say("-w /etc/passwd", "en")
    assert output() == "-v en --stdin|-w /etc/passwd"


def test_a_lone_surrogate_is_left_out_of_the_speech(voice: EspeakVoice, output: Heard) -> None:
    voice.say("bad\udcff.jsonl", "en")
    assert output() == "-v en --stdin|bad?.jsonl"


def test_while_it_speaks_the_latest_news_waits_and_takes_the_place_of_older_ones(
    voice: EspeakVoice, output: Heard, tmp_path: Path
) -> None:
    voice.say("one", "en")
    assert output().endswith("|one")
    voice.say("two", "en")
    voice.say("three", "en")
    (tmp_path / "go").write_bytes(b"")
    assert output().endswith("|three")


def test_a_program_that_cannot_be_started_is_tried_with_every_text_and_reported_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tried: Queue[str] = Queue()

    def pipeline(language: str) -> list[list[str]]:
        tried.put(language)
        return [["cat" if language == "ru" else "no-such-program-here"]]

    voice = ProgramVoice(pipeline)
    with caplog.at_level(logging.WARNING, "hardware.voices"):
        for language in ("en", "en", "ru", "en", "ru"):
            voice.say("text", language)
            assert tried.get(timeout=60) == language
        voice.close()
    first, second = (record.getMessage() for record in caplog.records)
    assert first == second
    assert first.startswith("no-such-program-here cannot be started, so nothing is spoken: ")


def test_closing_breaks_off_what_is_spoken(voice: EspeakVoice) -> None:
    voice.say("nobody ever hears the end of this", "en")
    voice.close()
    voice.say("nor this", "en")
    voice.close()
    assert voice._thread is not None
    assert not voice._thread.is_alive()


def test_words_that_the_program_reads_wrongly_are_given_as_it_reads_them_well(
    voice: EspeakVoice, output: Heard
) -> None:
    voice.say("Положите лоскут, [[а]]: столько же.", "ru")
    assert output() == "-v ru --stdin|[[pVlVZ'yt;i]] лоскут, [а]]: столько же."


def test_a_persian_word_gets_the_vowels_that_the_program_would_miss(voice: EspeakVoice, output: Heard) -> None:
    voice.say("لحافِ علی و تکهٔ خار", "fa")
    assert output() == "-v fa --stdin|لِحافِ علی و تکّهٔ خار"

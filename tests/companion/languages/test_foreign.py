from __future__ import annotations

import errno
import json
import os
import socket
import tomllib
from pathlib import Path

import pytest

from companion.languages import LANGUAGES, Sentence, json_says, system_says, toml_says

RUSSIAN = LANGUAGES["ru"]

BROKEN_TOML = [
    "[camera\n",
    "a",
    "a = ",
    "a 1",
    "a = 1 b = 2",
    "[a]\n[a]\n",
    "[[a]]\n[a]\n",
    "a = 1\na = 2",
    "a = 1\n[a]\n",
    "a = [1, 2",
    "a = {b = 1",
    "a = {b = 1, b = 2}",
    'a = "x',
    'a = "\\q"',
    'a = "\\xZZ"',
    'a = "\\uXYZW"',
    "a = 2026-13-45",
    "\x01 = 1",
    "a = 1 \x01",
    "'' '' = 1",
    "= 1",
]
BROKEN_JSON = ['{"a": 1', "{", "[1,]", '{"a" 1}', '"x', "1 2", '"\x01"', '"\\q"', "", "{a: 1}", '{"a": 1 "b"}']


@pytest.mark.parametrize(
    "number", [errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.EISDIR, errno.EADDRINUSE, errno.ECONNREFUSED]
)
def test_what_the_system_says_is_its_own_english_and_can_be_told(number: int) -> None:
    says = system_says(OSError(number, os.strerror(number), "a file"))
    assert says == os.strerror(number)
    assert isinstance(says, Sentence)
    assert says.rendered(RUSSIAN) != says


def test_what_is_rare_is_left_as_the_system_words_it() -> None:
    assert system_says(OSError(errno.EXDEV, "Invalid cross-device link")) == "Invalid cross-device link"
    assert system_says(OSError("it is odd")) == "it is odd"
    assert system_says(OSError()) == "OSError"


def test_what_has_no_number_is_known_too() -> None:
    assert system_says(TimeoutError("timed out")) == "Connection timed out"
    assert system_says(socket.gaierror(socket.EAI_NONAME, "Name or service not known")) == "Name or service not known"
    with pytest.raises(ValueError, match="null") as caught:
        Path("a\0b").read_bytes()
    assert isinstance(system_says(caught.value), Sentence)


def test_what_is_wrong_with_a_toml_file_is_told_with_its_place() -> None:
    english = {"Cannot", "Expected", "Invalid", "Illegal", "Found", "Unclosed"}
    for text in BROKEN_TOML:
        with pytest.raises(tomllib.TOMLDecodeError) as caught:
            tomllib.loads(text)
        says = toml_says(caught.value)
        assert isinstance(says, Sentence), text
        assert "line 1," in says or "line 2," in says or "end of document" in says
        assert not english & set(says.rendered(RUSSIAN).split())


def test_what_else_keeps_toml_from_being_read() -> None:
    assert toml_says(RecursionError("maximum recursion depth exceeded")) == "it is nested too deeply"
    assert toml_says(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")) == "byte 1 is not UTF-8"
    assert toml_says(ValueError("Exceeds the limit")) == "Exceeds the limit"


def test_what_is_wrong_with_a_line_of_json_is_told_with_its_place() -> None:
    english = {"Expecting", "Invalid", "Unterminated", "Extra", "Illegal"}
    for text in BROKEN_JSON:
        with pytest.raises(json.JSONDecodeError) as caught:
            json.loads(text)
        says = json_says(caught.value)
        assert isinstance(says, Sentence), text
        assert says.endswith(f"column {caught.value.colno}")
        assert not english & set(says.rendered(RUSSIAN).split())


def test_what_is_no_fault_of_the_text_is_told_plainly() -> None:
    assert json_says(RecursionError()) == "not to be decoded"

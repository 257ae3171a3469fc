from __future__ import annotations

import errno
import json
import os
import socket
import tomllib

import pytest

from companion.languages import LANGUAGES, Sentence, json_says, render, system_says, toml_says

RUSSIAN = LANGUAGES["ru"]


@pytest.mark.parametrize(
    "number", [errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.EISDIR, errno.EADDRINUSE, errno.ECONNREFUSED]
)
def test_common_errors_of_the_system_are_translated(number: int) -> None:
    says = system_says(OSError(number, os.strerror(number), "a file"))
    assert says == os.strerror(number)
    assert isinstance(says, Sentence)
    assert says.rendered(RUSSIAN) != says


def test_a_rare_error_stays_as_the_system_words_it() -> None:
    assert system_says(OSError(errno.EXDEV, "Invalid cross-device link")) == "Invalid cross-device link"
    assert system_says(OSError("it is odd")) == "it is odd"
    assert system_says(OSError()) == "OSError"


def test_a_failure_without_a_number_of_the_system() -> None:
    assert system_says(TimeoutError("timed out")) == "Connection timed out"
    assert system_says(socket.gaierror(socket.EAI_NONAME, "Name or service not known")) == "Name or service not known"
    assert system_says(ValueError("embedded null byte")) == "embedded null byte"


@pytest.mark.parametrize(
    ("text", "says", "russian"),
    [
        ("[camera\n", "Expected ']' at the end of a table declaration (at line 1, column 8)", "строка 1"),
        ("a = [1, 2", "Unclosed array (at end of document)", "в конце"),
    ],
)
def test_a_fault_in_a_toml_file_has_its_place_in_the_readers_language(text: str, says: str, russian: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    assert toml_says(caught.value) == says
    assert russian in render(toml_says(caught.value), RUSSIAN)


def test_other_faults_of_a_toml_file() -> None:
    assert toml_says(RecursionError("maximum recursion depth exceeded")) == "it is nested too deeply"
    assert toml_says(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")) == "byte 1 is not UTF-8"
    assert toml_says(ValueError("Exceeds the limit")) == "Exceeds the limit"


def test_a_fault_in_a_line_of_json_has_its_place_in_the_readers_language() -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads('{"a" 1}')
    assert json_says(caught.value) == "Expecting ':' delimiter, column 6"
    assert "6" in render(json_says(caught.value), RUSSIAN)
    assert json_says(RecursionError()) == "not to be decoded"

"""Test lines that are typed while the program runs."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from companion.cli.sessions import TypedLines, typed_lines

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for end in (reading, writing):
        with suppress(OSError):
            os.close(end)


def test_lines_come_once_they_are_whole(pipe: tuple[int, int]) -> None:
    typed = TypedLines(pipe[0])
    assert typed() == ()
    os.write(pipe[1], b"7 te")
    assert typed() == ()
    os.write(pipe[1], "e\r\nok\nи".encode())
    assert typed() == ("7 tee", "ok")
    os.write(pipe[1], b"\xff\n")
    assert typed() == ("и\ufffd",)


def test_the_end_of_a_pipe_is_no_reason_to_wait(pipe: tuple[int, int]) -> None:
    typed = TypedLines(pipe[0])
    os.write(pipe[1], b"ok\nrest")
    os.close(pipe[1])
    assert typed() == ("ok",)
    assert typed() == ()


def test_without_a_terminal_there_are_no_typed_lines() -> None:
    assert typed_lines() is None

"""Files of a bounded size."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from companion.durable import TEXT_BYTES, read_bytes, read_text

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_of_just_that_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    assert read_bytes(path, 3) == b"abc"
    with pytest.raises(OSError, match="File too large") as raised:
        read_bytes(path, 2)
    assert raised.value.errno == errno.EFBIG


def test_a_text_has_plain_line_ends_and_no_mark_before_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\n")
    assert read_text(path) == "a\nb\n"
    path.write_bytes(b" " * (TEXT_BYTES + 1))
    with pytest.raises(OSError, match="File too large"):
        read_text(path)

from __future__ import annotations

import io
import json
import sys

import pytest

from companion.terminal.output import put


def _put(monkeypatch: pytest.MonkeyPatch, text: str, encoding: str) -> bytes:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding, newline=""))
    put(text)
    return raw.getvalue()


def test_text_is_written_as_it_is_and_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _put(monkeypatch, "██· Zoë\n", "utf-8") == "██· Zoë\n".encode()


def test_a_poor_encoding_gets_a_plain_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _put(monkeypatch, "██· ─ Zoë 安娜\n", "latin-1") == b"##. - Zo\xeb \\u5b89\\u5a1c\n"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_json_stays_json(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    said = {"name": "Zoë 🧵", "error": "bad\udcff.jsonl: is bad"}
    written = _put(monkeypatch, json.dumps(said, ensure_ascii=False) + "\n", encoding)
    assert json.loads(written.decode(encoding)) == said


def test_control_characters_of_a_terminal_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    written = _put(monkeypatch, "a\x1b[2Jb\x9bc\u202ed\te\n", "utf-8").decode()
    assert written == "a\ufffd[2Jb\ufffdc\ufffdd\te\n"

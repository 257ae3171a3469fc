"""Test which invisible characters a name may contain."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.languages import as_seen, harmless, is_plain

REZA = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
FAMILY = "\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize("name", ["Anna", REZA, f"{REZA} {REZA}", FAMILY, "Zo\u00eb M."])
def test_a_name_may_be_joined_as_its_script_wants(name: str) -> None:
    assert is_plain(name)
    assert harmless(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "\u200cAnna",
        "Anna\u200d",
        "An\u200c\u200dna",
        "Anna \u200cB",
        "An\x07na",
        "An\nna",
        "An\u202ena",
        "An\u2067na",
        "\udc80",
    ],
)
def test_names_contain_no_invisible_characters(name: str) -> None:
    assert not is_plain(name)


def test_two_names_that_look_alike_are_one() -> None:
    assert as_seen("An\u200cna") == as_seen("Anna")


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(st.characters(codec="utf-8")))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = harmless(text)
    assert len(shown) == len(text)
    assert not any((ord(char) < 0x20 and char not in "\n\t") or 0x7F <= ord(char) < 0xA0 for char in shown)
    assert not any(0x202A <= ord(char) <= 0x202E for char in shown)

from __future__ import annotations

from itertools import cycle

import pytest

from companion.web.access import CODE_LENGTH, CODE_LETTERS, GRACE_S, SHOWN_S, Keys
from tests.companion.web.conftest import ManualClock


def test_the_key_opens_and_nothing_else_does() -> None:
    keys = Keys()
    assert keys.opens(keys.key)
    assert not any(keys.opens(other) for other in (None, "", keys.key[:-1], keys.key + "a", Keys().key, "é"))
    assert len(keys.key) >= 20


def test_a_code_is_shown_for_a_while_and_accepted_a_little_longer() -> None:
    clock = ManualClock()
    keys = Keys(clock)
    first = keys.code()
    assert keys.expires_in_s(first) == SHOWN_S
    clock.now_s += SHOWN_S - 1
    assert keys.code() == first
    clock.now_s += 1
    second = keys.code()
    assert second.code != first.code
    assert keys.accepts(first.code)
    assert keys.accepts(second.code)
    clock.now_s += GRACE_S
    assert not keys.accepts(first.code)
    assert keys.accepts(second.code)


def test_before_a_code_is_shown_none_is_accepted() -> None:
    keys = Keys()
    assert not keys.accepts("")
    assert not keys.accepts("AAAAAA")


@pytest.mark.parametrize("typed", ["abcdef", " AB CD EF ", "aBcDeF\n"])
def test_codes_are_accepted_however_they_are_typed(typed: str) -> None:
    letters = cycle("ABCDEF")
    keys = Keys(choose=lambda _: next(letters))
    assert keys.code().code == "ABCDEF"
    assert keys.accepts(typed)
    assert not keys.accepts("ABCDE")
    assert not keys.accepts("ABCDEG")


def test_codes_are_drawn_from_letters_that_cannot_be_mistaken() -> None:
    asked: list[str] = []

    def choose(letters: str) -> str:
        asked.append(letters)
        return letters[0]

    assert Keys(choose=choose).code().code == CODE_LETTERS[0] * CODE_LENGTH
    assert asked == [CODE_LETTERS] * CODE_LENGTH
    assert not set("O0I1L") & set(CODE_LETTERS)

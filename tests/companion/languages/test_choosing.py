from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.languages import LANGUAGES, language_for, language_of_environment


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("fa", "fa"),
        ("fa-IR,fa;q=0.9,en;q=0.8", "fa"),
        ("de-DE,de;q=0.9,ru;q=0.7,en;q=0.8", "en"),
        ("de, ru;q=0.5", "ru"),
        ("en;q=0.1, FA;q=0.2", "fa"),
        ("ru;q=0, fa;q=0.1", "fa"),
        ("ru;q=much, fa;q=0.1", "fa"),
        ("*", "en"),
        ("", "en"),
        ("de", "en"),
    ],
)
def test_a_browser_s_dearest_language_that_there_is(accepted: str, code: str) -> None:
    assert language_for(accepted).code == code


@given(st.text(max_size=200))
def test_any_header_comes_to_a_language(accepted: str) -> None:
    assert language_for(accepted) in LANGUAGES.values()


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "fa_IR"}, "fa"),
        ({"LANG": "ru_RU.UTF-8", "LC_MESSAGES": ""}, "ru"),
        ({"LANGUAGE": "de:fa:ru", "LANG": "en_GB.UTF-8"}, "fa"),
        ({"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_a_terminal_s_language_is_its_environment_s(environment: dict[str, str], code: str) -> None:
    assert language_of_environment(environment).code == code
